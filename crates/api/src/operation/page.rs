//! What Query and Scan have in common: both read a page of items, filter it, and answer with parts of the items.

use std::num::NonZeroU32;

use keywright_expression::legacy::{self, AttributeCondition, ConditionalOperator};
use keywright_expression::{Condition, DeclaredPlaceholders, ExpressionKind, Placeholders, Projection};
use keywright_item::Item;
use keywright_item::json::{self, Checked, Reader, SerializationError, ValueRefusal};

use super::item_write::parse_condition;
use super::projected::WireProjection;
use crate::constraint::Constraints;
use crate::legacy::{ByAttribute, CheckedMap, WireCondition, check_conditions, read_conditions};
use crate::unsupported::UsedUnsupported;
use crate::wire::{ObjectWriter, RETURN_CONSUMED_CAPACITY, read_names, read_values, write_array};
use crate::{ConsumedCapacity, IndexName, Operation, ReturnConsumedCapacity, ReturnedItem, Validation};

/// What the answer to a Query or Scan holds of the items.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Select {
    /// The items.
    #[default]
    AllAttributes,
    /// Of an index, what it projects of the items.
    AllProjected,
    /// Parts of the items.
    Attributes(Projection),
    /// Only their number.
    Count,
}

/// What an item must satisfy to be in the answer; items that do not were read and are paid for all the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// The condition.
    pub condition: Condition,
    /// The member that the request has it in, which some refusals name.
    pub source: FilterSource,
}

/// Where a filter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FilterSource {
    /// `FilterExpression`
    Expression,
    /// The legacy `QueryFilter` or `ScanFilter`.
    Legacy,
}

/// The members that both operations have, as they were sent.
#[derive(Debug)]
pub(super) struct PageWire {
    operation: Operation,
    pub(super) table_name: Option<String>,
    pub(super) index_name: Option<String>,
    pub(super) limit: Option<i64>,
    pub(super) consistent_read: Option<bool>,
    pub(super) projection: WireProjection,
    pub(super) placeholders: DeclaredPlaceholders,
    pub(super) unsupported: UsedUnsupported,
    exclusive_start_key: Option<Checked<Item>>,
    select: Option<String>,
    return_consumed_capacity: Option<String>,
    filter_expression: Option<String>,
    filter: Option<ByAttribute<WireCondition>>,
    conditional_operator: Option<String>,
}

/// What a request can select.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WireSelect {
    SpecificAttributes,
    Count,
    AllAttributes,
    AllProjectedAttributes,
}

impl PageWire {
    pub(super) fn new(operation: Operation) -> Self {
        Self {
            operation,
            table_name: None,
            index_name: None,
            limit: None,
            consistent_read: None,
            projection: WireProjection::default(),
            placeholders: DeclaredPlaceholders::default(),
            unsupported: UsedUnsupported::new(operation),
            exclusive_start_key: None,
            select: None,
            return_consumed_capacity: None,
            filter_expression: None,
            filter: None,
            conditional_operator: None,
        }
    }

