//! KW0617: a call that reads several pages has a limit.

use crate::facts::Facts;
use crate::model::{Pattern, PatternOperation, Question};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::decimal;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0617",
    name: "unbounded-result",
    title: "A query that reads more than a page, without a limit",
    severity: Severity::Warning,
    finds: "A query without a limit whose expected items take more than one page of 1 MB.",
    hurts: "The caller waits for page after page, holds all of it in memory, and one call takes hundreds of read units from one \
            partition. What grows without a limit is an outage that has not happened yet: \
            [pagination](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html).",
    example: "[pattern.events]\nreturns = [\"event\"]\ngiven = [\"device_id\"]\nexpected = { items = 5000, per_second = 1 }",
    instead: "A limit and a cursor: `limit = 50`. A range that is asked for, such as one day. A sum that is kept in an item of \
              its own where only a figure is wanted.",
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
    let is_listed = pattern.operation == PatternOperation::Query && pattern.asks == Question::Items;
    if !is_listed || pattern.limit.is_some() {
        return None;
    }
    let cost = facts.costs().pattern(&pattern.name)?;
    let pages = *cost.pages.known()?;
    let queries = u32::try_from(cost.queries).map_or(f64::MAX, f64::from);
    if pages <= queries {
        return None;
    }
    Some(format!(
        "`{}` reads {} items in {} pages at each call, {} read units, and has no limit. Give it one (`limit = 50`) and let its \
         caller page with the cursor, or ask for a range.",
        pattern.name,
        decimal(*cost.items.known()?),
        decimal(pages),
        decimal(*cost.units_per_call.known()?)
    ))
}
