//! KW0608: what is written now is spread over partition keys.

use keywright_key::IndexReach;

use crate::cost::{Nature, PartitionKey};
use crate::facts::Facts;
use crate::model::{Entity, Index, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0608",
    name: "time-in-partition-key",
    title: "A partition key that is a time",
    severity: Severity::Warning,
    finds: "A partition key of a table or of a global index, without shards, in which nothing but a date or a time in seconds \
            tells items apart.",
    hurts: "Everything that is written now has the same key: one partition takes all of today's writes while those of earlier \
            days rest. 1,000 write units a second are all that there is: \
            [sharding by date](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html).",
    example: "[entity.event]\npartition_key = \"DAY#{day}\"\nsort_key = \"{event_id}\"\nattributes = { day = \"date\", event_id = \"ulid\" }",
    instead: "What the event belongs to in the partition key and the time in the sort key: `DEVICE#{device_id}` and \
              `{at}`. For all events of a day, shards: `shards = 10`, read with ten queries.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        for entity in facts.entities_of(&table.name) {
            let place = Place::entity(&entity.name);
            if let Some(message) = check_key(facts, table, entity, None) {
                findings.report(place.clone().member("partition_key"), message);
            }
            for index in table.indexes.iter().filter(|index| index.reach == IndexReach::Global) {
                if let Some(message) = check_key(facts, table, entity, Some(index)) {
                    findings.report(place.clone().member("index").member(index.name.as_str()), message);
                }
            }
        }
    }
}

fn check_key(facts: &Facts<'_>, table: &Table, entity: &Entity, index: Option<&Index>) -> Option<String> {
    let key = PartitionKey::of(facts, table, entity, index)?;
    let time = key.coarse_time(entity)?;
    if key.shards > 1 || !matches!(key.nature(facts, entity), Nature::One) {
        return None;
    }
    let place = index.map_or_else(String::new, |index| format!(" in index `{}`", index.name));
    Some(format!(
        "the partition key \"{}\" of `{}`{place} is told apart by `{}` alone, so everything that is written at one time has the \
         same key, and one partition takes it: 1,000 write units a second. Put what the item belongs to into the partition key \
         and `{}` into the sort key, or spread each period with `shards`.",
        key.text, entity.name, time.field, time.field
    ))
}
