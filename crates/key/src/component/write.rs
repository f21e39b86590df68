//! Writes one value as its rendering says.

use super::rendering::{FormProblem, Rendering};
use super::timestamp_text::TimestampProblem;
use super::value::ComponentValue;
use super::{escape, identifier_text, timestamp_text};
use crate::delimiter::Delimiter;

/// Why a value cannot be written into a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderProblem {
    /// Nothing fills the component.
    Missing,
    /// The field is an `Option` without a value.
    Absent,
    /// The value is empty; DynamoDB's keys are not, and an empty component could not be told from none.
    Empty,
    /// A raw value holds the delimiter or, under an ordering one, a byte at or below its successor.
    HoldsReserved {
        /// The byte of the value where it does, counted from 0.
        place: usize,
    },
    /// Text is not in the case that the key has.
    OtherCase {
        /// The byte of the value where it is not.
        place: usize,
    },
    /// An integer has more digits than the template gives it.
    TooWide {
        /// How many digits there may be.
        width: u8,
    },
    /// A timestamp is finer than its format.
    TooFine,
    /// A timestamp is outside the years 0 to 9999 or, in a format that counts from 1970, before that or after 2286.
    OutOfRange,
    /// A timestamp is in a leap second, which has no text of its own.
    LeapSecond,
    /// The value of an enum is none of its words.
    NoSuchWord,
    /// The kind of value cannot be written as the template asks.
    Form(FormProblem),
    /// The key is longer than DynamoDB takes; the component is its longest.
    TooLong {
        /// The key's length in bytes.
        length: usize,
        /// What DynamoDB takes.
        limit: usize,
        /// The length of the longest component, as it is written.
        component_length: usize,
    },
    /// A range or a prefix over this cannot be exact.
    NotExact,
    /// A range has no bound, or its template does not end with a component.
    NoRange,
}

/// Adds `value` to `out`, which has what precedes it.
pub(crate) fn write(
    value: &ComponentValue<'_>,
    rendering: Rendering<'_>,
    delimiter: Delimiter,
    out: &mut String,
) -> Result<(), RenderProblem> {
    match (rendering, value) {
        (Rendering::Escaped(letter_case), ComponentValue::Text(text)) => {
            refuse_empty(text.is_empty())?;
            escape::write(text, letter_case, delimiter, out)?;
        }
        (Rendering::Raw(letter_case), ComponentValue::Text(text)) => {
            refuse_empty(text.is_empty())?;
            escape::check_raw(text, letter_case, delimiter)?;
            out.push_str(text);
        }
        (Rendering::Digits(width), ComponentValue::Unsigned(number, _)) => {
            write_digits(u128::from(*number), width, out)?;
        }
        (Rendering::SignedDigits(width), ComponentValue::Signed(number, _)) => {
            write_signed(*number, width, out)?;
        }
        (Rendering::Decimal, ComponentValue::Unsigned(number, _)) => out.push_str(&number.to_string()),
        (Rendering::SignedDecimal, ComponentValue::Signed(number, _)) => out.push_str(&number.to_string()),
        (Rendering::Timestamp(format), ComponentValue::Timestamp(value)) => {
            timestamp_text::write(*value, format, out).map_err(|problem| match problem {
                TimestampProblem::TooFine => RenderProblem::TooFine,
                TimestampProblem::OutOfRange => RenderProblem::OutOfRange,
                TimestampProblem::LeapSecond => RenderProblem::LeapSecond,
            })?;
        }
        (Rendering::Ulid(letter_case), ComponentValue::Ulid(bits)) => {
            identifier_text::write_ulid(*bits, letter_case, out);
        }
        (Rendering::Uuid(letter_case), ComponentValue::Uuid(bits)) => {
            identifier_text::write_uuid(*bits, letter_case, out);
        }
        (Rendering::Hexadecimal(letter_case), ComponentValue::Bytes(bytes)) => {
            refuse_empty(bytes.is_empty())?;
            identifier_text::write_bytes(bytes, letter_case, out);
        }
        (Rendering::Words(_), ComponentValue::Boolean(boolean)) => out.push_str(boolean_word(*boolean)),
        (Rendering::Words(_), value) => out.push_str(value.word().ok_or(RenderProblem::NoSuchWord)?),
        // A rendering is made from the kind of the value that is written.
        _ => unreachable!(),
    }
    Ok(())
}

/// The word of a boolean.
fn boolean_word(boolean: bool) -> &'static str {
    if boolean { "true" } else { "false" }
}

fn refuse_empty(is_empty: bool) -> Result<(), RenderProblem> {
    if is_empty { Err(RenderProblem::Empty) } else { Ok(()) }
}

fn write_digits(number: u128, width: u8, out: &mut String) -> Result<(), RenderProblem> {
    if number >= power_of_ten(width) {
        return Err(RenderProblem::TooWide { width });
    }
    let width = usize::from(width);
    out.push_str(&format!("{number:0width$}"));
    Ok(())
}

/// `p` and the digits; below 0, `n` and the digits of what is missing from the number to a power of ten, so that -1 is
/// the highest and the most negative number the lowest.
fn write_signed(number: i64, width: u8, out: &mut String) -> Result<(), RenderProblem> {
    let distance = u128::from(number.unsigned_abs());
    if distance >= power_of_ten(width) {
        return Err(RenderProblem::TooWide { width });
    }
    if number < 0 {
        out.push('n');
        write_digits(power_of_ten(width) - distance, width, out)
    } else {
        out.push('p');
        write_digits(distance, width, out)
    }
}

/// Ten to the power of a width, which is at most 20.
pub(super) fn power_of_ten(width: u8) -> u128 {
    10_u128.pow(u32::from(width))
}
