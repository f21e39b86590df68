//! Counts what stores tell of themselves in the log output, so that a suite whose stores never roll, apply or wait fails.

use std::fmt::{self, Debug, Display};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// What stores of this process have told since counting began.
#[derive(Debug, Default)]
pub(crate) struct Events {
    applied: AtomicU64,
    segments_removed: AtomicU64,
    rolled: AtomicU64,
    /// Applies of stores in which a writer has waited.
    with_stalls: AtomicU64,
    /// Applies behind which there were frames, and bytes of them.
    behind: AtomicU64,
    cut_off: AtomicU64,
    full: AtomicU64,
    goes_on: AtomicU64,
}

/// Begins to count. At most once a process.
pub(crate) fn count() -> Arc<Events> {
    let events = Arc::<Events>::default();
    tracing::subscriber::set_global_default(Counter(Arc::clone(&events))).unwrap();
    events
}

impl Events {
    fn counts(&self) -> [(&'static str, &AtomicU64); 8] {
        [
            ("applies", &self.applied),
            ("segments removed", &self.segments_removed),
            ("rolls", &self.rolled),
            ("applies of stores in which a writer waited", &self.with_stalls),
            ("applies with later frames behind them", &self.behind),
            ("unfinished frames cut off", &self.cut_off),
            ("disks full", &self.full),
            ("disks with room again", &self.goes_on),
        ]
    }

    /// Everything has happened.
    pub(crate) fn check(&self) {
        for (what, count) in self.counts() {
            assert!(count.load(Ordering::Relaxed) > 0, "no {what}");
        }
    }
}

impl Display for Events {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.counts().map(|(what, count)| format!("{} {what}", count.load(Ordering::Relaxed)));
        formatter.write_str(&counts.join(", "))
    }
}

struct Counter(Arc<Events>);

impl Subscriber for Counter {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "keywright::storage"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut told = Told::default();
        event.record(&mut told);
        let events = &self.0;
        let counter = match told.message.as_str() {
            "the tree has what the log held" => {
                events.segments_removed.fetch_add(told.segments_removed, Ordering::Relaxed);
                events.with_stalls.fetch_add(u64::from(told.stalls > 0), Ordering::Relaxed);
                let is_behind = told.frames_behind > 0 && told.bytes_behind > 0;
                events.behind.fetch_add(u64::from(is_behind), Ordering::Relaxed);
                &events.applied
            }
            "the log goes on in the next segment" => &events.rolled,
            "the store goes on writing" => &events.goes_on,
            message if message.ends_with("is cut off the log") => &events.cut_off,
            message if message.starts_with("the disk is full") => &events.full,
            _ => return,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[derive(Default)]
struct Told {
    message: String,
    segments_removed: u64,
    stalls: u64,
    frames_behind: u64,
    bytes_behind: u64,
}

impl Visit for Told {
    fn record_u64(&mut self, field: &Field, value: u64) {
        match field.name() {
            "segments_removed" => self.segments_removed = value,
            "stalls" => self.stalls = value,
            "frames_behind" => self.frames_behind = value,
            "bytes_behind" => self.bytes_behind = value,
            _ => {}
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            self.message = format!("{value:?}");
        }
    }
}
