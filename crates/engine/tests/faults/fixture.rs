//! An engine with faults, and what its rules have done.

use keywright_engine::faults::{Faults, Rule};
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

use crate::support::{create, create_indexed, index, put};

/// An engine with these rules and the on-demand table `app`, with partition key `pk` and no items.
pub(crate) fn engine(rules: impl IntoIterator<Item = Rule>) -> Engine {
    let engine = empty(rules);
    create(&engine, "app", "pk:S", None);
    engine
}

/// The same, with partition and sort key, and the global index `by_user` on `user`.
pub(crate) fn indexed(rules: impl IntoIterator<Item = Rule>) -> Engine {
    let engine = empty(rules);
    create_indexed(
        &engine,
        "app",
        &["pk:S", "sk:S"],
        &json!([index("by_time", &["pk", "time"], json!("ALL"))]),
        &json!([index("by_user", &["user"], json!("ALL"))]),
        &["user:S", "time:S"],
    );
    engine
}

/// An engine with these rules and no table. The seed is always 7.
pub(crate) fn empty(rules: impl IntoIterator<Item = Rule>) -> Engine {
    Engine::open(Options::memory().faults(faults(rules))).unwrap()
}

pub(crate) fn faults(rules: impl IntoIterator<Item = Rule>) -> Faults {
    rules.into_iter().fold(Faults::new(7), |faults, rule| faults.rule(rule).unwrap())
}

/// How many calls each rule has seen, and how many it befell.
pub(crate) fn counts(engine: &Engine) -> Vec<(u64, u64)> {
    engine.faults().unwrap().rules.iter().map(|report| (report.calls, report.fired)).collect()
}

/// The name of what a put of this partition key is refused with, or `ok`.
pub(crate) fn put_outcome(engine: &Engine, partition_key: &str) -> String {
    name_of(put(engine, "app", json!({"pk": {"S": partition_key}})))
}

/// The name of a refusal, or `ok`.
pub(crate) fn name_of(outcome: Result<Value, crate::support::Refusal>) -> String {
    outcome.map_or_else(|refusal| refusal.name, |_| "ok".to_owned())
}
