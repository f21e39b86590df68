//! KW0511: alarms see trouble before customers do.

use crate::facts::Facts;
use crate::model::{Alarm, ReplicationConsistency, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::names;
use crate::words::ALARMS;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0511",
    name: "alarms-missing",
    title: "Alarms that miss what goes wrong first",
    severity: Severity::Warning,
    finds: "A table whose alarms leave out consumed read or write capacity or throttled requests; the age of what a stream's \
            consumer reads, where there is one; or how far replicas lag, in a global table with eventual consistency.",
    hurts: "Each of them sees what the others do not: capacity shows trouble coming, throttling that it is there, the iterator's age \
            a consumer that has stopped while records are lost after 24 hours \
            ([metrics](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html), \
            [stream metrics of Lambda](https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html)).",
    example: "[table.app]\npartition_key = \"pk\"\nalarms = [\"throttled-requests\"]",
    instead: "Add what is missing. An alarm that nobody would act on can be left out by an exception, with the reason.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let Some(alarms) = table.alarms.chosen() else { continue };
        let missing: Vec<&str> = needed(facts, table)
            .filter(|needed| !alarms.contains(needed))
            .filter_map(|missing| ALARMS.text(&missing))
            .collect();
        if !missing.is_empty() {
            findings.report(
                Place::table(&table.name).member("alarms"),
                format!("the alarms of `{}` miss {}. Add what is missing.", table.name, names(missing)),
            );
        }
    }
}

fn needed(facts: &Facts<'_>, table: &Table) -> impl Iterator<Item = Alarm> {
    let has_consumer = facts.consumers_of(&table.name).next().is_some();
    let lags = table
        .replication
        .as_ref()
        .is_some_and(|replication| replication.consistency == ReplicationConsistency::Eventual);
    [
        Some(Alarm::ConsumedReadCapacity),
        Some(Alarm::ConsumedWriteCapacity),
        Some(Alarm::ThrottledRequests),
        has_consumer.then_some(Alarm::IteratorAge),
        lags.then_some(Alarm::ReplicationLatency),
    ]
    .into_iter()
    .flatten()
}
