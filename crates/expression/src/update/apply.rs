//! A bound update and an item → the item after it.
//!
//! Every change is worked out from the item as it was; only then is a copy changed: first what is set in a place that
//! exists, then what is appended to lists, in the order of the indexes, then what is removed, last elements first, so
//! that no change moves the place of another.

use std::borrow::Cow;

use keywright_item::{AttributeMap, AttributeValue, Item, MAX_ITEM_BYTES, NESTING_LIMIT};

use super::{Change, Operand, Origin, Update, UpdateRefusal};
use crate::document::{Attributes, Value};
use crate::path::{Path, Step};
use crate::syntax::SetValue;

/// The item after the update.
pub(super) fn apply(update: &Update, before: &Item) -> Result<Item, UpdateRefusal> {
    let mut budget = Budget::default();
    let values = update
        .actions
        .iter()
        .map(|action| match &action.change {
            Change::Set(value) => evaluate(value, before, &mut budget).map(Some),
            Change::Remove | Change::Add(_) | Change::Delete(_) => Ok(None),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut edits = Edits::default();
    for (action, value) in update.actions.iter().zip(values) {
        let target = &action.target;
        let present = present(target, before)?;
        match (&action.change, value) {
            (Change::Set(_), Some(value)) => edits.set(target, value, present)?,
            (Change::Set(_), None) => unreachable!("every SET has a value"),
            (Change::Remove, _) => edits.remove(target, present),
            (Change::Add(value), _) => {
                budget.take(value)?;
                edits.set(target, add(present, value, update.origin)?, present)?;
            }
            (Change::Delete(value), _) => match delete(present, value, update.origin)? {
                Some(rest) => edits.set(target, rest, present)?,
                None => edits.remove(target, present),
            },
        }
    }
    Ok(edits.carry_out(before.clone()))
}

/// How much the values that are set may still hold. Each of them will be in the item, and 4 KB of text can set 2 MB a
/// thousand times: what no item can hold is refused before it is copied.
struct Budget {
    left_bytes: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { left_bytes: MAX_ITEM_BYTES }
    }
}

impl Budget {
    fn take(&mut self, value: &AttributeValue) -> Result<(), UpdateRefusal> {
        let left_bytes = self.left_bytes.checked_sub(value.size_bytes());
        self.left_bytes = left_bytes.ok_or(UpdateRefusal::TooLarge)?;
        Ok(())
    }
}

fn evaluate(
    value: &SetValue<Operand>,
    before: &Item,
    budget: &mut Budget,
) -> Result<AttributeValue, UpdateRefusal> {
    let (left, right) = match value {
        SetValue::Operand(operand) => {
            let value = operand.evaluate(before)?;
            budget.take(&value)?;
            return Ok(value.into_owned());
        }
        SetValue::Sum(left, right) | SetValue::Difference(left, right) => (left, right),
    };
    let number = |operand: &Operand| match operand.evaluate(before)?.as_ref() {
        AttributeValue::N(number) => Ok(*number),
        _ => Err(UpdateRefusal::OperandType),
    };
    let (left, right) = (number(left)?, number(right)?);
    let result = match value {
        SetValue::Difference(..) => left.checked_sub(&right),
        _ => left.checked_add(&right),
    };
    result.map(AttributeValue::N).map_err(UpdateRefusal::Number)
}

impl Operand {
    fn evaluate<'value>(
        &'value self,
        before: &'value Item,
    ) -> Result<Cow<'value, AttributeValue>, UpdateRefusal> {
        match self {
            Self::Path(path) => {
                resolve(path, before).map(Cow::Borrowed).ok_or(UpdateRefusal::MissingAttribute)
            }
            Self::Value(value) => Ok(Cow::Borrowed(value)),
            Self::IfNotExists(path, otherwise) => match resolve(path, before) {
                Some(value) => Ok(Cow::Borrowed(value)),
                None => otherwise.evaluate(before),
            },
            Self::ListAppend(first, second) => {
                let mut joined = Budget::default();
                let first = first.evaluate(before)?;
                check_list(&first)?;
                joined.take(&first)?;
                let second = second.evaluate(before)?;
                check_list(&second)?;
                joined.take(&second)?;
                extended(elements(first)?, second).map(Cow::Owned)
            }
        }
    }
}

