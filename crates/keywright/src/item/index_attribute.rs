//! Attributes that an index is keyed by as they are: what DynamoDB refuses as a part of a key.

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::{IndexKeys, KeyAttribute, KeyRole, TableShape};

use super::Attributes;

/// What is wrong with a value of an attribute, if it is empty and an index is keyed by it.
pub(crate) fn empty_in_index(
    table: &TableShape<'static>,
    name: &str,
    value: &AttributeValue,
) -> Option<String> {
    if size_bytes(value) != Some(0) {
        return None;
    }
    let index = keyed_by_attributes(table).find(|(_, partition_key, sort_key)| {
        partition_key.iter().chain(*sort_key).any(|attribute| attribute.name == name)
    });
    let (index, ..) = index?;
    Some(format!(
        "it is empty, and in the key of index `{index}`, where nothing is empty: make it an `Option`, whose `None` leaves the item out \
         of the index"
    ))
}

/// The attribute by which the key of an item in an index becomes too long, all attributes of a part of it together, and what is wrong with it; none if each has room.
pub(super) fn too_long_in_index(
    table: &TableShape<'static>,
    attributes: &Attributes,
) -> Option<(String, String)> {
    for (index, partition_key, sort_key) in keyed_by_attributes(table) {
        let is_there = |attribute: &KeyAttribute<'_>| attributes.contains_key(attribute.name);
        if !partition_key.iter().chain(sort_key).all(is_there) {
            // The item is not in the index.
            continue;
        }
        for (part, role) in [(partition_key, KeyRole::Partition), (sort_key, KeyRole::Sort)] {
            let (longest, called) = (role.longest_bytes(), role.name());
            let mut sum = 0;
            for attribute in part {
                sum += attributes.get(attribute.name).and_then(size_bytes).unwrap_or(0);
                if sum > longest {
                    let reason = format!(
                        "with it the {called} of index `{index}` has {sum} bytes, and {longest} at most"
                    );
                    return Some((attribute.name.to_owned(), reason));
                }
            }
        }
    }
    None
}

type KeyAttributes = &'static [KeyAttribute<'static>];

fn keyed_by_attributes(
    table: &TableShape<'static>,
) -> impl Iterator<Item = (&'static str, KeyAttributes, KeyAttributes)> {
    table.indexes.iter().filter_map(|index| match index.keys {
        IndexKeys::Attributes { partition_key, sort_key } => Some((index.name, partition_key, sort_key)),
        IndexKeys::Rendered { .. } => None,
    })
}

/// The bytes of a text or of bytes. What a number takes of a key is little.
fn size_bytes(value: &AttributeValue) -> Option<usize> {
    match value {
        AttributeValue::S(text) => Some(text.len()),
        AttributeValue::B(bytes) => Some(bytes.as_ref().len()),
        _ => None,
    }
}
