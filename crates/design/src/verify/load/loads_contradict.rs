//! KW0616: the loads and counts of the file fit together.

use crate::cost::PartitionKey;
use crate::facts::Facts;
use crate::model::{Entity, PerSecond, ReadLoad, WriteLoad};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::{decimal, number};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0616",
    name: "loads-contradict",
    title: "Loads or counts that contradict each other",
    severity: Severity::Error,
    finds: "A part that is larger than its whole: the largest tenant or the hottest key above all together, the hottest key \
            above the largest tenant where the tenant is in the key, an average item above the largest, a call that returns \
            more items than there are.",
    hurts: "One of the two figures is wrong, and costs and hot keys are computed from both.",
    example: "[pattern.feed]\nreturns = [\"post\"]\nexpected = { items = 50, per_second = 20, per_second_largest_tenant = 200 }",
    instead: "Correct the one that is wrong: `per_second` is that of all tenants together, `total` that of the whole table.",
    check: Check::Design(check),
};

/// A figure with the member that gives it.
type Given = (&'static str, Option<f64>);

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for entity in &facts.design().entities {
        check_entity(facts, entity, findings);
    }
    for pattern in &facts.design().patterns {
        let place = Place::pattern(&pattern.name).member("expected");
        let first = pattern.returns.first().and_then(|returned| facts.entity(&returned.entity));
        let has_tenant = first.zip(facts.table(&pattern.table)).is_some_and(|(entity, table)| {
            PartitionKey::of(facts, table, entity, facts.index_of(pattern))
                .is_some_and(|key| key.has_tenant(facts))
        });
        check_rates(findings, &place, pattern.name.as_str(), rates(&pattern.expected), has_tenant);
        let there = pattern.returns.iter().map(|returned| facts.entity(&returned.entity)?.count.total);
        let there: Option<u64> = there.sum();
        if let (Some(items), Some(there)) = (pattern.expected.items, there)
            && items > there
        {
            findings.report(
                place.member("items"),
                format!(
                    "a call of `{}` returns {} items, and there are {}. Correct `items`, or the `count` of the entities.",
                    pattern.name,
                    number(items),
                    number(there)
                ),
            );
        }
    }
    for write in &facts.design().writes {
        let place = Place::write(&write.name).member("expected");
        check_rates(findings, &place, write.name.as_str(), write_rates(&write.expected), false);
    }
}

fn check_entity(facts: &Facts<'_>, entity: &Entity, findings: &mut Findings<'_>) {
    let place = Place::entity(&entity.name);
    let name = entity.name.as_str();
    if let (Some(average), Some(largest)) = (entity.size.average_bytes, entity.size.largest_bytes)
        && average > largest
    {
        findings.report(
            place.clone().member("largest_size_bytes"),
            format!(
                "the largest item of `{name}` has {} bytes, and an average one {}. Correct one of them.",
                number(largest),
                number(average)
            ),
        );
    }
    let has_tenant = facts
        .table(&entity.table)
        .and_then(|table| PartitionKey::of(facts, table, entity, None))
        .is_some_and(|key| key.has_tenant(facts));
    let count = |count: Option<u64>| count.map(as_figure);
    let counts = [
        ("total", count(entity.count.total)),
        ("largest_tenant", count(entity.count.largest_tenant)),
        ("largest_key", count(entity.count.largest_key)),
    ];
    check_rates(findings, &place.clone().member("count"), name, counts, has_tenant);
    check_rates(findings, &place.member("writes"), name, write_rates(&entity.writes), has_tenant);
}

/// Compares the whole, the largest tenant and the hottest key, in this order.
fn check_rates(
    findings: &mut Findings<'_>,
    place: &Place,
    name: &str,
    [total, tenant, key]: [Given; 3],
    has_tenant: bool,
) {
    let pairs = [(tenant, total), (key, total), if has_tenant { (key, tenant) } else { (total, total) }];
    for ((part, of_part), (whole, of_whole)) in pairs {
        if let (Some(of_part), Some(of_whole)) = (of_part, of_whole)
            && of_part > of_whole
        {
            findings.report(
                place.clone().member(part),
                format!(
                    "`{name}` has `{part}` {}, which is more than `{whole}` {}: a part cannot be larger than its whole. Correct \
                     one of them.",
                    decimal(of_part),
                    decimal(of_whole)
                ),
            );
        }
    }
}

fn rates(load: &ReadLoad) -> [Given; 3] {
    three(load.per_second, load.per_second_largest_tenant, load.per_second_largest_key)
}

fn write_rates(load: &WriteLoad) -> [Given; 3] {
    three(load.per_second, load.per_second_largest_tenant, load.per_second_largest_key)
}

fn three(total: Option<PerSecond>, tenant: Option<PerSecond>, key: Option<PerSecond>) -> [Given; 3] {
    [
        ("per_second", total.map(PerSecond::times)),
        ("per_second_largest_tenant", tenant.map(PerSecond::times)),
        ("per_second_largest_key", key.map(PerSecond::times)),
    ]
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts above 2^53 are rounded, which changes no comparison that matters"
)]
const fn as_figure(count: u64) -> f64 {
    count as f64
}
