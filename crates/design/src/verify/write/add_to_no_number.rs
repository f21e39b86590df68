//! KW0809: `add` counts numbers, and joins sets.

use super::written;
use crate::facts::Facts;
use crate::model::{ValueType, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0809",
    name: "add-to-no-number",
    title: "An `add` to what is no number and no set",
    severity: Severity::Error,
    finds: "A write by `add` that changes an attribute which is neither a number nor a set.",
    hurts: "DynamoDB refuses the request: `ADD` works on numbers and sets only \
            ([ADD](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html#Expressions.UpdateExpressions.ADD)).",
    example: "[entity.user]\nattributes = { seen_at = \"timestamp\" }\n\n[write.seen]\noperation = \"add\"\nentities = \
              [\"user\"]\nchanges = [\"seen_at\"]",
    instead: "Make it an `update`, which sets what it is given; or make the attribute a `counter`, a number, or a set.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        if write.operation != WriteOperation::Add {
            continue;
        }
        for (position, changed) in write.changes.iter().enumerate() {
            let wrong = written(facts, write).find(|entity| {
                entity.attribute(changed.as_str()).is_some_and(|attribute| !takes_add(&attribute.value_type))
            });
            if let Some(entity) = wrong {
                findings.report(
                    Place::write(&write.name).member("changes").element(position),
                    format!(
                        "`{}` adds to `{changed}` of `{}`, which is neither a number nor a set. Make it an `update`, or make the \
                         attribute a `counter`.",
                        write.name, entity.name
                    ),
                );
            }
        }
    }
}

fn takes_add(value_type: &ValueType) -> bool {
    match value_type {
        ValueType::Unsigned(_)
        | ValueType::Signed(_)
        | ValueType::Number
        | ValueType::Counter
        | ValueType::Version
        | ValueType::TimeToLive
        | ValueType::StringSet
        | ValueType::NumberSet
        | ValueType::BinarySet => true,
        ValueType::Text
        | ValueType::Timestamp(_)
        | ValueType::Ulid
        | ValueType::Uuid
        | ValueType::Enum(_)
        | ValueType::Boolean
        | ValueType::Bytes
        | ValueType::List
        | ValueType::Map => false,
    }
}
