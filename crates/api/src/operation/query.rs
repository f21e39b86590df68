//! Query: the items of one collection, in the order of their sort keys, a page at a time.

use std::num::NonZeroU32;

use keywright_expression::{DeclaredPlaceholders, KeyCondition, KeyConditionExpression};
use keywright_item::json::{self, Checked, Reader, SerializationError, ValueRefusal};
use keywright_item::{Item, StoredItem};

use crate::constraint::Constraints;
use crate::parameters::Parameters;
use crate::unsupported::UsedUnsupported;
use crate::wire::{ObjectWriter, RETURN_CONSUMED_CAPACITY, read_body, read_names, read_values, write_array};
use crate::{Consistency, ConsumedCapacity, Error, Operation, ReturnConsumedCapacity, TableName, Validation};

/// A Query request.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryInput {
    /// The name of the table.
    pub table_name: TableName,
    /// The condition on the key; whether it fits the table is not known yet.
    pub key_condition: KeyCondition,
    /// The most items that the page may read; 1 MB ends it as well.
    pub limit: Option<NonZeroU32>,
    /// The order of the page.
    pub direction: Direction,
    /// Whether the read must see every write that was acknowledged before it.
    pub consistency: Consistency,
    /// The page starts after this key; whether it is one of the table is not known yet.
    pub exclusive_start_key: Option<Item>,
    /// What the answer holds of the items.
    pub select: Select,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// The answer to Query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryOutput {
    /// The items of the page; absent for [`Select::Count`].
    pub items: Option<Vec<StoredItem>>,
    /// How many items matched.
    pub count: usize,
    /// How many items were read.
    pub scanned_count: usize,
    /// Where the next page starts; absent at the end.
    pub last_evaluated_key: Option<Item>,
    /// What the request consumed, where it asked.
    pub consumed_capacity: Option<ConsumedCapacity>,
}

/// The order in which a Query reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Direction {
    /// From the lowest sort key up.
    #[default]
    Forward,
    /// From the highest sort key down.
    Backward,
}

/// What the answer to a Query holds of the items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Select {
    /// The items.
    #[default]
    AllAttributes,
    /// Only their number.
    Count,
}

impl QueryInput {
    /// Parses and checks the body of a request.
    ///
    /// Order of refusal: JSON; the constraints together; members that exclude each other; what is selected; the
    /// values of the exclusive start key; absence of a key condition; placeholders; text and operands of the key
    /// condition; what this version does not support; unused placeholders; the form of the key condition.
    ///
    /// With the table the service goes on in this order: number of attributes of the exclusive start key; for the
    /// partition key and then the sort key, first that attribute of the start key and then its condition
    /// ([`KeyCondition::resolve`]); at last whether the start key lies within the condition.
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        Ok(Wire::read(body)?.check()?)
    }
}

impl QueryOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        if let Some(items) = &self.items {
            write_array(object.member("Items"), items, |item, out| item.write_json(out));
        }
        object.plain("Count", self.count);
        object.plain("ScannedCount", self.scanned_count);
        if let Some(key) = &self.last_evaluated_key {
            json::write_map(key, object.member("LastEvaluatedKey"));
        }
        if let Some(capacity) = &self.consumed_capacity {
            capacity.write_json(object.member("ConsumedCapacity"));
        }
        object.close();
    }
}

const PARAMETERS: Parameters = Parameters {
    expressions: &["ProjectionExpression", "FilterExpression", "KeyConditionExpression"],
    using_values: &["FilterExpression", "KeyConditionExpression"],
    legacy: &["AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"],
};

/// What a request can select, in the order of the service's message.
const SELECT: [(&str, WireSelect); 4] = [
    ("SPECIFIC_ATTRIBUTES", WireSelect::SpecificAttributes),
    ("COUNT", WireSelect::Count),
    ("ALL_ATTRIBUTES", WireSelect::AllAttributes),
    ("ALL_PROJECTED_ATTRIBUTES", WireSelect::AllProjectedAttributes),
];

#[derive(Debug, Clone, Copy)]
enum WireSelect {
    SpecificAttributes,
    Count,
    AllAttributes,
    AllProjectedAttributes,
}

/// The members as they were sent.
struct Wire {
    table_name: Option<String>,
    key_condition_expression: Option<String>,
    limit: Option<i64>,
    scan_index_forward: Option<bool>,
    consistent_read: Option<bool>,
    exclusive_start_key: Option<Checked<Item>>,
    select: Option<String>,
    return_consumed_capacity: Option<String>,
    placeholders: DeclaredPlaceholders,
    unsupported: UsedUnsupported,
}

