//! KW0817: one item needs no transaction.

use crate::facts::Facts;
use crate::model::{Once, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0817",
    name: "transaction-of-one",
    title: "A transaction of one item",
    severity: Severity::Advice,
    finds: "A transaction that writes one item, and does not need its token.",
    hurts: "A write of one item is atomic by itself, with its condition. A transaction costs twice the units, and conflicts with \
            others instead of waiting for them \
            ([transactions](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html)).",
    example: "[write.close_task]\noperation = \"transaction\"\nentities = [\"task\"]\ncondition = \"version\"",
    instead: "Make it an `update` or a `put` with the same condition.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        if write.operation == WriteOperation::Transaction
            && write.items == 1
            && write.once != Some(Once::Token)
        {
            findings.report(
                Place::write(&write.name).member("operation"),
                format!(
                    "`{}` is a transaction of one item, which costs twice the units of a single write and does no more. Make it an \
                     `update` or a `put` with the same condition.",
                    write.name
                ),
            );
        }
    }
}
