//! A parsed update → a bound one.

use std::sync::Arc;

use keywright_item::AttributeValue;

use super::{Action, Change, Operand};
use crate::bind::{Bound, bind_path, check_names};
use crate::overlap::check_paths;
use crate::path::Path;
use crate::placeholders::Placeholders;
use crate::refusal::{Fault, OperandFault};
use crate::syntax::{ParsedAction, ParsedChange, ParsedOperand, SetValue, UpdateFunction};

/// Replaces every placeholder of an update, checks its paths and then its operands.
///
/// Each kind of fault is looked for in the whole update before the next kind: undefined names, undefined values, paths,
/// values of ADD and DELETE, operands of functions and sums.
pub(super) fn bind(actions: &[ParsedAction<'_>], placeholders: &Placeholders) -> Result<Vec<Action>, Fault> {
    for action in actions {
        check_names(&action.target, placeholders)?;
        if let ParsedChange::Set(value) = &action.change {
            value.operands().try_for_each(|operand| check_operand_names(operand, placeholders))?;
        }
    }
    for action in actions {
        match &action.change {
            ParsedChange::Set(value) => {
                value.operands().try_for_each(|operand| check_operand_values(operand, placeholders))?;
            }
            ParsedChange::Remove => {}
            ParsedChange::Add(value) | ParsedChange::Delete(value) => {
                placeholders.value(value)?;
            }
        }
    }
    let targets: Vec<Path> =
        actions.iter().map(|action| bind_path(&action.target, placeholders)).collect::<Bound<_>>()?;
    check_paths(&targets.iter().collect::<Vec<_>>())?;
    for action in actions {
        match &action.change {
            ParsedChange::Add(value) => check_change("ADD", placeholders.value(value)?)?,
            ParsedChange::Delete(value) => check_change("DELETE", placeholders.value(value)?)?,
            ParsedChange::Set(_) | ParsedChange::Remove => {}
        }
    }
    let bound = targets.into_iter().zip(actions).map(|(target, action)| {
        let change = match &action.change {
            ParsedChange::Set(value) => Change::Set(bind_value(value, placeholders)?),
            ParsedChange::Remove => Change::Remove,
            ParsedChange::Add(value) => Change::Add(Arc::clone(placeholders.value(value)?)),
            ParsedChange::Delete(value) => Change::Delete(Arc::clone(placeholders.value(value)?)),
        };
        Ok(Action { target, change })
    });
    Ok(bound.collect::<Bound<_>>()?)
}

fn check_operand_names(operand: &ParsedOperand<'_>, placeholders: &Placeholders) -> Bound<()> {
    match operand {
        ParsedOperand::Path(path) => check_names(path, placeholders),
        ParsedOperand::Value(_) => Ok(()),
        ParsedOperand::Call { arguments, .. } => {
            arguments.iter().try_for_each(|argument| check_operand_names(argument, placeholders))
        }
    }
}

fn check_operand_values(operand: &ParsedOperand<'_>, placeholders: &Placeholders) -> Bound<()> {
    match operand {
        ParsedOperand::Path(_) => Ok(()),
        ParsedOperand::Value(placeholder) => placeholders.value(placeholder).map(|_| ()),
        ParsedOperand::Call { arguments, .. } => {
            arguments.iter().try_for_each(|argument| check_operand_values(argument, placeholders))
        }
    }
}

/// Sets for both, numbers for ADD only. This message has names of types of its own.
fn check_change(operator: &'static str, value: &AttributeValue) -> Bound<()> {
    let found = match value {
        AttributeValue::Ss(_) | AttributeValue::Ns(_) | AttributeValue::Bs(_) => return Ok(()),
        AttributeValue::N(_) if operator == "ADD" => return Ok(()),
        AttributeValue::N(_) => "NUMBER",
        AttributeValue::S(_) => "STRING",
        AttributeValue::B(_) => "BINARY",
        AttributeValue::Bool(_) => "BOOLEAN",
        AttributeValue::Null => "NULL",
        AttributeValue::M(_) => "MAP",
        AttributeValue::L(_) => "LIST",
    };
    Err(OperandFault::ChangeType { operator, found })
}

fn bind_value(value: &SetValue<ParsedOperand<'_>>, placeholders: &Placeholders) -> Bound<SetValue<Operand>> {
    let (left, right, operator, join): (_, _, _, fn(Operand, Operand) -> SetValue<Operand>) = match value {
        SetValue::Operand(operand) => return bind_operand(operand, placeholders).map(SetValue::Operand),
        SetValue::Sum(left, right) => (left, right, "+", SetValue::Sum),
        SetValue::Difference(left, right) => (left, right, "-", SetValue::Difference),
    };
    let left = bind_operand(left, placeholders)?;
    let right = bind_operand(right, placeholders)?;
    check_types(operator, [&left, &right], "N")?;
    Ok(join(left, right))
}

fn bind_operand(operand: &ParsedOperand<'_>, placeholders: &Placeholders) -> Bound<Operand> {
    match operand {
        ParsedOperand::Path(path) => bind_path(path, placeholders).map(Operand::Path),
        ParsedOperand::Value(placeholder) => {
            placeholders.value(placeholder).map(Arc::clone).map(Operand::Value)
        }
        ParsedOperand::Call { name, arguments } => {
            let Some(function) = UpdateFunction::from_name(name) else {
                unreachable!("the parser refuses unknown functions")
            };
            let [first, second] = arguments.as_slice() else {
                return Err(wrong_count(function, arguments, placeholders));
            };
            let first = bind_operand(first, placeholders)?;
            let second = bind_operand(second, placeholders)?;
            bind_call(function, first, second)
        }
    }
}

fn bind_call(function: UpdateFunction, first: Operand, second: Operand) -> Bound<Operand> {
    let operator = function.name();
    match (function, first) {
        (UpdateFunction::IfNotExists, Operand::Path(path)) => {
            Ok(Operand::IfNotExists(path, Box::new(second)))
        }
        (UpdateFunction::IfNotExists, _) => Err(OperandFault::NotAPath { operator }),
        (UpdateFunction::ListAppend, first) => {
            check_types(operator, [&first, &second], "L")?;
            Ok(Operand::ListAppend(Box::new(first), Box::new(second)))
        }
    }
}

/// A fault within the operands comes before their number.
fn wrong_count(
    function: UpdateFunction,
    arguments: &[ParsedOperand<'_>],
    placeholders: &Placeholders,
) -> OperandFault {
    let within = arguments.iter().find_map(|argument| bind_operand(argument, placeholders).err());
    within.unwrap_or(OperandFault::OperandCount { operator: function.name(), count: arguments.len() })
}

/// Refuses values of another type; those of paths and calls are known only with the item.
fn check_types(operator: &'static str, operands: [&Operand; 2], expected: &'static str) -> Bound<()> {
    operands.into_iter().try_for_each(|operand| match operand {
        Operand::Value(value) if value.type_name() != expected => {
            Err(OperandFault::OperandType { operator, found: value.type_name() })
        }
        _ => Ok(()),
    })
}
