//! KW0835: the write capacity of a replicated table follows its load.

use crate::facts::Facts;
use crate::model::{Billing, ProvisionedCapacity};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0835",
    name: "replicated-capacity",
    title: "A replicated table with fixed write capacity",
    severity: Severity::Error,
    finds: "A replicated table, or a global index of one, whose units are provisioned without autoscaling.",
    hurts: "DynamoDB refuses the replica: write capacity must be on demand or follow the load, since what one region writes is written in \
            all ([throughput of global tables](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html)).",
    example: "[table.app]\nbilling = { read = 100, write = 50 }\nreplication = { regions = [\"eu-west-1\"], consistency \
              = \"eventual\" }",
    instead: "Say `billing = \"on-demand\"`, or add autoscaling to the table and to each of its global indexes.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let is_fixed = |capacity: &ProvisionedCapacity| capacity.autoscaling.is_none();
    for table in &facts.design().tables {
        if table.replication.is_none() {
            continue;
        }
        let Some(Billing::Provisioned(capacity)) = table.billing.chosen() else { continue };
        if is_fixed(capacity) {
            findings.report(
                Place::table(&table.name).member("billing"),
                format!(
                    "`{}` is replicated, and its write units are fixed, which DynamoDB refuses. Say `billing = \"on-demand\"`, or add \
                     autoscaling.",
                    table.name
                ),
            );
        }
        for index in &table.indexes {
            if index.capacity.as_ref().is_some_and(is_fixed) {
                findings.report(
                    Place::index(&table.name, &index.name).member("capacity"),
                    format!(
                        "`{}` is replicated, and the write units of its index `{}` are fixed, which DynamoDB refuses. Add \
                         autoscaling.",
                        table.name, index.name
                    ),
                );
            }
        }
    }
}
