//! Tokens → a condition.
//!
//! ```text
//! disjunction = conjunction ("OR" conjunction)*
//! conjunction = negation ("AND" negation)*
//! negation    = "NOT"* predicate
//! predicate   = term (comparator term | "BETWEEN" term "AND" term | "IN" "(" terms ")")?
//! term        = path | value | name "(" terms ")" | "(" disjunction ")"
//! ```
//!
//! Invariant: whether parentheses hold a condition or an operand is known when they close, so nothing is read
//! twice, however deep they nest.

use super::{Parsed, Parser};
use crate::check::check_condition;
use crate::lexer::{CONDITION_KEYWORDS, Keyword, TokenKind};
use crate::refusal::SyntaxFault;
use crate::syntax::{ConditionTree, ParsedOperand, ParsedPath, ParsedStep};

/// Parses a condition and checks all of it that needs no placeholders.
///
/// The faults come in the service's order: size, syntax, number of operators, parentheses, functions, reserved
/// words.
pub(crate) fn parse_condition(text: &str) -> Result<ConditionTree<ParsedOperand<'_>>, SyntaxFault> {
    let mut parser = Parser::new(text, CONDITION_KEYWORDS)?;
    let term = parser.disjunction()?;
    let condition = parser.condition(term)?;
    parser.finish()?;
    check_condition(&condition)?;
    Ok(condition)
}

/// What a stretch of text turned out to be.
struct Term<'text> {
    content: Content<'text>,
    /// Whether it is all in one pair of parentheses.
    grouped: bool,
}

enum Content<'text> {
    Operand(ParsedOperand<'text>),
    Condition(ConditionTree<ParsedOperand<'text>>),
}

impl<'text> Parser<'text> {
    fn disjunction(&mut self) -> Parsed<Term<'text>> {
        let first = self.conjunction()?;
        self.joined(first, Keyword::Or, Self::conjunction, ConditionTree::Or)
    }

    fn conjunction(&mut self) -> Parsed<Term<'text>> {
        let first = self.negation()?;
        self.joined(first, Keyword::And, Self::negation, ConditionTree::And)
    }

    fn joined(
        &mut self,
        first: Term<'text>,
        keyword: Keyword,
        parse_next: fn(&mut Self) -> Parsed<Term<'text>>,
        join: fn(Vec<ConditionTree<ParsedOperand<'text>>>) -> ConditionTree<ParsedOperand<'text>>,
    ) -> Parsed<Term<'text>> {
        if self.kind() != TokenKind::Keyword(keyword) {
            return Ok(first);
        }
        let mut conditions = vec![self.condition(first)?];
        while self.take(TokenKind::Keyword(keyword)) {
            let term = parse_next(self)?;
            conditions.push(self.condition(term)?);
        }
        Ok(Term::condition(join(conditions)))
    }

    fn negation(&mut self) -> Parsed<Term<'text>> {
        let mut negations = 0_usize;
        while self.take(TokenKind::Keyword(Keyword::Not)) {
            negations += 1;
        }
        self.deeper(negations)?;
        let term = self.predicate()?;
        self.depth -= negations;
        if negations == 0 {
            return Ok(term);
        }
        let mut condition = self.condition(term)?;
        for _ in 0..negations {
            condition = ConditionTree::Not(Box::new(condition));
        }
        Ok(Term::condition(condition))
    }

    fn predicate(&mut self) -> Parsed<Term<'text>> {
        let term = self.term()?;
        match self.kind() {
            TokenKind::Comparator(comparator) => {
                let left = self.operand(term)?;
                self.operator();
                let right = self.next_operand()?;
                Ok(Term::condition(ConditionTree::Compare { comparator, left, right }))
            }
            TokenKind::Keyword(Keyword::Between) => {
                let subject = self.operand(term)?;
                self.operator();
                let low = self.next_operand()?;
                self.expect(TokenKind::Keyword(Keyword::And))?;
                let high = self.next_operand()?;
                Ok(Term::condition(ConditionTree::Between { subject, low, high }))
            }
            TokenKind::Keyword(Keyword::In) => {
                let subject = self.operand(term)?;
                self.operator();
                self.expect(TokenKind::OpenParenthesis)?;
                let choices = self.operands()?;
                Ok(Term::condition(ConditionTree::In { subject, choices }))
            }
            _ => Ok(term),
        }
    }

    fn term(&mut self) -> Parsed<Term<'text>> {
        match self.kind() {
            TokenKind::OpenParenthesis => self.group(),
            TokenKind::ValuePlaceholder => {
                let value = ParsedOperand::Value(self.advance());
                Ok(Term::operand(value))
            }
            TokenKind::NamePlaceholder => {
                let first = ParsedStep::Placeholder(self.advance());
                self.path(vec![first]).map(Term::path)
            }
            TokenKind::Identifier => {
                let name = self.advance();
                if self.kind() == TokenKind::OpenParenthesis {
                    self.operator();
                    self.deeper(1)?;
                    let arguments = self.operands()?;
                    self.depth -= 1;
                    return Ok(Term::operand(ParsedOperand::Call { name, arguments }));
                }
                self.path(vec![ParsedStep::Name(name)]).map(Term::path)
            }
            _ => Err(self.unexpected()),
        }
    }

    fn group(&mut self) -> Parsed<Term<'text>> {
        self.advance();
        self.deeper(1)?;
        let inner = self.disjunction()?;
        self.expect(TokenKind::CloseParenthesis)?;
        self.depth -= 1;
        self.redundant |= inner.grouped;
        match inner.content {
            Content::Operand(ParsedOperand::Path(steps))
                if matches!(self.kind(), TokenKind::Dot | TokenKind::OpenBracket) =>
            {
                self.path(steps).map(Term::path)
            }
            content => Ok(Term { content, grouped: true }),
        }
    }

    /// The operands of a call or of IN, and the closing parenthesis.
    fn operands(&mut self) -> Parsed<Vec<ParsedOperand<'text>>> {
        let mut operands = vec![self.next_operand()?];
        while self.take(TokenKind::Comma) {
            operands.push(self.next_operand()?);
        }
        self.expect(TokenKind::CloseParenthesis)?;
        Ok(operands)
    }

    fn next_operand(&mut self) -> Parsed<ParsedOperand<'text>> {
        let term = self.term()?;
        self.operand(term)
    }

    fn operand(&self, term: Term<'text>) -> Parsed<ParsedOperand<'text>> {
        match term.content {
            Content::Operand(operand) => Ok(operand),
            Content::Condition(_) => Err(self.unexpected()),
        }
    }

    fn condition(&self, term: Term<'text>) -> Parsed<ConditionTree<ParsedOperand<'text>>> {
        match term.content {
            Content::Condition(condition) => Ok(condition),
            Content::Operand(call @ ParsedOperand::Call { .. }) => Ok(ConditionTree::Call(call)),
            Content::Operand(_) => Err(self.unexpected()),
        }
    }
}

impl<'text> Term<'text> {
    const fn operand(operand: ParsedOperand<'text>) -> Self {
        Self { content: Content::Operand(operand), grouped: false }
    }

    const fn path(steps: ParsedPath<'text>) -> Self {
        Self::operand(ParsedOperand::Path(steps))
    }

    const fn condition(condition: ConditionTree<ParsedOperand<'text>>) -> Self {
        Self { content: Content::Condition(condition), grouped: false }
    }
}
