//! What the layer tells the program's operators: its events, and the fields of its spans.

use std::fmt::{self, Write};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

/// What was told on this thread.
#[derive(Clone, Default)]
pub(crate) struct Told(Arc<Mutex<Lines>>);

#[derive(Default)]
struct Lines {
    events: Vec<(Level, String)>,
    spans: Vec<String>,
}

impl Told {
    /// From now on, until the guard is dropped.
    pub(crate) fn listen() -> (Told, DefaultGuard) {
        let told = Told::default();
        let subscriber = tracing_subscriber::registry().with(told.clone());
        let guard = tracing::subscriber::set_default(subscriber);
        (told, guard)
    }

    /// The events since it was asked last, each with its fields.
    pub(crate) fn take_events(&self) -> Vec<(Level, String)> {
        std::mem::take(&mut self.0.lock().unwrap().events)
    }

    /// The fields of spans since it was asked last.
    pub(crate) fn take_spans(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().spans)
    }
}

/// The fields of one event or span.
#[derive(Default)]
struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let between = if self.0.is_empty() { "" } else { " " };
        write!(self.0, "{between}{field}={value:?}").unwrap();
    }
}

/// What the client and the engine tell is no part of this.
fn is_the_layers(metadata: &Metadata<'_>) -> bool {
    metadata.target() == "keywright" || metadata.target().starts_with("keywright::")
}

impl<Under: Subscriber> Layer<Under> for Told {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, Under>) {
        if is_the_layers(event.metadata()) {
            let mut fields = Fields::default();
            event.record(&mut fields);
            self.0.lock().unwrap().events.push((*event.metadata().level(), fields.0));
        }
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, _id: &Id, _context: Context<'_, Under>) {
        if is_the_layers(attributes.metadata()) {
            let mut fields = Fields::default();
            attributes.record(&mut fields);
            self.0.lock().unwrap().spans.push(fields.0);
        }
    }

    fn on_record(&self, _id: &Id, values: &Record<'_>, _context: Context<'_, Under>) {
        let mut fields = Fields::default();
        values.record(&mut fields);
        self.0.lock().unwrap().spans.push(fields.0);
    }
}
