//! What the patterns that read an index need of it.

use std::collections::BTreeSet;

use super::key_parts::KeyParts;
use crate::facts::{Entry, Facts};
use crate::model::{AttributeName, Index, Pattern, ReturnedAttributes, Table};

/// The attributes that the patterns return.
pub(super) fn returned<'d>(facts: &Facts<'d>, readers: &[&'d Pattern]) -> BTreeSet<&'d str> {
    let mut needed = BTreeSet::new();
    for returned in readers.iter().flat_map(|pattern| &pattern.returns) {
        match &returned.attributes {
            ReturnedAttributes::Only(names) => needed.extend(names.iter().map(AttributeName::as_str)),
            ReturnedAttributes::Whole => {
                if let Some(entity) = facts.entity(&returned.entity) {
                    needed.extend(entity.attributes.iter().map(|attribute| attribute.name.as_str()));
                }
            }
        }
    }
    needed
}

/// The attributes that the patterns filter by.
pub(super) fn filtered<'d>(readers: &[&'d Pattern]) -> BTreeSet<&'d str> {
    let filters = readers.iter().filter_map(|pattern| pattern.filter.as_ref());
    filters.flat_map(|filter| filter.attributes.iter().map(AttributeName::as_str)).collect()
}

/// The attributes that whoever reads an index needs, whatever its patterns return: which entity an item is, whose it is, and
/// until when.
pub(super) fn needed_by_every_reader<'d>(
    facts: &Facts<'d>,
    table: &'d Table,
    entries: &[Entry<'d>],
) -> BTreeSet<&'d str> {
    let mut needed = BTreeSet::from([table.discriminator.as_str()]);
    needed.extend(facts.tenants().map(|tenants| tenants.attribute.as_str()));
    needed.extend(entries.iter().filter_map(|entry| entry.shape.time_to_live));
    needed
}

/// Whether `name` can be read from the keys of all these entries, without being projected.
pub(super) fn is_in_keys(table: &Table, index: &Index, entries: &[Entry<'_>], name: &str) -> bool {
    is_key_attribute(table, index, name)
        || (!entries.is_empty()
            && entries.iter().all(|entry| {
                KeyParts::of(index, entry).all().any(|part| part == name)
                    || entry.shape.key.partition_key.names(name)
                    || entry.shape.key.sort_key.is_some_and(|sort_key| sort_key.names(name))
            }))
}

/// Whether `name` is a key attribute of the table or of the index, which every entry of the index has.
pub(super) fn is_key_attribute(table: &Table, index: &Index, name: &str) -> bool {
    index
        .key_attributes()
        .chain(std::iter::once(&table.partition_key))
        .chain(&table.sort_key)
        .any(|attribute| attribute.name == *name)
}
