//! KW0803: the time to live is a number of seconds.

use crate::facts::Facts;
use crate::model::ValueType;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0803",
    name: "time-to-live-not-seconds",
    title: "A time to live that is no number of seconds",
    severity: Severity::Error,
    finds: "An entity whose attribute of the name that its table expires items by has another type than `time-to-live`.",
    hurts: "DynamoDB reads the attribute as a number of seconds since 1970. It ignores text silently, and takes milliseconds for a \
            moment thousands of years away: the items stay \
            ([using time to live](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html)).",
    example: "[table.app]\ntime_to_live = \"expires_at\"\n\n[entity.session]\nattributes = { expires_at = \"timestamp\" \
              }",
    instead: "Give it the type `time-to-live`, which is written as seconds. A timestamp that is meant for people gets \
              another name.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let Some(name) = table.time_to_live.chosen() else { continue };
        for entity in facts.entities_of(&table.name) {
            if let Some(attribute) = entity.attribute(name.as_str())
                && attribute.value_type != ValueType::TimeToLive
            {
                findings.report(
                    Place::entity(&entity.name).member("attributes").member(name.as_str()),
                    format!(
                        "`{name}` of `{}` is what `{}` expires items by, and is not seconds since 1970, so DynamoDB would never \
                         delete them. Give it the type `time-to-live`, or another name.",
                        entity.name, table.name
                    ),
                );
            }
        }
    }
}
