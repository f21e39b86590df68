//! KW0619: one page takes a small part of what a partition serves.

use crate::cost::units::PARTITION_READ_UNITS;
use crate::facts::Facts;
use crate::model::{Pattern, PatternOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::{decimal, number};

/// So many read units in one page are many.
const MANY_UNITS: f64 = 100.0;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0619",
    name: "large-page",
    title: "A page so large that a few callers use up a partition",
    severity: Severity::Warning,
    finds: "A query of one page, or with a limit, whose page takes more than 100 read units from one partition at once.",
    hurts: "Thirty such pages in one second are all that a partition serves, and they come as bursts: everything else in the \
            partition is throttled meanwhile: \
            [bursts of reads](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-query-scan.html).",
    example: "[pattern.export]\nreturns = [\"event\"]\ngiven = [\"device_id\"]\nlimit = 1000\n\
              expected = { items = 1000, per_second = 1 }",
    instead: "A smaller limit, so that reads are spread over time; smaller items; an index that projects only what is listed; \
              reads without strong consistency.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for pattern in &facts.design().patterns {
        if let Some(message) = check_pattern(facts, pattern) {
            findings.report(Place::pattern(&pattern.name), message);
        }
    }
}

fn check_pattern(facts: &Facts<'_>, pattern: &Pattern) -> Option<String> {
    let cost = facts.costs().pattern(&pattern.name)?;
    let is_query = pattern.operation == PatternOperation::Query;
    let queries = u32::try_from(cost.queries).map_or(f64::MAX, f64::from);
    // More pages without a limit are another rule's.
    let is_bounded = pattern.limit.is_some() || *cost.pages.known()? <= queries;
    let units = *cost.largest_page_units.known()?;
    if !is_query || !is_bounded || units <= MANY_UNITS {
        return None;
    }
    let callers = crate::cost::shards_needed(PARTITION_READ_UNITS, units);
    Some(format!(
        "one page of `{}` takes {} read units from one partition, so {} of them in a second use it up. Give it a smaller limit, \
         or read smaller items: an index that projects what is listed.",
        pattern.name,
        decimal(units),
        number(callers)
    ))
}
