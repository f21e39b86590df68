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

/// The right side of SET, and whether it is all in one pair of parentheses.
struct Sum<'text> {
    value: SetValue<ParsedOperand<'text>>,
    grouped: bool,
}

impl<'text> Parser<'text> {
    fn section(&mut self, section: Section, actions: &mut Vec<ParsedAction<'text>>) -> Parsed<()> {
        loop {
            let target = self.whole_path()?;
            let change = match section {
                Section::Set => {
                    self.expect(TokenKind::Comparator(Comparator::Equal))?;
                    ParsedChange::Set(self.sum()?.value)
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

    fn sum(&mut self) -> Parsed<Sum<'text>> {
        let left = self.left_term()?;
        let join = match self.kind() {
            TokenKind::Plus => SetValue::Sum,
            TokenKind::Minus => SetValue::Difference,
            _ => return Ok(left),
        };
        let SetValue::Operand(left) = left.value else { return Err(self.unexpected()) };
        self.operator();
        let (right, _) = self.update_operand()?;
        Ok(Sum { value: join(left, right), grouped: false })
    }

    /// What comes first may still be all of the sum, in parentheses.
    fn left_term(&mut self) -> Parsed<Sum<'text>> {
        if self.kind() != TokenKind::OpenParenthesis {
            let (operand, grouped) = self.update_operand()?;
            return Ok(Sum { value: SetValue::Operand(operand), grouped });
        }
        self.advance();
        self.deeper(1)?;
        let inner = self.sum()?;
        self.expect(TokenKind::CloseParenthesis)?;
        self.depth -= 1;
        self.redundant |= inner.grouped;
        Ok(Sum { value: inner.value, grouped: true })
    }

    /// An operand, and whether it is in parentheses.
    fn update_operand(&mut self) -> Parsed<(ParsedOperand<'text>, bool)> {
        match self.kind() {
            TokenKind::OpenParenthesis => {
                self.advance();
                self.deeper(1)?;
                let (operand, grouped) = self.update_operand()?;
                self.expect(TokenKind::CloseParenthesis)?;
                self.depth -= 1;
                self.redundant |= grouped;
                Ok((operand, true))
            }
            TokenKind::ValuePlaceholder => Ok((ParsedOperand::Value(self.advance()), false)),
            TokenKind::Identifier if self.kind_after_next() == TokenKind::OpenParenthesis => {
                let name = self.advance();
                self.operator();
                self.deeper(1)?;
                let mut arguments = vec![self.update_operand()?.0];
                while self.take(TokenKind::Comma) {
                    arguments.push(self.update_operand()?.0);
                }
                self.expect(TokenKind::CloseParenthesis)?;
                self.depth -= 1;
                Ok((ParsedOperand::Call { name, arguments }, false))
            }
            _ => Ok((ParsedOperand::Path(self.whole_path()?), false)),
        }
    }

    fn value(&mut self) -> Parsed<&'text str> {
        if self.kind() == TokenKind::ValuePlaceholder { Ok(self.advance()) } else { Err(self.unexpected()) }
    }
}
