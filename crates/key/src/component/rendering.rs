//! How a component is written: its kind, its modifier and the table's format, decided once.
//!
//! Rules, writing, reading and ranges all go by the [`Rendering`]; a combination that has none is refused by its rule.

use super::kind::{ComponentKind, Precision};
use crate::delimiter::Delimiter;
use crate::format::{KeyFormat, LetterCase, TimestampFormat};
use crate::template::Modifier;
use crate::text;

/// One way of writing values. What is said of order and width here is what the property tests hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rendering<'a> {
    /// Text; bytes at or below the delimiter's successor as the successor and two hexadecimal digits.
    Escaped(Option<LetterCase>),
    /// Text as it is.
    Raw(Option<LetterCase>),
    /// An unsigned integer in so many digits.
    Digits(u8),
    /// A signed integer: `n` and the distance from a power of ten, or `p` and the digits.
    SignedDigits(u8),
    /// An unsigned integer as it is: not in order.
    Decimal,
    /// A signed integer as it is: not in order.
    SignedDecimal,
    /// A timestamp.
    Timestamp(TimestampFormat),
    /// Twenty-six characters of Crockford's base 32.
    Ulid(LetterCase),
    /// Hexadecimal digits in groups of 8, 4, 4, 4 and 12.
    Uuid(LetterCase),
    /// Two hexadecimal digits a byte.
    Hexadecimal(LetterCase),
    /// One of these.
    Words(&'a [&'a str]),
}

/// Why a kind cannot be written as its template asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormProblem {
    /// Text under a delimiter that only separates must say `raw`.
    TextNeedsRaw,
    /// The way of writing holds the delimiter.
    HoldsDelimiter,
    /// A width on something else than an integer.
    WidthOfNoInteger,
    /// A width that is larger than the type's longest value.
    WidthTooLarge,
    /// A case on something that is not written with letters.
    CaseOfNoLetters,
    /// A timestamp's format on something else.
    FormatOfNoTimestamp,
    /// `raw` on a timestamp.
    RawTimestamp,
    /// `raw` on bytes.
    RawBytes,
    /// An enum without words, with an empty one or with one twice.
    BadWords,
}

/// Both words of a boolean, in the order of their values and of their bytes.
pub(crate) const BOOLEAN_WORDS: &[&str] = &["false", "true"];

impl<'a> Rendering<'a> {
    /// How `kind` is written in a template of `format`, under `modifier`.
    pub(crate) const fn of(
        kind: ComponentKind<'a>,
        modifier: Modifier,
        format: KeyFormat,
    ) -> Result<Rendering<'a>, FormProblem> {
        let rendering = match kind {
            ComponentKind::Text => text_rendering(modifier, format),
            ComponentKind::Unsigned(size) => match modifier {
                Modifier::None => Ok(Rendering::Digits(size.unsigned_width())),
                Modifier::Width(width) if width > size.unsigned_width() => Err(FormProblem::WidthTooLarge),
                Modifier::Width(width) => Ok(Rendering::Digits(width)),
                Modifier::Raw => Ok(Rendering::Decimal),
                other => Err(misplaced(other)),
            },
            ComponentKind::Signed(size) => match modifier {
                Modifier::None => Ok(Rendering::SignedDigits(size.signed_width())),
                Modifier::Width(width) if width > size.signed_width() => Err(FormProblem::WidthTooLarge),
                Modifier::Width(width) => Ok(Rendering::SignedDigits(width)),
                Modifier::Raw => Ok(Rendering::SignedDecimal),
                other => Err(misplaced(other)),
            },
            ComponentKind::Timestamp(precision) => timestamp_rendering(precision, modifier, format),
            ComponentKind::Ulid => match letter_case(modifier, format, LetterCase::Upper) {
                Ok(letter_case) => Ok(Rendering::Ulid(letter_case)),
                Err(problem) => Err(problem),
            },
            ComponentKind::Uuid => match letter_case(modifier, format, LetterCase::Lower) {
                Ok(letter_case) => Ok(Rendering::Uuid(letter_case)),
                Err(problem) => Err(problem),
            },
            ComponentKind::Bytes => match modifier {
                Modifier::Raw => Err(FormProblem::RawBytes),
                other => match letter_case(other, format, LetterCase::Lower) {
                    Ok(letter_case) => Ok(Rendering::Hexadecimal(letter_case)),
                    Err(problem) => Err(problem),
                },
            },
            ComponentKind::Enum(words) => word_rendering(words, modifier),
            ComponentKind::Boolean => word_rendering(BOOLEAN_WORDS, modifier),
        };
        match rendering {
            Ok(rendering) if rendering.holds_delimiter(format.delimiter) => Err(FormProblem::HoldsDelimiter),
            other => other,
        }
    }

    /// Whether the way of writing itself, not a value, holds the delimiter, or a byte too low for it.
    const fn holds_delimiter(&self, delimiter: Delimiter) -> bool {
        match self {
            Rendering::Timestamp(format) => holds(format.picture(), delimiter),
            Rendering::Uuid(_) | Rendering::SignedDecimal => delimiter.byte() == b'-',
            Rendering::Words(words) => {
                let mut rest = *words;
                while let [word, later @ ..] = rest {
                    if holds(word, delimiter) {
                        return true;
                    }
                    rest = later;
                }
                false
            }
            _ => false,
        }
    }

    /// Whether byte order is the order of the values.
    pub(crate) const fn is_ordered(&self) -> bool {
        match self {
            Rendering::Decimal | Rendering::SignedDecimal => false,
            Rendering::Words(words) => {
                let mut rest = *words;
                while let [one, later @ ..] = rest {
                    if let [next, ..] = later
                        && !text::is_below(one, next)
                    {
                        return false;
                    }
                    rest = later;
                }
                true
            }
            _ => true,
        }
    }

    /// Whether there is a next and a previous value, so that a range can leave out its end.
    pub(crate) const fn is_discrete(&self) -> bool {
        !matches!(self, Rendering::Escaped(_) | Rendering::Raw(_) | Rendering::Hexadecimal(_))
    }

    /// Whether there is a lowest and a highest value.
    pub(crate) const fn is_bounded(&self) -> bool {
        self.is_discrete()
    }

    /// Whether all values are written with one width.
    pub(crate) const fn is_fixed_width(&self) -> bool {
        match self {
            Rendering::Digits(_)
            | Rendering::SignedDigits(_)
            | Rendering::Timestamp(_)
            | Rendering::Ulid(_)
            | Rendering::Uuid(_) => true,
            Rendering::Escaped(_)
            | Rendering::Raw(_)
            | Rendering::Decimal
            | Rendering::SignedDecimal
            | Rendering::Hexadecimal(_)
            | Rendering::Words(_) => false,
        }
    }
}