impl Wire {
    fn read(body: &[u8]) -> Result<Self, SerializationError> {
        let mut wire = Self {
            table_name: None,
            key_condition_expression: None,
            limit: None,
            scan_index_forward: None,
            consistent_read: None,
            exclusive_start_key: None,
            select: None,
            return_consumed_capacity: None,
            placeholders: DeclaredPlaceholders::default(),
            unsupported: UsedUnsupported::new(Operation::Query),
        };
        read_body(body, |name, reader| {
            match name {
                "TableName" => wire.table_name = reader.optional(Reader::string)?,
                "KeyConditionExpression" => {
                    wire.key_condition_expression = reader.optional(Reader::string)?
                }
                "Limit" => wire.limit = reader.optional(Reader::integer)?,
                "ScanIndexForward" => wire.scan_index_forward = reader.optional(Reader::boolean)?,
                "ConsistentRead" => wire.consistent_read = reader.optional(Reader::boolean)?,
                "ExclusiveStartKey" => wire.exclusive_start_key = reader.optional(Reader::attribute_map)?,
                "Select" => wire.select = reader.optional(Reader::string)?,
                "ReturnConsumedCapacity" => {
                    wire.return_consumed_capacity = reader.optional(Reader::string)?
                }
                "ExpressionAttributeNames" => read_names(reader, &mut wire.placeholders)?,
                "ExpressionAttributeValues" => read_values(reader, &mut wire.placeholders)?,
                other => wire.unsupported.read(other, reader)?,
            }
            Ok(())
        })?;
        Ok(wire)
    }

    fn check(self) -> Result<QueryInput, Validation> {
        let mut constraints = Constraints::default();
        let select = constraints.one_of("select", self.select.as_deref(), &SELECT);
        let return_consumed_capacity = constraints.one_of(
            "returnConsumedCapacity",
            self.return_consumed_capacity.as_deref(),
            &RETURN_CONSUMED_CAPACITY,
        );
        if let Some(limit) = self.limit {
            constraints.at_least_without_value("Limit", limit, 1);
        }
        let table_name = constraints.table_name(self.table_name);
        constraints.check()?;
        let Some(table_name) = table_name else { unreachable!("the constraints require a name") };

        let has_expression = self.key_condition_expression.is_some();
        let has = |member: &str| match member {
            "KeyConditionExpression" => has_expression,
            // Legacy key conditions may stand beside expressions of other kinds.
            "KeyConditions" => has_expression && self.unsupported.has(member),
            other => self.unsupported.has(other),
        };
        PARAMETERS.check(has, &self.placeholders)?;
        let select = checked_select(select, &self.unsupported)?;
        let exclusive_start_key = self.exclusive_start_key.transpose().map_err(refused_start_key)?;
        let key_condition =
            key_condition(self.key_condition_expression.as_deref(), self.placeholders, &self.unsupported)?;
        Ok(QueryInput {
            table_name,
            key_condition,
            limit: self.limit.map(page_limit),
            direction: if self.scan_index_forward == Some(false) {
                Direction::Backward
            } else {
                Direction::Forward
            },
            consistency: Consistency::from_wire(self.consistent_read),
            exclusive_start_key,
            select,
            return_consumed_capacity: return_consumed_capacity.unwrap_or_default(),
        })
    }
}

fn checked_select(select: Option<WireSelect>, unsupported: &UsedUnsupported) -> Result<Select, Validation> {
    match select {
        None | Some(WireSelect::AllAttributes) => Ok(Select::AllAttributes),
        Some(WireSelect::Count) => Ok(Select::Count),
        Some(WireSelect::SpecificAttributes) => {
            if unsupported.has("AttributesToGet") || unsupported.has("ProjectionExpression") {
                Ok(Select::AllAttributes)
            } else {
                Err(Validation::NoAttributesToGet)
            }
        }
        Some(WireSelect::AllProjectedAttributes) => {
            if unsupported.has("IndexName") {
                Ok(Select::AllAttributes)
            } else {
                Err(Validation::ProjectedWithoutIndex)
            }
        }
    }
}

fn key_condition(
    text: Option<&str>,
    placeholders: DeclaredPlaceholders,
    unsupported: &UsedUnsupported,
) -> Result<KeyCondition, Validation> {
    let Some(text) = text else {
        if unsupported.has("KeyConditions") {
            unsupported.check()?;
        }
        return Err(Validation::NoKeyCondition);
    };
    let placeholders = placeholders.check()?;
    let condition = KeyConditionExpression::parse(text)?.bind(&placeholders)?;
    // An expression that this version does not read may use what the key condition does not.
    unsupported.check()?;
    placeholders.check_all_used()?;
    Ok(condition.into_key_condition()?)
}

/// The service says of some refusals that it is the starting key they are about.
fn refused_start_key(refusal: ValueRefusal) -> Validation {
    match refusal {
        ValueRefusal::Number(_)
        | ValueRefusal::EmptyNumberSet
        | ValueRefusal::DuplicateStrings(_)
        | ValueRefusal::DuplicateNumbers
        | ValueRefusal::DuplicateBinaries(_) => Validation::Value(refusal),
        other => Validation::StartKeyRefused(Box::new(Validation::Value(other))),
    }
}

/// A limit above 32 bits is as good as the largest.
fn page_limit(limit: i64) -> NonZeroU32 {
    u32::try_from(limit).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MAX)
}
