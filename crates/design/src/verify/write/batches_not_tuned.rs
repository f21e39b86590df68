//! KW0828: the batches of a consumer fit its load.

use crate::facts::Facts;
use crate::model::{PerSecond, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::decimal;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0828",
    name: "batches-not-tuned",
    title: "A consumer with the batches that it happened to get",
    severity: Severity::Advice,
    finds: "A consumer that says neither how many records a batch has nor how long a batch waits to fill.",
    hurts: "By default a batch has 100 records, waits for none, and each shard is handled one batch at a time. Under little load that is \
            an invocation for every record or two; under much load a slow record holds up 99 others, and the iterator falls behind \
            ([parameters](https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-params.html)).",
    example: "[consumer.search]\ntable = \"app\"\nneeds = \"both-images\"\nidempotent_by = \"the item's key\"\nretries = 3\ndead_letters = \
              \"search-dlq\"",
    instead: "Begin with `batch_size = 10`, `window_seconds = 5` and `parallelization = 10`. Small batches where each record is slow or may \
              fail; large ones where many are written at once elsewhere. A window where seconds of delay save most invocations. \
              More at once where the iterator's age grows: records of one partition key still come in order.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for consumer in &facts.design().consumers {
        let delivery = consumer.delivery;
        if delivery.batch_size.is_some() || delivery.window_seconds.is_some() {
            continue;
        }
        let load = match facts.table(&consumer.table).map(|table| records_per_second(facts, table)) {
            Some(records) if records > 0.0 => format!(" for some {} records a second", decimal(records)),
            _ => String::new(),
        };
        findings.report(
            Place::consumer(&consumer.name),
            format!(
                "`{}` takes the default batches{load}: 100 records, no waiting, one batch of a shard at a time. Choose: `batch_size = \
                 10`, `window_seconds = 5` and `parallelization = 10` are a good beginning.",
                consumer.name
            ),
        );
    }
}

/// The records that the table's stream gets, as far as the design says what is written.
fn records_per_second(facts: &Facts<'_>, table: &Table) -> f64 {
    let rates = facts.entities_of(&table.name).map(|entity| {
        let written: f64 = facts
            .writes_of(&entity.name)
            .filter_map(|write| write.expected.per_second)
            .map(PerSecond::times)
            .sum();
        entity.writes.per_second.map_or(written, PerSecond::times)
    });
    rates.sum()
}