fn check_list(value: &AttributeValue) -> Result<(), UpdateRefusal> {
    match value {
        AttributeValue::L(_) => Ok(()),
        _ => Err(UpdateRefusal::OperandType),
    }
}

fn extended(
    mut list: Vec<AttributeValue>,
    more: Cow<'_, AttributeValue>,
) -> Result<AttributeValue, UpdateRefusal> {
    list.extend(elements(more)?);
    Ok(AttributeValue::L(list))
}

fn elements(value: Cow<'_, AttributeValue>) -> Result<Vec<AttributeValue>, UpdateRefusal> {
    match value {
        Cow::Borrowed(AttributeValue::L(list)) => Ok(list.clone()),
        Cow::Owned(AttributeValue::L(list)) => Ok(list),
        _ => Err(UpdateRefusal::OperandType),
    }
}

fn resolve<'item>(path: &Path, item: &'item Item) -> Option<&'item AttributeValue> {
    match path.resolve(Attributes::Decoded(item))? {
        Value::Decoded(value) => Some(value),
        Value::Stored(_) => unreachable!("what lies in a decoded item is decoded"),
    }
}

/// What is at the path, or `None` where it could be; refused where nothing can be, since what should hold it does not
/// exist or is of another type.
fn present<'item>(path: &Path, item: &'item Item) -> Result<Option<&'item AttributeValue>, UpdateRefusal> {
    let Some((last, way)) = path.steps.split_last() else { return Ok(item.get(&path.attribute)) };
    let holder = way
        .iter()
        .try_fold(Value::Decoded(item.get(&path.attribute).ok_or(UpdateRefusal::InvalidPath)?), Value::at);
    match (holder, last) {
        (Some(Value::Decoded(AttributeValue::M(map))), Step::Name(name)) => Ok(map.get(name)),
        (Some(Value::Decoded(AttributeValue::L(list))), Step::Index(index)) => Ok(list.get(place(*index))),
        _ => Err(UpdateRefusal::InvalidPath),
    }
}

