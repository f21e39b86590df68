//! The ends of what a rendering can write, and the values beside a value: what exact ranges are made of.

use super::rendering::Rendering;
use super::timestamp_text;
use super::value::ComponentValue;
use super::write::power_of_ten;
use crate::format::LetterCase;

/// A text that sorts at or below everything that is written so; nothing if there is no lowest.
pub(crate) fn lowest(rendering: Rendering<'_>) -> Option<String> {
    match rendering {
        Rendering::Digits(width) => Some("0".repeat(usize::from(width))),
        Rendering::SignedDigits(width) => Some(format!("n{}", "0".repeat(usize::from(width)))),
        Rendering::Timestamp(format) => Some(format.picture().replace('d', "0")),
        Rendering::Ulid(_) => Some("0".repeat(26)),
        Rendering::Uuid(_) => Some("00000000-0000-0000-0000-000000000000".to_owned()),
        Rendering::Words(words) => words.iter().min().map(|word| (*word).to_owned()),
        Rendering::Escaped(_) | Rendering::Raw(_) | Rendering::Hexadecimal(_) => None,
        Rendering::Decimal | Rendering::SignedDecimal => None,
    }
}

/// A text that sorts at or above everything that is written so, and begins like no longer one; nothing if there is no
/// highest.
pub(crate) fn highest(rendering: Rendering<'_>) -> Option<String> {
    match rendering {
        Rendering::Digits(width) => Some("9".repeat(usize::from(width))),
        Rendering::SignedDigits(width) => Some(format!("p{}", "9".repeat(usize::from(width)))),
        Rendering::Timestamp(format) => Some(format.picture().replace('d', "9")),
        Rendering::Ulid(LetterCase::Upper) => Some(format!("7{}", "Z".repeat(25))),
        Rendering::Ulid(LetterCase::Lower) => Some(format!("7{}", "z".repeat(25))),
        Rendering::Uuid(LetterCase::Upper) => Some("FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF".to_owned()),
        Rendering::Uuid(LetterCase::Lower) => Some("ffffffff-ffff-ffff-ffff-ffffffffffff".to_owned()),
        Rendering::Words(words) => words.iter().max().map(|word| (*word).to_owned()),
        Rendering::Escaped(_) | Rendering::Raw(_) | Rendering::Hexadecimal(_) => None,
        Rendering::Decimal | Rendering::SignedDecimal => None,
    }
}

/// Which neighbour of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Neighbour {
    Before,
    After,
}

/// The value just before or after `value`; nothing beyond the first and the last, and for kinds without neighbours.
pub(crate) fn neighbour<'v>(
    value: &ComponentValue<'v>,
    rendering: Rendering<'_>,
    which: Neighbour,
) -> Option<ComponentValue<'v>> {
    let step = match which {
        Neighbour::Before => -1_i8,
        Neighbour::After => 1_i8,
    };
    match (value, rendering) {
        (ComponentValue::Unsigned(number, size), Rendering::Digits(width)) => {
            let number = number.checked_add_signed(i64::from(step))?;
            let fits = number <= size.unsigned_maximum() && u128::from(number) < power_of_ten(width);
            fits.then_some(ComponentValue::Unsigned(number, *size))
        }
        (ComponentValue::Signed(number, size), Rendering::SignedDigits(width)) => {
            let number = number.checked_add(i64::from(step))?;
            let maximum = size.signed_maximum();
            let fits = number <= maximum
                && number >= -maximum - 1
                && u128::from(number.unsigned_abs()) < power_of_ten(width);
            fits.then_some(ComponentValue::Signed(number, *size))
        }
        (ComponentValue::Timestamp(value), Rendering::Timestamp(format)) => {
            timestamp_text::moved(*value, format, i128::from(step)).map(ComponentValue::Timestamp)
        }
        (ComponentValue::Ulid(bits), _) => moved(*bits, which).map(ComponentValue::Ulid),
        (ComponentValue::Uuid(bits), _) => moved(*bits, which).map(ComponentValue::Uuid),
        (ComponentValue::Enum { words, index }, _) => {
            let index = index.checked_add_signed(isize::from(step)).filter(|index| *index < words.len())?;
            Some(ComponentValue::Enum { words, index })
        }
        (ComponentValue::Boolean(boolean), _) => {
            let other = matches!(which, Neighbour::After);
            (*boolean != other).then_some(ComponentValue::Boolean(other))
        }
        _ => None,
    }
}

fn moved(bits: u128, which: Neighbour) -> Option<u128> {
    match which {
        Neighbour::Before => bits.checked_sub(1),
        Neighbour::After => bits.checked_add(1),
    }
}
