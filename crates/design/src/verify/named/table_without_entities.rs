//! KW0516: a table holds something.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0516",
    name: "table-without-entities",
    title: "A table that no entity is stored in",
    severity: Severity::Warning,
    finds: "A table of which no entity says that it is stored there.",
    hurts: "Either its entities are forgotten, and nothing verifies their keys, or the table is: it is created, backed \
            up and watched for nothing.",
    example: "[table.app]\npartition_key = \"pk\"\n\n[table.archive]\npartition_key = \"pk\"\n\n[entity.order]\ntable = \
              \"app\"\npartition_key = \"ORDER#{order_id}\"",
    instead: "Declare the entities that it holds, or remove the table.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        if facts.entities_of(&table.name).next().is_none() {
            findings.report(
                Place::table(&table.name),
                format!(
                    "no entity is stored in `{}`. Declare the entities that it holds, or remove the table.",
                    table.name
                ),
            );
        }
    }
}
