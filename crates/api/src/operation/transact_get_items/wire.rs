//! The members of a TransactGetItems as they were sent, and their checks.

use keywright_expression::DeclaredPlaceholders;
use keywright_item::Item;
use keywright_item::json::{Checked, ObjectType, Reader, SerializationError};

use super::{TransactGet, TransactGetItemsInput};
use crate::constraint::Constraints;
use crate::operation::projected::WireProjection;
use crate::operation::transaction::{Members, check_members};
use crate::parameters::Parameters;
use crate::wire::{RETURN_CONSUMED_CAPACITY, read_body, read_names};
use crate::{TableName, Validation};

const PARAMETERS: Parameters =
    Parameters { expressions: &["ProjectionExpression"], using_values: &[], legacy: &[] };

const MEMBER: &str = "TransactGetItem";

/// The members as they were sent.
#[derive(Default)]
pub(super) struct Wire {
    transact_items: Option<Members<Option<GetWire>>>,
    return_consumed_capacity: Option<String>,
}

/// A `Get` as it was sent.
#[derive(Debug, Default)]
struct GetWire {
    table_name: Option<String>,
    key: Option<Checked<Item>>,
    projection: WireProjection,
    placeholders: DeclaredPlaceholders,
}

/// What is left of a `Get` after the constraints.
struct Constrained {
    table_name: TableName,
    key: Checked<Item>,
    projection: WireProjection,
    placeholders: DeclaredPlaceholders,
}

impl Wire {
    pub(super) fn read(body: &[u8]) -> Result<Self, SerializationError> {
        let mut wire = Self::default();
        read_body(body, |name, reader| {
            match name {
                "TransactItems" => {
                    wire.transact_items = Members::read(reader, MEMBER, |member, name, reader| {
                        match name {
                            "Get" => *member = reader.optional(GetWire::read)?,
                            _ => reader.skip()?,
                        }
                        Ok(())
                    })?;
                }
                "ReturnConsumedCapacity" => {
                    wire.return_consumed_capacity = reader.optional(Reader::string)?;
                }
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(wire)
    }

    pub(super) fn check(self) -> Result<TransactGetItemsInput, Validation> {
        let mut constraints = Constraints::default();
        let return_consumed_capacity = constraints.one_of(
            "returnConsumedCapacity",
            self.return_consumed_capacity.as_deref(),
            &RETURN_CONSUMED_CAPACITY,
        );
        let gets = check_members(self.transact_items, MEMBER, &mut constraints, |get, path, constraints| {
            let path = format!("{path}.get");
            constraints.required(&path, get)?.check_constraints(&path, constraints)
        });
        constraints.check()?;
        Ok(TransactGetItemsInput {
            gets: gets.into_iter().map(Constrained::check).collect::<Result<_, Validation>>()?,
            return_consumed_capacity: return_consumed_capacity.unwrap_or_default(),
        })
    }
}

impl GetWire {
    fn read(reader: &mut Reader<'_>) -> Result<Self, SerializationError> {
        let mut get = Self::default();
        reader.object(ObjectType::Structure("Get"), |name, reader| {
            match name {
                "TableName" => get.table_name = reader.optional(Reader::string)?,
                "Key" => get.key = reader.optional(Reader::attribute_map)?,
                "ProjectionExpression" => get.projection.read_expression(reader)?,
                "ExpressionAttributeNames" => read_names(reader, &mut get.placeholders)?,
                _ => reader.skip()?,
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(get)
    }

    fn check_constraints(self, path: &str, constraints: &mut Constraints) -> Option<Constrained> {
        let key = constraints.required(&format!("{path}.key"), self.key);
        let table_name = constraints.table_name_at(&format!("{path}.tableName"), self.table_name);
        Some(Constrained {
            table_name: table_name?,
            key: key?,
            projection: self.projection,
            placeholders: self.placeholders,
        })
    }
}

impl Constrained {
    fn check(self) -> Result<TransactGet, Validation> {
        PARAMETERS.check(|member| self.projection.has(member), &self.placeholders)?;
        let key = self.key?;
        let placeholders = self.placeholders.check()?;
        let projection = self.projection.bind(&placeholders)?;
        placeholders.check_all_used()?;
        Ok(TransactGet { table_name: self.table_name, key, projection })
    }
}
