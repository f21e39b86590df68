//! KW0819: a batch of more than 25 items is several requests.

use crate::facts::Facts;
use crate::model::WriteOperation;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::number;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0819",
    name: "batch-in-chunks",
    title: "A batch of more than 25 items",
    severity: Severity::Advice,
    finds: "A batch that writes more than 25 items.",
    hurts: "DynamoDB refuses more than 25 in one request. Of those that it takes it may leave some unwritten, when capacity is short, \
            and says which: a loop that does not send those again loses items, most of them under load \
            ([BatchWriteItem](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html)).",
    example: "[write.import_users]\noperation = \"batch\"\nentities = [\"user\"]\nitems = 500",
    instead: "The data layer cuts a batch of any size, sends what is left again with growing pauses, and returns by key what is left \
              after the last try. Whoever writes the loop does all three. Accept this finding with an exception that says which.",
    check: Check::Design(check),
};

/// The most items of a request.
const MOST_ITEMS: u64 = 25;

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        if write.operation == WriteOperation::Batch && write.items > MOST_ITEMS {
            findings.report(
                Place::write(&write.name).member("items"),
                format!(
                    "`{}` writes {} items, which is {} requests of 25 at most, each of which may leave items unprocessed. The data \
                     layer cuts and retries them; a loop of your own must too, with pauses, and report what is left in the end.",
                    write.name,
                    number(write.items),
                    number(write.items.div_ceil(MOST_ITEMS))
                ),
            );
        }
    }
}
