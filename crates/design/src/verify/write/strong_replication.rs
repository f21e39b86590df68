//! KW0833: a strongly consistent global table has what it can have.

use super::written;
use crate::facts::Facts;
use crate::model::{Replication, ReplicationConsistency, Table, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::names;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0833",
    name: "strong-replication",
    title: "A strongly consistent global table that cannot be",
    severity: Severity::Error,
    finds: "A table that is replicated with strong consistency and is not in exactly three regions of one set, or has a time to live, a \
            local index or transactions.",
    hurts: "DynamoDB refuses the table, or the request: strong consistency over regions takes three regions of the United States, of Europe \
            or of Asia Pacific, and has neither time to live, nor local indexes, nor transactions \
            ([how global tables work](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html)). \
            Its writes wait for another region, and fail with `ReplicatedWriteConflictException` where two regions write one item.",
    example: "region = \"us-east-1\"\n\n[table.app]\ntime_to_live = \"expires_at\"\nreplication = { regions = [\"us-east-2\"], consistency = \
              \"strong\" }",
    instead: "Name the two other regions, one of which may hold the witness instead of a replica. Keep what expires, and what is written \
              in transactions, in another table.",
    check: Check::Design(check),
};

/// The sets of regions within which a table can be replicated with strong consistency.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html>
const REGION_SETS: &[&[&str]] = &[
    &["us-east-1", "us-east-2", "us-west-2"],
    &["eu-west-1", "eu-west-2", "eu-west-3", "eu-central-1"],
    &["ap-northeast-1", "ap-northeast-2", "ap-northeast-3"],
];

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        if let Some(replication) = &table.replication
            && replication.consistency == ReplicationConsistency::Strong
        {
            check_regions(facts, findings, table, replication);
            check_settings(findings, table);
        }
    }
    check_writes(facts, findings);
}

fn check_regions(facts: &Facts<'_>, findings: &mut Findings<'_>, table: &Table, replication: &Replication) {
    let place = Place::table(&table.name).member("replication").member("regions");
    let others: Vec<&str> = replication.regions.iter().map(String::as_str).collect();
    if others.len() != 2 {
        findings.report(
            place,
            format!(
                "`{}` is replicated with strong consistency, which takes two other regions, and names {}. One of them may hold the \
                 witness instead of a replica.",
                table.name,
                others.len()
            ),
        );
        return;
    }
    let own = facts.design().region.as_deref();
    let all: Vec<&str> = own.into_iter().chain(others).collect();
    if !REGION_SETS.iter().any(|set| all.iter().all(|region| set.contains(region))) {
        let sets: Vec<String> = REGION_SETS.iter().map(|set| names(set.iter())).collect();
        findings.report(
            place,
            format!(
                "`{}` cannot be replicated with strong consistency over {}: all three regions must be of one of these \
                 sets: {}.",
                table.name,
                names(all),
                sets.join("; ")
            ),
        );
    }
}

fn check_settings(findings: &mut Findings<'_>, table: &Table) {
    if let Some(attribute) = table.time_to_live.chosen() {
        findings.report(
            Place::table(&table.name).member("time_to_live"),
            format!(
                "`{}` is replicated with strong consistency, and such a table has no time to live. Keep what expires by `{attribute}` \
                 in another table.",
                table.name
            ),
        );
    }
    for index in &table.indexes {
        if index.reach == keywright_key::IndexReach::Local {
            findings.report(
                Place::index(&table.name, &index.name),
                format!(
                    "`{}` is replicated with strong consistency, and such a table has no local indexes. Make `{}` \
                     global.",
                    table.name, index.name
                ),
            );
        }
    }
}

fn check_writes(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        if write.operation != WriteOperation::Transaction {
            continue;
        }
        let strong = written(facts, write).find_map(|entity| {
            let table = facts.table(&entity.table)?;
            let replication = table.replication.as_ref()?;
            (replication.consistency == ReplicationConsistency::Strong).then_some(table)
        });
        if let Some(table) = strong {
            findings.report(
                Place::write(&write.name).member("operation"),
                format!(
                    "`{}` is a transaction on `{}`, which is replicated with strong consistency and takes none. Keep what must change \
                     together in one item, or in another table.",
                    write.name, table.name
                ),
            );
        }
    }
}
