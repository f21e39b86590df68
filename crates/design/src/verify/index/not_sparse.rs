//! KW0707: an index of which patterns want few items holds few.

use super::key_parts::KeyParts;
use crate::facts::{Entry, Facts};
use crate::model::{Attribute, Index, Pattern, Presence, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::percent;

/// From which share of the items on an index need not be sparse.
const MOST_OF_THEM: f64 = 0.5;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0707",
    name: "not-sparse",
    title: "An index of all items, of which its patterns want few",
    severity: Severity::Warning,
    finds: "An index that holds every item of an entity, while each pattern that reads it filters by one attribute that at most \
            half of the items have, or keeps at most half of what it reads.",
    hurts: "What the filter drops was written to the index, is stored in it and was read from it, all of it paid for. An item \
            without the index's key is not in the index and costs nothing there: \
            [sparse indexes](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general-sparse-indexes.html).",
    example: "[entity.post]\nindex.recent = { partition_key = \"POSTS\", sort_key = \"{created_at}\" }\n\
              attributes = { created_at = \"timestamp\", published_at = { type = \"timestamp\", optional = 0.05 } }\n\n\
              [pattern.published]\nindex = \"recent\"\nfilter = { attributes = [\"published_at\"] }",
    instead: "Make the attribute a part of the index's key: items that do not have it are then not in the index. Of a flag, \
              store only the one value: `is_published` is there, or it is not.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        for index in &table.indexes {
            for entry in facts.entries_of(table, index) {
                let readers: Vec<&Pattern> = facts
                    .patterns_returning(&entry.entity.name)
                    .filter(|pattern| {
                        pattern.index.as_ref() == Some(&index.name) && pattern.table == table.name
                    })
                    .collect();
                if let Some(message) = check_entry(table, index, entry, &readers) {
                    let place = Place::entity(&entry.entity.name).member("index");
                    findings.report(place.member(index.name.as_str()), message);
                }
            }
        }
    }
}

fn check_entry<'d>(
    table: &'d Table,
    index: &'d Index,
    entry: &Entry<'d>,
    readers: &[&'d Pattern],
) -> Option<String> {
    let (first, rest) = readers.split_first()?;
    if KeyParts::of(index, entry).all().any(|part| is_optional(entry, part)) {
        return None;
    }
    let filtered =
        first.filter.as_ref()?.attributes.iter().filter_map(|name| entry.entity.attribute(name.as_str()));
    let wanted = filtered.into_iter().find_map(|attribute| {
        let by_all = rest.iter().all(|pattern| {
            pattern.filter.as_ref().is_some_and(|filter| filter.attributes.contains(&attribute.name))
        });
        let share = if by_all { share(attribute, readers) } else { None };
        share.filter(|share| *share <= MOST_OF_THEM).map(|share| (attribute, share))
    });
    let (attribute, share) = wanted?;
    Some(format!(
        "every `{entity}` is in index `{index}` of `{table}`, and what reads it there keeps only {share} of them, by \
         `{attribute}`. Make `{attribute}` a part of the key there, stored only where it counts: all other items then cost \
         nothing in the index.",
        entity = entry.entity.name,
        index = index.name,
        table = table.name,
        share = percent(share),
        attribute = attribute.name,
    ))
}

fn is_optional(entry: &Entry<'_>, name: &str) -> bool {
    entry.entity.attribute(name).is_some_and(|attribute| attribute.presence != Presence::Always)
}

/// The share of items that the patterns want, as far as the file says it: that of items that have the attribute, or the
/// largest that one of the filters keeps.
fn share(attribute: &Attribute, readers: &[&Pattern]) -> Option<f64> {
    if let Presence::Sometimes { share: Some(share) } = attribute.presence {
        return Some(share);
    }
    let kept: Option<Vec<f64>> =
        readers.iter().map(|pattern| pattern.filter.as_ref().and_then(|filter| filter.keeps)).collect();
    kept?.into_iter().reduce(f64::max)
}
