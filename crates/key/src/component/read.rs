//! Reads one value back: the inverse of `write`, for what `write` writes and nothing else.

use std::borrow::Cow;

use super::kind::ComponentKind;
use super::rendering::Rendering;
use super::value::ComponentValue;
use super::write::power_of_ten;
use super::{escape, identifier_text, timestamp_text};
use crate::delimiter::Delimiter;

/// What was found where a value was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReadProblem {
    /// The byte of the component where it is, counted from 0.
    pub(crate) place: usize,
    /// What was expected.
    pub(crate) expected: &'static str,
}

/// The value of `kind` that was written as `written`.
pub(crate) fn read<'w>(
    written: &'w str,
    kind: ComponentKind<'w>,
    rendering: Rendering<'_>,
    delimiter: Delimiter,
) -> Result<ComponentValue<'w>, ReadProblem> {
    let expected = |expected| ReadProblem { place: 0, expected };
    if written.is_empty() {
        return Err(expected("at least one character"));
    }
    match (rendering, kind) {
        (Rendering::Escaped(letter_case), _) => escape::read(written, letter_case, delimiter)
            .map(ComponentValue::Text)
            .map_err(|place| ReadProblem { place, expected: "text as it is escaped, in the key's case" }),
        (Rendering::Raw(letter_case), _) => match escape::check_raw(written, letter_case, delimiter) {
            Ok(()) => Ok(ComponentValue::Text(Cow::Borrowed(written))),
            Err(_) => Err(expected("text without reserved bytes, in the key's case")),
        },
        (Rendering::Digits(width), ComponentKind::Unsigned(size)) => digits(written, width)
            .and_then(|number| u64::try_from(number).ok())
            .filter(|number| *number <= size.unsigned_maximum())
            .map(|number| ComponentValue::Unsigned(number, size))
            .ok_or(expected("digits in the full width, within the type's range")),
        (Rendering::SignedDigits(width), ComponentKind::Signed(size)) => signed_digits(written, width)
            .filter(|number| in_signed_range(*number, size.signed_maximum()))
            .map(|number| ComponentValue::Signed(number, size))
            .ok_or(expected("`n` or `p` and digits in the full width, within the type's range")),
        (Rendering::Decimal, ComponentKind::Unsigned(size)) => {
            canonical(written.parse::<u64>().ok(), written)
                .filter(|number| *number <= size.unsigned_maximum())
                .map(|number| ComponentValue::Unsigned(number, size))
                .ok_or(expected("an integer without leading zeros, within the type's range"))
        }
        (Rendering::SignedDecimal, ComponentKind::Signed(size)) => {
            canonical(written.parse::<i64>().ok(), written)
                .filter(|number| in_signed_range(*number, size.signed_maximum()))
                .map(|number| ComponentValue::Signed(number, size))
                .ok_or(expected("an integer without leading zeros, within the type's range"))
        }
        (Rendering::Timestamp(format), ComponentKind::Timestamp(precision)) => {
            timestamp_text::read(written, format, precision)
                .map(ComponentValue::Timestamp)
                .ok_or(expected("a timestamp in the key's format, no finer than its type"))
        }
        (Rendering::Ulid(letter_case), _) => identifier_text::read_ulid(written, letter_case)
            .map(ComponentValue::Ulid)
            .ok_or(expected("the 26 characters of a ULID, in the key's case")),
        (Rendering::Uuid(letter_case), _) => identifier_text::read_uuid(written, letter_case)
            .map(ComponentValue::Uuid)
            .ok_or(expected("the 36 characters of a UUID, in the key's case")),
        (Rendering::Hexadecimal(letter_case), _) => identifier_text::read_bytes(written, letter_case)
            .map(|bytes| ComponentValue::Bytes(Cow::Owned(bytes)))
            .ok_or(expected("pairs of hexadecimal digits, in the key's case")),
        (Rendering::Words(_), ComponentKind::Boolean) => match written {
            "false" => Ok(ComponentValue::Boolean(false)),
            "true" => Ok(ComponentValue::Boolean(true)),
            _ => Err(expected("`false` or `true`")),
        },
        (Rendering::Words(_), ComponentKind::Enum(words)) => words
            .iter()
            .position(|word| *word == written)
            .map(|index| ComponentValue::Enum { words, index })
            .ok_or(expected("one of the enum's words")),
        // A rendering is made from the kind of the value that is read.
        _ => unreachable!(),
    }
}

fn digits(written: &str, width: u8) -> Option<u128> {
    let fits = written.len() == usize::from(width) && written.bytes().all(|byte| byte.is_ascii_digit());
    if fits { written.parse().ok() } else { None }
}

fn signed_digits(written: &str, width: u8) -> Option<i64> {
    let (sign, rest) = written.split_at_checked(1)?;
    let number = digits(rest, width)?;
    match sign {
        "p" => i64::try_from(number).ok(),
        "n" => {
            let distance = i128::try_from(power_of_ten(width) - number).ok()?;
            i64::try_from(-distance).ok().filter(|_| number != 0)
        }
        _ => None,
    }
}

fn canonical<Number: ToString>(number: Option<Number>, written: &str) -> Option<Number> {
    number.filter(|number| number.to_string() == written)
}

fn in_signed_range(number: i64, maximum: i64) -> bool {
    number <= maximum && number >= -maximum - 1
}
