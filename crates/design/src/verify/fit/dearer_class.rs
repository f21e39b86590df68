//! KW0913: the table class is the one that costs less.

use crate::facts::Facts;
use crate::model::TableClass;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::money;

/// By which part the other class must be cheaper to be worth a word.
const WORTH_IT: f64 = 0.1;
/// Less than this a month is not worth a word.
const LEAST_SAVED: f64 = 1.0;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0913",
    name: "dearer-class",
    title: "A table class that costs more than the other",
    severity: Severity::Advice,
    finds: "A table whose class costs at least a tenth more than the other one would, at the expected load and number of items, \
            where the file says enough to compute both.",
    hurts: "The class `infrequent-access` stores for less and serves requests for more. It is cheaper once storage costs more \
            than half of what requests cost, and dearer below: \
            [table classes](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithTables.tableclasses.html).",
    example: "[table.audit]\n\n[entity.audit_entry]\naverage_size_bytes = 900\ncount = { total = 600000000 }\n\
              writes = { per_second = 5 }",
    instead: "Declare the cheaper class: `class = \"infrequent-access\"` for what is written once and seldom read, `standard` for \
              the rest. It can be changed twice in thirty days.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let Some(cost) = facts.costs().table(&table.name) else { continue };
        let (Some(&standard), Some(&infrequent)) =
            (cost.classes.standard.known(), cost.classes.infrequent_access.known())
        else {
            continue;
        };
        let (own, other, name) = match table.class {
            TableClass::Standard => (standard, infrequent, "infrequent-access"),
            TableClass::InfrequentAccess => (infrequent, standard, "standard"),
        };
        if other * (1.0 + WORTH_IT) <= own && own - other >= LEAST_SAVED {
            findings.report(
                Place::table(&table.name).member("class"),
                format!(
                    "`{table}` costs {own} a month at its expected load and size, and {other} in the class `{name}`. Declare \
                     `class = \"{name}\"`.",
                    table = table.name,
                    own = money(own),
                    other = money(other),
                ),
            );
        }
    }
}