const fn text_rendering<'a>(modifier: Modifier, format: KeyFormat) -> Result<Rendering<'a>, FormProblem> {
    match modifier {
        Modifier::Raw => Ok(Rendering::Raw(format.letter_case)),
        _ if matches!(modifier, Modifier::None | Modifier::Case(_)) && !format.delimiter.is_ordering() => {
            Err(FormProblem::TextNeedsRaw)
        }
        Modifier::None => Ok(Rendering::Escaped(format.letter_case)),
        Modifier::Case(letter_case) => Ok(Rendering::Escaped(Some(letter_case))),
        other => Err(misplaced(other)),
    }
}

const fn timestamp_rendering<'a>(
    precision: Precision,
    modifier: Modifier,
    format: KeyFormat,
) -> Result<Rendering<'a>, FormProblem> {
    let own = match precision {
        Precision::Days => TimestampFormat::Date,
        Precision::Seconds => TimestampFormat::Seconds,
        Precision::Milliseconds => TimestampFormat::Milliseconds,
        Precision::Microseconds => TimestampFormat::Microseconds,
        Precision::Nanoseconds => TimestampFormat::Nanoseconds,
    };
    match (modifier, format.timestamp) {
        (Modifier::Timestamp(asked), _) | (Modifier::None, Some(asked)) => Ok(Rendering::Timestamp(asked)),
        (Modifier::None, None) => Ok(Rendering::Timestamp(own)),
        (Modifier::Raw, _) => Err(FormProblem::RawTimestamp),
        (other, _) => Err(misplaced(other)),
    }
}

const fn word_rendering<'a>(words: &'a [&'a str], modifier: Modifier) -> Result<Rendering<'a>, FormProblem> {
    if !matches!(modifier, Modifier::None | Modifier::Raw) {
        return Err(misplaced(modifier));
    }
    if words.is_empty() {
        return Err(FormProblem::BadWords);
    }
    let mut rest = words;
    while let [word, later @ ..] = rest {
        if word.is_empty() || text::has(later, word) {
            return Err(FormProblem::BadWords);
        }
        rest = later;
    }
    Ok(Rendering::Words(words))
}

/// The case of a type whose case means nothing.
const fn letter_case(
    modifier: Modifier,
    format: KeyFormat,
    own: LetterCase,
) -> Result<LetterCase, FormProblem> {
    match (modifier, format.letter_case) {
        (Modifier::Case(letter_case), _) | (Modifier::None | Modifier::Raw, Some(letter_case)) => {
            Ok(letter_case)
        }
        (Modifier::None | Modifier::Raw, None) => Ok(own),
        (other, _) => Err(misplaced(other)),
    }
}

/// Why `modifier` does not fit a kind that it was not made for.
const fn misplaced(modifier: Modifier) -> FormProblem {
    match modifier {
        Modifier::Width(_) => FormProblem::WidthOfNoInteger,
        Modifier::Case(_) => FormProblem::CaseOfNoLetters,
        Modifier::Timestamp(_) => FormProblem::FormatOfNoTimestamp,
        // Every kind but timestamps and bytes takes `raw`, and those two say so themselves.
        Modifier::Raw | Modifier::None => unreachable!(),
    }
}

/// Whether `written` holds the delimiter or, if that is an ordering one, a byte at or below its successor.
const fn holds(written: &str, delimiter: Delimiter) -> bool {
    let mut rest = written.as_bytes();
    while let [byte, later @ ..] = rest {
        if *byte == delimiter.byte() || delimiter.is_ordering() && *byte <= delimiter.successor() {
            return true;
        }
        rest = later;
    }
    false
}
