//! KW0909: what shares a table has a reason to.

use crate::facts::Facts;
use crate::model::{Billing, Entity, EntityName, Table, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::names;

/// So many names are said in full.
const MOST_NAMES: usize = 6;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0909",
    name: "never-together",
    title: "One table of entities that are never read together",
    severity: Severity::Advice,
    finds: "A table of several entities in which no pattern returns two of them and no transaction writes two. A provisioned table is left alone: entities that \
            share capacity need less of it than each for itself.",
    hurts: "Keys that tell entities apart, an index that is shared, a stream of everything and a backup that restores everything \
            are the price of one table. Its gain is a query that returns several entities, and here there is none: \
            [single or multiple tables](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/data-modeling-foundations.html).",
    example: "[pattern.invoice]\nreturns = [\"invoice\"]\n\n[pattern.session]\nreturns = [\"session\"]     # both in table app",
    instead: "Give each entity a table, with its own time to live, stream, backup and alarms; moving them together later is the \
              easier way. Keep one table where a pattern will read across it, or where what the table decides is the same for \
              all of them: say so in an exception.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let entities: Vec<&Entity> = facts.entities_of(&table.name).collect();
        if entities.len() < 2 || matches!(table.billing.chosen(), Some(Billing::Provisioned(_))) {
            continue;
        }
        let mut readers = facts.patterns_of(&table.name).peekable();
        if readers.peek().is_none()
            || readers.any(|pattern| pattern.returns.len() > 1)
            || are_written_together(facts, table)
        {
            continue;
        }
        findings.report(Place::table(&table.name), message(table, &entities));
    }
}

/// Whether some transaction writes two entities of the table, so that they belong together although they are read apart.
fn are_written_together(facts: &Facts<'_>, table: &Table) -> bool {
    let is_here = |name: &EntityName| facts.entity(name).is_some_and(|entity| entity.table == table.name);
    facts.design().writes.iter().any(|write| {
        write.operation == WriteOperation::Transaction
            && write.entities.iter().filter(|name| is_here(name)).count() > 1
    })
}

fn message(table: &Table, entities: &[&Entity]) -> String {
    let list = if entities.len() <= MOST_NAMES {
        names(entities.iter().map(|entity| entity.name.as_str()))
    } else {
        format!("{} entities", entities.len())
    };
    format!(
        "`{table}` holds {list}, and no pattern returns two of them. A table for each is simpler: its own time to live, stream, \
         backup, alarms and indexes. One table is right where a pattern reads across it, or where all of that is the same for \
         all of them.",
        table = table.name
    )
}
