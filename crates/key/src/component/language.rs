//! What a segment can be written as: the question whether two segments can ever be equal.
//!
//! Everything here errs on one side: it may say that two segments can be equal when they cannot, never the reverse.
//! A segment is described by how long it can be and by the set of bytes that may stand at each place.

use super::rendering::Rendering;
use crate::delimiter::Delimiter;
use crate::format::{LetterCase, TimestampFormat};
use crate::text;

/// The texts that one segment can be written as.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentLanguage<'a> {
    /// The literal that every text begins with.
    pub(crate) literal: &'a str,
    pub(crate) ending: Ending<'a>,
    pub(crate) delimiter: Delimiter,
}

/// What follows the literal of a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ending<'a> {
    /// Nothing.
    Nothing,
    /// A component.
    Component(Rendering<'a>),
    /// Something that is not known here, at least one byte of it: another rule reports why.
    Unknown,
}

/// A set of bytes: a bit for each ASCII byte, the last bit (DEL) also for everything above.
type ByteSet = u128;

const ABOVE_ASCII: u8 = 0x7f;
const ANY: ByteSet = u128::MAX;
const DIGIT: ByteSet = range(b'0', b'9');
const LOWER_HEXADECIMAL: ByteSet = DIGIT | range(b'a', b'f');
const UPPER_HEXADECIMAL: ByteSet = DIGIT | range(b'A', b'F');
/// Crockford's base 32: no I, L, O and U.
const UPPER_BASE_32: ByteSet =
    DIGIT | range(b'A', b'H') | range(b'J', b'K') | range(b'M', b'N') | range(b'P', b'T') | range(b'V', b'Z');
const LOWER_BASE_32: ByteSet =
    DIGIT | range(b'a', b'h') | range(b'j', b'k') | range(b'm', b'n') | range(b'p', b't') | range(b'v', b'z');

const UUID_PICTURE: &str = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
const ULID_LENGTH: usize = 26;

/// The bytes from `first` to `last`.
const fn range(first: u8, last: u8) -> ByteSet {
    let first = if first > ABOVE_ASCII { ABOVE_ASCII } else { first };
    let last = if last > ABOVE_ASCII { ABOVE_ASCII } else { last };
    (ANY >> (127 - last)) & (ANY << first)
}

const fn only(byte: u8) -> ByteSet {
    range(byte, byte)
}

impl<'a> SegmentLanguage<'a> {
    /// Whether some text belongs to both.
    pub(crate) const fn intersects(&self, other: &SegmentLanguage<'_>) -> bool {
        let mut alternative = 0;
        while alternative < self.alternatives() {
            let mut other_alternative = 0;
            while other_alternative < other.alternatives() {
                if self.meets(alternative, other, other_alternative) {
                    return true;
                }
                other_alternative += 1;
            }
            alternative += 1;
        }
        false
    }

    /// Whether some text of this begins with `literal` and goes on, next with a byte from `first` to `last`.
    pub(crate) const fn goes_on_after(&self, literal: &str, first: u8, last: u8) -> bool {
        let mut alternative = 0;
        while alternative < self.alternatives() {
            let mut place = 0;
            let mut agrees = self.most(alternative) > literal.len();
            while agrees && place < literal.len() {
                agrees = match text::byte_at(literal.as_bytes(), place) {
                    Some(byte) => self.set_at(alternative, place) & only(byte) != 0,
                    None => false,
                };
                place += 1;
            }
            if agrees && self.set_at(alternative, place) & range(first, last) != 0 {
                return true;
            }
            alternative += 1;
        }
        false
    }

    /// The length of the shortest text.
    pub(crate) const fn least_length(&self) -> usize {
        let mut least = usize::MAX;
        let mut alternative = 0;
        while alternative < self.alternatives() {
            let length = self.least(alternative);
            if length < least {
                least = length;
            }
            alternative += 1;
        }
        least
    }

    const fn meets(&self, alternative: usize, other: &SegmentLanguage<'_>, other_alternative: usize) -> bool {
        let (least, other_least) = (self.least(alternative), other.least(other_alternative));
        let length = if least > other_least { least } else { other_least };
        if length > self.most(alternative) || length > other.most(other_alternative) {
            return false;
        }
        let mut place = 0;
        while place < length {
            if self.set_at(alternative, place) & other.set_at(other_alternative, place) == 0 {
                return false;
            }
            place += 1;
        }
        true
    }

