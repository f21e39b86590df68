//! KW0831: what a condition protects is in one region.

use super::written;
use crate::facts::Facts;
use crate::model::{
    Entity, Once, Purpose, ReplicationConsistency, ValueType, Write, WriteCondition, WriteOperation,
};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0831",
    name: "region-local-condition",
    title: "A condition that another region does not see",
    severity: Severity::Error,
    finds: "In a table that is replicated with eventual consistency: claims, locks, counters, buckets, single-use tokens, \
            versions, and writes with a condition.",
    hurts: "A condition is decided by the item as it is in the region of the write. Two regions can both claim, both hold the lock, both \
            pass the floor; a moment later the last write stays and the other is gone, counts included, without a trace \
            ([how global tables work](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html)).",
    example: "[table.app]\nreplication = { regions = [\"eu-west-1\"], consistency = \"eventual\" }\n\n[entity.webhook_event]\ntable = \
              \"app\"\npurpose = \"claim\"",
    instead: "Keep it in a table that is not replicated, or in one with `consistency = \"strong\"`. Where every item is written in one \
              home region alone, say so in an exception: then the conditions hold.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for entity in &facts.design().entities {
        if is_replicated(facts, entity)
            && let Some(what) = relies_on_conditions(entity)
        {
            findings.report(
                Place::entity(&entity.name),
                format!(
                    "`{}` {what}, and `{}` is replicated with eventual consistency: two regions write it at one moment, and one of the \
                     writes is lost. Keep it in a table that is not replicated, or replicated with strong consistency.",
                    entity.name, entity.table
                ),
            );
        }
    }
    for write in &facts.design().writes {
        if let Some(entity) = decides_locally(facts, write) {
            findings.report(
                Place::write(&write.name).member("condition"),
                format!(
                    "`{}` decides by a condition, and `{}` is replicated with eventual consistency: another region decides at the same \
                     moment by what it has. Write it in one region, a table that is not replicated, or one with strong consistency.",
                    write.name, entity.table
                ),
            );
        }
    }
}

fn is_replicated(facts: &Facts<'_>, entity: &Entity) -> bool {
    let replication = facts.table(&entity.table).and_then(|table| table.replication.as_ref());
    replication.is_some_and(|replication| replication.consistency == ReplicationConsistency::Eventual)
}

fn relies_on_conditions(entity: &Entity) -> Option<String> {
    let has = |wanted: ValueType| entity.attributes.iter().any(|attribute| attribute.value_type == wanted);
    match entity.purpose {
        Purpose::Claim
        | Purpose::Lock
        | Purpose::ExactCounter
        | Purpose::ApproximateCounter
        | Purpose::RateLimit
        | Purpose::SingleUseToken => Some(format!("is {}", entity.purpose.noun())),
        _ if has(ValueType::Version) => Some("counts versions".to_owned()),
        _ if has(ValueType::Counter) => Some("has a counter".to_owned()),
        Purpose::Data | Purpose::Audit | Purpose::Ephemeral => None,
    }
}

/// The replicated entity for which the write decides by a condition, unless that is said of the entity.
fn decides_locally<'d>(facts: &Facts<'d>, write: &'d Write) -> Option<&'d Entity> {
    // A batch with a condition, or a condition that is not there, is reported by another rule.
    let decides = write.operation != WriteOperation::Batch
        && write.condition != WriteCondition::None
        && !matches!(write.once, Some(Once::SameResult));
    let replicated = decides.then(|| written(facts, write).find(|entity| is_replicated(facts, entity)))??;
    let is_said = written(facts, write)
        .any(|entity| is_replicated(facts, entity) && relies_on_conditions(entity).is_some());
    (!is_said).then_some(replicated)
}
