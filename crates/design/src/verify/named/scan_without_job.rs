//! KW0503: a scan is the work of a job, never the answer to a request.

use crate::facts::Facts;
use crate::model::{Pattern, PatternOperation, PerSecond, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::number;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0503",
    name: "scan-without-job",
    title: "A scan as an access pattern",
    severity: Severity::Error,
    finds: "A pattern that scans a table and does not say which job needs that, or that runs more often than once a minute, as \
            only requests do.",
    hurts: "A scan reads, and is paid for, every item of the table, and slows down with each one that is added: at 10,000 items it \
            annoys, at 10,000,000 it is an outage. It also takes the capacity that the other patterns need \
            ([best practices for scans](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-query-scan.html)).",
    example: "[pattern.open_invoices]\noperation = \"scan\"\nreturns = [\"invoice\"]\nfilter = { attributes = \
              [\"state\"], keeps = 0.01 }",
    instead: "Ask by a partition key that the caller has: add an index on what is asked for, sparse if few items are wanted. Two \
              jobs may scan, a backfill and a nightly walk that checks or erases: name it, `operation = { scan = \"nightly \
              integrity walk\", most_items = 100000 }`.",
    check: Check::Design(check),
};

/// The highest rate of a job: once a minute.
const RATE_OF_A_JOB: f64 = 1.0 / 60.0;

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for pattern in &facts.design().patterns {
        let PatternOperation::Scan { reason, .. } = &pattern.operation else { continue };
        let Some(table) = facts.table(&pattern.table) else { continue };
        let message = if reason.trim().is_empty() {
            without_job(facts, pattern, table)
        } else if let Some(rate) = pattern.expected.per_second
            && rate.times() > RATE_OF_A_JOB
        {
            too_often(pattern, rate)
        } else {
            continue;
        };
        findings.report(Place::pattern(&pattern.name).member("operation"), message);
    }
}

fn without_job(facts: &Facts<'_>, pattern: &Pattern, table: &Table) -> String {
    let price = match read_units(facts, table) {
        0 => String::new(),
        units => format!(", at least {} read units a run", number(units)),
    };
    format!(
        "`{}` is a scan: it reads every item of `{}`{price}, more with each one that is added. Make it a Query of an index whose \
         partition key the caller has. If it is a job outside of requests, say which: `operation = {{ scan = \"nightly integrity \
         walk\", most_items = 100000 }}`.",
        pattern.name, table.name
    )
}

fn too_often(pattern: &Pattern, rate: PerSecond) -> String {
    format!(
        "`{}` is a scan that runs {} times a second, and a job runs once a minute at most. What requests ask for is a Query of an \
         index: add one whose partition key the caller has.",
        pattern.name,
        crate::verify::words::decimal(rate.times())
    )
}

/// Units to read the whole table with eventual consistency, as far as counts and sizes are known.
fn read_units(facts: &Facts<'_>, table: &Table) -> u64 {
    let bytes: u64 = facts
        .entities_of(&table.name)
        .filter_map(|entity| entity.count.total?.checked_mul(entity.size.average_bytes?))
        .fold(0, u64::saturating_add);
    bytes.div_ceil(8192)
}
