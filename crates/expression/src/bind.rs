//! Parsed → bound: placeholders are replaced, then operands are checked.
//!
//! Invariant: of several faults the service names that of the first comparison or call in the text that has one;
//! within it an undefined placeholder comes before a wrong number of operands, that before operands that are not
//! distinct, and that before operands of a wrong type.

use std::cmp::Ordering;

use keywright_item::{AttributeValue, json};

use crate::check::index;
use crate::path::{MAX_LEVELS, Path, Step};
use crate::placeholders::Placeholders;
use crate::printed::{LONGEST_PRINTED_BYTES, beginning};
use crate::refusal::OperandFault;
use crate::syntax::{
    BoundOperand, Comparator, ConditionTree, Function, ParsedOperand, ParsedPath, ParsedStep,
};

pub(crate) type Bound<Content> = Result<Content, OperandFault>;

/// The most values that IN can have.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>
const MAX_CHOICES: usize = 100;

/// Replaces every placeholder of a condition and checks its operands.
pub(crate) fn bind_condition(
    condition: &ConditionTree<ParsedOperand<'_>>,
    placeholders: &Placeholders,
) -> Bound<ConditionTree<BoundOperand>> {
    match condition {
        ConditionTree::And(conditions) => bind_conditions(conditions, placeholders).map(ConditionTree::And),
        ConditionTree::Or(conditions) => bind_conditions(conditions, placeholders).map(ConditionTree::Or),
        ConditionTree::Not(condition) => {
            bind_condition(condition, placeholders).map(|condition| ConditionTree::Not(Box::new(condition)))
        }
        predicate => bind_predicate(predicate, placeholders),
    }
}

