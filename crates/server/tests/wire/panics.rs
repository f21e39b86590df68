//! A panic is one client's 500, not everybody's end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use keywright_engine::clock::{Clock, Sleep, SystemClock, Timestamp};
use keywright_engine::{Engine, Options};

use crate::client::call;
use crate::running::{Running, free_port};

/// The system's clock, until it is broken.
#[derive(Debug, Default)]
struct FragileClock {
    broken: AtomicBool,
}

impl Clock for FragileClock {
    fn now(&self) -> Timestamp {
        assert!(!self.broken.load(Ordering::SeqCst), "the clock is broken");
        SystemClock.now()
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        SystemClock.sleep(duration)
    }
}

#[test]
fn a_panic_is_answered_with_500_and_the_server_lives_on() {
    let clock = Arc::new(FragileClock::default());
    let engine = Engine::open(Options::memory().clock(Arc::<FragileClock>::clone(&clock))).unwrap();
    let server = Running::with(engine, free_port());
    server.create_table("Things");
    let filler = "x".repeat(300_000);
    let small = call("PutItem", r#"{"TableName":"Things","Item":{"id":{"S":"k"}}}"#);
    let ignored = vec![r#"{"S":"ignored"}"#; 100_000].join(",");
    let large =
        format!(r#"{{"Unknown":[{ignored}],"TableName":"Things","Item":{{"id":{{"S":"{filler}"}}}}}}"#);
    let large = call("DescribeTable", large);

    clock.broken.store(true, Ordering::SeqCst);
    let mut connection = server.connect();
    for request in [&small, &large, &small] {
        let answer = connection.send(request).receive();
        assert_eq!((answer.status, answer.error_name().as_str()), (500, "InternalServerError"));
        assert!(answer.text().contains("the clock is broken"), "{}", answer.text());
        answer.assert_sound();
    }
    clock.broken.store(false, Ordering::SeqCst);
    for request in [&small, &large] {
        assert_eq!(connection.send(request).receive().status, 200);
    }
}
