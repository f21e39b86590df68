//! KW0706: whoever reads an index can see which entity an item is.

use keywright_key::rule::not_projected;

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::names;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0706",
    name: "discriminator-not-in-index",
    title: "An index that does not say which entity an item is",
    severity: Severity::Warning,
    finds: "An index that a pattern reads and that does not hold the table's discriminator.",
    hurts: "What reads the index has to guess from the form of the keys. With one entity that works until a second one \
            comes, and then the index must be built anew: the projection of an index cannot be changed, as \
            [managing global indexes](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.html) \
            shows.",
    example: "[table.app]\ndiscriminator = \"entity\"\n\n[table.app.index.by_user]\nproject = [\"role\"]",
    instead: "Project the discriminator too: `project = [\"role\", \"entity\"]`. It costs as many bytes as it has letters.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let Some(table_shape) = facts.table_shape(&table.name) else { continue };
        for index in table_shape.indexes.iter().zip(&table.indexes) {
            let (shape, index) = index;
            let entries = facts.entries_of(table, index);
            let discriminator = table.discriminator.as_str();
            if facts.readers_of(table, index).is_empty()
                || entries.is_empty()
                || not_projected::holds_itself(table_shape, shape, discriminator)
            {
                continue;
            }
            let entities = names(entries.iter().map(|entry| entry.entity.name.as_str()));
            let why = if entries.len() == 1 {
                format!(
                    "nothing in it says that an item is {entities}, and not an entity that is added to it later, when its \
                     projection cannot be changed any more"
                )
            } else {
                format!("nothing in it says which of {entities} an item is")
            };
            findings.report(
                Place::index(&table.name, &index.name).member("project"),
                format!(
                    "index `{}` of `{}` does not hold `{discriminator}`: {why}. Project `{discriminator}`.",
                    index.name, table.name
                ),
            );
        }
    }
}
