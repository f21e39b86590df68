//! KW0702: some pattern reads each index, and each entity in it.

use std::collections::HashSet;

use keywright_key::IndexReach;

use super::price;
use crate::facts::{Entry, Facts};
use crate::model::{Index, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::names;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0702",
    name: "unread-index",
    title: "An index, or an entity in it, that no pattern reads",
    severity: Severity::Warning,
    finds: "An index that no access pattern reads, and an entity with a key in an index whose patterns do not return it.",
    hurts: "Every write of an item is paid for again in each index that it is in, and so is its storage; an index that is \
            not read gives nothing for it: \
            [general guidelines](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general.html). \
            A global index can be added to a table in use on the day that a pattern needs it.",
    example: "[table.app.index.by_name]     # just in case: no pattern has index = \"by_name\"\npartition_key = \"gsi1pk\"",
    instead: "Write down the pattern that needs the index, or remove it. Leave the index out of an entity that is never \
              read there.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        for index in &table.indexes {
            check_index(facts, findings, table, index);
        }
    }
}

fn check_index<'d>(facts: &Facts<'d>, findings: &mut Findings<'_>, table: &'d Table, index: &'d Index) {
    let (entries, readers) = (facts.entries_of(table, index), facts.readers_of(table, index));
    if readers.is_empty() {
        let price = price::in_words(facts, table, index);
        findings.report(Place::index(&table.name, &index.name), unread(table, index, entries, &price));
        return;
    }
    let returned: HashSet<&str> = readers
        .iter()
        .flat_map(|pattern| pattern.returns.iter().map(|returned| returned.entity.as_str()))
        .collect();
    for entry in entries.iter().filter(|entry| !returned.contains(entry.entity.name.as_str())) {
        findings.report(
            Place::entity(&entry.entity.name).member("index").member(index.name.as_str()),
            format!(
                "`{entity}` has a key in index `{index}`, and no pattern that reads the index returns it: its writes are \
                 paid for there too, for nothing. Leave `index.{index}` out of the entity, or write down the pattern.",
                entity = entry.entity.name,
                index = index.name
            ),
        );
    }
}

fn unread(table: &Table, index: &Index, entries: &[Entry<'_>], price: &str) -> String {
    let begin = format!("no pattern reads index `{}` of `{}`", index.name, table.name);
    if entries.is_empty() {
        return format!(
            "{begin}, and no entity has a key in it. Remove it, or write down the pattern that needs it."
        );
    }
    let entities = names(entries.iter().map(|entry| entry.entity.name.as_str()));
    match index.reach {
        IndexReach::Global => format!(
            "{begin}, and every write of {entities} is paid for there too{price}. Remove it: a global index can be added on the \
             day that a pattern needs it.",
        ),
        IndexReach::Local => format!(
            "{begin}, and every write of {entities} is paid for there too{price}. Remove it, and take a global one on the day \
             that a pattern needs it: only a local one has to be there from the beginning.",
        ),
    }
}
