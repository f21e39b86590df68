//! KW0836: a table is replicated to other regions than its own.

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
    finds: "Replication to the region that the design itself is in.",
    hurts: "A global table has one replica in a region \
            ([how global tables work](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html)). \
            What was meant is another region, and until that is said there is no second place to go to.",
    example: "region = \"us-east-1\"\n\n[table.app]\nreplication = { regions = [\"us-east-1\"], consistency = \
              \"eventual\" }",
    instead: "Name the other regions; leave `replication` out if there is none.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let design = facts.design();
    let Some(own) = &design.region else { return };
    for table in &design.tables {
        let Some(replication) = &table.replication else { continue };
        let place = Place::table(&table.name).member("replication").member("regions");
        for (position, region) in replication.regions.iter().enumerate() {
            if region == own {
                findings.report(
                    place.clone().element(position),
                    format!(
                        "`{}` is replicated to `{region}`, which is where it is. Name the other regions only.",
                        table.name
                    ),
                );
            }
        }
    }
}
