//! Tokens → the actions of an update.
//!
//! ```text
//! update  = section+
//! section = "SET" set ("," set)* | "REMOVE" path ("," path)* | ("ADD" | "DELETE") change ("," change)*
//! set     = path "=" sum
//! change  = path value
//! sum     = operand (("+" | "-") operand)? | "(" sum ")"
//! operand = path | value | name "(" operands ")" | "(" operand ")"
//! ```

use super::{Parsed, Parser};
use crate::check::check_update;
use crate::lexer::{Comparator, Keyword, Section, TokenKind, UPDATE_KEYWORDS};
use crate::refusal::SyntaxFault;
use crate::syntax::{ParsedAction, ParsedChange, ParsedOperand, SetValue};

/// Parses an update and checks all of it that needs no placeholders.
///
/// The faults come in the service's order: size, syntax, number of operators, parentheses, reserved words,
/// functions, sections that occur twice.
pub(crate) fn parse_update(text: &str) -> Result<Vec<ParsedAction<'_>>, SyntaxFault> {
    let mut parser = Parser::new(text, UPDATE_KEYWORDS)?;
    let mut actions = Vec::new();
    let mut sections = Vec::new();
    loop {
        let TokenKind::Keyword(Keyword::Section(section)) = parser.kind() else {
            return Err(parser.unexpected());
        };
        parser.advance();
        sections.push(section);
        parser.section(section, &mut actions)?;
        if parser.kind() == TokenKind::End {
            break;
        }
    }
    parser.finish()?;
    check_update(&actions, &sections)?;
    Ok(actions)
}

impl<'text> Parser<'text> {
    fn section(&mut self, section: Section, actions: &mut Vec<ParsedAction<'text>>) -> Parsed<()> {
        loop {
            let target = self.whole_path()?;
            let change = match section {
                Section::Set => {
                    self.expect(TokenKind::Comparator(Comparator::Equal))?;
                    ParsedChange::Set(self.sum()?)
                }
                Section::Remove => ParsedChange::Remove,
                Section::Add => ParsedChange::Add(self.value()?),
                Section::Delete => ParsedChange::Delete(self.value()?),
            };
            actions.push(ParsedAction { target, change });
            if !self.take(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    /// The right side of SET. What opens in front of its first operand may close behind it, or behind the sum.
    fn sum(&mut self) -> Parsed<SetValue<ParsedOperand<'text>>> {
        let mut open = self.open_parentheses()?;
        let left = self.call_or_operand()?;
        let closed = self.close_parentheses(open);
        open -= closed;
        let join = match self.kind() {
            TokenKind::Plus => SetValue::Sum,
            TokenKind::Minus => SetValue::Difference,
            _ if open > 0 => return Err(self.unexpected()),
            _ => return Ok(SetValue::Operand(left)),
        };
        self.operator();
        let right = self.update_operand()?;
        if self.close_parentheses(open) < open {
            return Err(self.unexpected());
        }
        Ok(join(left, right))
    }

    fn update_operand(&mut self) -> Parsed<ParsedOperand<'text>> {
        let open = self.open_parentheses()?;
        let operand = self.call_or_operand()?;
        if self.close_parentheses(open) < open { Err(self.unexpected()) } else { Ok(operand) }
    }

    /// Steps over the parentheses that open here; how many they are.
    fn open_parentheses(&mut self) -> Parsed<usize> {
        let mut open = 0;
        while self.take(TokenKind::OpenParenthesis) {
            self.deeper(1)?;
            open += 1;
        }
        Ok(open)
    }

    /// Steps over the parentheses that close here, at most so many; how many they are. All of them enclose the same.
    fn close_parentheses(&mut self, open: usize) -> usize {
        let mut closed = 0;
        while closed < open && self.take(TokenKind::CloseParenthesis) {
            self.depth -= 1;
            closed += 1;
        }
        self.redundant |= closed > 1;
        closed
    }

    fn call_or_operand(&mut self) -> Parsed<ParsedOperand<'text>> {
        match self.kind() {
            TokenKind::ValuePlaceholder => Ok(ParsedOperand::Value(self.advance())),
            TokenKind::Identifier if self.kind_after_next() == TokenKind::OpenParenthesis => self.call(),
            _ => self.whole_path().map(ParsedOperand::Path),
        }
    }

    fn call(&mut self) -> Parsed<ParsedOperand<'text>> {
        let name = self.advance();
        self.operator();
        self.deeper(1)?;
        let mut arguments = vec![self.update_operand()?];
        while self.take(TokenKind::Comma) {
            arguments.push(self.update_operand()?);
        }
        self.expect(TokenKind::CloseParenthesis)?;
        self.depth -= 1;
        Ok(ParsedOperand::Call { name, arguments })
    }

    fn value(&mut self) -> Parsed<&'text str> {
        if self.kind() == TokenKind::ValuePlaceholder { Ok(self.advance()) } else { Err(self.unexpected()) }
    }
}
