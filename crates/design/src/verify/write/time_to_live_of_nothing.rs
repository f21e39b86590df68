//! KW0802: a table looks at an attribute that some of its items have.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0802",
    name: "time-to-live-of-nothing",
    title: "A time to live that no entity has",
    severity: Severity::Warning,
    finds: "A table that declares a time to live, while no entity in it has the attribute.",
    hurts: "Nothing ever expires, and whoever reads the table's settings believes that it does. Items without the attribute are \
            never deleted ([time to live](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html)).",
    example: "[table.app]\ntime_to_live = \"expires_at\"\n\n[entity.session]\nattributes = { expires = \"timestamp\" }",
    instead: "Give the attribute, of the type `time-to-live`, to the entities that expire; or decide that none does: `time_to_live \
              = false`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let Some(attribute) = table.time_to_live.chosen() else { continue };
        let mut entities = facts.entities_of(&table.name).peekable();
        // An entity that expires by another attribute is reported by a rule of the key crate.
        let is_used = entities.peek().is_none()
            || entities.any(|entity| {
                entity.time_to_live().is_some() || entity.attribute(attribute.as_str()).is_some()
            });
        if !is_used {
            findings.report(
                Place::table(&table.name).member("time_to_live"),
                format!(
                    "`{}` expires items by `{attribute}`, which no entity in it has. Add `{attribute} = \"time-to-live\"` to those \
                     that expire, or decide that none does: `time_to_live = false`.",
                    table.name
                ),
            );
        }
    }
}