fn place(index: u32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

/// The sum of two numbers, the members of both sets, the elements of both lists; of nothing, what is added.
fn add(
    present: Option<&AttributeValue>,
    added: &AttributeValue,
    origin: Origin,
) -> Result<AttributeValue, UpdateRefusal> {
    let Some(present) = present else { return Ok(added.clone()) };
    Ok(match (present, added) {
        (AttributeValue::N(one), AttributeValue::N(other)) => {
            AttributeValue::N(one.checked_add(other).map_err(UpdateRefusal::Number)?)
        }
        (AttributeValue::Ss(one), AttributeValue::Ss(other)) => {
            AttributeValue::Ss(one.clone().union(other.clone()))
        }
        (AttributeValue::Ns(one), AttributeValue::Ns(other)) => {
            AttributeValue::Ns(one.clone().union(other.clone()))
        }
        (AttributeValue::Bs(one), AttributeValue::Bs(other)) => {
            AttributeValue::Bs(one.clone().union(other.clone()))
        }
        (AttributeValue::L(one), AttributeValue::L(other)) => {
            AttributeValue::L(one.iter().chain(other).cloned().collect())
        }
        _ => return Err(origin.wrong_type()),
    })
}

/// What is left of a set; `None` when nothing is.
fn delete(
    present: Option<&AttributeValue>,
    deleted: &AttributeValue,
    origin: Origin,
) -> Result<Option<AttributeValue>, UpdateRefusal> {
    let Some(present) = present else { return Ok(None) };
    Ok(match (present, deleted) {
        (AttributeValue::Ss(set), AttributeValue::Ss(deleted)) => {
            set.clone().difference(deleted).map(AttributeValue::Ss)
        }
        (AttributeValue::Ns(set), AttributeValue::Ns(deleted)) => {
            set.clone().difference(deleted).map(AttributeValue::Ns)
        }
        (AttributeValue::Bs(set), AttributeValue::Bs(deleted)) => {
            set.clone().difference(deleted).map(AttributeValue::Bs)
        }
        _ => return Err(origin.wrong_type()),
    })
}

impl Origin {
    const fn wrong_type(self) -> UpdateRefusal {
        match self {
            Self::Expression => UpdateRefusal::OperandType,
            Self::AttributeUpdates => UpdateRefusal::LegacyTypeMismatch,
        }
    }
}

/// What is to be done to the copy.
#[derive(Default)]
struct Edits<'update> {
    set: Vec<(&'update Path, AttributeValue)>,
    appended: Vec<(&'update Path, AttributeValue)>,
    removed: Vec<&'update Path>,
}

impl<'update> Edits<'update> {
    fn set(
        &mut self,
        target: &'update Path,
        value: AttributeValue,
        present: Option<&AttributeValue>,
    ) -> Result<(), UpdateRefusal> {
        // The value's first level is the path's last one.
        if target.levels() + value.levels() - 1 > NESTING_LIMIT {
            return Err(UpdateRefusal::TooDeep);
        }
        match target.steps.last() {
            Some(Step::Index(_)) if present.is_none() => self.appended.push((target, value)),
            _ => self.set.push((target, value)),
        }
        Ok(())
    }

    fn remove(&mut self, target: &'update Path, present: Option<&AttributeValue>) {
        if present.is_some() {
            self.removed.push(target);
        }
    }

    fn carry_out(mut self, mut item: Item) -> Item {
        for (target, value) in self.set {
            match holder(target, &mut item) {
                Holder::Attributes(attributes, name) => {
                    attributes.insert(name.to_owned(), value);
                }
                Holder::Elements(list, index) => {
                    if let Some(element) = list.get_mut(index) {
                        *element = value;
                    }
                }
            }
        }
        self.appended.sort_by_key(|(target, _)| *target);
        for (target, value) in self.appended {
            if let Holder::Elements(list, _) = holder(target, &mut item) {
                list.push(value);
            }
        }
        self.removed.sort_unstable_by(|one, other| other.cmp(one));
        for target in self.removed {
            match holder(target, &mut item) {
                Holder::Attributes(attributes, name) => {
                    attributes.remove(name);
                }
                Holder::Elements(list, index) => {
                    list.remove(index);
                }
            }
        }
        item
    }
}

/// What holds the value at a path, and the value's place in it.
enum Holder<'item, 'path> {
    Attributes(&'item mut AttributeMap, &'path str),
    Elements(&'item mut Vec<AttributeValue>, usize),
}

fn holder<'item, 'path>(path: &'path Path, item: &'item mut Item) -> Holder<'item, 'path> {
    let Some((last, way)) = path.steps.split_last() else {
        return Holder::Attributes(item, &path.attribute);
    };
    let value = way.iter().try_fold(item.get_mut(&path.attribute), |value, step| {
        Some(match (value?, step) {
            (AttributeValue::M(map), Step::Name(name)) => map.get_mut(name),
            (AttributeValue::L(list), Step::Index(index)) => list.get_mut(place(*index)),
            _ => None,
        })
    });
    match (value.flatten(), last) {
        (Some(AttributeValue::M(map)), Step::Name(name)) => Holder::Attributes(map, name),
        (Some(AttributeValue::L(list)), Step::Index(index)) => Holder::Elements(list, place(*index)),
        _ => unreachable!("paths that lead nowhere are refused before the first change"),
    }
}