    /// Words are told apart one by one; everything else is one alternative.
    const fn alternatives(&self) -> usize {
        match self.ending {
            Ending::Component(Rendering::Words(words)) => words.len(),
            _ => 1,
        }
    }

    const fn least(&self, alternative: usize) -> usize {
        let (least, _) = self.component_lengths(alternative);
        self.literal.len() + least
    }

    const fn most(&self, alternative: usize) -> usize {
        let (_, most) = self.component_lengths(alternative);
        self.literal.len().saturating_add(most)
    }

    const fn component_lengths(&self, alternative: usize) -> (usize, usize) {
        let rendering = match self.ending {
            Ending::Nothing => return (0, 0),
            Ending::Unknown => return (1, usize::MAX),
            Ending::Component(rendering) => rendering,
        };
        match rendering {
            Rendering::Escaped(_) | Rendering::Raw(_) => (1, usize::MAX),
            Rendering::Hexadecimal(_) => (2, usize::MAX),
            Rendering::Digits(width) => (width as usize, width as usize),
            Rendering::SignedDigits(width) => (width as usize + 1, width as usize + 1),
            Rendering::Decimal | Rendering::SignedDecimal => (1, 20),
            Rendering::Timestamp(format) => (format.picture().len(), format.picture().len()),
            Rendering::Ulid(_) => (ULID_LENGTH, ULID_LENGTH),
            Rendering::Uuid(_) => (UUID_PICTURE.len(), UUID_PICTURE.len()),
            Rendering::Words(words) => {
                let length = word(words, alternative).len();
                (length, length)
            }
        }
    }

    /// The bytes that may stand at `place`, which is below the longest length.
    const fn set_at(&self, alternative: usize, place: usize) -> ByteSet {
        match text::byte_at(self.literal.as_bytes(), place) {
            Some(byte) => only(byte),
            None => match self.ending {
                Ending::Nothing => 0,
                Ending::Unknown => ANY,
                Ending::Component(rendering) => {
                    component_set(rendering, alternative, place - self.literal.len(), self.delimiter)
                }
            },
        }
    }
}

const fn component_set(
    rendering: Rendering<'_>,
    alternative: usize,
    place: usize,
    delimiter: Delimiter,
) -> ByteSet {
    match rendering {
        Rendering::Escaped(_) => range(delimiter.successor(), u8::MAX),
        Rendering::Raw(_) if delimiter.is_ordering() => range(delimiter.successor() + 1, u8::MAX),
        Rendering::Raw(_) => ANY & !only(delimiter.byte()),
        Rendering::Digits(_) | Rendering::Decimal => DIGIT,
        Rendering::SignedDigits(_) if place == 0 => only(b'n') | only(b'p'),
        Rendering::SignedDecimal if place == 0 => DIGIT | only(b'-'),
        Rendering::SignedDigits(_) | Rendering::SignedDecimal => DIGIT,
        Rendering::Timestamp(format) => picture_set(format, place),
        Rendering::Ulid(_) if place == 0 => range(b'0', b'7'),
        Rendering::Ulid(LetterCase::Upper) => UPPER_BASE_32,
        Rendering::Ulid(LetterCase::Lower) => LOWER_BASE_32,
        Rendering::Uuid(letter_case) => match text::byte_at(UUID_PICTURE.as_bytes(), place) {
            Some(b'x') => hexadecimal_set(letter_case),
            Some(byte) => only(byte),
            None => 0,
        },
        Rendering::Hexadecimal(letter_case) => hexadecimal_set(letter_case),
        Rendering::Words(words) => match text::byte_at(word(words, alternative).as_bytes(), place) {
            Some(byte) => only(byte),
            None => 0,
        },
    }
}

const fn picture_set(format: TimestampFormat, place: usize) -> ByteSet {
    match text::byte_at(format.picture().as_bytes(), place) {
        Some(b'd') => DIGIT,
        Some(byte) => only(byte),
        None => 0,
    }
}

const fn hexadecimal_set(letter_case: LetterCase) -> ByteSet {
    match letter_case {
        LetterCase::Upper => UPPER_HEXADECIMAL,
        LetterCase::Lower => LOWER_HEXADECIMAL,
    }
}

#[expect(clippy::indexing_slicing, reason = "an alternative is below the number of words")]
const fn word<'a>(words: &'a [&'a str], alternative: usize) -> &'a str {
    words[alternative]
}
