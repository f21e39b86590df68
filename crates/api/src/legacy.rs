//! Reading the legacy members: conditions and updates by attribute, and lists of attribute names.
//!
//! Invariants: attributes keep the order of the request, which decides which refusal is named, and of an attribute that
//! is there twice the last one counts; what is longer than any item or request of the service is not kept, and refused
//! as too large, never cut off silently.

use std::collections::HashMap;

use keywright_expression::legacy::{
    AttributeCondition, AttributeUpdate, ComparisonOperator, ConditionalOperator, ExpectedAttribute,
    UpdateAction,
};
use keywright_item::AttributeValue;
use keywright_item::json::{Checked, ListType, ObjectType, Reader, SerializationError, ValueRefusal};

use crate::Validation;
use crate::constraint::Constraints;

/// More attributes, or values of one attribute, than an item of 400 KB can have.
const MOST_KEPT: usize = 100_000;

/// A map by attribute names as it was sent, with at most [`MOST_KEPT`] entries.
#[derive(Debug)]
pub(crate) struct ByAttribute<Entry> {
    entries: Vec<(String, Entry)>,
    places: HashMap<String, usize>,
    too_large: bool,
}

/// A list of values as it was sent.
type Values = Checked<Vec<Checked<AttributeValue>>>;

/// An entry of `QueryFilter`, `ScanFilter` or `KeyConditions` as it was sent.
#[derive(Debug, Default)]
pub(crate) struct WireCondition {
    operator: Option<String>,
    values: Option<Values>,
}

/// An entry of `Expected` as it was sent.
#[derive(Debug, Default)]
pub(crate) struct WireExpected {
    value: Option<Checked<AttributeValue>>,
    exists: Option<bool>,
    operator: Option<String>,
    values: Option<Values>,
}

/// An entry of `AttributeUpdates` as it was sent.
#[derive(Debug, Default)]
pub(crate) struct WireUpdate {
    action: Option<String>,
    value: Option<Checked<AttributeValue>>,
}

/// A map whose constraints are satisfied; `Err` where something in it was too large to be kept.
pub(crate) type CheckedMap<Entry> = Result<Vec<(String, Entry)>, Validation>;

