//! KW0513: a table says whose it is.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0513",
    name: "tags-undecided",
    title: "A table that nobody can be asked about",
    severity: Severity::Advice,
    finds: "A table without tags.",
    hurts: "The bill names tables only by their account. Tags divide it by team, product or environment, and say whom to \
            ask about a table ([tags for cost \
            allocation](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Tagging.html)).",
    example: "[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"",
    instead: "Add the tags by which your bills are divided: `tags = { team = \"billing\", environment = \"production\" \
              }`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        if table.tags.is_empty() {
            findings.report(
                Place::table(&table.name),
                format!(
                    "`{}` has no tags, so the bill does not say whose it is. Add those by which yours \
                         are divided, such as `tags = {{ team = \"billing\" }}`.",
                    table.name
                ),
            );
        }
    }
}
