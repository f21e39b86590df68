//! KW0824: a consumer sees what was deleted.

use crate::facts::Facts;
use crate::model::{ImagesNeeded, Table, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0824",
    name: "deletes-without-image",
    title: "A consumer that sees deletes as nothing",
    severity: Severity::Warning,
    finds: "A consumer that needs the new image alone, of a table whose items are deleted or expire.",
    hurts: "The record of a delete has no new image: the consumer fails on it, or skips it, and what it keeps elsewhere, a search entry, \
            a cache, a file, stays for ever. The old image says what was there \
            ([stream records](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_StreamRecord.html)).",
    example: "[consumer.search]\ntable = \"app\"\nneeds = \"new-image\"\n\n[write.remove_member]\noperation = \"delete\"\nentities = \
              [\"member\"]\ncondition = \"version\"",
    instead: "Say `needs = \"both-images\"` and handle a record without a new image as the delete that it is. One that is done by the \
              time to live carries the service's own identity.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for consumer in &facts.design().consumers {
        let Some(table) = facts.table(&consumer.table) else { continue };
        if consumer.needs == ImagesNeeded::New
            && let Some(why) = deletes(facts, table)
        {
            findings.report(
                Place::consumer(&consumer.name).member("needs"),
                format!(
                    "`{}` needs new images alone, and {why}: the record of that has none. Say `needs = \"both-images\"`, and treat a \
                     record without a new image as a delete.",
                    consumer.name
                ),
            );
        }
    }
}

/// How items of the table come to be deleted, if they do.
fn deletes(facts: &Facts<'_>, table: &Table) -> Option<String> {
    facts.entities_of(&table.name).find_map(|entity| {
        let delete = facts.writes_of(&entity.name).find(|write| write.operation == WriteOperation::Delete);
        match delete {
            Some(write) => Some(format!("`{}` deletes items of `{}`", write.name, entity.name)),
            None if entity.time_to_live().is_some() => Some(format!("items of `{}` expire", entity.name)),
            None => None,
        }
    })
}