impl<Entry> ByAttribute<Entry> {
    /// Reads the map; `read` reads the entry of one attribute.
    fn read(
        reader: &mut Reader<'_>,
        entries: &'static str,
        mut read: impl FnMut(&mut Reader<'_>) -> Result<Entry, SerializationError>,
    ) -> Result<Option<Self>, SerializationError> {
        reader.optional(|reader| {
            let mut map = Self { entries: Vec::new(), places: HashMap::new(), too_large: false };
            reader.object(ObjectType::Map(entries), |attribute, reader| {
                if let Some(entry) = reader.optional(&mut read)? {
                    map.insert(attribute, entry);
                }
                Ok::<(), SerializationError>(())
            })?;
            Ok(map)
        })
    }

    fn insert(&mut self, attribute: &str, entry: Entry) {
        let place = self.places.get(attribute).copied();
        if let Some((_, held)) = place.and_then(|place| self.entries.get_mut(place)) {
            *held = entry;
        } else if self.entries.len() < MOST_KEPT {
            self.places.insert(attribute.to_owned(), self.entries.len());
            self.entries.push((attribute.to_owned(), entry));
        } else {
            self.too_large = true;
        }
    }

    /// How many attributes it has, as far as they are kept.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Checks every entry against the service's model.
    fn check<Checked>(
        self,
        path: &str,
        constraints: &mut Constraints,
        check: impl Fn(Entry, &str, &mut Constraints) -> Result<Checked, Validation>,
    ) -> CheckedMap<Checked> {
        let mut checked = Vec::with_capacity(self.entries.len());
        let mut refused = self.too_large.then_some(Validation::Value(ValueRefusal::TooLarge));
        for (attribute, entry) in self.entries {
            match check(entry, &format!("{path}.{attribute}.member"), constraints) {
                Ok(entry) => checked.push((attribute, entry)),
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        refused.map_or(Ok(checked), Err)
    }
}

/// Reads `QueryFilter`, `ScanFilter` or `KeyConditions`.
pub(crate) fn read_conditions(
    reader: &mut Reader<'_>,
) -> Result<Option<ByAttribute<WireCondition>>, SerializationError> {
    ByAttribute::read(reader, "Condition", |reader| {
        let mut condition = WireCondition::default();
        reader.object(ObjectType::Element("Condition"), |member, reader| {
            match member {
                "ComparisonOperator" => condition.operator = reader.optional(Reader::string)?,
                "AttributeValueList" => condition.values = reader.optional(read_values)?,
                _ => reader.skip()?,
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(condition)
    })
}

/// Reads `Expected`.
pub(crate) fn read_expected(
    reader: &mut Reader<'_>,
) -> Result<Option<ByAttribute<WireExpected>>, SerializationError> {
    ByAttribute::read(reader, "ExpectedAttributeValue", |reader| {
        let mut expected = WireExpected::default();
        reader.object(ObjectType::Element("ExpectedAttributeValue"), |member, reader| {
            match member {
                "Value" => expected.value = reader.optional(Reader::attribute_value)?,
                "Exists" => expected.exists = reader.optional(Reader::boolean)?,
                "ComparisonOperator" => expected.operator = reader.optional(Reader::string)?,
                "AttributeValueList" => expected.values = reader.optional(read_values)?,
                _ => reader.skip()?,
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(expected)
    })
}

/// Reads `AttributeUpdates`.
pub(crate) fn read_updates(
    reader: &mut Reader<'_>,
) -> Result<Option<ByAttribute<WireUpdate>>, SerializationError> {
    ByAttribute::read(reader, "AttributeValueUpdate", |reader| {
        let mut update = WireUpdate::default();
        reader.object(ObjectType::Element("AttributeValueUpdate"), |member, reader| {
            match member {
                "Action" => update.action = reader.optional(Reader::string)?,
                "Value" => update.value = reader.optional(Reader::attribute_value)?,
                _ => reader.skip()?,
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(update)
    })
}

fn read_values(reader: &mut Reader<'_>) -> Result<Values, SerializationError> {
    let mut values = Ok(Vec::new());
    reader.array(ListType::Member, |reader| {
        let value = reader.attribute_value()?;
        if let Ok(kept) = &mut values {
            kept.push(value);
            if kept.len() > MOST_KEPT {
                values = Err(ValueRefusal::TooLarge);
            }
        }
        Ok::<(), SerializationError>(())
    })?;
    Ok(values)
}

/// `AttributesToGet` as it was sent, of which no more names are kept than it may have.
#[derive(Debug, Default)]
pub(crate) struct AttributesToGet {
    names: Vec<String>,
    count: usize,
}

/// The most names in `AttributesToGet`.
const MOST_NAMES: usize = 255;

impl AttributesToGet {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Option<Self>, SerializationError> {
        reader.optional(|reader| {
            let mut list = Self::default();
            reader.array(ListType::Member, |reader| {
                let name = reader.string()?;
                list.count += 1;
                if list.names.len() < MOST_NAMES {
                    list.names.push(name);
                }
                Ok::<(), SerializationError>(())
            })?;
            Ok(list)
        })
    }

    /// Checks that it names an attribute, and not too many.
    pub(crate) fn check(&self, constraints: &mut Constraints) {
        let shown = || format!("[{}]", self.names.join(", "));
        constraints.length("attributesToGet", self.count, 1, MOST_NAMES, shown);
    }

    /// The names, of a list that satisfies its constraints.
    pub(crate) fn into_names(self) -> Vec<String> {
        self.names
    }
}

/// Checks `QueryFilter`, `ScanFilter` or `KeyConditions`.
pub(crate) fn check_conditions(
    path: &str,
    conditions: Option<ByAttribute<WireCondition>>,
    constraints: &mut Constraints,
) -> Option<CheckedMap<AttributeCondition>> {
    conditions.map(|conditions| {
        conditions.check(path, constraints, |condition, path, constraints| {
            let path = format!("{path}.comparisonOperator");
            let operator = constraints.required(&path, condition.operator);
            let operator = constraints.one_of(&path, operator.as_deref(), &ComparisonOperator::ALL);
            let values = condition.values.transpose()?.unwrap_or_default();
            // Without an operator the constraints refuse the request, whatever stands here.
            Ok(AttributeCondition { operator: operator.unwrap_or(ComparisonOperator::Eq), values })
        })
    })
}

/// Checks `Expected`.
pub(crate) fn check_expected(
    expected: Option<ByAttribute<WireExpected>>,
    constraints: &mut Constraints,
) -> Option<CheckedMap<ExpectedAttribute>> {
    expected.map(|expected| {
        expected.check("expected", constraints, |expected, path, constraints| {
            let path = format!("{path}.comparisonOperator");
            let operator = constraints.one_of(&path, expected.operator.as_deref(), &ComparisonOperator::ALL);
            let WireExpected { value, exists, values, .. } = expected;
            Ok(ExpectedAttribute { value, exists, operator, values: values.transpose()? })
        })
    })
}

/// Checks `AttributeUpdates`.
pub(crate) fn check_updates(
    updates: Option<ByAttribute<WireUpdate>>,
    constraints: &mut Constraints,
) -> Option<CheckedMap<AttributeUpdate>> {
    updates.map(|updates| {
        updates.check("attributeUpdates", constraints, |update, path, constraints| {
            let path = format!("{path}.action");
            let action = constraints.one_of(&path, update.action.as_deref(), &UpdateAction::ALL);
            Ok(AttributeUpdate { action, value: update.value })
        })
    })
}

/// Refuses a `ConditionalOperator` that joins fewer than two conditions.
pub(crate) fn check_operator(
    operator: Option<ConditionalOperator>,
    conditions: usize,
) -> Result<ConditionalOperator, Validation> {
    match (operator, conditions) {
        (Some(_), 0) => Err(Validation::ConditionalOperatorAlone),
        (Some(_), 1) => Err(Validation::ConditionalOperatorOfOne),
        (operator, _) => Ok(operator.unwrap_or_default()),
    }
}