    /// Reads a member that both operations have, or that this version does not know.
    pub(super) fn read(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<(), SerializationError> {
        match name {
            "TableName" => self.table_name = reader.optional(Reader::string)?,
            "IndexName" => self.index_name = reader.optional(Reader::string)?,
            "Limit" => self.limit = reader.optional(Reader::integer)?,
            "ConsistentRead" => self.consistent_read = reader.optional(Reader::boolean)?,
            "ExclusiveStartKey" => self.exclusive_start_key = reader.optional(Reader::attribute_map)?,
            "Select" => self.select = reader.optional(Reader::string)?,
            "ReturnConsumedCapacity" => self.return_consumed_capacity = reader.optional(Reader::string)?,
            "FilterExpression" => self.filter_expression = reader.optional(Reader::string)?,
            "ProjectionExpression" => self.projection.read_expression(reader)?,
            "AttributesToGet" => self.projection.read_attributes_to_get(reader)?,
            "ConditionalOperator" => self.conditional_operator = reader.optional(Reader::string)?,
            "ExpressionAttributeNames" => read_names(reader, &mut self.placeholders)?,
            "ExpressionAttributeValues" => read_values(reader, &mut self.placeholders)?,
            name if name == self.legacy_filter() => self.filter = read_conditions(reader)?,
            other => self.unsupported.read(other, reader)?,
        }
        Ok(())
    }

    /// Whether the request has this member, of those that exclude each other.
    pub(super) fn has(&self, member: &str) -> bool {
        match member {
            "FilterExpression" => self.filter_expression.is_some(),
            "ConditionalOperator" => self.conditional_operator.is_some(),
            member if member == self.legacy_filter() => self.filter.is_some(),
            other => self.projection.has(other),
        }
    }

    /// How many attributes the legacy filter has.
    pub(super) fn filter_length(&self) -> usize {
        self.filter.as_ref().map_or(0, ByAttribute::len)
    }

    pub(super) fn select(&self, constraints: &mut Constraints) -> Option<WireSelect> {
        constraints.one_of("select", self.select.as_deref(), &SELECT)
    }

    pub(super) fn index_name(&self, constraints: &mut Constraints) -> Option<IndexName> {
        constraints.index_name("indexName", self.index_name.as_deref()?)
    }

    pub(super) fn return_consumed_capacity(&self, constraints: &mut Constraints) -> ReturnConsumedCapacity {
        constraints
            .one_of(
                "returnConsumedCapacity",
                self.return_consumed_capacity.as_deref(),
                &RETURN_CONSUMED_CAPACITY,
            )
            .unwrap_or_default()
    }

    pub(super) fn filter(
        &mut self,
        path: &str,
        constraints: &mut Constraints,
    ) -> Option<CheckedMap<AttributeCondition>> {
        check_conditions(path, self.filter.take(), constraints)
    }

    pub(super) fn operator(&self, constraints: &mut Constraints) -> Option<ConditionalOperator> {
        constraints.one_of(
            "conditionalOperator",
            self.conditional_operator.as_deref(),
            &ConditionalOperator::ALL,
        )
    }

    /// Refuses what cannot be selected together.
    pub(super) fn check_select(&self, select: Option<WireSelect>) -> Result<(), Validation> {
        let refusal = match (select, self.projection.member()) {
            (Some(WireSelect::SpecificAttributes), None) => Validation::NoAttributesToGet,
            (Some(WireSelect::Count), Some(member)) => {
                Validation::SelectExcludesAttributes { member, selected: "only the Count" }
            }
            (Some(WireSelect::AllAttributes), Some(member)) => {
                Validation::SelectExcludesAttributes { member, selected: "ALL_ATTRIBUTES" }
            }
            (Some(WireSelect::AllProjectedAttributes), Some(member)) => {
                Validation::SelectExcludesAttributes { member, selected: "ALL_PROJECTED_ATTRIBUTES" }
            }
            (Some(WireSelect::AllProjectedAttributes), None) if self.index_name.is_none() => {
                Validation::ProjectedWithoutIndex
            }
            _ => return Ok(()),
        };
        // Query reports these as the service reports a violated constraint; Scan does not.
        Err(match self.operation {
            Operation::Query => Validation::AsConstraint(Box::new(refusal)),
            _ => refusal,
        })
    }

    /// The start key, if its values are values.
    pub(super) fn start_key(&mut self) -> Result<Option<Item>, Validation> {
        self.exclusive_start_key.take().transpose().map_err(refused_start_key)
    }

    /// The filter of the expression, if there is one.
    pub(super) fn filter_expression(
        &self,
        placeholders: &Placeholders,
    ) -> Result<Option<Filter>, Validation> {
        let condition =
            parse_condition(self.filter_expression.as_deref(), ExpressionKind::Filter, placeholders)?;
        Ok(condition.map(|condition| Filter { condition, source: FilterSource::Expression }))
    }

    fn legacy_filter(&self) -> &'static str {
        if self.operation == Operation::Query { "QueryFilter" } else { "ScanFilter" }
    }
}

impl Filter {
    /// The filter of QueryFilter or ScanFilter, if there is one.
    pub(super) fn legacy(
        conditions: Option<CheckedMap<AttributeCondition>>,
        operator: ConditionalOperator,
    ) -> Result<Option<Self>, Validation> {
        let Some(conditions) = conditions else { return Ok(None) };
        let condition = legacy::filter(conditions?, operator)?;
        Ok(condition.map(|condition| Self { condition, source: FilterSource::Legacy }))
    }
}

impl Select {
    /// What is selected, by a request that [`PageWire::check_select`] let pass.
    pub(super) fn new(
        select: Option<WireSelect>,
        projection: Option<Projection>,
        index: Option<&IndexName>,
    ) -> Self {
        match (select, projection) {
            (Some(WireSelect::Count), _) => Self::Count,
            (_, Some(projection)) => Self::Attributes(projection),
            (Some(WireSelect::AllAttributes), None) => Self::AllAttributes,
            (_, None) if index.is_some() => Self::AllProjected,
            (_, None) => Self::AllAttributes,
        }
    }
}

/// A limit above 32 bits is as good as the largest; that it is at least 1 was a constraint.
pub(super) fn page_limit(limit: i64) -> NonZeroU32 {
    u32::try_from(limit).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MAX)
}

/// A page of items, for the wire.
pub(super) struct PageAnswer<'answer> {
    pub(super) items: Option<&'answer [ReturnedItem]>,
    pub(super) count: usize,
    pub(super) scanned_count: usize,
    pub(super) last_evaluated_key: Option<&'answer Item>,
    pub(super) consumed_capacity: Option<&'answer ConsumedCapacity>,
}

impl PageAnswer<'_> {
    pub(super) fn write_json(&self, out: &mut Vec<u8>) {
        // Room for the whole page at once, so that it is not copied as it grows.
        out.reserve(self.items.unwrap_or_default().iter().map(ReturnedItem::json_bytes).sum());
        let mut object = ObjectWriter::open(out);
        if let Some(items) = self.items {
            write_array(object.member("Items"), items, |item, out| item.write_json(out));
        }
        object.plain("Count", self.count);
        object.plain("ScannedCount", self.scanned_count);
        if let Some(key) = self.last_evaluated_key {
            json::write_map(key, object.member("LastEvaluatedKey"));
        }
        if let Some(capacity) = self.consumed_capacity {
            capacity.write_json(object.member("ConsumedCapacity"));
        }
        object.close();
    }
}

/// In the order of the service's message.
const SELECT: [(&str, WireSelect); 4] = [
    ("SPECIFIC_ATTRIBUTES", WireSelect::SpecificAttributes),
    ("COUNT", WireSelect::Count),
    ("ALL_ATTRIBUTES", WireSelect::AllAttributes),
    ("ALL_PROJECTED_ATTRIBUTES", WireSelect::AllProjectedAttributes),
];

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
