//! KW0701: a table has no more indexes than DynamoDB allows.

use keywright_key::IndexReach;

use crate::facts::Facts;
use crate::model::{Projection, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// Global indexes of a table, unless AWS has raised it for the account.
const MOST_GLOBAL: usize = 20;
/// Local indexes of a table.
const MOST_LOCAL: usize = 5;
/// Attributes that the indexes of a table name in their projections, all together.
const MOST_PROJECTED: usize = 100;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0701",
    name: "index-quota",
    title: "More indexes than a table can have",
    severity: Severity::Error,
    finds: "More than 20 global indexes of a table, more than 5 local ones, or more than 100 attributes in the projections \
            of all of them. An attribute that two indexes project counts twice; keys, and what `all` projects, do not count.",
    hurts: "The table cannot be created. Twenty is a default that AWS raises on request; the other two are fixed: \
            [quotas](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html), \
            [projection](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Projection.html).",
    example: "[table.app.index.by_size]\nlocal = true\nsort_key = \"lsi6sk\"      # the sixth",
    instead: "Let entities that are never read together share an index: each renders its own key into the same two \
              attributes. Remove indexes that no pattern reads. If AWS has raised the quota, say so in an exception.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let place = || Place::table(&table.name).member("index");
        let global = table.indexes.iter().filter(|index| index.reach == IndexReach::Global).count();
        let local = table.indexes.len() - global;
        if global > MOST_GLOBAL {
            findings.report(
                place(),
                format!(
                    "`{}` has {global} global indexes, and a table has {MOST_GLOBAL} unless AWS has raised the quota. Let \
                     entities that are never read together share an index, and remove what no pattern reads.",
                    table.name
                ),
            );
        }
        if local > MOST_LOCAL {
            findings.report(
                place(),
                format!(
                    "`{}` has {local} local indexes, and a table has {MOST_LOCAL} at most. Make some of them global.",
                    table.name
                ),
            );
        }
        let projected = projected_attributes(table);
        if projected > MOST_PROJECTED {
            findings.report(
                place(),
                format!(
                    "the indexes of `{}` project {projected} attributes together, and {MOST_PROJECTED} is the limit; an \
                     attribute that two indexes project counts twice. Project what the patterns return, or `all`, which \
                     does not count, where that is nearly everything.",
                    table.name
                ),
            );
        }
    }
}

fn projected_attributes(table: &Table) -> usize {
    table
        .indexes
        .iter()
        .map(|index| match &index.projection {
            Projection::Include(names) => names.len(),
            Projection::KeysOnly | Projection::All { .. } => 0,
        })
        .sum()
}
