//! The members of a CreateTable request as they are sent.

use keywright_item::json::{ObjectType, Reader, SerializationError};

use super::index_wire::{Index, IndexList};
use crate::throughput::SentThroughput;
use crate::unsupported::UsedUnsupported;
use crate::wire::{Few, read_body};
use crate::{KeyRole, Operation, ScalarType, TableClass};

/// The members as they were sent.
pub(super) struct Wire {
    pub(super) table_name: Option<String>,
    pub(super) attribute_definitions: Option<Few<AttributeDefinition>>,
    pub(super) key_schema: Option<Few<KeySchemaElement>>,
    pub(super) local_indexes: Option<Few<Index>>,
    pub(super) global_indexes: Option<Few<Index>>,
    pub(super) billing_mode: Option<String>,
    pub(super) provisioned_throughput: Option<SentThroughput>,
    pub(super) table_class: Option<String>,
    pub(super) deletion_protection: Option<bool>,
    pub(super) tags: Option<Few<Tag>>,
    pub(super) unsupported: UsedUnsupported,
}

#[derive(Default)]
pub(super) struct AttributeDefinition {
    pub(super) name: Option<String>,
    pub(super) kind: Option<String>,
}

#[derive(Default)]
pub(super) struct KeySchemaElement {
    pub(super) name: Option<String>,
    pub(super) role: Option<String>,
}

#[derive(Default)]
pub(super) struct Tag {
    pub(super) key: Option<String>,
    pub(super) value: Option<String>,
}

/// The names on the wire, each list in the order of the service's message.
pub(super) const TABLE_CLASSES: [(&str, TableClass); 2] = [
    ("STANDARD", TableClass::Standard),
    ("STANDARD_INFREQUENT_ACCESS", TableClass::StandardInfrequentAccess),
];

pub(super) const DEFINITION_TYPES: [(&str, ScalarType); 3] =
    [("B", ScalarType::B), ("N", ScalarType::N), ("S", ScalarType::S)];

pub(super) const KEY_ROLES: [(&str, KeyRole); 2] = [("HASH", KeyRole::Partition), ("RANGE", KeyRole::Sort)];

impl Wire {
    pub(super) fn read(body: &[u8]) -> Result<Self, SerializationError> {
        let mut wire = Self {
            table_name: None,
            attribute_definitions: None,
            key_schema: None,
            local_indexes: None,
            global_indexes: None,
            billing_mode: None,
            provisioned_throughput: None,
            table_class: None,
            deletion_protection: None,
            tags: None,
            unsupported: UsedUnsupported::new(Operation::CreateTable),
        };
        read_body(body, |name, reader| {
            match name {
                "TableName" => wire.table_name = reader.optional(Reader::string)?,
                "AttributeDefinitions" => {
                    wire.attribute_definitions =
                        reader.optional(|reader| Few::read(reader, AttributeDefinition::read))?;
                }
                "KeySchema" => {
                    wire.key_schema = reader.optional(|reader| Few::read(reader, KeySchemaElement::read))?;
                }
                "LocalSecondaryIndexes" => {
                    wire.local_indexes = Index::read_list(IndexList::Local, reader, &mut wire.unsupported)?;
                }
                "GlobalSecondaryIndexes" => {
                    wire.global_indexes = Index::read_list(IndexList::Global, reader, &mut wire.unsupported)?;
                }
                "BillingMode" => wire.billing_mode = reader.optional(Reader::string)?,
                "ProvisionedThroughput" => {
                    wire.provisioned_throughput = reader.optional(SentThroughput::read)?;
                }
                "TableClass" => wire.table_class = reader.optional(Reader::string)?,
                "DeletionProtectionEnabled" => {
                    wire.deletion_protection = reader.optional(Reader::boolean)?;
                }
                "Tags" => wire.tags = reader.optional(|reader| Few::read(reader, Tag::read))?,
                other => wire.unsupported.read(other, reader)?,
            }
            Ok(())
        })?;
        Ok(wire)
    }
}

impl AttributeDefinition {
    fn read(reader: &mut Reader<'_>) -> Result<Self, SerializationError> {
        let mut definition = Self::default();
        reader.object(ObjectType::Element("AttributeDefinition"), |name, reader| {
            match name {
                "AttributeName" => definition.name = reader.optional(Reader::string)?,
                "AttributeType" => definition.kind = reader.optional(Reader::string)?,
                _ => reader.skip()?,
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(definition)
    }
}

impl KeySchemaElement {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, SerializationError> {
        let mut element = Self::default();
        reader.object(ObjectType::Element("KeySchemaElement"), |name, reader| {
            match name {
                "AttributeName" => element.name = reader.optional(Reader::string)?,
                "KeyType" => element.role = reader.optional(Reader::string)?,
                _ => reader.skip()?,
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(element)
    }
}

impl Tag {
    fn read(reader: &mut Reader<'_>) -> Result<Self, SerializationError> {
        let mut tag = Self::default();
        reader.object(ObjectType::Element("Tag"), |name, reader| {
            match name {
                "Key" => tag.key = reader.optional(Reader::string)?,
                "Value" => tag.value = reader.optional(Reader::string)?,
                _ => reader.skip()?,
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(tag)
    }
}