fn bind_conditions(
    conditions: &[ConditionTree<ParsedOperand<'_>>],
    placeholders: &Placeholders,
) -> Bound<Vec<ConditionTree<BoundOperand>>> {
    conditions.iter().map(|condition| bind_condition(condition, placeholders)).collect()
}

/// A condition without conditions in it; apart from the others, since those nest deep and this takes much stack.
fn bind_predicate(
    predicate: &ConditionTree<ParsedOperand<'_>>,
    placeholders: &Placeholders,
) -> Bound<ConditionTree<BoundOperand>> {
    let operand = |operand| bind_operand(operand, placeholders);
    let bound = match predicate {
        ConditionTree::Compare { comparator, left, right } => {
            ConditionTree::Compare { comparator: *comparator, left: operand(left)?, right: operand(right)? }
        }
        ConditionTree::Between { subject, low, high } => {
            ConditionTree::Between { subject: operand(subject)?, low: operand(low)?, high: operand(high)? }
        }
        ConditionTree::In { subject, choices } => ConditionTree::In {
            subject: operand(subject)?,
            choices: choices.iter().map(operand).collect::<Result<_, _>>()?,
        },
        ConditionTree::Call(call) => ConditionTree::Call(operand(call)?),
        ConditionTree::And(_) | ConditionTree::Or(_) | ConditionTree::Not(_) => {
            unreachable!("their parts are bound one by one")
        }
    };
    check_condition(&bound)?;
    Ok(bound)
}

fn bind_operand(operand: &ParsedOperand<'_>, placeholders: &Placeholders) -> Bound<BoundOperand> {
    Ok(match operand {
        ParsedOperand::Path(path) => BoundOperand::Path(bind_path(path, placeholders)?),
        ParsedOperand::Value(placeholder) => BoundOperand::Value(placeholders.value(placeholder)?.clone()),
        ParsedOperand::Call { name, arguments } => {
            let Some(function) = Function::from_name(name) else {
                unreachable!("the parser refuses unknown functions")
            };
            let arguments = arguments
                .iter()
                .map(|argument| bind_operand(argument, placeholders))
                .collect::<Result<_, _>>()?;
            BoundOperand::Call { function, arguments }
        }
    })
}

/// Replaces the placeholders of a path. Nothing is copied before the path is known to be short enough: a name has up to
/// 64 KB, and 4 KB of text hold a thousand steps.
pub(crate) fn bind_path(path: &ParsedPath<'_>, placeholders: &Placeholders) -> Bound<Path> {
    check_names(path, placeholders)?;
    if path.len() > MAX_LEVELS {
        return Err(OperandFault::PathTooDeep { levels: path.len() });
    }
    let (first, rest) = match path.split_first() {
        Some((ParsedStep::Name(name), rest)) => (*name, rest),
        Some((ParsedStep::Placeholder(placeholder), rest)) => (placeholders.name(placeholder)?, rest),
        Some((ParsedStep::Index(_), _)) | None => unreachable!("the parser starts a path with a name"),
    };
    let steps = rest
        .iter()
        .map(|step| {
            Ok(match step {
                ParsedStep::Name(name) => Step::Name((*name).to_owned()),
                ParsedStep::Placeholder(placeholder) => {
                    Step::Name(placeholders.name(placeholder)?.to_owned())
                }
                ParsedStep::Index(digits) => match index(digits) {
                    Some(index) => Step::Index(index),
                    None => unreachable!("the parser refuses indexes out of range"),
                },
            })
        })
        .collect::<Bound<_>>()?;
    Ok(Path { attribute: first.to_owned(), steps })
}

/// Refuses a path with an undefined placeholder.
pub(crate) fn check_names(path: &ParsedPath<'_>, placeholders: &Placeholders) -> Bound<()> {
    path.iter().try_for_each(|step| match step {
        ParsedStep::Placeholder(placeholder) => placeholders.name(placeholder).map(|_| ()),
        ParsedStep::Name(_) | ParsedStep::Index(_) => Ok(()),
    })
}

fn check_condition(condition: &ConditionTree<BoundOperand>) -> Bound<()> {
    let operands: Vec<&BoundOperand> = match condition {
        ConditionTree::Compare { left, right, .. } => vec![left, right],
        ConditionTree::Between { subject, low, high } => vec![subject, low, high],
        ConditionTree::In { subject, choices } => std::iter::once(subject).chain(choices).collect(),
        ConditionTree::Call(call) => vec![call],
        ConditionTree::And(_) | ConditionTree::Or(_) | ConditionTree::Not(_) => {
            unreachable!("their parts are checked when they are bound")
        }
    };
    operands.iter().try_for_each(|operand| check_operand_counts(operand))?;
    if let ConditionTree::In { choices, .. } = condition
        && choices.len() > MAX_CHOICES
    {
        return Err(OperandFault::TooManyChoices { count: choices.len() });
    }
    operands.iter().try_for_each(|operand| check_distinct_arguments(operand))?;
    if let ConditionTree::Compare { comparator, left, right } = condition {
        check_distinct(comparator.text(), left, right)?;
    }
    operands.iter().try_for_each(|operand| check_argument_types(operand))?;
    match condition {
        ConditionTree::Compare { comparator: Comparator::Equal | Comparator::NotEqual, .. } => Ok(()),
        ConditionTree::Compare { comparator, .. } => check_ordered(comparator.text(), &operands),
        ConditionTree::Between { low, high, .. } => {
            check_ordered("BETWEEN", &operands)?;
            match (low, high) {
                (BoundOperand::Value(low), BoundOperand::Value(high)) => check_bounds(low, high),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// Refuses operands of a type that has no order.
fn check_ordered(operator: &'static str, operands: &[&BoundOperand]) -> Bound<()> {
    match operands
        .iter()
        .filter_map(|operand| operand.known_type())
        .find(|found| !matches!(*found, "S" | "N" | "B"))
    {
        Some(found) => Err(OperandFault::OperandType { operator, found }),
        None => Ok(()),
    }
}

fn check_operand_counts(operand: &BoundOperand) -> Bound<()> {
    let BoundOperand::Call { function, arguments } = operand else { return Ok(()) };
    arguments.iter().try_for_each(check_operand_counts)?;
    if arguments.len() == function.operand_count() {
        Ok(())
    } else {
        Err(OperandFault::OperandCount { operator: function.name(), count: arguments.len() })
    }
}

fn check_distinct_arguments(operand: &BoundOperand) -> Bound<()> {
    let BoundOperand::Call { function, arguments } = operand else { return Ok(()) };
    match arguments.as_slice() {
        [first, second] => check_distinct(function.name(), first, second),
        _ => Ok(()),
    }
}

fn check_distinct(operator: &'static str, first: &BoundOperand, second: &BoundOperand) -> Bound<()> {
    match (first, second) {
        (BoundOperand::Path(first), BoundOperand::Path(second)) if first == second => {
            Err(OperandFault::NotDistinct { operator, path: first.to_string() })
        }
        _ => Ok(()),
    }
}

fn check_argument_types(operand: &BoundOperand) -> Bound<()> {
    const TYPE_NAMES: [&str; 10] = ["S", "N", "B", "NULL", "SS", "BOOL", "L", "BS", "NS", "M"];
    let BoundOperand::Call { function, arguments } = operand else { return Ok(()) };
    arguments.iter().try_for_each(check_argument_types)?;
    let operator = function.name();
    let wrong = |found| Err(OperandFault::OperandType { operator, found });
    match (function, arguments.as_slice()) {
        (Function::AttributeExists | Function::AttributeNotExists, [argument]) => match argument {
            BoundOperand::Path(_) => Ok(()),
            BoundOperand::Value(_) | BoundOperand::Call { .. } => Err(OperandFault::NotAPath { operator }),
        },
        (Function::AttributeType, [BoundOperand::Value(_) | BoundOperand::Call { .. }, _]) => {
            Err(OperandFault::NotAPath { operator })
        }
        (Function::BeginsWith, arguments) => {
            arguments.iter().try_for_each(|argument| match argument.known_type() {
                None | Some("S" | "B") => Ok(()),
                Some(found) => wrong(found),
            })
        }
        (Function::AttributeType, [_, argument]) => match argument.value() {
            Some(AttributeValue::S(found)) if TYPE_NAMES.contains(&found.as_str()) => Ok(()),
            Some(AttributeValue::S(found)) => {
                Err(OperandFault::UnknownTypeName { found: beginning(found).to_owned() })
            }
            _ => wrong(argument.known_type().unwrap_or("{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")),
        },
        (Function::Size, [argument]) => match argument.known_type() {
            Some(found @ ("N" | "BOOL" | "NULL")) => wrong(found),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

fn check_bounds(low: &AttributeValue, high: &AttributeValue) -> Bound<()> {
    let fault = |fault: fn(String, String) -> OperandFault| Err(fault(printed(low), printed(high)));
    if low.type_name() != high.type_name() {
        return fault(|low, high| OperandFault::BoundsOfTwoTypes { low, high });
    }
    let order = match (low, high) {
        (AttributeValue::S(low), AttributeValue::S(high)) => low.as_bytes().cmp(high.as_bytes()),
        (AttributeValue::N(low), AttributeValue::N(high)) => low.cmp(high),
        (AttributeValue::B(low), AttributeValue::B(high)) => low.cmp(high),
        _ => Ordering::Equal,
    };
    if order == Ordering::Greater {
        return fault(|low, high| OperandFault::BoundsOutOfOrder { low, high });
    }
    Ok(())
}

/// A value as the service prints it in a message: `{S:text}`. A long one is cut off.
fn printed(value: &AttributeValue) -> String {
    let mut printed = match value {
        AttributeValue::S(text) => format!("{{S:{}}}", beginning(text)),
        AttributeValue::N(number) => format!("{{N:{number}}}"),
        other => {
            let mut wire = Vec::new();
            json::write_value(other, &mut wire);
            String::from_utf8_lossy(&wire).replace('"', "")
        }
    };
    printed.truncate(printed.floor_char_boundary(LONGEST_PRINTED_BYTES));
    printed
}

impl BoundOperand {
    fn value(&self) -> Option<&AttributeValue> {
        match self {
            Self::Value(value) => Some(value),
            Self::Path(_) | Self::Call { .. } => None,
        }
    }

    /// The type of the operand, where it does not depend on an item.
    fn known_type(&self) -> Option<&'static str> {
        match self {
            Self::Path(_) => None,
            Self::Value(value) => Some(value.type_name()),
            Self::Call { function: Function::Size, .. } => Some("N"),
            Self::Call { .. } => Some("BOOL"),
        }
    }
}
