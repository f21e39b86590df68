//! Parsed → bound: placeholders are replaced, then operands are checked.
//!
//! Invariant: of several faults the service names that of the first comparison or call in the text that has one;
//! within it an undefined placeholder comes before a wrong number of operands, that before operands that are not
//! distinct, and that before operands of a wrong type.

use std::cmp::Ordering;

use keywright_item::{AttributeValue, json};

use crate::placeholders::Placeholders;
use crate::refusal::OperandFault;
use crate::syntax::{BoundOperand, Condition, Function, ParsedOperand, ParsedStep, Step};

type Bound<Content> = Result<Content, OperandFault>;

/// Replaces every placeholder of a condition and checks its operands.
pub(crate) fn bind_condition(
    condition: &Condition<ParsedOperand<'_>>,
    placeholders: &Placeholders,
) -> Bound<Condition<BoundOperand>> {
    let operand = |operand| bind_operand(operand, placeholders);
    let bound = match condition {
        Condition::And(conditions) => return Ok(Condition::And(bind_conditions(conditions, placeholders)?)),
        Condition::Or(conditions) => return Ok(Condition::Or(bind_conditions(conditions, placeholders)?)),
        Condition::Not(condition) => {
            return Ok(Condition::Not(Box::new(bind_condition(condition, placeholders)?)));
        }
        Condition::Compare { comparator, left, right } => {
            Condition::Compare { comparator: *comparator, left: operand(left)?, right: operand(right)? }
        }
        Condition::Between { subject, low, high } => {
            Condition::Between { subject: operand(subject)?, low: operand(low)?, high: operand(high)? }
        }
        Condition::In { subject, choices } => Condition::In {
            subject: operand(subject)?,
            choices: choices.iter().map(operand).collect::<Result<_, _>>()?,
        },
        Condition::Call(call) => Condition::Call(operand(call)?),
    };
    check_condition(&bound)?;
    Ok(bound)
}

fn bind_conditions(
    conditions: &[Condition<ParsedOperand<'_>>],
    placeholders: &Placeholders,
) -> Bound<Vec<Condition<BoundOperand>>> {
    conditions.iter().map(|condition| bind_condition(condition, placeholders)).collect()
}

fn bind_operand(operand: &ParsedOperand<'_>, placeholders: &Placeholders) -> Bound<BoundOperand> {
    Ok(match operand {
        ParsedOperand::Path(steps) => BoundOperand::Path(
            steps
                .iter()
                .map(|step| {
                    Ok(match step {
                        ParsedStep::Name(name) => Step::Name((*name).to_owned()),
                        ParsedStep::Placeholder(placeholder) => {
                            Step::Name(placeholders.name(placeholder)?.to_owned())
                        }
                        ParsedStep::Index(digits) => Step::Index((*digits).to_owned()),
                    })
                })
                .collect::<Result<_, _>>()?,
        ),
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

fn check_condition(condition: &Condition<BoundOperand>) -> Bound<()> {
    let operands: Vec<&BoundOperand> = match condition {
        Condition::Compare { left, right, .. } => vec![left, right],
        Condition::Between { subject, low, high } => vec![subject, low, high],
        Condition::In { subject, choices } => std::iter::once(subject).chain(choices).collect(),
        Condition::Call(call) => vec![call],
        Condition::And(_) | Condition::Or(_) | Condition::Not(_) => {
            unreachable!("their parts are checked when they are bound")
        }
    };
    for check in [check_operand_counts, check_distinct_arguments] {
        for operand in &operands {
            check(operand)?;
        }
    }
    if let Condition::Compare { comparator, left, right } = condition {
        check_distinct(comparator.text(), left, right)?;
    }
    for operand in &operands {
        check_argument_types(operand)?;
    }
    match condition {
        Condition::Between { low: BoundOperand::Value(low), high: BoundOperand::Value(high), .. } => {
            check_bounds(low, high)
        }
        _ => Ok(()),
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
            Err(OperandFault::NotDistinct { operator, path: printed_path(first) })
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

/// A path as the service prints it in a message: `[a, [0], b]`. A long one is cut off.
fn printed_path(path: &[Step]) -> String {
    let mut steps = String::new();
    for (position, step) in path.iter().enumerate() {
        if steps.len() > LONGEST_PRINTED_BYTES {
            break;
        }
        if position > 0 {
            steps.push_str(", ");
        }
        match step {
            Step::Name(name) => steps.push_str(beginning(name)),
            Step::Index(digits) => steps.push_str(&format!("[{digits}]")),
        }
    }
    format!("[{}]", beginning(&steps))
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

/// Messages must not grow with hostile values.
const LONGEST_PRINTED_BYTES: usize = 1024;

fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LONGEST_PRINTED_BYTES)).unwrap_or_default()
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
