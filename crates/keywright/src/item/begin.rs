//! An item that an update begins if it is not there: with the attributes of its entity, as a put would have stored them.

use keywright_key::{EntityShape, TableShape};

use super::{Attributes, WRITE_ID_ATTRIBUTE};
use crate::expression::Placeholders;

/// The clauses of `SET` that begin an item with these attributes and leave one that is there as it is, but for the id of the write and the
/// stamp of the last one. They are in an order that does not change.
pub(crate) fn begin(
    table: &TableShape<'static>,
    entity: &EntityShape<'static>,
    attributes: &Attributes,
    placeholders: &mut Placeholders,
) -> Vec<String> {
    let is_key = |name: &str| {
        name == table.partition_key.name || table.sort_key.is_some_and(|attribute| attribute.name == name)
    };
    let updated = entity.updated.map(|stamp| stamp.attribute);
    let mut sorted: Vec<_> = attributes.iter().filter(|(name, _)| !is_key(name)).collect();
    sorted.sort_by_key(|(name, _)| name.as_str());
    sorted
        .into_iter()
        .enumerate()
        .map(|(place, (name, value))| {
            let placeholder = format!("u{place}");
            let attribute = placeholders.name(&placeholder, name);
            let value = placeholders.value(&placeholder, value.clone());
            if name == WRITE_ID_ATTRIBUTE || Some(name.as_str()) == updated {
                format!("{attribute} = {value}")
            } else {
                format!("{attribute} = if_not_exists({attribute}, {value})")
            }
        })
        .collect()
}
