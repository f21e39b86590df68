//! KW0914: what is spread over shards is gathered from all of them.

use keywright_key::{IndexKey, Shards};

use crate::facts::Facts;
use crate::model::{Pattern, PatternOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::decimal;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0914",
    name: "fan-out",
    title: "A pattern that is one query for each shard",
    severity: Severity::Advice,
    finds: "A query whose items are spread over shards. A GetItem is not: the shard follows from the item's sort key.",
    hurts: "Shards take load from a partition key at the price of the reads: each call is as many queries as there are shards, \
            each of them charged at least once, whose results are merged and paged together: \
            [write sharding](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html).",
    example: "[entity.page_view]\npartition_key = \"PAGE#{page_id}\"\nshards = 10\n\n[pattern.views_of_page]\n\
              returns = [\"page_view\"]\ngiven = [\"page_id\"]",
    instead: "Take as few shards as the writes need, 1,000 write units a second each. Where reads are many, keep the sum in an \
              item of its own that a consumer of the stream brings up to date.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for pattern in &facts.design().patterns {
        if pattern.operation != PatternOperation::Query {
            continue;
        }
        let queries = pattern.returns.iter().filter_map(|returned| {
            let shape = facts.entity_shape(&returned.entity)?;
            let shards = match &pattern.index {
                None => shape.key.shards,
                Some(index) => match shape.entry(index.as_str())?.key {
                    IndexKey::Global(key) => key.shards,
                    IndexKey::Local { .. } => shape.key.shards,
                    IndexKey::Attributes => return None,
                },
            };
            Some(queries(&shards))
        });
        if let Some(queries) = queries.max().filter(|queries| *queries > 1) {
            findings.report(Place::pattern(&pattern.name), message(pattern, queries));
        }
    }
}

/// How many partition keys a query for all items reads.
fn queries(shards: &Shards<'_>) -> u32 {
    let sharded = if shards.is_sharded() { u32::from(shards.largest()) } else { 0 };
    sharded + u32::from(shards.has_unsharded())
}

fn message(pattern: &Pattern, queries: u32) -> String {
    let rate = match pattern.expected.per_second {
        Some(rate) if rate.times() > 0.0 => format!(
            ": at {} a second, {} queries a second",
            decimal(rate.times()),
            decimal(rate.times() * f64::from(queries))
        ),
        _ => String::new(),
    };
    format!(
        "each call of `{name}` is {queries} queries, one for each shard{rate}. Keep the sum or the newest items in an item of their \
         own if calls are many.",
        name = pattern.name
    )
}
