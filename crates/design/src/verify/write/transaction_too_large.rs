//! KW0816: a transaction fits into one request.

use super::written;
use crate::facts::Facts;
use crate::model::{Entity, Write, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::number;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0816",
    name: "transaction-too-large",
    title: "A transaction that is refused for its size",
    severity: Severity::Error,
    finds: "A transaction of more than 100 items, or whose items take more than 4 MB together, each at its largest size if that is \
            known.",
    hurts: "DynamoDB refuses it. What must hold over more items than that is not a transaction of DynamoDB's \
            ([transactions](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html)).",
    example: "[write.close_month]\noperation = \"transaction\"\nentities = [\"invoice\"]\nitems = 400\nonce = \"token\"",
    instead: "Write a record of the intent first, then the items in steps that can each be repeated, then mark the record as done: \
              readers go by the record. If thousands of items must change at one moment again and again, take a relational \
              database for them.",
    check: Check::Design(check),
};

/// The most items of a transaction.
const MOST_ITEMS: u64 = 100;
/// The most bytes of a transaction.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        if write.operation != WriteOperation::Transaction {
            continue;
        }
        let place = Place::write(&write.name);
        if write.items > MOST_ITEMS {
            findings.report(
                place.member("items"),
                format!(
                    "`{}` is a transaction of {} items, and DynamoDB takes 100. Do it in steps that can be repeated, after a record \
                     of what is meant.",
                    write.name,
                    number(write.items)
                ),
            );
        } else if let Some(bytes) = largest_bytes(facts, write).filter(|bytes| *bytes > MOST_BYTES) {
            findings.report(
                place.member("items"),
                format!(
                    "the items of `{}` take up to {} bytes together, and a transaction takes {}. Take fewer at a time, or keep large \
                     attributes elsewhere.",
                    write.name,
                    number(bytes),
                    number(MOST_BYTES)
                ),
            );
        }
    }
}

/// What the items take together at most; nothing if no size is known.
fn largest_bytes(facts: &Facts<'_>, write: &Write) -> Option<u64> {
    let size = |entity: &Entity| entity.size.largest_bytes.or(entity.size.average_bytes);
    let sizes: Vec<u64> = written(facts, write).filter_map(size).collect();
    if u64::try_from(write.entities.len()) == Ok(write.items) {
        return (!sizes.is_empty())
            .then(|| sizes.iter().fold(0, |sum, size| u64::saturating_add(sum, *size)));
    }
    sizes.into_iter().max()?.checked_mul(write.items)
}
