//! KW0517: an exception accepts something.

use std::collections::HashMap;

use super::names_nothing::{codes, is_within_one, places};
use crate::facts::Facts;
use crate::model::Exception;
use crate::place::Place;
use crate::verify::finding::{Finding, Findings};
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
    let (codes, places) = (codes(), places(facts));
    let mut found: HashMap<&str, Vec<&Finding>> = HashMap::new();
    for finding in findings.found() {
        found.entry(finding.rule.code).or_default().push(finding);
    }
    let stale: Vec<(usize, &Exception)> = design
        .exceptions
        .iter()
        .enumerate()
        // What it names wrongly is reported by another rule.
        .filter(|(_, exception)| {
            codes.contains(exception.rule.as_str()) && is_within_one(&places, &exception.at)
        })
        .filter(|(_, exception)| {
            let of_rule = found.get(exception.rule.as_str()).into_iter().flatten();
            !of_rule.into_iter().any(|finding| finding.is_covered_by(exception))
        })
        .collect();
    for (position, exception) in stale {
        findings.report(
            Place::design().member("exception").element(position),
            format!(
                "nothing at `{}` breaks {}, so the exception accepts nothing. Remove it.",
                exception.at, exception.rule
            ),
        );
    }
}
