//! KW0807: whoever counts versions compares them.

use super::claim_without_condition::taken_without_condition;
use super::written;
use crate::facts::Facts;
use crate::model::{Entity, Purpose, Write, WriteCondition, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0807",
    name: "version-not-compared",
    title: "A version that a write does not compare",
    severity: Severity::Error,
    finds: "A put, an update, a delete, a batch or a transaction of an entity with a version, whose condition does not compare it. A \
            put that creates, with `if-absent`, has none to compare.",
    hurts: "Two people open the same item. The second to save overwrites what the first has saved, and nobody is told. A version \
            protects only if every write compares it, deletes too \
            ([optimistic locking](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/BestPractices_OptimisticLocking.html), \
            [RFC 7232](https://www.rfc-editor.org/rfc/rfc7232)).",
    example: "[entity.document]\nattributes = { title = \"string\", version = \"version\" }\n\n[write.save_document]\noperation = \
              \"update\"\nentities = [\"document\"]\nchanges = [\"title\"]",
    instead: "Add `condition = \"version\"`, and answer the refusal with the item as it is now: over HTTP, the version is the ETag, \
              and the answer is 412. What may not be lost and needs no reading is an `add` instead.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        let Some(entity) = versioned_without_comparison(facts, write) else { continue };
        // What is wrong with a claim is said by its rule.
        if taken_without_condition(facts, write).is_some() {
            continue;
        }
        let way = match write.operation {
            WriteOperation::Batch => {
                "A batch has no conditions: make it single writes with `condition = \"version\"`."
            }
            _ => "Add `condition = \"version\"`.",
        };
        let (verb, lost) = match write.operation {
            WriteOperation::Delete => ("deletes", "loses"),
            _ => ("writes", "overwrites"),
        };
        findings.report(
            Place::write(&write.name),
            format!(
                "`{}` {verb} `{}` without comparing its version, and {lost} what others have saved since it was read. {way}",
                write.name, entity.name
            ),
        );
    }
}

/// The entity whose version the write should compare, and does not.
pub(super) fn versioned_without_comparison<'d>(facts: &Facts<'d>, write: &'d Write) -> Option<&'d Entity> {
    if write.operation == WriteOperation::Add {
        return None;
    }
    written(facts, write).filter(|entity| entity.purpose != Purpose::Audit).find(|entity| {
        entity.version().is_some_and(|version| match &write.condition {
            WriteCondition::Version => false,
            WriteCondition::Expression(text) => !text.contains(version.name.as_str()),
            WriteCondition::IfAbsent => {
                !matches!(write.operation, WriteOperation::Put | WriteOperation::Transaction)
            }
            WriteCondition::None | WriteCondition::IfPresent => true,
        })
    })
}
