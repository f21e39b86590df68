//! Whether a request's values are a key of the table: present, of the schema's types, not empty, not too long.
//!
//! Every later phase relies on it: a `PrimaryKey` holds only strings, numbers and binary that fit.

use keywright_api::{KeyAttribute, KeyRole, KeySchema, Validation};
use keywright_item::{AttributeValue, Item};

use crate::key::{PartitionPrefix, TableNumber};

/// The longest partition key, in bytes.
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>
const PARTITION_KEY_BYTES: usize = 2048;
/// The longest sort key, in bytes. Source: as above.
const SORT_KEY_BYTES: usize = 1024;

/// The values of a primary key, checked against a key schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrimaryKey<'request> {
    partition: &'request AttributeValue,
    sort: Option<&'request AttributeValue>,
}

impl<'request> PrimaryKey<'request> {
    /// The key of an item that is to be stored.
    pub(crate) fn of_item(
        schema: &KeySchema,
        item: &'request Item,
    ) -> Result<PrimaryKey<'request>, Validation> {
        PrimaryKey::read(schema, |role, attribute| {
            let value = item
                .get(&attribute.name)
                .ok_or_else(|| Validation::MissingKeyInItem { name: attribute.name.clone() })?;
            if value.type_name() != attribute.kind.wire_name() {
                return Err(Validation::KeyTypeMismatchInItem {
                    name: attribute.name.clone(),
                    expected: attribute.kind,
                    actual: value.type_name(),
                });
            }
            check_value(role, attribute, value)?;
            Ok(value)
        })
    }

    /// The `Key` of a request: the attributes of the schema and no others.
    pub(crate) fn exact(schema: &KeySchema, key: &'request Item) -> Result<PrimaryKey<'request>, Validation> {
        if key.len() != schema.attributes().count() {
            return Err(Validation::KeyDoesNotMatchSchema);
        }
        PrimaryKey::read(schema, |role, attribute| {
            let value = key
                .get(&attribute.name)
                .filter(|value| value.type_name() == attribute.kind.wire_name())
                .ok_or(Validation::KeyDoesNotMatchSchema)?;
            check_value(role, attribute, value)?;
            Ok(value)
        })
    }

    /// Where the item lies in storage.
    pub(crate) fn storage_key(&self, table: TableNumber) -> Vec<u8> {
        PartitionPrefix::new(table, self.partition).item(self.sort)
    }

    pub(crate) fn partition(&self) -> &'request AttributeValue {
        self.partition
    }

    pub(crate) fn sort(&self) -> Option<&'request AttributeValue> {
        self.sort
    }

    fn read(
        schema: &KeySchema,
        mut value: impl FnMut(KeyRole, &KeyAttribute) -> Result<&'request AttributeValue, Validation>,
    ) -> Result<PrimaryKey<'request>, Validation> {
        let partition = value(KeyRole::Partition, &schema.partition_key)?;
        let sort = schema.sort_key.as_ref().map(|attribute| value(KeyRole::Sort, attribute)).transpose()?;
        Ok(PrimaryKey { partition, sort })
    }
}

/// The first key attribute, the partition key before the sort key, that is among these names.
pub(crate) fn first_key_attribute(schema: &KeySchema, names: &[&str]) -> Option<String> {
    let mut attributes = schema.attributes();
    attributes
        .find(|(_, attribute)| names.contains(&attribute.name.as_str()))
        .map(|(_, attribute)| attribute.name.clone())
}

/// Refuses an expression that goes into a key attribute, which is a scalar; `nested` are the attributes it goes into.
pub(crate) fn check_scalar(schema: &KeySchema, nested: &[&str]) -> Result<(), Validation> {
    match first_key_attribute(schema, nested) {
        Some(name) => Err(Validation::KeyNotScalar { name }),
        None => Ok(()),
    }
}

/// Refuses a key value, of the schema's type, that is empty or too long.
pub(crate) fn check_value(
    role: KeyRole,
    attribute: &KeyAttribute,
    value: &AttributeValue,
) -> Result<(), Validation> {
    let size_bytes = match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::B(binary) => binary.len(),
        // A number has at most 22 bytes and is never empty.
        _ => return Ok(()),
    };
    if size_bytes == 0 {
        return Err(Validation::EmptyKeyValue { name: attribute.name.clone(), kind: attribute.kind });
    }
    let longest = match role {
        KeyRole::Partition => PARTITION_KEY_BYTES,
        KeyRole::Sort => SORT_KEY_BYTES,
    };
    if size_bytes > longest { Err(Validation::KeyTooLong { role }) } else { Ok(()) }
}
