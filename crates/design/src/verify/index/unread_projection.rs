//! KW0704: an index projects what some pattern reads.

use std::collections::BTreeSet;

use super::needs;
use crate::facts::Facts;
use crate::model::{Index, Projection, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::names;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0704",
    name: "unread-projection",
    title: "A projected attribute that no pattern reads",
    severity: Severity::Warning,
    finds: "An attribute in the projection of an index that no pattern returns from it or filters by there, that is a key \
            and in the index anyway, or that no entity in the index has. The discriminator, the tenant and the time to live \
            are read by whoever reads the index.",
    hurts: "It makes the entries larger, and a change of it is a write of the index that was not needed: \
            [projections](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general.html).",
    example: "[table.app.index.by_user]\nproject = [\"role\", \"biography\"]     # no pattern that reads it returns `biography`",
    instead: "Leave it out, or let the pattern return it.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        for index in &table.indexes {
            if let Projection::Include(projected) = &index.projection
                && !facts.readers_of(table, index).is_empty()
            {
                let projected: Vec<&str> = projected.iter().map(|name| name.as_str()).collect();
                check_index(facts, findings, (table, index), &projected);
            }
        }
    }
}

fn check_index<'d>(
    facts: &Facts<'d>,
    findings: &mut Findings<'_>,
    (table, index): (&'d Table, &'d Index),
    projected: &[&str],
) {
    let (entries, readers) = (facts.entries_of(table, index), facts.readers_of(table, index));
    let mut read = needs::returned(facts, readers);
    read.extend(needs::filtered(readers));
    read.extend(needs::needed_by_every_reader(facts, table, entries));
    let is_key = |name: &str| needs::is_key_attribute(table, index, name);
    let is_known = |name: &str| {
        table.discriminator == *name || entries.iter().any(|entry| entry.entity.attribute(name).is_some())
    };
    let mut keys = BTreeSet::new();
    let mut unknown = BTreeSet::new();
    let mut unread = BTreeSet::new();
    for name in projected.iter().copied() {
        if is_key(name) {
            keys.insert(name);
        } else if !is_known(name) {
            unknown.insert(name);
        } else if !read.contains(name) {
            unread.insert(name);
        }
    }
    let why = [
        (
            unread,
            "and no pattern that reads the index returns it or filters by it. Leave it out: it is paid for in every write.",
        ),
        (keys, "which is a key, and every index holds the keys. Leave it out of `project`."),
        (unknown, "which no entity in the index has. Correct the name, or leave it out."),
    ];
    for (attributes, why) in why.into_iter().filter(|(attributes, _)| !attributes.is_empty()) {
        let message =
            format!("index `{}` of `{}` projects {}, {}", index.name, table.name, names(&attributes), why);
        findings.report(Place::index(&table.name, &index.name).member("project"), message);
    }
}
