//! The keys of a fault file, and how the value of each is read.

use keywright_api::ThrottlingLimit;
use keywright_engine::faults::{Fault, Moment, When};

use super::Problem;
use super::values::{Entry, nearest};

/// A key of which a rule has only one.
pub(super) struct Key<Value> {
    pub(super) name: &'static str,
    pub(super) read: Read<Value>,
}

pub(super) type Read<Value> = fn(&Entry<'_>) -> Result<Value, Problem>;

/// The keys beside the rules.
pub(super) const FILE_KEYS: [&str; 2] = ["seed", "fault"];

/// Which calls a rule looks at.
const SCOPE_KEYS: [&str; 5] = ["operation", "operations", "table", "index", "key_prefix"];

/// What happens; a rule has one of these.
pub(super) const FAULT_KEYS: [Key<Fault>; 8] = [
    Key { name: "unprocessed", read: |entry| Ok(Fault::Unprocessed { share: entry.number()? }) },
    Key {
        name: "throttle",
        read: |entry| {
            let limits = ThrottlingLimit::ALL.map(|limit| (limit.wire_name(), limit));
            entry.choice(&limits).map(Fault::Throttle)
        },
    },
    Key {
        name: "transaction",
        read: |entry| {
            entry.choice(&[
                ("conflict", Fault::TransactionConflict),
                ("in-progress", Fault::TransactionInProgress),
            ])
        },
    },
    Key { name: "index_lag_ms", read: |entry| Ok(Fault::IndexLag(entry.milliseconds()?)) },
    Key { name: "internal_server_error", read: |entry| Ok(Fault::InternalServerError(moment(entry)?)) },
    Key { name: "cut_connection", read: |entry| Ok(Fault::CutConnection(moment(entry)?)) },
    Key {
        name: "delay_before_commit_ms",
        read: |entry| Ok(Fault::Delay(Moment::BeforeCommit, entry.milliseconds()?)),
    },
    Key {
        name: "delay_after_commit_ms",
        read: |entry| Ok(Fault::Delay(Moment::AfterCommit, entry.milliseconds()?)),
    },
];

/// Which of the calls it befalls; a rule has at most one of these.
pub(super) const WHEN_KEYS: [Key<When>; 6] = [
    Key { name: "share", read: |entry| Ok(When::Share(entry.number()?)) },
    Key { name: "share_of_keys", read: |entry| Ok(When::ShareOfKeys(entry.number()?)) },
    Key { name: "call", read: |entry| Ok(When::Calls(vec![entry.integer()?])) },
    Key { name: "calls", read: |entry| Ok(When::Calls(entry.integers()?)) },
    Key { name: "every", read: |entry| Ok(When::Every(entry.integer()?)) },
    Key { name: "first", read: |entry| Ok(When::First(entry.integer()?)) },
];

/// Every key of a rule.
pub(super) fn rule_keys() -> Vec<&'static str> {
    let faults = FAULT_KEYS.iter().map(|key| key.name);
    let whens = WHEN_KEYS.iter().map(|key| key.name);
    faults.chain(SCOPE_KEYS).chain(whens).collect()
}

/// Refuses a key that is none of these.
pub(super) fn check_known(entries: &[Entry<'_>], known: &[&'static str]) -> Result<(), Problem> {
    let Some(unknown) = entries.iter().find(|entry| !known.contains(&entry.name)) else { return Ok(()) };
    let name = unknown.name;
    Err(unknown.problem(match nearest(name, known) {
        Some(meant) => format!("there is no `{name}`; did you mean `{meant}`?"),
        None => format!("there is no `{name}`; the keys are {}", known.join(", ")),
    }))
}

fn moment(entry: &Entry<'_>) -> Result<Moment, Problem> {
    let moments = [Moment::BeforeCommit, Moment::AfterCommit].map(|moment| (moment.to_string(), moment));
    let choices: Vec<(&str, Moment)> =
        moments.iter().map(|(name, moment)| (name.as_str(), *moment)).collect();
    entry.choice(&choices)
}
