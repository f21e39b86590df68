//! KW0613: an item collection with a local index has room to grow.

use super::collection::collections;
use super::{GIGABYTE, LARGEST_COLLECTION};
use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::decimal;

/// From which part of the limit on it is near.
const NEAR: f64 = 0.5;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0613",
    name: "collection-near-limit",
    title: "An item collection that comes near 10 GB in a table with a local index",
    severity: Severity::Advice,
    finds: "A partition key of a table with a local index under which the expected items, with their entries in local indexes, \
            have more than 5 GB and not yet more than 10.",
    hurts: "A local index can be made with its table only and never dropped, so a collection that reaches 10 GB leaves a new \
            table as the way out: \
            [item collections](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html#LSI.ItemCollections.SizeLimit).",
    example: "[table.app.index.by_name]\nlocal = true\nsort_key = \"lsi1sk\"\n\n[entity.event]\n\
              partition_key = \"ORG#{organization_id}\"\nsort_key = \"EVENT#{event_id}\"\naverage_size_bytes = 1000\n\
              count = { total = 90000000, largest_tenant = 6000000 }",
    instead: "Decide now: a global index has no such limit. If the local one stays, ask for `ReturnItemCollectionMetrics` in \
              writes and watch the size.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for collection in collections(facts) {
        let part = collection.bytes / LARGEST_COLLECTION;
        if part > NEAR && part <= 1.0 {
            findings.report(
                Place::entity(&collection.entity.name).member("count"),
                format!(
                    "the largest collection under \"{}\" in `{}` has {} of the 10 GB at which a table with a local index refuses \
                     writes. Make the local indexes global while the table is new, or watch the size in \
                     `ItemCollectionMetrics`.",
                    collection.key,
                    collection.table.name,
                    decimal(collection.bytes / GIGABYTE)
                ),
            );
        }
    }
}
