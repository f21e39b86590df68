//! KW0836: a table is replicated to other regions, once each.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0836",
    name: "replication-regions",
    title: "A replica where the table already is",
    severity: Severity::Error,
    finds: "Replication to no region, to the design's own region, or to one region twice.",
    hurts: "A global table has one replica in a region \
            ([how global tables work](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html)). \
            What was meant is another region, and until that is said there is no second place to go to.",
    example: "region = \"us-east-1\"\n\n[table.app]\nreplication = { regions = [\"us-east-1\"], consistency = \
              \"eventual\" }",
    instead: "Name the other regions, each once; leave `replication` out if there is none.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let design = facts.design();
    for table in &design.tables {
        let Some(replication) = &table.replication else { continue };
        let place = Place::table(&table.name).member("replication").member("regions");
        if replication.regions.is_empty() {
            findings.report(
                place,
                format!(
                    "`{}` is replicated to no region. Name the others, or leave `replication` out.",
                    table.name
                ),
            );
            continue;
        }
        for (position, region) in replication.regions.iter().enumerate() {
            let earlier = replication.regions.iter().take(position);
            let problem = if design.region.as_ref() == Some(region) {
                "which is where it is. Name the other regions only."
            } else if earlier.into_iter().any(|other| other == region) {
                "twice. Name each region once."
            } else {
                continue;
            };
            findings.report(
                place.clone().element(position),
                format!("`{}` is replicated to `{region}`, {problem}", table.name),
            );
        }
    }
}
