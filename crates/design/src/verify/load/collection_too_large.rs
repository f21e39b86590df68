//! KW0612: an item collection with a local index stays below 10 GB.

use super::collection::collections;
use super::{GIGABYTE, LARGEST_COLLECTION};
use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::decimal;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0612",
    name: "collection-too-large",
    title: "An item collection above 10 GB in a table with a local index",
    severity: Severity::Error,
    finds: "A partition key of a table with a local index under which the expected items, with their entries in local indexes, \
            have more than 10 GB. The entities under the key are added up.",
    hurts: "A local index binds a collection to one partition. At 10 GB, writes that make it larger are refused with \
            `ItemCollectionSizeLimitExceededException`, and the index cannot be dropped: \
            [item collections](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html#LSI.ItemCollections.SizeLimit).",
    example: "[table.app.index.by_name]\nlocal = true\nsort_key = \"lsi1sk\"\n\n[entity.event]\n\
              partition_key = \"ORG#{organization_id}\"\nsort_key = \"EVENT#{event_id}\"\naverage_size_bytes = 1000\n\
              count = { total = 90000000, largest_tenant = 20000000 }",
    instead: "A global index in place of the local one, which has no such limit; or a further component in the partition key; \
              or a time to live that keeps the collection small.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for collection in collections(facts) {
        if collection.bytes > LARGEST_COLLECTION {
            findings.report(
                Place::entity(&collection.entity.name).member("count"),
                format!(
                    "the largest collection under \"{}\" in `{}` has {} GB, and with a local index DynamoDB refuses writes at 10 \
                     GB. Make the local indexes global, put a further component into the partition key, or let items expire.",
                    collection.key,
                    collection.table.name,
                    decimal(collection.bytes / GIGABYTE)
                ),
            );
        }
    }
}
