//! A bound condition and an item → true or false.
//!
//! Invariants: there is always an answer, since what has no value makes its comparison or call false; nothing is
//! allocated; the depth of the recursion is that of the condition, which the parser bounds.

use keywright_item::{AttributeValue, Number, StoredValue};

use crate::document::{Attributes, Scalar, Value};
use crate::syntax::{BoundOperand, Comparator, ConditionTree, Function};

/// Whether the condition is true of the item, or of the absence of one.
pub(crate) fn holds(condition: &ConditionTree<BoundOperand>, item: Option<Attributes<'_>>) -> bool {
    match condition {
        ConditionTree::And(conditions) => conditions.iter().all(|condition| holds(condition, item)),
        ConditionTree::Or(conditions) => conditions.iter().any(|condition| holds(condition, item)),
        ConditionTree::Not(condition) => !holds(condition, item),
        predicate => predicate_holds(predicate, item),
    }
}

/// A condition without conditions in it; apart from the others, since those nest deep and this takes much stack.
fn predicate_holds(predicate: &ConditionTree<BoundOperand>, item: Option<Attributes<'_>>) -> bool {
    match predicate {
        ConditionTree::Compare { comparator, left, right } => {
            compare(*comparator, value(left, item), value(right, item))
        }
        ConditionTree::Between { subject, low, high } => {
            let [subject, low, high] = [subject, low, high].map(|operand| value(operand, item));
            compare(Comparator::LessOrEqual, low, subject) && compare(Comparator::LessOrEqual, subject, high)
        }
        ConditionTree::In { subject, choices } => {
            let subject = value(subject, item);
            choices.iter().any(|choice| compare(Comparator::Equal, subject, value(choice, item)))
        }
        ConditionTree::Call(BoundOperand::Call { function, arguments }) => call(*function, arguments, item),
        ConditionTree::Call(BoundOperand::Path(_) | BoundOperand::Value(_)) => {
            unreachable!("the parser makes conditions of calls only")
        }
        ConditionTree::And(_) | ConditionTree::Or(_) | ConditionTree::Not(_) => {
            unreachable!("their parts are evaluated one by one")
        }
    }
}

/// An absent value equals nothing, not even another absent one, and has no order.
fn compare(comparator: Comparator, left: Option<Value<'_>>, right: Option<Value<'_>>) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return comparator == Comparator::NotEqual };
    match comparator {
        Comparator::Equal => return left == right,
        Comparator::NotEqual => return left != right,
        _ => {}
    }
    let (Some(left), Some(right)) = (left.scalar(), right.scalar()) else { return false };
    match comparator {
        Comparator::Less => left < right,
        Comparator::LessOrEqual => left <= right,
        Comparator::Greater => left > right,
        Comparator::GreaterOrEqual => left >= right,
        Comparator::Equal | Comparator::NotEqual => unreachable!("answered above"),
    }
}

fn call(function: Function, arguments: &[BoundOperand], item: Option<Attributes<'_>>) -> bool {
    let mut values = arguments.iter().map(|argument| value(argument, item));
    let first = values.next().flatten();
    match function {
        Function::AttributeExists => return first.is_some(),
        Function::AttributeNotExists => return first.is_none(),
        Function::Size => unreachable!("the parser refuses a size that is no operand"),
        Function::AttributeType | Function::BeginsWith | Function::Contains => {}
    }
    let (Some(first), Some(second)) = (first, values.next().flatten()) else { return false };
    match function {
        Function::AttributeType => second.scalar() == Some(Scalar::S(first.type_name())),
        Function::BeginsWith => begins_with(first, second),
        _ => contains(first, second),
    }
}

fn begins_with(value: Value<'_>, prefix: Value<'_>) -> bool {
    match (value.scalar(), prefix.scalar()) {
        (Some(Scalar::S(string)), Some(Scalar::S(prefix))) => string.starts_with(prefix),
        (Some(Scalar::B(bytes)), Some(Scalar::B(prefix))) => bytes.starts_with(prefix),
        _ => false,
    }
}

/// A part of a string or binary, a member of a set, or an element of a list, which can have any type.
fn contains(whole: Value<'_>, part: Value<'_>) -> bool {
    match whole {
        Value::Stored(StoredValue::L(list)) => list.iter().any(|element| Value::Stored(element) == part),
        Value::Decoded(AttributeValue::L(list)) => list.iter().any(|element| Value::Decoded(element) == part),
        Value::Stored(StoredValue::Ss(set) | StoredValue::Ns(set) | StoredValue::Bs(set)) => {
            set.iter().any(|member| Value::Stored(member) == part)
        }
        _ => match (whole, whole.scalar(), part.scalar()) {
            (_, Some(Scalar::S(string)), Some(Scalar::S(part))) => string.contains(part),
            (_, Some(Scalar::B(bytes)), Some(Scalar::B(part))) => memchr::memmem::find(bytes, part).is_some(),
            (Value::Decoded(AttributeValue::Ss(set)), _, Some(Scalar::S(part))) => set.contains(part),
            (Value::Decoded(AttributeValue::Ns(set)), _, Some(Scalar::N(part))) => set.contains(&part),
            (Value::Decoded(AttributeValue::Bs(set)), _, Some(Scalar::B(part))) => set.contains(part),
            _ => false,
        },
    }
}

fn value<'item>(operand: &'item BoundOperand, item: Option<Attributes<'item>>) -> Option<Value<'item>> {
    match operand {
        BoundOperand::Path(path) => path.resolve(item?),
        BoundOperand::Value(value) => Some(Value::Decoded(value)),
        BoundOperand::Call { function: Function::Size, arguments } => {
            let size = size(value(arguments.first()?, item)?)?;
            Some(Value::Stored(StoredValue::N(Number::from(size as u64))))
        }
        BoundOperand::Call { .. } => unreachable!("the parser refuses functions other than size as operands"),
    }
}

/// The length of a string in UTF-16 code units, of a binary in bytes, of the others in members; numbers, booleans
/// and null have none.
fn size(value: Value<'_>) -> Option<usize> {
    match value.scalar() {
        Some(Scalar::S(string)) => return Some(utf16_length(string)),
        Some(Scalar::B(bytes)) => return Some(bytes.len()),
        Some(Scalar::N(_)) => return None,
        None => {}
    }
    Some(match value {
        Value::Stored(StoredValue::M(map)) => map.len(),
        Value::Stored(StoredValue::L(list)) => list.len(),
        Value::Stored(StoredValue::Ss(set) | StoredValue::Ns(set) | StoredValue::Bs(set)) => set.len(),
        Value::Decoded(AttributeValue::M(map)) => map.len(),
        Value::Decoded(AttributeValue::L(list)) => list.len(),
        Value::Decoded(AttributeValue::Ss(set)) => set.len(),
        Value::Decoded(AttributeValue::Ns(set)) => set.len(),
        Value::Decoded(AttributeValue::Bs(set)) => set.len(),
        _ => return None,
    })
}

fn utf16_length(string: &str) -> usize {
    if string.is_ascii() { string.len() } else { string.chars().map(char::len_utf16).sum() }
}
