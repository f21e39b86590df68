//! The faults of a parsed expression that need no placeholders: functions, reserved words and list indexes.
//!
//! Invariant: of several faults of a condition the service names the first unknown function, else the first misused
//! function, else the first reserved word; of an update the first reserved word, else the first unknown function,
//! else the first section that occurs again. "First" is in the order of the text.

use crate::lexer::Section;
use crate::path::MAX_INDEX;
use crate::refusal::SyntaxFault;
use crate::reserved::is_reserved_word;
use crate::syntax::{
    ConditionTree, Function, ParsedAction, ParsedChange, ParsedOperand, ParsedPath, ParsedStep,
    UpdateFunction,
};

/// Refuses unknown functions, functions where they cannot stand, and reserved words as names.
pub(crate) fn check_condition(condition: &ConditionTree<ParsedOperand<'_>>) -> Result<(), SyntaxFault> {
    let mut faults = Faults::default();
    faults.look_at_condition(condition);
    match faults.unknown.or(faults.misused).or(faults.name) {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// Refuses reserved words as names, functions that updates do not have, and a section that occurs twice.
pub(crate) fn check_update(actions: &[ParsedAction<'_>], sections: &[Section]) -> Result<(), SyntaxFault> {
    let mut faults = Faults::default();
    for action in actions {
        faults.look_at_path(&action.target);
        if let ParsedChange::Set(value) = &action.change {
            value.operands().for_each(|operand| faults.look_at_update_operand(operand));
        }
    }
    if let Some(fault) = faults.name.or(faults.unknown) {
        return Err(fault);
    }
    for (place, section) in sections.iter().enumerate() {
        if sections.iter().take(place).any(|earlier| earlier == section) {
            return Err(SyntaxFault::RepeatedSection { section: section.text() });
        }
    }
    Ok(())
}

/// Refuses reserved words as names.
pub(crate) fn check_paths(paths: &[ParsedPath<'_>]) -> Result<(), SyntaxFault> {
    let mut faults = Faults::default();
    paths.iter().for_each(|path| faults.look_at_path(path));
    faults.name.map_or(Ok(()), Err)
}

/// The first fault of each kind.
#[derive(Default)]
struct Faults {
    unknown: Option<SyntaxFault>,
    misused: Option<SyntaxFault>,
    /// A reserved word, or an index out of range.
    name: Option<SyntaxFault>,
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
                    None => self.no_function_of_conditions(name),
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
            ParsedOperand::Path(path) => self.look_at_path(path),
            ParsedOperand::Value(_) => {}
            ParsedOperand::Call { name, arguments } => {
                self.look_at_operands(arguments);
                match Function::from_name(name) {
                    None => self.no_function_of_conditions(name),
                    Some(Function::Size) => {}
                    Some(function) => self.misused_function(function),
                }
            }
        }
    }

    fn look_at_update_operand(&mut self, operand: &ParsedOperand<'_>) {
        match operand {
            ParsedOperand::Path(path) => self.look_at_path(path),
            ParsedOperand::Value(_) => {}
            ParsedOperand::Call { name, arguments } => {
                arguments.iter().for_each(|argument| self.look_at_update_operand(argument));
                if UpdateFunction::from_name(name).is_none() {
                    self.unknown.get_or_insert_with(|| match Function::from_name(name) {
                        Some(function) => SyntaxFault::NotInUpdates { name: function.name() },
                        None => SyntaxFault::UnknownFunction { name: (*name).to_owned() },
                    });
                }
            }
        }
    }

    fn look_at_path(&mut self, path: &ParsedPath<'_>) {
        if self.name.is_some() {
            return;
        }
        self.name = path.iter().find_map(|step| match step {
            ParsedStep::Name(name) if is_reserved_word(name) => {
                Some(SyntaxFault::ReservedWord { name: (*name).to_owned() })
            }
            ParsedStep::Index(digits) if index(digits).is_none() => {
                Some(SyntaxFault::IndexOutOfRange { index: (*digits).to_owned() })
            }
            _ => None,
        });
    }

    fn no_function_of_conditions(&mut self, name: &str) {
        match UpdateFunction::from_name(name) {
            Some(function) => {
                self.misused.get_or_insert(SyntaxFault::NotInConditions { name: function.name() });
            }
            None => {
                self.unknown.get_or_insert_with(|| SyntaxFault::UnknownFunction { name: name.to_owned() });
            }
        }
    }

    fn misused_function(&mut self, function: Function) {
        self.misused.get_or_insert_with(|| SyntaxFault::MisusedFunction { name: function.name() });
    }
}

/// The index that the digits say, where it is one that an expression can name.
pub(crate) fn index(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|index| *index <= MAX_INDEX)
}
