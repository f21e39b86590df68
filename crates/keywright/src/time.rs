//! The present, as the client of the store tells it: the engine's clock in process, the system's elsewhere.

use std::time::{Duration, UNIX_EPOCH};

use aws_sdk_dynamodb::Client;
use aws_smithy_async::time::{SharedTimeSource, SystemTimeSource};

/// The clock of a store.
#[derive(Clone, Debug)]
pub(crate) struct Clock(SharedTimeSource);

impl Clock {
    /// The clock of a client.
    pub(crate) fn of(client: &Client) -> Clock {
        Clock(client.config().time_source().unwrap_or_else(|| SharedTimeSource::new(SystemTimeSource::new())))
    }

    /// The time since the beginning of 1970.
    pub(crate) fn since_epoch(&self) -> Duration {
        self.0.now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    /// Whole seconds since the beginning of 1970, which is how items say when they expire.
    pub(crate) fn seconds(&self) -> u64 {
        self.since_epoch().as_secs()
    }
}
