//! KW0703: an index that holds everything is read for most of it.

use std::collections::BTreeSet;

use super::{needs, price};
use crate::facts::Facts;
use crate::model::{Index, Pattern, PerSecond, Projection, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::{decimal, names};

/// So many times as often as it is read an index must be written before its items are better fetched from the table.
const SELDOM: f64 = 10.0;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0703",
    name: "projects-all",
    title: "An index that holds everything, and is read for little",
    severity: Severity::Warning,
    finds: "An index that projects everything, while its patterns return half of the attributes or less, or while it \
            takes ten times as many write units as it is read, where the file says both. Attributes that are in keys do not \
            count, since every index holds the keys.",
    hurts: "Every item is stored twice, and every write of any attribute writes the index too, in full size. What is not \
            projected costs nothing there: \
            [attribute projections](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.Projections). \
            A projection cannot be changed later, only replaced by a new index.",
    example: "[table.app.index.by_user]\nproject = { all = \"easier\" }\n\n[pattern.roles_of_user]\nindex = \"by_user\"\n\
              returns = [ { entity = \"member\", attributes = [\"role\"] } ]",
    instead: "Project the attributes that the patterns return. What is read now and then can be fetched from the table by \
              its key, which every index holds.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        for index in &table.indexes {
            if let Projection::All { reason } = &index.projection
                // Without a reason the key crate reports it.
                && !reason.trim().is_empty()
                && let Some(message) = check_index(facts, table, index)
            {
                findings.report(Place::index(&table.name, &index.name).member("project"), message);
            }
        }
    }
}

fn check_index<'d>(facts: &Facts<'d>, table: &'d Table, index: &'d Index) -> Option<String> {
    let (entries, readers) = (facts.entries_of(table, index), facts.readers_of(table, index));
    if readers.is_empty() {
        return None;
    }
    let is_in_keys = |name: &str| needs::is_in_keys(table, index, entries, name);
    let by_every_reader = needs::needed_by_every_reader(facts, table, entries);
    let filtered = needs::filtered(readers);
    let held: BTreeSet<&str> = entries
        .iter()
        .flat_map(|entry| entry.entity.attributes.iter().map(|attribute| attribute.name.as_str()))
        .filter(|name| !is_in_keys(name) && !by_every_reader.contains(name))
        .collect();
    let mut read = needs::returned(facts, readers);
    read.extend(&filtered);
    let read: BTreeSet<&str> = held.intersection(&read).copied().collect();
    if held.is_empty() {
        return None;
    }
    if read.len() * 2 > held.len() {
        return seldom_read(facts, table, index, readers);
    }
    let mut enough: BTreeSet<&str> =
        read.union(&by_every_reader).copied().filter(|name| !is_in_keys(name)).collect();
    enough.extend(filtered.iter().filter(|name| !needs::is_key_attribute(table, index, name)));
    let list: Vec<String> = enough.iter().map(|name| format!("\"{name}\"")).collect();
    let what = if read.is_empty() {
        "return nothing but keys".to_owned()
    } else {
        format!("return {} alone", names(&read))
    };
    Some(format!(
        "index `{index}` of `{table}` holds all {held} attributes that its items have beside keys, and its patterns {what}. \
         Every write is paid for in full there too{price}. `project = [{list}]` would do.",
        index = index.name,
        table = table.name,
        held = held.len(),
        price = price::in_words(facts, table, index),
        list = list.join(", "),
    ))
}

/// What is wrong if the index is read for all of it, but hardly ever.
fn seldom_read<'d>(
    facts: &Facts<'d>,
    table: &'d Table,
    index: &'d Index,
    readers: &[&'d Pattern],
) -> Option<String> {
    let reads: f64 =
        readers.iter().map(|one| one.expected.per_second.map(PerSecond::times)).sum::<Option<f64>>()?;
    let writes = price::write_units_per_second(facts, table, index)?;
    (reads * SELDOM <= writes && writes > 0.0).then(|| {
        format!(
            "index `{index}` of `{table}` holds everything, is read {reads} times a second and takes {writes} write units a \
             second. Project nothing but the discriminator, and fetch the items that are read from the table by their keys.",
            index = index.name,
            table = table.name,
            reads = decimal(reads),
            writes = decimal(writes),
        )
    })
}
