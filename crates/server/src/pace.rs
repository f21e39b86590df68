//! How slow a client may be that holds what others need: a place, or memory.
//!
//! Progress alone is not enough, since a byte now and then is progress too: on average there is a least rate.

use std::time::Duration;

use tokio::time::Instant;

use crate::budget::Supply;

/// So many times faster must be who holds memory that others wait for.
const HURRY: u32 = 8;

/// The slowest that is allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// How long there may be no progress, and how long the average does not count yet.
    pub(crate) patience: Duration,
    /// The least average after that.
    pub(crate) bytes_per_second: u32,
}

/// What has come through since a moment.
#[derive(Debug)]
pub(crate) struct Progress {
    began: Instant,
    last: Instant,
    bytes: usize,
}

impl Pace {
    /// How often to look whether somebody is too slow.
    pub(crate) fn tick(&self) -> Duration {
        (self.patience / HURRY).clamp(Duration::from_millis(1), Duration::from_secs(1))
    }
}

impl Progress {
    /// Nothing yet.
    pub(crate) fn start() -> Progress {
        let now = Instant::now();
        Progress { began: now, last: now, bytes: 0 }
    }

    /// So many bytes more.
    pub(crate) fn made(&mut self, bytes: usize) {
        self.last = Instant::now();
        self.bytes += bytes;
    }

    /// Whether the client has lost its right to go on.
    pub(crate) fn is_too_slow(&self, pace: &Pace, supply: Supply) -> bool {
        let hurry = match supply {
            Supply::Plenty => 1,
            Supply::Short => HURRY,
        };
        let now = Instant::now();
        let patience = pace.patience / hurry;
        let counted = (now - self.began).saturating_sub(patience);
        let least = counted.as_secs_f64() * f64::from(pace.bytes_per_second) * f64::from(hurry);
        now - self.last >= patience || (self.bytes as f64) < least
    }
}
