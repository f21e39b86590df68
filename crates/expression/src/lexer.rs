//! Text → tokens with their places.
//!
//! Invariants: every byte of the text that is not white space belongs to exactly one token; the last token is
//! [`TokenKind::End`]; nothing is refused here, since a stray character is a token that no grammar expects.

use std::ops::Range;

/// One token and its bytes in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Range<usize>,
}

/// What a token is; its text is in the span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name: a letter or `_`, then letters, digits and `_`.
    Identifier,
    /// `#` and at least one letter, digit or `_`: stands for an attribute name.
    NamePlaceholder,
    /// `:` and at least one letter, digit or `_`: stands for a value.
    ValuePlaceholder,
    /// Digits, as in a list index.
    Digits,
    /// A word of the grammar, in any case.
    Keyword(Keyword),
    /// `=`, `<>`, `<`, `<=`, `>` or `>=`.
    Comparator(Comparator),
    /// `(`
    OpenParenthesis,
    /// `)`
    CloseParenthesis,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `.`
    Dot,
    /// `,`
    Comma,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// A character that is none of the above.
    Stray,
    /// The end of the text.
    End,
}

/// A word that a grammar gives a meaning; in the other grammars it is an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyword {
    And,
    Or,
    Not,
    Between,
    In,
    Section(Section),
}

/// A section of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Set,
    Remove,
    Add,
    Delete,
}

/// The words of one grammar.
pub(crate) type Keywords = &'static [(&'static str, Keyword)];

/// The words of conditions.
pub(crate) const CONDITION_KEYWORDS: Keywords = &[
    ("AND", Keyword::And),
    ("OR", Keyword::Or),
    ("NOT", Keyword::Not),
    ("BETWEEN", Keyword::Between),
    ("IN", Keyword::In),
];

/// The words of updates.
pub(crate) const UPDATE_KEYWORDS: Keywords = &[
    ("SET", Keyword::Section(Section::Set)),
    ("REMOVE", Keyword::Section(Section::Remove)),
    ("ADD", Keyword::Section(Section::Add)),
    ("DELETE", Keyword::Section(Section::Delete)),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The tokens of `text` in a grammar with these keywords, the end included.
pub(crate) fn tokens(text: &str, keywords: Keywords) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 3 + 2);
    let mut rest = text;
    loop {
        let space = rest.bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count();
        rest = rest.get(space..).unwrap_or_default();
        let start = text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            tokens.push(Token { kind: TokenKind::End, span: start..start });
            return tokens;
        };
        let (kind, length) = token_at(rest, first, keywords);
        tokens.push(Token { kind, span: start..start + length });
        rest = rest.get(length..).unwrap_or_default();
    }
}

/// The kind and the length in bytes of the token at the start of `rest`, whose first character is `first`.
fn token_at(rest: &str, first: char, keywords: Keywords) -> (TokenKind, usize) {
    match first {
        'a'..='z' | 'A'..='Z' | '_' => {
            let word = name_part(rest);
            (keyword(word, keywords).map_or(TokenKind::Identifier, TokenKind::Keyword), word.len())
        }
        '0'..='9' => {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            (TokenKind::Digits, length)
        }
        '#' | ':' => match name_part(rest.get(1..).unwrap_or_default()).len() {
            0 => (TokenKind::Stray, 1),
            length if first == '#' => (TokenKind::NamePlaceholder, length + 1),
            length => (TokenKind::ValuePlaceholder, length + 1),
        },
        '=' => (TokenKind::Comparator(Comparator::Equal), 1),
        '<' if rest.starts_with("<>") => (TokenKind::Comparator(Comparator::NotEqual), 2),
        '<' if rest.starts_with("<=") => (TokenKind::Comparator(Comparator::LessOrEqual), 2),
        '<' => (TokenKind::Comparator(Comparator::Less), 1),
        '>' if rest.starts_with(">=") => (TokenKind::Comparator(Comparator::GreaterOrEqual), 2),
        '>' => (TokenKind::Comparator(Comparator::Greater), 1),
        '(' => (TokenKind::OpenParenthesis, 1),
        ')' => (TokenKind::CloseParenthesis, 1),
        '[' => (TokenKind::OpenBracket, 1),
        ']' => (TokenKind::CloseBracket, 1),
        '.' => (TokenKind::Dot, 1),
        ',' => (TokenKind::Comma, 1),
        '+' => (TokenKind::Plus, 1),
        '-' => (TokenKind::Minus, 1),
        other => (TokenKind::Stray, other.len_utf8()),
    }
}

/// The letters, digits and underscores at the start of `text`.
fn name_part(text: &str) -> &str {
    let length = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    text.get(..length).unwrap_or_default()
}

fn keyword(word: &str, keywords: Keywords) -> Option<Keyword> {
    keywords.iter().find(|(text, _)| word.eq_ignore_ascii_case(text)).map(|(_, keyword)| *keyword)
}

impl Section {
    /// The section's name as it is written in the service's texts.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Set => "SET",
            Self::Remove => "REMOVE",
            Self::Add => "ADD",
            Self::Delete => "DELETE",
        }
    }
}

impl Comparator {
    /// The operator as it is written.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}
