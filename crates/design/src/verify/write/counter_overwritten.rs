//! KW0808: a counter is counted in the table, not in the program.

use super::written;
use crate::facts::Facts;
use crate::model::{Entity, ValueType, Write, WriteCondition, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0808",
    name: "counter-overwritten",
    title: "A counter that is read, changed and written back",
    severity: Severity::Error,
    finds: "An update that changes a counter, or a put of an item that has one, without a condition that would notice another's \
            count.",
    hurts: "Two who read 5 both write 6: one of the counts is lost, more of them the busier it gets. `ADD` counts in the table, and \
            concurrent counts compose without a lock \
            ([atomic counters](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithItems.html#WorkingWithItems.AtomicCounters)).",
    example: "[entity.page]\nattributes = { views = \"counter\" }\n\n[write.view_page]\noperation = \"update\"\nentities = \
              [\"page\"]\nchanges = [\"views\"]",
    instead: "Make it `operation = \"add\"`. Where the new value depends on the old one in another way, compare it in the same \
              request: `condition = \"balance >= :cost\"`. A put that creates says `condition = \"if-absent\"`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        let Some((entity, counter)) = overwritten(facts, write) else { continue };
        let message = match write.operation {
            WriteOperation::Put => format!(
                "`{}` puts whole items of `{}`, and with them `{counter}`: what others have counted since it was read is lost. Say \
                 `condition = \"if-absent\"` if it creates them, and count by `add`.",
                write.name, entity.name
            ),
            _ => format!(
                "`{}` changes the counter `{counter}` of `{}` without a condition: two who read 5 both write 6. Make it `operation = \
                 \"add\"`, or compare the value that it depends on.",
                write.name, entity.name
            ),
        };
        findings.report(Place::write(&write.name).member("operation"), message);
    }
}

/// The entity and its counter that the write overwrites unseen.
pub(super) fn overwritten<'d>(facts: &Facts<'d>, write: &'d Write) -> Option<(&'d Entity, &'d str)> {
    if !matches!(write.condition, WriteCondition::None | WriteCondition::IfPresent) {
        return None;
    }
    let changes = |name: &str| match write.operation {
        WriteOperation::Put => true,
        WriteOperation::Update => write.changes.iter().any(|changed| changed == name),
        WriteOperation::Add
        | WriteOperation::Delete
        | WriteOperation::Batch
        | WriteOperation::Transaction => false,
    };
    written(facts, write).find_map(|entity| {
        let counter = entity.attributes.iter().find(|attribute| {
            attribute.value_type == ValueType::Counter && changes(attribute.name.as_str())
        })?;
        Some((entity, counter.name.as_str()))
    })
}
