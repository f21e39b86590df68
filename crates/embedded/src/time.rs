//! The engine's clock, as the SDK wants to see it.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_smithy_async::rt::sleep::{AsyncSleep, Sleep};
use aws_smithy_async::time::TimeSource;
use keywright_engine::Engine;
use keywright_engine::clock::Clock;

/// Tells the time and sleeps, both on the engine's clock.
#[derive(Clone, Debug)]
pub(crate) struct EngineTime(Arc<dyn Clock>);

impl EngineTime {
    pub(crate) fn new(engine: &Engine) -> EngineTime {
        EngineTime(Arc::clone(engine.clock()))
    }
}

impl AsyncSleep for EngineTime {
    /// Begins when it is waited for. The SDK makes a sleep for the time limit of every call, and waits for almost none.
    fn sleep(&self, duration: Duration) -> Sleep {
        let clock = Arc::clone(&self.0);
        Sleep::new(async move { clock.sleep(duration).await })
    }
}

impl TimeSource for EngineTime {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(self.0.now().milliseconds())
    }
}
