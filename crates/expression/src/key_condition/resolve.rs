//! A key condition against the key of a table or index: every partition attribute by equality, the sort attributes from
//! left to right, and a range only on the last one that has a condition.
//!
//! A table's key has one attribute of each kind at most; a global index has up to four.

use std::fmt;

use keywright_item::AttributeValue;

use super::{Comparison, KeyCondition};

/// One attribute of a key schema, as far as a key condition needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyElement<'schema> {
    /// The attribute's name.
    pub name: &'schema str,
    /// Its type as on the wire: `S`, `N` or `B`.
    pub type_name: &'schema str,
}

/// A key condition that fits a key schema.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedKeyCondition {
    /// The value of each partition attribute, in the order of the schema.
    pub partition: Vec<AttributeValue>,
    /// What the first sort attributes must satisfy, in the order of the schema: all but the last are equalities.
    pub sort: Vec<Comparison>,
}

/// Why a key condition does not fit a key schema. `Display` is the service's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResolveRefusal {
    /// More than two conditions for a key of at most two attributes.
    Count,
    /// A key attribute that the condition had to name is not in it.
    MissedKeyElement {
        /// The name of the key attribute.
        name: String,
    },
    /// The partition key is not compared by equality, or there are more conditions than the key has attributes.
    NotSupported,
    /// Of several partition attributes, some have no equality.
    PartitionNotEqual {
        /// The names of those.
        names: Vec<String>,
    },
    /// Of several sort attributes, some before one with a condition have no equality.
    SortNotEqual {
        /// The names of those.
        names: Vec<String>,
        /// The name of the one with a condition.
        present: String,
    },
    /// A value has another type than the key attribute that it is compared with.
    TypeMismatch,
}

impl KeyCondition {
    /// Splits the condition into the values of the partition attributes and the conditions on the sort attributes.
    ///
    /// The refusals come in the service's order: the number of conditions, then the partition attributes (present, type,
    /// equality), then the sort attributes (present where there are more conditions, no gap, type).
    ///
    /// ```
    /// use keywright_expression::{Comparison, KeyCondition, KeyElement};
    /// use keywright_item::AttributeValue;
    ///
    /// let string = |text: &str| AttributeValue::S(text.to_owned());
    /// let element = |name| KeyElement { name, type_name: "S" };
    /// let condition = KeyCondition {
    ///     conditions: vec![
    ///         ("round".to_owned(), Comparison::BeginsWith(string("S"))),
    ///         ("region".to_owned(), Comparison::Equal(string("EU"))),
    ///         ("tournament".to_owned(), Comparison::Equal(string("WINTER"))),
    ///     ],
    /// };
    /// let resolved = condition
    ///     .resolve(&[element("tournament"), element("region")], &[element("round"), element("bracket")])?;
    /// assert_eq!(resolved.partition, [string("WINTER"), string("EU")]);
    /// assert_eq!(resolved.sort, [Comparison::BeginsWith(string("S"))]);
    /// # Ok::<(), keywright_expression::ResolveRefusal>(())
    /// ```
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html>
    pub fn resolve(
        self,
        partition_key: &[KeyElement<'_>],
        sort_key: &[KeyElement<'_>],
    ) -> Result<ResolvedKeyCondition, ResolveRefusal> {
        let attributes = partition_key.len() + sort_key.len();
        if self.conditions.len() > attributes {
            let count = self.conditions.len() > 2 && attributes <= 2;
            return Err(if count { ResolveRefusal::Count } else { ResolveRefusal::NotSupported });
        }
        let mut conditions = self.conditions;
        let partition = partition_values(&mut conditions, partition_key)?;
        let sort = sort_comparisons(conditions, sort_key)?;
        Ok(ResolvedKeyCondition { partition, sort })
    }
}

/// The values of the partition attributes; takes their conditions out.
fn partition_values(
    conditions: &mut Vec<(String, Comparison)>,
    partition_key: &[KeyElement<'_>],
) -> Result<Vec<AttributeValue>, ResolveRefusal> {
    let mut values = Vec::with_capacity(partition_key.len());
    let mut without_equality = Vec::new();
    for element in partition_key {
        let comparison = take(conditions, element);
        if let Some(comparison) = &comparison {
            check_type(comparison, element)?;
        }
        match comparison {
            Some(Comparison::Equal(value)) => values.push(value),
            None if partition_key.len() == 1 => return Err(missed(element)),
            Some(_) if partition_key.len() == 1 => return Err(ResolveRefusal::NotSupported),
            _ => without_equality.push(element.name.to_owned()),
        }
    }
    match without_equality.is_empty() {
        true => Ok(values),
        false => Err(ResolveRefusal::PartitionNotEqual { names: without_equality }),
    }
}

/// The conditions on the first sort attributes, which must be all that is left.
fn sort_comparisons(
    mut conditions: Vec<(String, Comparison)>,
    sort_key: &[KeyElement<'_>],
) -> Result<Vec<Comparison>, ResolveRefusal> {
    let mut comparisons = Vec::with_capacity(conditions.len());
    let mut without_equality: Vec<&KeyElement<'_>> = Vec::new();
    for element in sort_key {
        let Some(comparison) = take(&mut conditions, element) else {
            without_equality.push(element);
            continue;
        };
        if !without_equality.is_empty() {
            return Err(ResolveRefusal::SortNotEqual {
                names: without_equality.into_iter().map(|element| element.name.to_owned()).collect(),
                present: element.name.to_owned(),
            });
        }
        check_type(&comparison, element)?;
        if !matches!(comparison, Comparison::Equal(_)) {
            without_equality.push(element);
        }
        comparisons.push(comparison);
    }
    if conditions.is_empty() {
        return Ok(comparisons);
    }
    // What is left is on an attribute that is not of the key, in the place of one that is.
    match sort_key.get(comparisons.len()) {
        Some(element) => Err(missed(element)),
        None => Err(ResolveRefusal::NotSupported),
    }
}

fn take(conditions: &mut Vec<(String, Comparison)>, element: &KeyElement<'_>) -> Option<Comparison> {
    let place = conditions.iter().position(|(name, _)| name == element.name)?;
    Some(conditions.remove(place).1)
}

fn missed(element: &KeyElement<'_>) -> ResolveRefusal {
    ResolveRefusal::MissedKeyElement { name: element.name.to_owned() }
}

fn check_type(comparison: &Comparison, element: &KeyElement<'_>) -> Result<(), ResolveRefusal> {
    if comparison.values().all(|value| value.type_name() == element.type_name) {
        Ok(())
    } else {
        Err(ResolveRefusal::TypeMismatch)
    }
}

impl fmt::Display for ResolveRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count => formatter.write_str("Conditions can be of length 1 or 2 only"),
            Self::MissedKeyElement { name } => {
                write!(formatter, "Query condition missed key schema element: {name}")
            }
            Self::NotSupported => formatter.write_str("Query key condition not supported"),
            Self::PartitionNotEqual { names } => write!(
                formatter,
                "HASH key attributes {} must have equality conditions specified in the query",
                names.join(", ")
            ),
            Self::SortNotEqual { names, present } => write!(
                formatter,
                "RANGE key attributes {} must have equality conditions specified in the query because a condition is \
                 present on key attribute {present}",
                names.join(", ")
            ),
            Self::TypeMismatch => formatter.write_str(
                "One or more parameter values were invalid: Condition parameter type does not match schema type",
            ),
        }
    }
}

impl std::error::Error for ResolveRefusal {}
