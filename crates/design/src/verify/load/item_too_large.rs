//! KW0610: an item is no larger than DynamoDB takes.

use crate::cost::units::LARGEST_ITEM_BYTES;
use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::number;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0610",
    name: "item-too-large",
    title: "An item larger than 400 KB",
    severity: Severity::Error,
    finds: "An entity whose largest item, or whose average one, has more than 409,600 bytes, names of attributes included.",
    hurts: "The write is refused: 400 KB is the limit of an item, with the names and the nesting of its attributes, and with \
            what local indexes hold of it: \
            [quotas](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-items).",
    example: "[entity.document]\naverage_size_bytes = 20000\nlargest_size_bytes = 600000",
    instead: "The large part in S3 and its key in the item; or compressed; or in several items under one partition key, \
              `DOCUMENT#{document_id}` and `PART#{number}`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for entity in &facts.design().entities {
        let sizes = [
            ("largest_size_bytes", entity.size.largest_bytes, "the largest"),
            ("average_size_bytes", entity.size.average_bytes, "an average"),
        ];
        let too_large =
            sizes.into_iter().find(|(_, bytes, _)| bytes.is_some_and(|bytes| bytes > LARGEST_ITEM_BYTES));
        if let Some((member, Some(bytes), which)) = too_large {
            findings.report(
                Place::entity(&entity.name).member(member),
                format!(
                    "{which} item of `{}` has {} bytes, and DynamoDB refuses items above {}. Store the large part in S3, compress \
                     it, or cut it into items of its own.",
                    entity.name,
                    number(bytes),
                    number(LARGEST_ITEM_BYTES)
                ),
            );
        }
    }
}
