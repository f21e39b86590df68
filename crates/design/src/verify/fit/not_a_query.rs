//! KW0905: what DynamoDB cannot answer is asked of something else.

use crate::facts::Facts;
use crate::model::{Pattern, Question};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0905",
    name: "not-a-query",
    title: "A question that DynamoDB does not answer",
    severity: Severity::Error,
    finds: "A pattern that asks for a join, for words in text, or for any attribute that the caller happens to name.",
    hurts: "DynamoDB reads items by key. It has no joins, no full-text index and no planner: each of these questions becomes a \
            scan, or a query an item, whose time and price grow with the table: \
            [from SQL to NoSQL](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/SQLtoNoSQL.ReadData.html), \
            [best practices for scans](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-query-scan.html).",
    example: "[pattern.find_in_comments]\nreturns = [\"comment\"]\nasks = \"full-text-search\"",
    instead: "Join when you write: keep what is read together under one partition key, or copy the few attributes that are \
              shown. Feed a search engine such as OpenSearch from the stream. Put data that is asked anything into a relational \
              database, and export the table to S3 for Athena where only reports ask.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for pattern in &facts.design().patterns {
        if let Some(message) = message(pattern) {
            findings.report(Place::pattern(&pattern.name).member("asks"), message);
        }
    }
}

fn message(pattern: &Pattern) -> Option<String> {
    let name = &pattern.name;
    match pattern.asks {
        Question::Join => Some(format!(
            "`{name}` asks for a join, and DynamoDB has none. Keep what is read together under one partition key, so that one \
             query returns it, and leave `asks` out; or copy the attributes that are shown into the item. If items refer to \
             each other in many ways, take a relational database."
        )),
        Question::FullTextSearch => Some(format!(
            "`{name}` asks for words in text, and DynamoDB has no full-text index. Feed a search engine such as OpenSearch from \
             the table's stream, and take the pattern out of the design; a word at the beginning of an attribute is a sort key \
             with `starts_with`."
        )),
        Question::AdHoc => Some(format!(
            "`{name}` asks for whatever its caller names, and a table answers only what its keys were made for. Write one \
             pattern for each question that is known; export the table to S3 for Athena, or keep the data in a relational \
             database, for those that are not."
        )),
        Question::Items | Question::Count | Question::Aggregate => None,
    }
}
