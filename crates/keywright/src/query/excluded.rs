//! Bounds that a range leaves out and DynamoDB cannot.
//!
//! A range with two sides is one `BETWEEN`, which has both of its bounds. A rendered key ends before the bound; an attribute that
//! items have anyway has no last value before another, so items that lie on such a bound are read, and are not given.

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::ReadItems;
use keywright_key::{AttributeTest, BoundShape, SortKeyCondition};

use crate::error::ReadError;
use crate::expression::{GivenProblem, given_value};
use crate::item::{Attributes, same_number};

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
        self.0.iter().any(|(name, bound)| attributes.get(*name).is_some_and(|value| is_same(value, bound)))
    }
}

/// A number is stored in one form, whatever the one was that it was written in.
fn is_same(value: &AttributeValue, bound: &AttributeValue) -> bool {
    match (value, bound) {
        (AttributeValue::N(value), AttributeValue::N(bound)) => same_number(value) == same_number(bound),
        _ => value == bound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An item on the bound was given where the bound's text was another one than that of the stored number.
    #[test]
    fn a_number_on_a_bound_is_left_out_in_whatever_form_it_is() {
        let number = |text: &str| AttributeValue::N(text.to_owned());
        let lies_on = |value: &str, bound: &str| {
            let bounds = ExcludedBounds(vec![("at", number(bound))]);
            bounds.has(&Attributes::from([("at".to_owned(), number(value))]))
        };
        for (value, bound) in
            [("0", "-0"), ("0.0000001", "1e-7"), ("100", "1E+2"), ("1.5", "1.50"), ("7", "7")]
        {
            assert!(lies_on(value, bound), "{value} {bound}");
        }
        assert!(!lies_on("7", "-7") && !lies_on("0.1", "1"));
        let text = ExcludedBounds(vec![("at", AttributeValue::S("1".to_owned()))]);
        assert!(!text.has(&Attributes::from([("at".to_owned(), number("1"))])));
    }
}
