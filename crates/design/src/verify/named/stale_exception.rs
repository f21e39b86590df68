//! KW0517: an exception accepts something.

use super::names_nothing::{is_within_one, places};
use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0517",
    name: "stale-exception",
    title: "An exception that accepts nothing",
    severity: Severity::Warning,
    finds: "An exception for a rule that nothing at its place breaks.",
    hurts: "What it accepted is mended. Left in the file, it accepts the same fault when that comes back, for a reason that is no \
            longer true.",
    example: "[[exception]]\nrule = \"KW0503\"\nat = \"pattern.members\"\nreason = \"a job reads it\"",
    instead: "Remove it.",
    check: Check::Exceptions(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let design = facts.design();
    if design.exceptions.is_empty() {
        return;
    }
    let places = places(facts);
    for (position, exception) in design.exceptions.iter().enumerate() {
        let is_known = super::super::rules().any(|rule| rule.code == exception.rule);
        let accepts = findings.found().iter().any(|finding| finding.is_covered_by(exception));
        // What it names wrongly is reported by another rule.
        if is_known && is_within_one(&places, &exception.at) && !accepts {
            findings.report(
                Place::design().member("exception").element(position),
                format!(
                    "nothing at `{}` breaks {}, so the exception accepts nothing. Remove it.",
                    exception.at, exception.rule
                ),
            );
        }
    }
}
