//! KW0621: where the hottest key could be too hot, the file says how hot it is.

use super::{entity_place, pattern_place};
use crate::cost::units::{PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use crate::cost::{Heat, KeyHeat};
use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::decimal;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0621",
    name: "hottest-key-not-given",
    title: "A key that may be too hot, and the file does not say how hot it is",
    severity: Severity::Warning,
    finds: "A partition key with many values whose whole load, or whose largest tenant's, is more than one partition serves, \
            where the file does not give the load of the hottest value. What could be is reported where it matters only: a \
            load that is small as a whole asks for nothing.",
    hurts: "If the load is uneven, and it is, one value takes more than its partition serves and is throttled, whatever the \
            table has: \
            [partition keys](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html).",
    example: "[entity.product]\npartition_key = \"PRODUCT#{product_id}\"\naverage_size_bytes = 3000\n\n\
              [pattern.product]\noperation = \"get\"\nreturns = [\"product\"]\ngiven = [\"product_id\"]\n\
              expected = { per_second = 20000 }",
    instead: "Say what the most wanted value has: `per_second_largest_key = 500`. Contributor Insights names the hottest keys of \
              a table that runs.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for key in facts.costs().heats() {
        if let Some(name) = open(&key.reads, PARTITION_READ_UNITS)
            && let Some(place) = pattern_place(name)
        {
            report(findings, place.member("expected"), name, key, &key.reads, ("read", PARTITION_READ_UNITS));
        }
        if let Some(name) = open(&key.writes, PARTITION_WRITE_UNITS)
            && let Some(place) = entity_place(name)
        {
            let place = match &key.index {
                None => place.member("writes"),
                Some(index) => place.member("index").member(index.as_str()),
            };
            report(findings, place, name, key, &key.writes, ("write", PARTITION_WRITE_UNITS));
        }
    }
}

/// The part of a key's heat that could be the most and is not given, if the key could be too hot with it and is not without.
fn open(heat: &Heat, limit: f64) -> Option<&str> {
    let bound: f64 = heat.parts.iter().map(|part| part.units_per_second).sum();
    if heat.at_least > limit || bound <= limit {
        return None;
    }
    heat.parts.iter().find(|part| !part.is_certain()).map(|part| part.name.as_str())
}

fn report(
    findings: &mut Findings<'_>,
    place: Place,
    name: &str,
    key: &KeyHeat,
    heat: &Heat,
    (what, limit): (&str, f64),
) {
    let bound: f64 = heat.parts.iter().map(|part| part.units_per_second).sum();
    let give = match (&key.index, what) {
        (Some(_), "write") => {
            "Say how uneven it is: if one value can have that much, put another component into the key."
        }
        _ => "Give `per_second_largest_key`: calls or writes a second for the value that has most.",
    };
    let index = key.index.as_ref().map_or_else(String::new, |index| format!("index `{index}` of "));
    findings.report(
        place,
        format!(
            "the partition key \"{}\" in {index}`{}` may take up to {} {what} units a second for one value, most of it by `{name}`, \
             and one partition serves {}. {give}",
            key.key,
            key.table,
            decimal(bound),
            decimal(limit)
        ),
    );
}
