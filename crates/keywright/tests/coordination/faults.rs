//! The same under faults from seeds: lost answers, throttles, conflicts. Each run prints its seed when it fails.

mod claims;
mod counters;
mod locks;
mod rate_limits;
mod tokens;

use keywright_api::Operation::{BatchGetItem, DeleteItem, GetItem, PutItem, TransactWriteItems, UpdateItem};
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};

/// What can befall a call, each with this share of them.
fn faults(seed: u64, share: f64) -> Faults {
    let befall = [
        Fault::InternalServerError(Moment::BeforeCommit),
        Fault::InternalServerError(Moment::AfterCommit),
        Fault::CutConnection(Moment::BeforeCommit),
        Fault::CutConnection(Moment::AfterCommit),
        Fault::Throttle(KeyRangeThroughput),
    ];
    befall.into_iter().fold(Faults::new(seed), |faults, fault| {
        let rule = [PutItem, UpdateItem, DeleteItem, TransactWriteItems, GetItem, BatchGetItem]
            .into_iter()
            .fold(Rule::new(fault), Rule::operation);
        faults.rule(rule.when(When::Share(share))).unwrap()
    })
}

/// The seeds that are tried.
fn seeds() -> std::ops::Range<u64> {
    if std::env::var_os("KEYWRIGHT_LONG").is_some() { 0..1_000 } else { 0..40 }
}
