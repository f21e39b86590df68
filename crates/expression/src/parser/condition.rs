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
//! Invariants: what is open is kept on a stack of our own, since a condition can nest 300 levels deep; whether
//! parentheses hold a condition or an operand is known when they close, so nothing is read twice.

use super::{Parsed, Parser};
use crate::check::check_condition;
use crate::lexer::{CONDITION_KEYWORDS, Comparator, Keyword, TokenKind};
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

type Tree<'text> = ConditionTree<ParsedOperand<'text>>;

/// What a stretch of text turned out to be.
struct Term<'text> {
    content: Content<'text>,
    /// Whether it is all in one pair of parentheses.
    grouped: bool,
}

enum Content<'text> {
    Operand(ParsedOperand<'text>),
    Condition(Tree<'text>),
}

/// Something that has begun, and waits for a term.
enum Open<'text> {
    Disjunction(Disjunction<'text>),
    Comparison { comparator: Comparator, left: ParsedOperand<'text> },
    BetweenLow { subject: ParsedOperand<'text> },
    BetweenHigh { subject: ParsedOperand<'text>, low: ParsedOperand<'text> },
    In { subject: ParsedOperand<'text>, choices: Vec<ParsedOperand<'text>> },
    Group,
    Call { name: &'text str, arguments: Vec<ParsedOperand<'text>> },
}

/// A disjunction whose next predicate is being read.
#[derive(Default)]
struct Disjunction<'text> {
    /// The conjunctions before this one.
    disjuncts: Vec<Tree<'text>>,
    /// The negations before this one, in this conjunction.
    conjuncts: Vec<Tree<'text>>,
    /// How many NOT stand before the predicate.
    negations: usize,
}

/// What the parser does next.
enum Next<'text> {
    /// Reads a disjunction.
    Disjunction,
    /// Reads the predicate that an open disjunction waits for.
    Predicate(Disjunction<'text>),
    /// Reads a term.
    Term,
    /// Gives a term to what is open.
    Close(Term<'text>),
    /// Gives a whole predicate to the disjunction that is open.
    ClosePredicate(Tree<'text>),
}

impl<'text> Parser<'text> {
    fn disjunction(&mut self) -> Parsed<Term<'text>> {
        let mut open = Vec::new();
        let mut next = Next::Disjunction;
        loop {
            next = match next {
                Next::Disjunction => Next::Predicate(Disjunction::default()),
                Next::Predicate(mut disjunction) => {
                    while self.take(TokenKind::Keyword(Keyword::Not)) {
                        disjunction.negations += 1;
                    }
                    self.deeper(disjunction.negations)?;
                    open.push(Open::Disjunction(disjunction));
                    Next::Term
                }
                Next::Term => self.term(&mut open)?,
                Next::Close(term) => match open.pop() {
                    None => return Ok(term),
                    Some(Open::Disjunction(disjunction)) => match self.predicate(term)? {
                        Ok(waiting) => {
                            open.extend([Open::Disjunction(disjunction), waiting]);
                            Next::Term
                        }
                        Err(term) => self.joined(disjunction, term)?,
                    },
                    Some(waiting) => self.close(waiting, term, &mut open)?,
                },
                Next::ClosePredicate(condition) => match open.pop() {
                    Some(Open::Disjunction(disjunction)) => {
                        self.joined(disjunction, Term::condition(condition))?
                    }
                    _ => unreachable!("a predicate is read for the disjunction that is open"),
                },
            };
        }
    }

    fn term(&mut self, open: &mut Vec<Open<'text>>) -> Parsed<Next<'text>> {
        Ok(match self.kind() {
            TokenKind::OpenParenthesis => {
                self.advance();
                self.deeper(1)?;
                open.push(Open::Group);
                Next::Disjunction
            }
            TokenKind::ValuePlaceholder => Next::Close(Term::operand(ParsedOperand::Value(self.advance()))),
            TokenKind::Identifier if self.kind_after_next() == TokenKind::OpenParenthesis => {
                let name = self.advance();
                self.operator();
                self.deeper(1)?;
                open.push(Open::Call { name, arguments: Vec::new() });
                Next::Term
            }
            TokenKind::Identifier => {
                let first = ParsedStep::Name(self.advance());
                Next::Close(Term::path(self.path(vec![first])?))
            }
            TokenKind::NamePlaceholder => {
                let first = ParsedStep::Placeholder(self.advance());
                Next::Close(Term::path(self.path(vec![first])?))
            }
            _ => return Err(self.unexpected()),
        })
    }

    /// What waits for the rest of a predicate whose first term this is; the term where it is all of it.
    fn predicate(&mut self, term: Term<'text>) -> Parsed<Result<Open<'text>, Term<'text>>> {
        let kind = self.kind();
        if !matches!(kind, TokenKind::Comparator(_) | TokenKind::Keyword(Keyword::Between | Keyword::In)) {
            return Ok(Err(term));
        }
        let subject = self.operand(term)?;
        self.operator();
        Ok(Ok(match kind {
            TokenKind::Comparator(comparator) => Open::Comparison { comparator, left: subject },
            TokenKind::Keyword(Keyword::Between) => Open::BetweenLow { subject },
            _ => {
                self.expect(TokenKind::OpenParenthesis)?;
                Open::In { subject, choices: Vec::new() }
            }
        }))
    }

    /// Gives a term to what waits for it.
    fn close(
        &mut self,
        waiting: Open<'text>,
        term: Term<'text>,
        open: &mut Vec<Open<'text>>,
    ) -> Parsed<Next<'text>> {
        Ok(match waiting {
            Open::Comparison { comparator, left } => {
                let right = self.operand(term)?;
                Next::ClosePredicate(ConditionTree::Compare { comparator, left, right })
            }
            Open::BetweenLow { subject } => {
                let low = self.operand(term)?;
                self.expect(TokenKind::Keyword(Keyword::And))?;
                open.push(Open::BetweenHigh { subject, low });
                Next::Term
            }
            Open::BetweenHigh { subject, low } => {
                let high = self.operand(term)?;
                Next::ClosePredicate(ConditionTree::Between { subject, low, high })
            }
            Open::In { subject, mut choices } => {
                choices.push(self.operand(term)?);
                if self.take(TokenKind::Comma) {
                    open.push(Open::In { subject, choices });
                    Next::Term
                } else {
                    self.expect(TokenKind::CloseParenthesis)?;
                    Next::ClosePredicate(ConditionTree::In { subject, choices })
                }
            }
            Open::Call { name, mut arguments } => {
                arguments.push(self.operand(term)?);
                if self.take(TokenKind::Comma) {
                    open.push(Open::Call { name, arguments });
                    Next::Term
                } else {
                    self.expect(TokenKind::CloseParenthesis)?;
                    self.depth -= 1;
                    Next::Close(Term::operand(ParsedOperand::Call { name, arguments }))
                }
            }
            Open::Group => Next::Close(self.close_group(term)?),
            Open::Disjunction(_) => unreachable!("a disjunction is given predicates"),
        })
    }

    fn close_group(&mut self, inner: Term<'text>) -> Parsed<Term<'text>> {
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

    /// Adds the predicate that the disjunction waits for, and goes on with it or ends it.
    fn joined(&mut self, mut disjunction: Disjunction<'text>, term: Term<'text>) -> Parsed<Next<'text>> {
        let mut term = term;
        let negations = std::mem::take(&mut disjunction.negations);
        if negations > 0 {
            self.depth -= negations;
            let condition = self.condition(term)?;
            term = Term::condition(
                (0..negations).fold(condition, |condition, _| ConditionTree::Not(Box::new(condition))),
            );
        }
        if self.kind() == TokenKind::Keyword(Keyword::And) {
            disjunction.conjuncts.push(self.condition(term)?);
            self.advance();
            return Ok(Next::Predicate(disjunction));
        }
        if !disjunction.conjuncts.is_empty() {
            let mut conjuncts = std::mem::take(&mut disjunction.conjuncts);
            conjuncts.push(self.condition(term)?);
            term = Term::condition(ConditionTree::And(conjuncts));
        }
        if self.kind() == TokenKind::Keyword(Keyword::Or) {
            disjunction.disjuncts.push(self.condition(term)?);
            self.advance();
            return Ok(Next::Predicate(disjunction));
        }
        if !disjunction.disjuncts.is_empty() {
            disjunction.disjuncts.push(self.condition(term)?);
            term = Term::condition(ConditionTree::Or(disjunction.disjuncts));
        }
        Ok(Next::Close(term))
    }

    fn operand(&self, term: Term<'text>) -> Parsed<ParsedOperand<'text>> {
        match term.content {
            Content::Operand(operand) => Ok(operand),
            Content::Condition(_) => Err(self.unexpected()),
        }
    }

    fn condition(&self, term: Term<'text>) -> Parsed<Tree<'text>> {
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

    const fn condition(condition: Tree<'text>) -> Self {
        Self { content: Content::Condition(condition), grouped: false }
    }
}
