//! The item after an update, built anew from the one before.

use keywright_item::{AttributeMap, AttributeValue, Item, Set};

use super::{Action, Change, wrong_type};
use crate::model::values::NAMES;
use crate::model::{ModelPath, ModelStep};

/// What becomes of a place: a new value, or nothing.
pub(super) type Edit = (ModelPath, Option<AttributeValue>);

pub(super) fn edits(actions: &[Action], before: &Item) -> Result<Vec<Edit>, String> {
    let mut values = Vec::new();
    for action in actions {
        values.push(match &action.change {
            Change::Set(operand) => Some(operand.value(before)?),
            Change::Arithmetic(left, operator, right) => {
                let AttributeValue::N(left) = left.value(before)? else { return Err(wrong_type()) };
                let AttributeValue::N(right) = right.value(before)? else { return Err(wrong_type()) };
                let sum = if *operator == "+" { left.checked_add(&right) } else { left.checked_sub(&right) };
                Some(AttributeValue::N(sum.map_err(|error| error.to_string())?))
            }
            _ => None,
        });
    }
    let mut edits = Vec::new();
    for (action, value) in actions.iter().zip(values) {
        let target = &action.target;
        if let Some((last, way)) = target.steps.split_last() {
            let holder = ModelPath { attribute: target.attribute, steps: way.to_vec() };
            match (holder.resolve(before), last) {
                (Some(AttributeValue::M(_)), ModelStep::Name(_))
                | (Some(AttributeValue::L(_)), ModelStep::Index(_)) => {}
                _ => {
                    return Err("The document path provided in the update expression is invalid for update"
                        .to_owned());
                }
            }
        }
        let after = match (&action.change, target.resolve(before)) {
            (Change::Add(value), None) => Some(value.clone()),
            (Change::Add(value), Some(present)) => Some(added(present, value)?),
            (Change::Delete(_), None) => None,
            (Change::Delete(value), Some(present)) => deleted(present, value)?,
            _ => value,
        };
        edits.push((target.clone(), after));
    }
    Ok(edits)
}

fn added(present: &AttributeValue, more: &AttributeValue) -> Result<AttributeValue, String> {
    use AttributeValue::{Bs, N, Ns, Ss};
    Ok(match (present, more) {
        (N(one), N(other)) => N(one.checked_add(other).map_err(|error| error.to_string())?),
        (Ss(one), Ss(other)) => Ss(union(one, other)),
        (Ns(one), Ns(other)) => Ns(union(one, other)),
        (Bs(one), Bs(other)) => Bs(union(one, other)),
        _ => return Err(wrong_type()),
    })
}

fn union<Member: Ord + Clone>(one: &Set<Member>, other: &Set<Member>) -> Set<Member> {
    let more = other.iter().filter(|member| !one.iter().any(|present| present == *member));
    Set::new(one.iter().chain(more).cloned().collect()).unwrap()
}

fn deleted(present: &AttributeValue, less: &AttributeValue) -> Result<Option<AttributeValue>, String> {
    use AttributeValue::{Bs, Ns, Ss};
    Ok(match (present, less) {
        (Ss(one), Ss(other)) => difference(one, other).map(Ss),
        (Ns(one), Ns(other)) => difference(one, other).map(Ns),
        (Bs(one), Bs(other)) => difference(one, other).map(Bs),
        _ => return Err(wrong_type()),
    })
}

fn difference<Member: Ord + Clone>(one: &Set<Member>, other: &Set<Member>) -> Option<Set<Member>> {
    Set::new(one.iter().filter(|member| !other.iter().any(|gone| gone == *member)).cloned().collect()).ok()
}

/// The item with every edit carried out, built anew.
pub(super) fn rebuilt(before: &Item, edits: &[Edit]) -> Item {
    let edits: Vec<(Vec<ModelStep>, &Option<AttributeValue>)> = edits
        .iter()
        .map(|(path, value)| {
            let first = std::iter::once(ModelStep::Name(path.attribute));
            (first.chain(path.steps.iter().cloned()).collect(), value)
        })
        .collect();
    let edits: Vec<_> = edits.iter().map(|(steps, value)| (steps.as_slice(), *value)).collect();
    let Some(AttributeValue::M(item)) = rebuilt_value(&AttributeValue::M(before.clone()), &edits) else {
        unreachable!("an item stays an item")
    };
    item
}

fn rebuilt_value(
    value: &AttributeValue,
    edits: &[(&[ModelStep], &Option<AttributeValue>)],
) -> Option<AttributeValue> {
    if let [([], after)] = edits {
        return (*after).clone();
    }
    let under = |step: ModelStep| -> Vec<(&[ModelStep], &Option<AttributeValue>)> {
        edits
            .iter()
            .filter(|(steps, _)| steps[0] == step)
            .map(|(steps, after)| (&steps[1..], *after))
            .collect()
    };
    match value {
        AttributeValue::M(map) => {
            let names = map.iter().map(|(name, _)| name).chain(edits.iter().filter_map(|(steps, _)| {
                match &steps[0] {
                    ModelStep::Name(name) => Some(*name),
                    ModelStep::Index(_) => None,
                }
            }));
            let rebuilt: AttributeMap = names
                .filter_map(|name| {
                    let known = NAMES.into_iter().find(|known| *known == name)?;
                    let value = map.get(name).unwrap_or(&AttributeValue::Null);
                    let edits = under(ModelStep::Name(known));
                    let rebuilt =
                        if edits.is_empty() { Some(value.clone()) } else { rebuilt_value(value, &edits) };
                    Some((name.to_owned(), rebuilt?))
                })
                .collect();
            Some(AttributeValue::M(rebuilt))
        }
        AttributeValue::L(list) => {
            let mut rebuilt = Vec::new();
            let end = edits.iter().map(|(steps, _)| match steps[0] {
                ModelStep::Index(index) => index + 1,
                ModelStep::Name(_) => 0,
            });
            for index in 0..end.max().unwrap_or_default().max(list.len()) {
                let edits = under(ModelStep::Index(index));
                match (list.get(index), edits.is_empty()) {
                    (None, true) => {}
                    (Some(value), true) => rebuilt.push(value.clone()),
                    (value, false) => {
                        rebuilt.extend(rebuilt_value(value.unwrap_or(&AttributeValue::Null), &edits))
                    }
                }
            }
            Some(AttributeValue::L(rebuilt))
        }
        other => Some(other.clone()),
    }
}
