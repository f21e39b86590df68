//! Tokens → the shape of an expression, with a bounded depth.
//!
//! Here is what the grammars have in common; each has its own file.

mod condition;
mod projection;
mod update;

use crate::lexer::{Keywords, Token, TokenKind, tokens};
use crate::refusal::SyntaxFault;
use crate::syntax::{ParsedPath, ParsedStep};

pub(crate) use condition::parse_condition;
pub(crate) use projection::parse_projection;
pub(crate) use update::parse_update;

/// The longest expression, in bytes of UTF-8, before placeholders are replaced.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>
const MAX_TEXT_BYTES: usize = 4096;

/// The most comparisons, sums and calls in one expression.
const MAX_OPERATORS: usize = 300;

/// Deeper than an expression of [`MAX_OPERATORS`] can nest without redundant parentheses.
const MAX_DEPTH: usize = MAX_OPERATORS + 20;

struct Parser<'text> {
    text: &'text str,
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    operators: usize,
    redundant: bool,
}

type Parsed<Content> = Result<Content, SyntaxFault>;

impl<'text> Parser<'text> {
    fn new(text: &'text str, keywords: Keywords) -> Parsed<Self> {
        if text.is_empty() {
            return Err(SyntaxFault::Empty);
        }
        if text.len() > MAX_TEXT_BYTES {
            return Err(SyntaxFault::TooLong { size_bytes: text.len() });
        }
        let tokens = tokens(text, keywords);
        Ok(Self { text, tokens, next: 0, depth: 0, operators: 0, redundant: false })
    }

    /// Refuses what comes after the expression, then too many operators, then redundant parentheses.
    fn finish(&mut self) -> Parsed<()> {
        self.expect(TokenKind::End)?;
        if self.operators > MAX_OPERATORS {
            return Err(SyntaxFault::TooManyOperators { count: self.operators });
        }
        if self.redundant { Err(SyntaxFault::RedundantParentheses) } else { Ok(()) }
    }

    /// A path from its first step on.
    fn whole_path(&mut self) -> Parsed<ParsedPath<'text>> {
        let first = match self.kind() {
            TokenKind::Identifier => ParsedStep::Name(self.advance()),
            TokenKind::NamePlaceholder => ParsedStep::Placeholder(self.advance()),
            _ => return Err(self.unexpected()),
        };
        self.path(vec![first])
    }

    /// The rest of a path whose first steps are read.
    fn path(&mut self, mut steps: ParsedPath<'text>) -> Parsed<ParsedPath<'text>> {
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
                return Ok(steps);
            }
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

    fn kind_after_next(&self) -> TokenKind {
        self.tokens.get(self.next + 1).map_or(TokenKind::End, |token| token.kind)
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

impl TokenKind {
    const fn is_operator(self) -> bool {
        matches!(self, Self::Comparator(_) | Self::Keyword(_) | Self::Plus | Self::Minus)
    }
}
