//! Query: the items of one collection, in the order of their sort keys, a page at a time.

use std::num::NonZeroU32;

use keywright_expression::legacy::{self, AttributeCondition};
use keywright_expression::{BoundKeyCondition, KeyCondition, KeyConditionExpression, Placeholders};
use keywright_item::Item;
use keywright_item::json::{Reader, SerializationError};

use super::page::{Filter, PageAnswer, PageWire, Select, page_limit};
use crate::constraint::Constraints;
use crate::legacy::{
    ByAttribute, CheckedMap, WireCondition, check_conditions, check_operator, read_conditions,
};
use crate::parameters::Parameters;
use crate::wire::read_body;
use crate::{
    Consistency, ConsumedCapacity, Error, Operation, ReturnConsumedCapacity, ReturnedItem, TableName,
    Validation,
};

/// A Query request.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryInput {
    /// The name of the table.
    pub table_name: TableName,
    /// The condition on the key; whether it fits the table is not known yet.
    pub key_condition: KeyCondition,
    /// What the items of the answer satisfy; whether it leaves the key attributes alone is not known yet.
    pub filter: Option<Filter>,
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
    /// The items of the page that satisfy the filter; absent for [`Select::Count`].
    pub items: Option<Vec<ReturnedItem>>,
    /// How many items those are.
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

impl QueryInput {
    /// Parses and checks the body of a request; [`Operation::order_of_refusal`] tells which refusal wins.
    ///
    /// With the table the service goes on in this order: number of attributes of the exclusive start key; for the
    /// partition key and then the sort key, first that attribute of the start key and then its condition
    /// ([`KeyCondition::resolve`]); then whether the start key lies within the condition; at last which attributes
    /// projection and filter name.
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        Ok(Wire::read(body)?.check()?)
    }
}

impl QueryOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let page = PageAnswer {
            items: self.items.as_deref(),
            count: self.count,
            scanned_count: self.scanned_count,
            last_evaluated_key: self.last_evaluated_key.as_ref(),
            consumed_capacity: self.consumed_capacity.as_ref(),
        };
        page.write_json(out);
    }
}

const PARAMETERS: Parameters = Parameters {
    expressions: &["ProjectionExpression", "FilterExpression", "KeyConditionExpression"],
    using_values: &["FilterExpression", "KeyConditionExpression"],
    legacy: &["AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"],
};

/// The members as they were sent.
struct Wire {
    page: PageWire,
    key_condition_expression: Option<String>,
    key_conditions: Option<ByAttribute<WireCondition>>,
    scan_index_forward: Option<bool>,
}

impl Wire {
    fn read(body: &[u8]) -> Result<Self, SerializationError> {
        let mut wire = Self {
            page: PageWire::new(Operation::Query),
            key_condition_expression: None,
            key_conditions: None,
            scan_index_forward: None,
        };
        read_body(body, |name, reader| {
            match name {
                "KeyConditionExpression" => {
                    wire.key_condition_expression = reader.optional(Reader::string)?
                }
                "KeyConditions" => wire.key_conditions = read_conditions(reader)?,
                "ScanIndexForward" => wire.scan_index_forward = reader.optional(Reader::boolean)?,
                other => wire.page.read(other, reader)?,
            }
            Ok(())
        })?;
        Ok(wire)
    }

    fn has(&self, member: &str) -> bool {
        match member {
            "KeyConditionExpression" => self.key_condition_expression.is_some(),
            // Legacy key conditions may stand beside expressions of other kinds.
            "KeyConditions" => self.key_conditions.is_some() && self.key_condition_expression.is_some(),
            other => self.page.has(other),
        }
    }

    fn check(mut self) -> Result<QueryInput, Validation> {
        let mixture = PARAMETERS.check(|member| self.has(member), &self.page.placeholders);
        let filter_length = self.page.filter_length();

        let mut constraints = Constraints::default();
        let select = self.page.select(&mut constraints);
        let return_consumed_capacity = self.page.return_consumed_capacity(&mut constraints);
        let filter = self.page.filter("queryFilter", &mut constraints);
        if let Some(limit) = self.page.limit {
            constraints.at_least_without_value("Limit", limit, 1);
        }
        let table_name = constraints.table_name(self.page.table_name.take());
        let operator = self.page.operator(&mut constraints);
        self.page.projection.check_constraints(&mut constraints);
        let key_conditions = check_conditions("keyConditions", self.key_conditions.take(), &mut constraints);
        constraints.check()?;
        let Some(table_name) = table_name else { unreachable!("the constraints require a name") };

        mixture?;
        let operator = check_operator(operator, filter_length)?;
        self.page.check_select(select)?;
        let legacy_filter = Filter::legacy(filter, operator)?;
        let legacy_projection = self.page.projection.legacy()?;
        let exclusive_start_key = self.page.start_key()?;
        if key_conditions.is_none() && self.key_condition_expression.is_none() {
            return Err(Validation::NoKeyCondition);
        }
        let placeholders = std::mem::take(&mut self.page.placeholders).check()?;
        let bound = self.bind_key_condition(&placeholders)?;
        let filter = self.page.filter_expression(&placeholders)?;
        let projection = self.page.projection.bind(&placeholders)?;
        placeholders.check_all_used()?;
        let key_condition = key_condition(bound, key_conditions)?;
        self.page.unsupported.check()?;
        Ok(QueryInput {
            table_name,
            key_condition,
            filter: filter.or(legacy_filter),
            limit: self.page.limit.map(page_limit),
            direction: if self.scan_index_forward == Some(false) {
                Direction::Backward
            } else {
                Direction::Forward
            },
            consistency: Consistency::from_wire(self.page.consistent_read),
            exclusive_start_key,
            select: Select::new(select, projection.or(legacy_projection)),
            return_consumed_capacity,
        })
    }

    fn bind_key_condition(
        &self,
        placeholders: &Placeholders,
    ) -> Result<Option<BoundKeyCondition>, Validation> {
        let Some(text) = self.key_condition_expression.as_deref() else { return Ok(None) };
        Ok(Some(KeyConditionExpression::parse(text)?.bind(placeholders)?))
    }
}

fn key_condition(
    bound: Option<BoundKeyCondition>,
    legacy: Option<CheckedMap<AttributeCondition>>,
) -> Result<KeyCondition, Validation> {
    match (bound, legacy) {
        (Some(bound), _) => Ok(bound.into_key_condition()?),
        (None, Some(conditions)) => Ok(legacy::key_conditions(conditions?)?),
        (None, None) => unreachable!("a request without a key condition is refused before its placeholders"),
    }
}
