//! KW0611: items are small.

use crate::cost::units::{LARGEST_ITEM_BYTES, ReadKind, WriteKind, read_units, write_units};
use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::{decimal, number};

/// Above this, an average item is large.
const LARGE_BYTES: u64 = 16 * 1024;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0611",
    name: "large-items",
    title: "Items larger than 16 KB on average",
    severity: Severity::Warning,
    finds: "An entity whose items have more than 16,384 bytes on average.",
    hurts: "Every read pays for the whole item, also where one attribute is wanted, and every write for the whole item, also \
            where one attribute changes; a page of a query holds 64 of them: \
            [large items](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-use-s3-too.html).",
    example: "[entity.article]\naverage_size_bytes = 60000",
    instead: "What is listed in one item, and the large part in another under the same partition key (`ARTICLE#{article_id}` and \
              `BODY`), or in S3; compress what is text.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for entity in &facts.design().entities {
        let Some(bytes) = entity.size.average_bytes.filter(|bytes| *bytes > LARGE_BYTES) else { continue };
        // Above the limit of an item, another rule has reported.
        if bytes > LARGEST_ITEM_BYTES {
            continue;
        }
        findings.report(
            Place::entity(&entity.name).member("average_size_bytes"),
            format!(
                "an average item of `{}` has {} bytes: each read costs {} units and each write {}, whatever part of it is wanted. \
                 Keep the large part in an item of its own under the same partition key, in S3, or compressed.",
                entity.name,
                number(bytes),
                decimal(read_units(bytes, ReadKind::Eventual)),
                decimal(write_units(bytes, WriteKind::Standard))
            ),
        );
    }
}
