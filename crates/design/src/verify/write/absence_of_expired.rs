//! KW0804: an item that has expired may still be there.

use super::written;
use crate::facts::Facts;
use crate::model::{Entity, Write, WriteCondition};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0804",
    name: "absence-of-expired",
    title: "A decision by whether an expiring item is there",
    severity: Severity::Advice,
    finds: "A write with the condition `if-absent` or `if-present` on an entity that expires.",
    hurts: "DynamoDB deletes expired items within a few days, not at the moment. Until then `attribute_not_exists` fails for an item \
            that is over, and `attribute_exists` holds for it \
            ([expired items](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ttl-expired-items.html)).",
    example: "[entity.session]\nattributes = { expires_at = \"time-to-live\" }\n\n[write.begin_session]\noperation = \"put\"\nentities = \
              [\"session\"]\ncondition = \"if-absent\"",
    instead: "Keywright's data layer compares the attribute in each of its conditions, so an expired item is absent there. Whoever \
              else writes the table must say it: `attribute_not_exists(pk) OR expires_at <= :now`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        let Some(entity) = written(facts, write).find(|entity| entity.time_to_live().is_some()) else {
            continue;
        };
        if let Some(message) = message(write, entity) {
            findings.report(Place::write(&write.name).member("condition"), message);
        }
    }
}

fn message(write: &Write, entity: &Entity) -> Option<String> {
    let expires_at = &entity.time_to_live()?.name;
    let (condition, expression) = match write.condition {
        WriteCondition::IfAbsent => {
            ("if-absent", format!("attribute_not_exists(..) OR {expires_at} <= :now"))
        }
        WriteCondition::IfPresent => ("if-present", format!("{expires_at} > :now")),
        WriteCondition::None | WriteCondition::Version | WriteCondition::Expression(_) => return None,
    };
    Some(format!(
        "`{}` decides by `{condition}`, and an item of `{}` that has expired may be there for days. The data layer takes it for \
         absent; whoever writes the table without it must compare the attribute: `{expression}`.",
        write.name, entity.name
    ))
}
