//! An arm that sees how many calls are under way at once.

use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::interceptors::Intercept;
use aws_smithy_runtime_api::client::interceptors::context::{
    BeforeSerializationInterceptorContextRef, FinalizerInterceptorContextRef,
};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::config_bag::ConfigBag;
use keywright::{CursorKey, CursorKeys};
use keywright_embedded::engine::clock::{ManualClock, Timestamp};
use keywright_embedded::engine::faults::Faults;
use keywright_embedded::engine::{Engine, Options};

use crate::arm::{Arm, BEGINNING_SECONDS, in_process_with};

/// The arm in this process with faults, whose time only a test moves, and which sees how many calls are under way at once.
pub(crate) struct ArmWithCalls {
    pub(crate) arm: Arm,
    calls: CallsUnderWay,
}

impl ArmWithCalls {
    pub(crate) fn new(faults: Faults) -> ArmWithCalls {
        let keys = CursorKeys::new(CursorKey::generate().unwrap());
        let clock = ManualClock::new(Timestamp::from_milliseconds(BEGINNING_SECONDS * 1000));
        let engine = Engine::open(Options::memory().clock(Arc::new(clock.clone())).faults(faults)).unwrap();
        let calls = CallsUnderWay::default();
        let config = keywright_embedded::config(&engine).interceptor(calls.clone());
        ArmWithCalls { arm: in_process_with(Client::from_conf(config.build()), clock, &keys), calls }
    }

    /// Waits for this while time passes.
    pub(crate) async fn until_done<Output>(&self, work: impl Future<Output = Output>) -> Output {
        let mut work = std::pin::pin!(work);
        loop {
            for _ in 0..50 {
                tokio::select! {
                    biased;
                    output = &mut work => return output,
                    () = tokio::task::yield_now() => {}
                }
            }
            self.arm.advance(Duration::from_secs(1));
        }
    }

    /// The most calls that were under way at once since this was asked last.
    pub(crate) fn most_calls(&self) -> usize {
        std::mem::take(&mut self.calls.0.lock().unwrap().most)
    }
}

/// Counts the calls that have begun and not ended.
#[derive(Clone, Debug, Default)]
struct CallsUnderWay(Arc<Mutex<Calls>>);

#[derive(Debug, Default)]
struct Calls {
    now: usize,
    most: usize,
}

impl Intercept for CallsUnderWay {
    fn name(&self) -> &'static str {
        "calls under way"
    }

    fn read_before_execution(
        &self,
        _: &BeforeSerializationInterceptorContextRef<'_>,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let mut calls = self.0.lock().unwrap();
        calls.now += 1;
        calls.most = calls.most.max(calls.now);
        Ok(())
    }

    fn read_after_execution(
        &self,
        _: &FinalizerInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.0.lock().unwrap().now -= 1;
        Ok(())
    }
}
