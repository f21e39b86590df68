//! KW0906: figures are kept, not computed from all items at each call.

use crate::facts::Facts;
use crate::model::{Pattern, Purpose, Question};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::number;

/// What one page of a query reads at most: 1 MB.
const PAGE_BYTES: u64 = 1024 * 1024;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0906",
    name: "computed-over-items",
    title: "A count or a sum that reads every item",
    severity: Severity::Warning,
    finds: "A pattern that asks for a count or an aggregate, unless its items are known to fit on one page of 1 MB, or are \
            counters themselves, whose shards are summed.",
    hurts: "`Select = COUNT` returns a number and is charged for every item that it counted: \
            [counting items](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Other.html#Query.Count). \
            The price of one answer grows with the data, and beyond 1 MB it takes several requests.",
    example: "[pattern.number_of_comments]\nreturns = [\"comment\"]\ngiven = [\"post_id\"]\nasks = \"count\"",
    instead: "Keep the figure in an item that is read instead: `ADD` it in the transaction that writes the item where it must be \
              exact, or in a consumer of the stream where it may lag, as in \
              [aggregation with indexes](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-gsi-aggregation.html). \
              For reports, export the table to S3 and ask Athena.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for pattern in &facts.design().patterns {
        let what = match pattern.asks {
            Question::Count => "a count",
            Question::Aggregate => "an aggregate",
            Question::Items | Question::Join | Question::FullTextSearch | Question::AdHoc => continue,
        };
        if is_on_one_page(facts, pattern) || reads_counters(facts, pattern) {
            continue;
        }
        let items = match pattern.expected.items {
            Some(items) => format!("all {} items", number(items)),
            None => "every item".to_owned(),
        };
        findings.report(
            Place::pattern(&pattern.name).member("asks"),
            format!(
                "`{name}` asks for {what}, and each call reads {items} for it. Keep the figure in an item of its own: `ADD` it \
                 in the transaction that writes the item, or in a consumer of the stream. For reports, export the table and \
                 ask Athena.",
                name = pattern.name
            ),
        );
    }
}

/// Whether the file says that all items of a call fit on one page.
fn is_on_one_page(facts: &Facts<'_>, pattern: &Pattern) -> bool {
    let largest = pattern
        .returns
        .iter()
        .map(|returned| facts.entity(&returned.entity)?.size.average_bytes)
        .try_fold(0, |largest: u64, size| size.map(|size| largest.max(size)));
    pattern.expected.items.zip(largest).is_some_and(|(items, size)| items.saturating_mul(size) <= PAGE_BYTES)
}

fn reads_counters(facts: &Facts<'_>, pattern: &Pattern) -> bool {
    pattern
        .returns
        .iter()
        .filter_map(|returned| facts.entity(&returned.entity))
        .all(|entity| matches!(entity.purpose, Purpose::ExactCounter | Purpose::ApproximateCounter))
}
