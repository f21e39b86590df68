//! KW0811: a write says what happens when it is tried again.

use super::audit_changed::changed_audit;
use super::claim_without_condition::taken_without_condition;
use super::counter_overwritten::overwritten;
use super::version_not_compared::versioned_without_comparison;
use super::written;
use crate::facts::Facts;
use crate::model::{Purpose, Write, WriteCondition, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0811",
    name: "effect-twice",
    title: "A write that can have effect twice",
    severity: Severity::Error,
    finds: "A put, an update, an `add` or a transaction that says neither by its condition nor by `once` what happens when it is tried \
            again. Deletes and batches do the same again; `if-absent` and `version` fail the second time; a count that may be off \
            by what a retry adds is called approximate.",
    hurts: "An answer that is lost on the way looks like a failure: the SDK tries again, the queue delivers again, the user presses \
            again, and the order is there twice, or the money gone twice. A floor such as `balance >= :cost` does not help: it holds \
            the second time too \
            ([making retries safe](https://aws.amazon.com/builders-library/making-retries-safe-with-idempotent-APIs/)).",
    example: "[write.create_order]\noperation = \"put\"\nentities = [\"order\"]",
    instead: "Let the caller bring a key, and create by it: `condition = \"if-absent\"`. Else say what makes it happen once: `once = \
              \"condition\"` if the condition is false after the first time, `{ claim = \"ENTITY\" }` for a key of the request that is \
              kept as an item, `\"token\"` for a transaction, `\"same-result\"` if it writes the same again, or `{ not = \"why twice is \
              fine\" }`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        if write.once.is_some() || fails_again(write) || is_reported_elsewhere(facts, write) {
            continue;
        }
        let is_approximate = write.operation == WriteOperation::Add
            && written(facts, write).next().is_some()
            && written(facts, write).all(|entity| entity.purpose == Purpose::ApproximateCounter);
        if !is_approximate {
            findings.report(Place::write(&write.name), message(write));
        }
    }
}

/// Whether the second try fails, or does the same again.
fn fails_again(write: &Write) -> bool {
    match write.operation {
        WriteOperation::Delete | WriteOperation::Batch => true,
        WriteOperation::Put => !matches!(write.condition, WriteCondition::None | WriteCondition::IfPresent),
        WriteOperation::Update | WriteOperation::Add | WriteOperation::Transaction => {
            matches!(write.condition, WriteCondition::IfAbsent | WriteCondition::Version)
        }
    }
}

/// Whether another rule asks for a condition that would also end this.
fn is_reported_elsewhere(facts: &Facts<'_>, write: &Write) -> bool {
    taken_without_condition(facts, write).is_some()
        || versioned_without_comparison(facts, write).is_some()
        || overwritten(facts, write).is_some()
        || changed_audit(facts, write).is_some()
}

fn message(write: &Write) -> String {
    let name = &write.name;
    match (&write.condition, write.operation) {
        (WriteCondition::Expression(text), _) => format!(
            "`{name}` is refused only while `{text}` is false, and does not say whether that is so after it was applied: tried again, \
             it may have effect twice. Say `once = \"condition\"` if it is; else bring a claim, `once = {{ claim = \
                 \"ENTITY\" }}`."
        ),
        (_, WriteOperation::Add) => format!(
            "`{name}` adds again when it is tried again, as SDKs and queues do. Say `once = {{ claim = \"ENTITY\" }}`, or make the \
             entity's purpose `approximate-counter` if a count may be off."
        ),
        (_, WriteOperation::Transaction) => format!(
            "`{name}` does not say what happens when it is tried again, as SDKs and queues do. Say `once = \"token\"`, which holds for \
             ten minutes, a condition that is false after the first time, or a claim."
        ),
        _ => format!(
            "`{name}` does not say what happens when it is tried again, as SDKs, queues and users do. Say `condition = \"if-absent\"` if it \
             creates by a key that the caller brings, or what makes it happen once: `once = \"same-result\"`, `{{ claim = \"ENTITY\" }}` \
             or `{{ not = \"why twice is fine\" }}`."
        ),
    }
}
