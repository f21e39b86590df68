//! The members of an UpdateTable request as they are sent.

use keywright_item::json::{ListType, ObjectType, Reader, SerializationError};

use crate::Operation;
use crate::throughput::SentThroughput;
use crate::unsupported::UsedUnsupported;
use crate::wire::{Few, read_body};

/// The members as they were sent.
pub(super) struct Wire {
    pub(super) table_name: Option<String>,
    pub(super) billing_mode: Option<String>,
    pub(super) throughput: Option<SentThroughput>,
    pub(super) indexes: Option<Few<SentIndexUpdate>>,
    pub(super) deletion_protection: Option<bool>,
    /// Definitions are for new indexes, and change nothing by themselves.
    pub(super) defines_attributes: bool,
    pub(super) unsupported: UsedUnsupported,
}

/// An element of the list of indexes.
#[derive(Default)]
pub(super) struct SentIndexUpdate {
    /// How many of `Create`, `Update` and `Delete` it has.
    pub(super) actions: usize,
    /// What it has as `Update`.
    pub(super) action: Option<IndexAction>,
}

/// A change of an index.
#[derive(Default)]
pub(super) struct IndexAction {
    pub(super) index_name: Option<String>,
    pub(super) throughput: Option<SentThroughput>,
    /// Whether it changes something that this version does not have, and so may have no throughput.
    pub(super) changes_more: bool,
}

impl Wire {
    pub(super) fn read(body: &[u8]) -> Result<Self, SerializationError> {
        let mut wire = Self {
            table_name: None,
            billing_mode: None,
            throughput: None,
            indexes: None,
            deletion_protection: None,
            defines_attributes: false,
            unsupported: UsedUnsupported::new(Operation::UpdateTable),
        };
        read_body(body, |name, reader| {
            match name {
                "TableName" => wire.table_name = reader.optional(Reader::string)?,
                "BillingMode" => wire.billing_mode = reader.optional(Reader::string)?,
                "ProvisionedThroughput" => wire.throughput = reader.optional(SentThroughput::read)?,
                "GlobalSecondaryIndexUpdates" => {
                    let unsupported = &mut wire.unsupported;
                    wire.indexes = reader.optional(|reader| {
                        Few::read(reader, |reader| SentIndexUpdate::read(reader, unsupported))
                    })?;
                }
                "DeletionProtectionEnabled" => {
                    wire.deletion_protection = reader.optional(Reader::boolean)?;
                }
                "AttributeDefinitions" => {
                    let read = reader.optional(|reader| reader.array(ListType::Member, Reader::skip))?;
                    wire.defines_attributes |= read.is_some();
                }
                other => wire.unsupported.read(other, reader)?,
            }
            Ok(())
        })?;
        Ok(wire)
    }
}

impl SentIndexUpdate {
    fn read(reader: &mut Reader<'_>, unsupported: &mut UsedUnsupported) -> Result<Self, SerializationError> {
        let mut update = Self::default();
        reader.object(ObjectType::Element("GlobalSecondaryIndexUpdate"), |name, reader| {
            let (structure, member) = match name {
                "Update" => {
                    let action = reader.optional(|reader| IndexAction::read(reader, unsupported))?;
                    update.actions += usize::from(action.is_some());
                    update.action = action;
                    return Ok(());
                }
                "Create" => ("CreateGlobalSecondaryIndexAction", "GlobalSecondaryIndexUpdates.Create"),
                "Delete" => ("DeleteGlobalSecondaryIndexAction", "GlobalSecondaryIndexUpdates.Delete"),
                _ => return reader.skip(),
            };
            let read = reader.optional(|reader| {
                reader.object(ObjectType::Structure(structure), |_, reader| reader.skip())
            })?;
            if read.is_some() {
                update.actions += 1;
                unsupported.use_member(member);
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(update)
    }
}

impl IndexAction {
    fn read(reader: &mut Reader<'_>, unsupported: &mut UsedUnsupported) -> Result<Self, SerializationError> {
        let mut action = Self::default();
        reader.object(ObjectType::Structure("UpdateGlobalSecondaryIndexAction"), |name, reader| {
            let member = match name {
                "IndexName" => {
                    action.index_name = reader.optional(Reader::string)?;
                    return Ok(());
                }
                "ProvisionedThroughput" => {
                    action.throughput = reader.optional(SentThroughput::read)?;
                    return Ok(());
                }
                "OnDemandThroughput" => "OnDemandThroughput",
                "WarmThroughput" => "WarmThroughput",
                _ => return reader.skip(),
            };
            if reader.optional(Reader::skip)?.is_some() {
                action.changes_more = true;
                unsupported.use_member(member);
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(action)
    }
}
