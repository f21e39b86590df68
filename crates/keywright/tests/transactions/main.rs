//! Transactions of the data layer, through its public face. The arms and the application are those of the suite.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    reason = "a test that fails says where"
)]

#[path = "../suite/application.rs"]
#[allow(dead_code, reason = "the suite uses the rest")]
mod application;
#[path = "../suite/arm.rs"]
#[allow(dead_code, reason = "the suite uses the rest")]
mod arm;
mod faults;
#[path = "../suite/hostile.rs"]
mod hostile;
mod isolation;
mod limits;
mod refusals;
mod snapshot;
mod tables;
mod tokens;
mod unique;
mod usage;
mod writes;

use std::future::Future;

use keywright::Capability;

/// Runs a test on every arm that has transactions; what the others do is in the suite's test of capabilities.
async fn on_arms_with_transactions<Run: Future<Output = ()>>(test: impl Fn(arm::Arm) -> Run) {
    arm::on_every_arm(|arm| {
        let run = (arm.capabilities().transactions == Capability::Present).then(|| test(arm));
        async move {
            if let Some(run) = run {
                run.await;
            }
        }
    })
    .await;
}
