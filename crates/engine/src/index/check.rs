//! Whether what a request writes can be a key of the table's indexes.
//!
//! An item may lack an attribute of an index's key, but not have it with another type, empty, or too long. Refusals name the
//! first index by name, as the service does.

use keywright_api::{IndexRefusal, KeyAttribute, KeyRole, ScalarType, Validation};
use keywright_expression::Update;
use keywright_item::{Item, StoredItem};

use super::Index;
use super::key::KeyValue;
use crate::key_schema;
use crate::table::Table;

/// Refuses an item that is to be stored.
pub(crate) fn check_item(table: &Table, item: &Item) -> Result<(), Validation> {
    for index in by_name(table) {
        for (_, attribute) in index.definition.key_schema.attributes() {
            let Some(value) = item.get(&attribute.name) else { continue };
            check_type(index, attribute, value.type_name())?;
            if KeyValue::of(value).is_some_and(KeyValue::is_empty) {
                return Err(IndexRefusal::EmptyKey {
                    index: index.definition.name.clone(),
                    name: attribute.name.clone(),
                    kind: attribute.kind,
                }
                .into());
            }
        }
        check_sizes(index, |attribute| item.get(&attribute.name).and_then(KeyValue::of))?;
    }
    Ok(())
}

/// Refuses an update that gives a key attribute another type or an empty value, whatever the item.
pub(crate) fn check_update(table: &Table, update: &Update) -> Result<(), Validation> {
    for index in by_name(table) {
        for (_, attribute) in index.definition.key_schema.attributes() {
            let known = update.known_types().find(|(name, _)| *name == attribute.name);
            if let Some((_, type_name)) = known {
                check_type(index, attribute, type_name)?;
            }
            let mut values = update.set_values().filter(|(name, _)| *name == attribute.name);
            if values.any(|(_, value)| KeyValue::of(value).is_some_and(KeyValue::is_empty)) {
                return Err(IndexRefusal::UpdatedKeyEmpty { kind: attribute.kind }.into());
            }
        }
    }
    Ok(())
}

/// Refuses the result of an update that gave a key attribute a value which it cannot have.
pub(crate) fn check_updated(table: &Table, update: &Update, after: &StoredItem) -> Result<(), Validation> {
    for index in by_name(table) {
        let schema = &index.definition.key_schema;
        let updated = |attribute: &KeyAttribute| update.attributes().any(|name| name == attribute.name);
        if !schema.attributes().any(|(_, attribute)| updated(attribute)) {
            continue;
        }
        for (_, attribute) in schema.attributes().filter(|(_, attribute)| updated(attribute)) {
            let Some(value) = after.get(&attribute.name) else { continue };
            if value.type_name() != attribute.kind.wire_name() {
                return Err(IndexRefusal::UpdatedKeyType.into());
            }
            if KeyValue::of_stored(value).is_some_and(KeyValue::is_empty) {
                return Err(IndexRefusal::UpdatedKeyEmpty { kind: attribute.kind }.into());
            }
        }
        check_sizes(index, |attribute| after.get(&attribute.name).and_then(KeyValue::of_stored))?;
    }
    Ok(())
}

/// Refuses an expression that goes into a key attribute of the table or of an index, which are scalars; `nested` are the
/// attributes that it goes into.
pub(crate) fn check_scalar(table: &Table, nested: &[&str]) -> Result<(), Validation> {
    if let Some(name) = key_schema::first_key_attribute(&table.key_schema, nested) {
        return Err(Validation::KeyNotScalar { name });
    }
    let mut attributes =
        by_name(table).into_iter().flat_map(|index| index.definition.key_schema.attributes());
    match attributes.find(|(_, attribute)| nested.contains(&attribute.name.as_str())) {
        Some((_, attribute)) => Err(IndexRefusal::KeyNotScalar { name: attribute.name.clone() }.into()),
        None => Ok(()),
    }
}

fn by_name(table: &Table) -> Vec<&Index> {
    let mut indexes: Vec<&Index> = table.indexes.iter().collect();
    indexes.sort_unstable_by(|one, other| one.definition.name.cmp(&other.definition.name));
    indexes
}

fn check_type(index: &Index, attribute: &KeyAttribute, actual: &'static str) -> Result<(), IndexRefusal> {
    if actual == attribute.kind.wire_name() {
        return Ok(());
    }
    Err(IndexRefusal::KeyType {
        index: index.definition.name.clone(),
        name: attribute.name.clone(),
        expected: attribute.kind,
        actual,
    })
}

/// The attributes of each part of a key share the bytes that a part can have.
fn check_sizes<'value>(
    index: &Index,
    value: impl Fn(&KeyAttribute) -> Option<KeyValue<'value>>,
) -> Result<(), Validation> {
    let schema = &index.definition.key_schema;
    for (role, attributes) in [(KeyRole::Partition, &schema.partition_key), (KeyRole::Sort, &schema.sort_key)]
    {
        // A number is never too long for a key on its own.
        let counted =
            attributes.iter().filter(|attribute| attributes.len() > 1 || attribute.kind != ScalarType::N);
        let size_bytes = counted.filter_map(&value).map(KeyValue::size_bytes).sum();
        key_schema::check_size(role, size_bytes)?;
    }
    Ok(())
}
