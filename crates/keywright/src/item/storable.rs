//! Values as DynamoDB stores them.
//!
//! Every value of the caller's comes this way before it is in a request: what the service would refuse is refused here, where it is known
//! which attribute it is. No value is ever in a message.

use std::collections::HashSet;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde_dynamo::AttributeValue as Serialized;

use super::number::{NumberProblem, same_number};

/// How many levels deep values may nest: an attribute's value is at level 1, what is in a map or a list one level below it.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-data-types>
const DEEPEST_LEVEL: usize = 32;
/// The longest name of an attribute inside of a map, in bytes.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-naming-rules>
const LONGEST_NAME_BYTES: usize = 65_535;

/// A value that cannot be stored.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ValueProblem {
    /// Where it is inside of the value that was given: `.name[3]`; empty if it is that value.
    pub(crate) path: String,
    pub(crate) reason: String,
}

/// A value as a request has it.
pub(crate) fn stored_value<Value: Serialize + ?Sized>(value: &Value) -> Result<AttributeValue, ValueProblem> {
    let serialized: Serialized =
        serde_dynamo::to_attribute_value(value).map_err(|error| ValueProblem::here(error.to_string()))?;
    checked(serialized)
}

/// A serialized value as a request has it. There are no empty sets: `NULL` stands for one.
pub(crate) fn checked(mut value: Serialized) -> Result<AttributeValue, ValueProblem> {
    check(&mut value, 1)?;
    Ok(value.into())
}

fn check(value: &mut Serialized, level: usize) -> Result<(), ValueProblem> {
    if level > DEEPEST_LEVEL {
        return Err(ValueProblem::here(format!(
            "it is nested deeper than {DEEPEST_LEVEL} levels, which is as deep as DynamoDB stores"
        )));
    }
    let is_empty_set = match value {
        Serialized::N(number) => {
            NumberProblem::of(number)
                .map_or(Ok(()), |problem| Err(ValueProblem::here(problem.to_string())))?;
            false
        }
        Serialized::L(values) => {
            for (place, value) in values.iter_mut().enumerate() {
                check(value, level + 1).map_err(|problem| problem.inside(&format!("[{place}]")))?;
            }
            false
        }
        Serialized::M(map) => {
            for (name, value) in map {
                check_name(name)?;
                check(value, level + 1).map_err(|problem| problem.inside(&format!(".{name}")))?;
            }
            false
        }
        Serialized::Ss(members) => {
            check_members(members.iter())?;
            members.is_empty()
        }
        Serialized::Bs(members) => {
            check_members(members.iter())?;
            members.is_empty()
        }
        Serialized::Ns(members) => {
            if let Some(problem) = members.iter().find_map(|number| NumberProblem::of(number)) {
                return Err(ValueProblem::here(format!("a member of the set: {problem}")));
            }
            check_members(members.iter().map(|number| same_number(number)))?;
            members.is_empty()
        }
        Serialized::S(_) | Serialized::B(_) | Serialized::Bool(_) | Serialized::Null(_) => false,
    };
    if is_empty_set {
        *value = Serialized::Null(true);
    }
    Ok(())
}

fn check_name(name: &str) -> Result<(), ValueProblem> {
    if name.is_empty() {
        return Err(ValueProblem::here("an attribute inside of it has no name".to_owned()));
    }
    if name.len() > LONGEST_NAME_BYTES {
        return Err(ValueProblem::here(format!(
            "the name of an attribute inside of it has more than {LONGEST_NAME_BYTES} bytes"
        )));
    }
    Ok(())
}

fn check_members<Member: std::hash::Hash + Eq>(
    members: impl Iterator<Item = Member>,
) -> Result<(), ValueProblem> {
    let mut known = HashSet::new();
    for member in members {
        if !known.insert(member) {
            return Err(ValueProblem::here("the set has a member twice".to_owned()));
        }
    }
    Ok(())
}

impl ValueProblem {
    fn here(reason: String) -> ValueProblem {
        ValueProblem { path: String::new(), reason }
    }

    fn inside(self, step: &str) -> ValueProblem {
        ValueProblem { path: format!("{step}{}", self.path), ..self }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn nested(levels: usize) -> Serialized {
        (1..levels).fold(Serialized::Bool(true), |inside, _| Serialized::L(vec![inside]))
    }

    #[test]
    fn what_is_nested_deeper_than_32_levels_is_refused_at_its_path() {
        assert!(checked(nested(32)).is_ok());
        let problem = checked(nested(33)).unwrap_err();
        assert_eq!(problem.path, "[0]".repeat(32));
        assert!(problem.reason.contains("32 levels"), "{problem:?}");
    }

    #[test]
    fn a_set_without_members_is_no_value_wherever_it_is() {
        let empty = || Serialized::Ss(Vec::new());
        assert_eq!(checked(empty()), Ok(AttributeValue::Null(true)));
        assert_eq!(
            checked(Serialized::L(vec![empty(), Serialized::Ns(Vec::new())])),
            Ok(AttributeValue::L(vec![AttributeValue::Null(true), AttributeValue::Null(true)]))
        );
    }

    #[test]
    fn a_member_that_is_there_twice_is_refused_and_numbers_are_compared_by_value() {
        let texts = |members: &[&str]| members.iter().map(|&member| member.to_owned()).collect();
        assert!(checked(Serialized::Ss(texts(&["a", "b"]))).is_ok());
        assert!(checked(Serialized::Ss(texts(&["a", "a"]))).is_err());
        assert!(checked(Serialized::Ns(texts(&["1", "10"]))).is_ok());
        assert!(checked(Serialized::Ns(texts(&["1", "1.0"]))).is_err());
        assert!(checked(Serialized::Ns(texts(&["1", "NaN"]))).is_err());
        assert!(checked(Serialized::Bs(vec![vec![1], vec![1]])).is_err());
    }

    #[test]
    fn what_is_wrong_inside_of_a_value_is_named_by_its_path() {
        let value = BTreeMap::from([("sizes", vec![1.0, f64::NAN])]);
        let problem = stored_value(&value).unwrap_err();
        assert_eq!((problem.path.as_str(), problem.reason.contains("NaN")), (".sizes[1]", true));
        assert!(stored_value(&BTreeMap::from([("", 1)])).is_err());
        assert!(stored_value(&BTreeMap::from([("n".repeat(LONGEST_NAME_BYTES), 1)])).is_ok());
        assert!(stored_value(&BTreeMap::from([("n".repeat(LONGEST_NAME_BYTES + 1), 1)])).is_err());
    }
}
