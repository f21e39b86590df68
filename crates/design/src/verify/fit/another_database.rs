//! KW0907: DynamoDB is asked mostly what it answers.

use crate::facts::Facts;
use crate::model::Question;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// So many patterns say nothing about what an application needs.
const TOO_FEW: usize = 3;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0907",
    name: "another-database",
    title: "More questions for another database than for this one",
    severity: Severity::Warning,
    finds: "A design in which half of the patterns or more ask for joins, counts, aggregates, words in text, or whatever their \
            callers name.",
    hurts: "Each of them needs something beside the table: copies, counters, a search engine, an export. When they are most of \
            what the application does, a relational database does it with less, and keeps references between items whole \
            besides, which DynamoDB leaves to the program: \
            [relational or NoSQL](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/SQLtoNoSQL.WhyDynamoDB.html).",
    example: "[pattern.sales_by_region]\nasks = \"aggregate\"\n\n[pattern.orders_with_customers]\nasks = \"join\"\n\n\
              [pattern.find_orders]\nasks = \"ad-hoc\"",
    instead: "Take PostgreSQL for data that is asked anything or must keep its references whole, an analytical store for figures \
              over all of it, and DynamoDB for the part that is read by key at a high rate.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let patterns = &facts.design().patterns;
    let elsewhere = patterns.iter().filter(|pattern| pattern.asks != Question::Items).count();
    if elsewhere >= TOO_FEW && elsewhere * 2 >= patterns.len() {
        findings.report(
            Place::design(),
            format!(
                "{elsewhere} of the {} patterns ask for joins, counts, aggregates, words in text or anything at all. For such \
                 data a relational database does more with less; keep in DynamoDB what is read by key.",
                patterns.len()
            ),
        );
    }
}
