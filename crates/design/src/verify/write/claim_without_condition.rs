//! KW0805: a claim or a lock is taken by a condition.

use super::written;
use crate::facts::Facts;
use crate::model::{Entity, Purpose, Write, WriteCondition, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0805",
    name: "claim-without-condition",
    title: "A claim or a lock that everybody gets",
    severity: Severity::Error,
    finds: "A write of a claim or of a lock without a condition that fails for the second who comes.",
    hurts: "Both of two requests at one moment are told that they were first, and both act. Reading first does not help: between the \
            read and the write there is time for another \
            ([conditions](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ConditionExpressions.html)).",
    example: "[entity.webhook_event]\npurpose = \"claim\"\n\n[write.claim_event]\noperation = \"put\"\nentities = \
              [\"webhook_event\"]",
    instead: "Add `condition = \"if-absent\"`: of many writes one succeeds, and the others learn that it has already happened. What \
              gives a lock back compares who holds it: `condition = \"holder = :me\"`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        if let Some(entity) = taken_without_condition(facts, write) {
            findings.report(Place::write(&write.name), message(write, entity));
        }
    }
}

/// The claim or lock that the write takes, or gives back, without a condition that could fail.
pub(super) fn taken_without_condition<'d>(facts: &Facts<'d>, write: &'d Write) -> Option<&'d Entity> {
    written(facts, write).find(|entity| {
        let creates = matches!(
            write.operation,
            WriteOperation::Put | WriteOperation::Batch | WriteOperation::Transaction
        );
        let is_unconditional = match write.condition {
            WriteCondition::None => true,
            WriteCondition::IfPresent => creates,
            WriteCondition::IfAbsent | WriteCondition::Version | WriteCondition::Expression(_) => false,
        };
        match entity.purpose {
            // What takes from a bucket, or uses a token, decides by a condition; a new one overwrites nothing that counts.
            Purpose::RateLimit | Purpose::SingleUseToken => false,
            // A claim is given up by whoever holds it; that nobody else has it then is what its lease says.
            Purpose::Claim => is_unconditional && write.operation != WriteOperation::Delete,
            Purpose::Lock => is_unconditional,
            Purpose::Data
            | Purpose::ExactCounter
            | Purpose::ApproximateCounter
            | Purpose::Audit
            | Purpose::Ephemeral => false,
        }
    })
}

fn message(write: &Write, entity: &Entity) -> String {
    let what = entity.purpose.noun();
    let problem = match write.operation {
        WriteOperation::Put | WriteOperation::Transaction => {
            "without a condition that fails for the second who comes, so two at one moment both believe that they have it. Add \
             `condition = \"if-absent\"`."
        }
        WriteOperation::Batch => {
            "in a batch, which has no conditions, so two at one moment both believe that they have it. Make it a put with \
             `condition = \"if-absent\"`."
        }
        WriteOperation::Update | WriteOperation::Add | WriteOperation::Delete => {
            "without asking who has it, so it can be taken from another. Compare that: `condition = \"holder = :me\"`."
        }
    };
    format!("`{}` writes `{}`, {what}, {problem}", write.name, entity.name)
}
