//! Calls of an engine whose faults are on.
//!
//! What is refused without faults is refused as it is and counts for no rule. A delayed call is carried out as everything is by
//! then.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures_channel::oneshot;
use keywright_api::Request;

use super::Inner;
use crate::faults::{Courier, Faults, Injector, Plan, split};
use crate::operation;
use crate::reply::{AfterCommit, Reply};

/// The rules of an engine, and the thread for what they delay.
#[derive(Debug)]
pub(super) struct ActiveFaults {
    pub(super) injector: Injector,
    courier: Option<Courier>,
}

impl ActiveFaults {
    /// # Errors
    /// When the system has no thread to give.
    pub(super) fn start(faults: Faults) -> io::Result<ActiveFaults> {
        let injector = Injector::new(faults);
        let courier = injector.delays_calls().then(Courier::start).transpose()?;
        Ok(ActiveFaults { injector, courier })
    }

    /// Carries out a request as the rules let it be.
    pub(super) fn call(&self, inner: &Arc<Inner>, request: Request) -> Reply {
        let state = &inner.state;
        let prepared = match operation::prepare(request.clone(), state, Duration::ZERO) {
            Ok(prepared) => prepared,
            Err(error) => return Reply::ready(Err(error)),
        };
        let plan = self.injector.plan(&request, &state.catalog(), state.clock.now());
        if plan.is_empty() {
            return inner.answer(prepared);
        }
        let Some(courier) = self.courier.as_ref().filter(|_| !plan.delay_before.is_zero()) else {
            return carry_out(inner, request, plan);
        };
        let (answer, receiver) = oneshot::channel();
        let sleep = state.clock.sleep(plan.delay_before);
        let engine = Arc::downgrade(inner);
        courier.send_off(async move {
            sleep.await;
            let Some(inner) = engine.upgrade() else { return };
            let reply = carry_out(&inner, request, plan);
            drop(inner);
            // Nobody may wait any more.
            let _ = answer.send(reply.delivery().await);
        });
        Reply::delayed(receiver)
    }
}

/// Carries out a call whose time has come. What is refused before its commit meets nothing after it.
fn carry_out(inner: &Inner, request: Request, plan: Plan) -> Reply {
    let Plan { delay_before: _, refusal, left, index_lag, loss, delay_after } = plan;
    if let Some(refusal) = refusal {
        return Reply::lost(refusal);
    }
    let (request, unprocessed) = split(request, &left);
    let reply = match operation::prepare(request, &inner.state, index_lag) {
        Ok(prepared) => inner.answer(prepared),
        Err(error) => Reply::ready(Err(error)),
    };
    let clock = Arc::clone(&inner.state.clock);
    reply.then(AfterCommit { unprocessed, delay: delay_after, loss, clock, arrival: None })
}
