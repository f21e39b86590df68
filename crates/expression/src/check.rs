//! The faults of a parsed condition that need no placeholders: functions and reserved words.
//!
//! Invariant: of several faults the service names the first unknown function, else the first misused function,
//! else the first reserved word, each in the order of the text.

use crate::refusal::SyntaxFault;
use crate::reserved::is_reserved_word;
use crate::syntax::{ConditionTree, Function, ParsedOperand, ParsedStep};

/// Refuses unknown functions, functions where they cannot stand, and reserved words as names.
pub(crate) fn check(condition: &ConditionTree<ParsedOperand<'_>>) -> Result<(), SyntaxFault> {
    let mut faults = Faults::default();
    faults.look_at_condition(condition);
    match faults.unknown.or(faults.misused).or(faults.reserved) {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// The first fault of each kind.
#[derive(Default)]
struct Faults {
    unknown: Option<SyntaxFault>,
    misused: Option<SyntaxFault>,
    reserved: Option<SyntaxFault>,
}

impl Faults {
    fn look_at_condition(&mut self, condition: &ConditionTree<ParsedOperand<'_>>) {
        match condition {
            ConditionTree::And(conditions) | ConditionTree::Or(conditions) => {
                for condition in conditions {
                    self.look_at_condition(condition);
                }
            }
            ConditionTree::Not(condition) => self.look_at_condition(condition),
            ConditionTree::Compare { left, right, .. } => {
                self.look_at_operand(left);
                self.look_at_operand(right);
            }
            ConditionTree::Between { subject, low, high } => {
                self.look_at_operand(subject);
                self.look_at_operand(low);
                self.look_at_operand(high);
            }
            ConditionTree::In { subject, choices } => {
                self.look_at_operand(subject);
                self.look_at_operands(choices);
            }
            ConditionTree::Call(call) => {
                let ParsedOperand::Call { name, arguments } = call else {
                    unreachable!("the parser makes conditions of calls only")
                };
                self.look_at_operands(arguments);
                match Function::from_name(name) {
                    None => self.unknown_function(name),
                    Some(Function::Size) => self.misused_function(Function::Size),
                    Some(_) => {}
                }
            }
        }
    }

    fn look_at_operands(&mut self, operands: &[ParsedOperand<'_>]) {
        for operand in operands {
            self.look_at_operand(operand);
        }
    }

    fn look_at_operand(&mut self, operand: &ParsedOperand<'_>) {
        match operand {
            ParsedOperand::Path(steps) => {
                for step in steps {
                    if let ParsedStep::Name(name) = step
                        && self.reserved.is_none()
                        && is_reserved_word(name)
                    {
                        self.reserved = Some(SyntaxFault::ReservedWord { name: (*name).to_owned() });
                    }
                }
            }
            ParsedOperand::Value(_) => {}
            ParsedOperand::Call { name, arguments } => {
                self.look_at_operands(arguments);
                match Function::from_name(name) {
                    None => self.unknown_function(name),
                    Some(Function::Size) => {}
                    Some(function) => self.misused_function(function),
                }
            }
        }
    }

    fn unknown_function(&mut self, name: &str) {
        self.unknown.get_or_insert_with(|| SyntaxFault::UnknownFunction { name: name.to_owned() });
    }

    fn misused_function(&mut self, function: Function) {
        self.misused.get_or_insert_with(|| SyntaxFault::MisusedFunction { name: function.name() });
    }
}
