//! Bounds that a range leaves out and DynamoDB cannot.
//!
//! A range with two sides is one `BETWEEN`, which has both of its bounds. A rendered key ends before the bound; an attribute that
//! items have anyway has no last value before another, so items that lie on such a bound are read, and are not given.

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::ReadItems;
use keywright_key::{AttributeTest, BoundShape, SortKeyCondition};

use crate::error::ReadError;
use crate::expression::{GivenProblem, given_value};
use crate::item::Attributes;

/// Attributes, each with the value that no given item has.
#[derive(Debug, Default)]
pub(super) struct ExcludedBounds(Vec<(&'static str, AttributeValue)>);

impl ExcludedBounds {
    /// The bounds that a pattern leaves out and its key condition cannot.
    pub(super) fn of<Pattern: ReadItems>(pattern: &Pattern) -> Result<ExcludedBounds, ReadError> {
        let mut excluded = ExcludedBounds::default();
        let SortKeyCondition::Attributes(conditions) = Pattern::SHAPE.sort_key else { return Ok(excluded) };
        for condition in conditions {
            let AttributeTest::Range(range) = condition.test else { continue };
            if range.from == BoundShape::Open || range.to == BoundShape::Open {
                // One comparison, which leaves its bound out.
                continue;
            }
            for bound in [range.from, range.to] {
                let BoundShape::Excluding(given) = bound else { continue };
                let value = given_value(pattern, given).map_err(|GivenProblem { given, reason }| {
                    ReadError::Value { pattern: Pattern::SHAPE.name, given, reason }
                })?;
                excluded.0.push((condition.attribute, value));
            }
        }
        Ok(excluded)
    }

    /// Whether an item lies on one of them.
    pub(super) fn has(&self, attributes: &Attributes) -> bool {
        self.0.iter().any(|(name, bound)| attributes.get(*name) == Some(bound))
    }
}
