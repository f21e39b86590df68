//! KW0810: what is used up does not go below zero.

use super::written;
use crate::facts::Facts;
use crate::model::{ValueType, Write, WriteCondition, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0810",
    name: "goes-below-zero",
    title: "A balance that can go below zero",
    severity: Severity::Warning,
    finds: "An `add` or an `update`, without a condition on the value, of a number whose name says that it is used up: balance, credit, \
            stock, inventory, quota, allowance, seats, remaining, available.",
    hurts: "Two who each see the last unit both take it. Atomic counting keeps every count, and knows no floor: only a condition in \
            the same request does \
            ([conditions](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ConditionExpressions.html)).",
    example: "[entity.account]\nattributes = { balance = \"counter\" }\n\n[write.charge]\noperation = \"add\"\nentities = \
              [\"account\"]\nchanges = [\"balance\"]\nonce = { claim = \"charge_claim\" }",
    instead: "Ask in the same request whether enough is there, `condition = \"balance >= :cost\"`, and take the refusal for \"not \
              enough\". A write that only adds says so in an exception.",
    check: Check::Design(check),
};

/// What is used up is called this, alone or among other words.
const USED_UP: &[&str] = &[
    "allowance",
    "available",
    "balance",
    "credit",
    "credits",
    "inventory",
    "quota",
    "remaining",
    "seats",
    "stock",
];

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        if !matches!(
            write.operation,
            WriteOperation::Add | WriteOperation::Update | WriteOperation::Transaction
        ) {
            continue;
        }
        for (position, changed) in write.changes.iter().enumerate() {
            let name = changed.as_str();
            if is_used_up(name) && !compares(write, name) && is_number(facts, write, name) {
                findings.report(
                    Place::write(&write.name).member("changes").element(position),
                    format!(
                        "`{}` changes `{name}` without asking whether enough is there, so two at one moment can take it below zero. \
                         Add a condition such as `{name} >= :cost`; a write that only adds says so in an exception.",
                        write.name
                    ),
                );
            }
        }
    }
}

fn is_used_up(name: &str) -> bool {
    name.split(['_', '-']).any(|word| USED_UP.contains(&word.to_ascii_lowercase().as_str()))
}

fn compares(write: &Write, name: &str) -> bool {
    match &write.condition {
        WriteCondition::Expression(text) => text.contains(name),
        WriteCondition::Version => true,
        WriteCondition::None | WriteCondition::IfAbsent | WriteCondition::IfPresent => false,
    }
}

fn is_number(facts: &Facts<'_>, write: &Write, name: &str) -> bool {
    written(facts, write).any(|entity| {
        entity.attribute(name).is_some_and(|attribute| {
            matches!(
                attribute.value_type,
                ValueType::Counter | ValueType::Number | ValueType::Signed(_) | ValueType::Unsigned(_)
            )
        })
    })
}
