//! The key condition of a Query: the partition key whole, the sort key by what the pattern asks.

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::GivenValues;
use keywright_key::{
    AttributeTest, BoundShape, Components, PatternShape, RangeShape, SortKeyBounds, SortKeyCondition,
};

use super::read_key::ReadKey;
use crate::error::{KeyError, ReadError};
use crate::expression::{GivenProblem, Placeholders, given_value};
use crate::tenant::Identity;

/// The text of a key condition.
pub(crate) struct KeyCondition {
    pub(crate) text: String,
}

impl KeyCondition {
    /// Writes the condition; none if no key can lie in what was given.
    pub(crate) fn write<Pattern: Components + GivenValues>(
        read_key: &ReadKey,
        shape: &PatternShape<'static>,
        identity: &Identity,
        pattern: &Pattern,
        placeholders: &mut Placeholders,
    ) -> Result<Option<KeyCondition>, ReadError> {
        match read_key {
            ReadKey::Rendered { entity, key, partition_key, sort_key } => {
                let components = identity.beside(pattern);
                let partition = key
                    .render_partition_key(&components)
                    .map_err(|error| KeyError::new(entity, partition_key, error))?;
                let bounds = shape
                    .sort_key
                    .bounds(&components)
                    .map_err(|error| KeyError::new(entity, sort_key.unwrap_or_default(), error))?
                    .unwrap_or(SortKeyBounds::All);
                let names = (*partition_key, sort_key.unwrap_or_default());
                Ok(KeyCondition::rendered(names, partition, bounds, placeholders))
            }
            ReadKey::Attributes { partition_key } => {
                let mut writer =
                    AttributeConditions { shape, identity, pattern, placeholders, parts: Vec::new() };
                for attribute in *partition_key {
                    writer.equal(attribute.name)?;
                }
                if let SortKeyCondition::Attributes(conditions) = shape.sort_key {
                    for condition in conditions {
                        match condition.test {
                            AttributeTest::Equal => writer.equal(condition.attribute)?,
                            AttributeTest::BeginsWith(given) => {
                                writer.test(condition.attribute, given, |name, value| {
                                    format!("begins_with({name}, {value})")
                                })?;
                            }
                            AttributeTest::Range(range) => writer.range(condition.attribute, range)?,
                        }
                    }
                }
                Ok(Some(KeyCondition { text: writer.parts.join(" AND ") }))
            }
        }
    }
}

impl KeyCondition {
    /// The condition on these two attributes; none if no key can lie in the bounds.
    pub(super) fn rendered(
        (partition_key, sort_key): (&str, &str),
        partition: String,
        bounds: SortKeyBounds,
        placeholders: &mut Placeholders,
    ) -> Option<KeyCondition> {
        let name = placeholders.name("k0", partition_key);
        let value = placeholders.value("k0", AttributeValue::S(partition));
        let of_partition = format!("{name} = {value}");
        let text = match of_sort_key(bounds, sort_key, placeholders)? {
            Some(of_sort_key) => format!("{of_partition} AND {of_sort_key}"),
            None => of_partition,
        };
        Some(KeyCondition { text })
    }
}

/// What is asked of the sort key; nothing in the outer option if no key can be found, in the inner one if every key may.
fn of_sort_key(
    bounds: SortKeyBounds,
    attribute: &str,
    placeholders: &mut Placeholders,
) -> Option<Option<String>> {
    let mut value = |placeholder: &str, key: String| placeholders.value(placeholder, AttributeValue::S(key));
    let text = match bounds {
        SortKeyBounds::Nothing => return None,
        SortKeyBounds::All => return Some(None),
        SortKeyBounds::Equal(key) => format!("#k1 = {}", value("k1", key)),
        SortKeyBounds::Between { low, high } => {
            format!("#k1 BETWEEN {} AND {}", value("k1", low), value("k2", high))
        }
        SortKeyBounds::BeginsWith(prefix) => format!("begins_with(#k1, {})", value("k1", prefix)),
        SortKeyBounds::AtLeast(low) => format!("#k1 >= {}", value("k1", low)),
    };
    placeholders.name("k1", attribute);
    Some(Some(text))
}

/// Writes conditions on attributes that items have anyway.
struct AttributeConditions<'a, Pattern> {
    shape: &'a PatternShape<'static>,
    identity: &'a Identity,
    pattern: &'a Pattern,
    placeholders: &'a mut Placeholders,
    parts: Vec<String>,
}

impl<Pattern: GivenValues> AttributeConditions<'_, Pattern> {
    fn equal(&mut self, attribute: &'static str) -> Result<(), ReadError> {
        self.test(attribute, attribute, |name, value| format!("{name} = {value}"))
    }

    /// One test of an attribute with the given value of some name; the tenant's is the handle's.
    fn test(
        &mut self,
        attribute: &'static str,
        given: &str,
        text: impl FnOnce(&str, &str) -> String,
    ) -> Result<(), ReadError> {
        let place = self.parts.len();
        let value = self.given(given)?;
        let name = self.placeholders.name(&format!("k{place}"), attribute);
        let value = self.placeholders.value(&format!("k{place}"), value);
        self.parts.push(text(&name, &value));
        Ok(())
    }

    fn range(&mut self, attribute: &'static str, range: RangeShape<'static>) -> Result<(), ReadError> {
        let (from, to) = (range.from, range.to);
        match (from, to) {
            (BoundShape::Open, BoundShape::Open) => Ok(()),
            (from, BoundShape::Open) => self.one_sided(attribute, from, (">=", ">")),
            (BoundShape::Open, to) => self.one_sided(attribute, to, ("<=", "<")),
            (from, to) => {
                let low = self.given(from.given().unwrap_or_default())?;
                let high = self.given(to.given().unwrap_or_default())?;
                let place = self.parts.len();
                let name = self.placeholders.name(&format!("k{place}"), attribute);
                let low = self.placeholders.value(&format!("k{place}"), low);
                let high = self.placeholders.value(&format!("k{place}b"), high);
                self.parts.push(format!("{name} BETWEEN {low} AND {high}"));
                Ok(())
            }
        }
    }

    fn one_sided(
        &mut self,
        attribute: &'static str,
        bound: BoundShape<'static>,
        (including, excluding): (&str, &str),
    ) -> Result<(), ReadError> {
        let operator = if matches!(bound, BoundShape::Including(_)) { including } else { excluding };
        self.test(attribute, bound.given().unwrap_or_default(), |name, value| {
            format!("{name} {operator} {value}")
        })
    }

    fn given(&self, name: &str) -> Result<AttributeValue, ReadError> {
        if let Identity::Tenant { attribute, stored, .. } = self.identity
            && *attribute == name
        {
            return Ok(stored.clone());
        }
        given_value(self.pattern, name).map_err(|GivenProblem { given, reason }| ReadError::Value {
            pattern: self.shape.name,
            given,
            reason,
        })
    }
}
