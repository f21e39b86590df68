//! KW0502: a pattern reads one table.

use crate::facts::Facts;
use crate::model::{Pattern, PatternOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0502",
    name: "several-tables",
    title: "A pattern that returns what lies in several tables",
    severity: Severity::Error,
    finds: "A pattern that returns, or skips, an entity of another table than the one it reads.",
    hurts: "A Query reads one table, or one index of it \
            ([Query](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html)). The pattern would be several \
            requests, each with pages and capacity of its own, and without a moment at which all of it was true.",
    example: "[entity.team]\ntable = \"teams\"\n\n[entity.user]\ntable = \"users\"\n\n[pattern.team_with_users]\nreturns = [\"team\", \
              \"user\"]",
    instead: "Make a pattern for each table. If both are always read together, keep both entities in one table, under one \
              partition key: that is what a single table is for.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for pattern in &facts.design().patterns {
        // A table that is not there is reported by another rule.
        if facts.table(&pattern.table).is_some() {
            check_pattern(facts, findings, pattern);
        }
    }
}

fn check_pattern(facts: &Facts<'_>, findings: &mut Findings<'_>, pattern: &Pattern) {
    let place = Place::pattern(&pattern.name);
    let verb = match pattern.operation {
        PatternOperation::Get => "is not one GetItem",
        PatternOperation::Query => "is not one Query",
        PatternOperation::Scan { .. } => "is not one Scan",
    };
    for (position, returned) in pattern.returns.iter().enumerate() {
        let Some(entity) = facts.entity(&returned.entity) else { continue };
        if entity.table == pattern.table || facts.table(&entity.table).is_none() {
            continue;
        }
        findings.report(
            place.clone().member("returns").element(position),
            format!(
                "`{}` {verb}: it reads `{}`, and `{}` lies in `{}`. Make a pattern for each table, or keep in one table what is \
                 read together.",
                pattern.name, pattern.table, entity.name, entity.table
            ),
        );
    }
    for (position, skipped) in pattern.skips.iter().enumerate() {
        let Some(entity) = facts.entity(skipped) else { continue };
        if entity.table != pattern.table {
            findings.report(
                place.clone().member("skips").element(position),
                format!(
                    "`{}` skips `{skipped}`, which lies in `{}` and never in what it reads. Leave it out.",
                    pattern.name, entity.table
                ),
            );
        }
    }
}
