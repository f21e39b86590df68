//! Tokens → a condition, by recursive descent with a bounded depth.
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

use crate::check;
use crate::lexer::{Keyword, Token, TokenKind, tokens};
use crate::refusal::SyntaxFault;
use crate::syntax::{ConditionTree, ParsedOperand, ParsedStep};

/// The longest expression, in bytes of UTF-8, before placeholders are replaced.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>
pub(crate) const MAX_TEXT_BYTES: usize = 4096;

/// The most comparisons and calls in one expression.
const MAX_OPERATORS: usize = 300;

/// Deeper than a condition of [`MAX_OPERATORS`] can nest without redundant parentheses.
const MAX_DEPTH: usize = MAX_OPERATORS + 20;

/// Parses a condition and checks all of it that needs no placeholders.
///
/// The faults come in the service's order: size, syntax, number of operators, parentheses, functions, reserved
/// words.
pub(crate) fn parse_condition(text: &str) -> Result<ConditionTree<ParsedOperand<'_>>, SyntaxFault> {
    if text.is_empty() {
        return Err(SyntaxFault::Empty);
    }
    if text.len() > MAX_TEXT_BYTES {
        return Err(SyntaxFault::TooLong { size_bytes: text.len() });
    }
    let mut parser = Parser { text, tokens: tokens(text), next: 0, depth: 0, operators: 0, redundant: false };
    let term = parser.disjunction()?;
    let condition = parser.condition(term)?;
    parser.expect(TokenKind::End)?;
    if parser.operators > MAX_OPERATORS {
        return Err(SyntaxFault::TooManyOperators { count: parser.operators });
    }
    if parser.redundant {
        return Err(SyntaxFault::RedundantParentheses);
    }
    check::check(&condition)?;
    Ok(condition)
}

struct Parser<'text> {
    text: &'text str,
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    operators: usize,
    redundant: bool,
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

type Parsed<Content> = Result<Content, SyntaxFault>;

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
                self.path(vec![first])
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
                self.path(vec![ParsedStep::Name(name)])
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
                self.path(steps)
            }
            content => Ok(Term { content, grouped: true }),
        }
    }

    /// The rest of a path whose first steps are read.
    fn path(&mut self, mut steps: Vec<ParsedStep<'text>>) -> Parsed<Term<'text>> {
        loop {
            if self.take(TokenKind::Dot) {
                steps.push(match self.kind() {
                    TokenKind::Identifier => ParsedStep::Name(self.advance()),
                    TokenKind::NamePlaceholder => ParsedStep::Placeholder(self.advance()),
                    _ => return Err(self.unexpected()),
                });
            } else if self.take(TokenKind::OpenBracket) {
                if self.kind() != TokenKind::Digits {
                    return Err(self.unexpected());
                }
                steps.push(ParsedStep::Index(self.advance()));
                self.expect(TokenKind::CloseBracket)?;
            } else {
                return Ok(Term::operand(ParsedOperand::Path(steps)));
            }
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

    /// Counts an operator and steps over its token, which for a call is the opening parenthesis.
    fn operator(&mut self) {
        self.operators += 1;
        self.advance();
    }

    /// Enters `levels` levels, or refuses a text that must break another limit to nest so deep.
    fn deeper(&mut self, levels: usize) -> Parsed<()> {
        self.depth += levels;
        if self.depth <= MAX_DEPTH {
            return Ok(());
        }
        let count = self.tokens.iter().filter(|token| token.kind.is_operator()).count();
        Err(if count > MAX_OPERATORS {
            SyntaxFault::TooManyOperators { count }
        } else {
            SyntaxFault::RedundantParentheses
        })
    }

    fn kind(&self) -> TokenKind {
        self.tokens.get(self.next).map_or(TokenKind::End, |token| token.kind)
    }

    /// Steps over the next token and returns its text.
    fn advance(&mut self) -> &'text str {
        let span = self.tokens.get(self.next).map_or(0..0, |token| token.span.clone());
        self.next += 1;
        self.text.get(span).unwrap_or_default()
    }

    fn take(&mut self, kind: TokenKind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.next += 1;
        }
        found
    }

    fn expect(&mut self, kind: TokenKind) -> Parsed<()> {
        if self.take(kind) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// The refusal of the next token: its text, and the text from the token before it to the token after it.
    fn unexpected(&self) -> SyntaxFault {
        let here = self.tokens.get(self.next);
        let before = self.next.checked_sub(1).and_then(|index| self.tokens.get(index));
        let after = self.tokens.get(self.next + 1).filter(|token| token.kind != TokenKind::End);
        let is_end = here.is_none_or(|token| token.kind == TokenKind::End);
        let token = match here {
            Some(token) if !is_end => self.text.get(token.span.clone()).unwrap_or_default(),
            _ => "<EOF>",
        };
        let here = here.filter(|_| !is_end);
        let start = before.or(here).map_or(self.text.len(), |token| token.span.start);
        let end = after.or(here).or(before).map_or(start, |token| token.span.end);
        let near = self.text.get(start..end).unwrap_or_default();
        SyntaxFault::Unexpected { token: token.to_owned(), near: near.to_owned() }
    }
}

impl<'text> Term<'text> {
    const fn operand(operand: ParsedOperand<'text>) -> Self {
        Self { content: Content::Operand(operand), grouped: false }
    }

    const fn condition(condition: ConditionTree<ParsedOperand<'text>>) -> Self {
        Self { content: Content::Condition(condition), grouped: false }
    }
}

impl TokenKind {
    const fn is_operator(self) -> bool {
        matches!(self, Self::Comparator(_) | Self::Keyword(_))
    }
}
