//! What callers get when a part that was handed to the engine panics.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use keywright_api::{Operation, Request};
use keywright_engine::clock::{Clock, Sleep, SystemClock, Timestamp};
use keywright_engine::{CloseError, Engine, Options};

use crate::support::{create, refusal};

/// Tells the time until it breaks.
#[derive(Debug, Default)]
struct BreakableClock {
    broken: AtomicBool,
}

impl Clock for BreakableClock {
    #[expect(clippy::panic, reason = "the fault that this test is about")]
    fn now(&self) -> Timestamp {
        if self.broken.load(Ordering::Relaxed) {
            panic!("the clock is broken");
        }
        SystemClock.now()
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        SystemClock.sleep(duration)
    }
}

/// A panic that was not a decision's ended the thread that decides writes. The write of that moment was answered, but every
/// later one waited for ever, and so did whoever closed the engine over them.
#[test]
fn no_write_waits_for_a_sequencer_that_is_gone() {
    let clock = Arc::new(BreakableClock::default());
    let engine = Engine::open(Options::memory().clock(clock.clone())).unwrap();
    create(&engine, "orders", "pk:S", None);
    clock.broken.store(true, Ordering::Relaxed);

    let (answers, answered) = mpsc::channel();
    let writer = engine.clone();
    std::thread::spawn(move || {
        for _ in 0..2 {
            let delete = Request::parse(Operation::DeleteTable, br#"{"TableName": "orders"}"#).unwrap();
            answers.send(writer.call(delete).wait()).unwrap();
        }
    });
    // The second is refused at once, or taken out of the queue.
    for words in ["the engine stopped by a fault before it answered", "the engine "] {
        let outcome = answered.recv_timeout(Duration::from_secs(60)).unwrap();
        let refused = refusal(outcome.unwrap_err());
        assert_eq!(refused.name, "InternalServerError");
        assert!(refused.message.contains(words), "{}", refused.message);
    }
    assert_eq!(engine.close(), Err(CloseError::Panicked));
}
