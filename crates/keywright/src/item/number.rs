//! Numbers as DynamoDB stores them: 38 significant digits, from 1E-130 to 9.99..E+125 in magnitude, and zero.
//!
//! Source: "Number" in <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html>

use std::borrow::Cow;
use std::fmt;

const MOST_DIGITS: usize = 38;
/// The power of ten of the first digit of the largest number, and of the smallest.
const HIGHEST_POWER: i64 = 125;
const LOWEST_POWER: i64 = -130;

/// Why a number cannot be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberProblem {
    /// It is none: NaN or infinite.
    NotANumber,
    /// It has too many digits.
    TooManyDigits,
    /// It is too large.
    TooLarge,
    /// It is too near to zero.
    TooSmall,
}

/// A number taken apart: its digits without zeros around them, and the power of ten of the first one. Only the digits of a fraction are
/// copied.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Parts<'text> {
    is_negative: bool,
    digits: Cow<'text, str>,
    power: i64,
}

/// What two texts of one number have in common. What is no number has nothing in common with another.
pub(crate) fn same_number(text: &str) -> Result<Parts<'_>, &str> {
    Parts::of(text).ok_or(text)
}

/// The most bytes that a number takes.
const MOST_BYTES: usize = 21;

/// The bytes of a number in an item: one, one more for each pair of digits counted from the decimal point outwards, and one more for a
/// minus sign, but never more than 21. Zero takes one. What is no number is measured as its text.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html>, which says "approximately".
pub(super) fn size_bytes(text: &str) -> usize {
    let Some(Parts { is_negative, digits, power }) = Parts::of(text) else { return text.len() };
    if digits.is_empty() {
        return 1;
    }
    let last = i64::try_from(digits.len()).map_or(i64::MIN, |length| power - length + 1);
    let pairs = power.div_euclid(2) - last.div_euclid(2) + 1;
    usize::try_from(pairs).map_or(MOST_BYTES, |pairs| (pairs + 1 + usize::from(is_negative)).min(MOST_BYTES))
}

impl NumberProblem {
    /// What is wrong with a number, if something is.
    pub(super) fn of(text: &str) -> Option<NumberProblem> {
        let Some(parts) = Parts::of(text) else { return Some(NumberProblem::NotANumber) };
        if parts.digits.is_empty() {
            return None;
        }
        if parts.digits.len() > MOST_DIGITS {
            return Some(NumberProblem::TooManyDigits);
        }
        match parts.power {
            power if power > HIGHEST_POWER => Some(NumberProblem::TooLarge),
            power if power < LOWEST_POWER => Some(NumberProblem::TooSmall),
            _ => None,
        }
    }
}

impl<'text> Parts<'text> {
    fn of(text: &'text str) -> Option<Parts<'text>> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: Cow<'text, str> =
            if fraction.is_empty() { whole.into() } else { format!("{whole}{fraction}").into() };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let before = digits.len() - digits.trim_start_matches('0').len();
        let digits = match digits {
            Cow::Borrowed(digits) => Cow::Borrowed(digits.trim_matches('0')),
            Cow::Owned(digits) => Cow::Owned(digits.trim_matches('0').to_owned()),
        };
        if digits.is_empty() {
            return Some(Parts { is_negative: false, digits, power: 0 });
        }
        let power = i64::try_from(whole.len()).ok()? - i64::try_from(before).ok()? - 1 + i64::from(exponent);
        Some(Parts { is_negative: unsigned.len() < text.len(), digits, power })
    }
}

impl fmt::Display for NumberProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberProblem::NotANumber => {
                formatter.write_str("it is no finite number (NaN or infinite), and DynamoDB has no other")
            }
            NumberProblem::TooManyDigits => {
                write!(formatter, "it has more than {MOST_DIGITS} digits, which is as many as DynamoDB keeps")
            }
            NumberProblem::TooLarge => {
                formatter.write_str("it is 1E+126 or more, which DynamoDB does not store")
            }
            NumberProblem::TooSmall => {
                formatter.write_str("it is not zero and below 1E-130, which DynamoDB does not store")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_holds_on_both_sides() {
        let digits = |count: usize| "1".repeat(count);
        for (number, problem) in [
            ("0".to_owned(), None),
            ("-0.0".to_owned(), None),
            ("NaN".to_owned(), Some(NumberProblem::NotANumber)),
            ("-inf".to_owned(), Some(NumberProblem::NotANumber)),
            (String::new(), Some(NumberProblem::NotANumber)),
            (digits(38), None),
            (digits(39), Some(NumberProblem::TooManyDigits)),
            (format!("000{}000", digits(38)), None),
            (format!("0.{}", digits(39)), Some(NumberProblem::TooManyDigits)),
            (format!("9{}", "0".repeat(125)), None),
            (format!("-1{}", "0".repeat(126)), Some(NumberProblem::TooLarge)),
            (format!("0.{}1", "0".repeat(129)), None),
            (format!("0.{}1", "0".repeat(130)), Some(NumberProblem::TooSmall)),
            ("1E125".to_owned(), None),
            ("1e+126".to_owned(), Some(NumberProblem::TooLarge)),
            (f64::MAX.to_string(), Some(NumberProblem::TooLarge)),
            (f64::MIN_POSITIVE.to_string(), Some(NumberProblem::TooSmall)),
            (u64::MAX.to_string(), None),
            (i64::MIN.to_string(), None),
        ] {
            assert_eq!(NumberProblem::of(&number), problem, "{number}");
        }
    }

    /// 9.9 is 09 and 90, which was counted as one pair.
    #[test]
    fn a_number_is_measured_by_its_pairs_of_digits() {
        for (number, bytes) in [
            ("0", 1),
            ("-0.0", 1),
            ("7", 2),
            ("99", 2),
            ("-99", 3),
            ("9.9", 3),
            ("100", 2),
            ("150", 3),
            ("0.5", 2),
            ("0.0000001", 2),
            ("1E125", 2),
            ("100.5", 4),
            ("3.14159", 5),
            ("1234.5", 4),
            ("12345678901234567890123456789012345678", 20),
            ("-12345678901234567890123456789012345678", 21),
            ("-1.2345678901234567890123456789012345678", 21),
        ] {
            assert_eq!(size_bytes(number), bytes, "{number}");
        }
    }

    #[test]
    fn one_number_has_many_texts() {
        for text in ["150", "150.0", "1.5E2", "0150", "15e1"] {
            assert_eq!(same_number(text), same_number("150"), "{text}");
        }
        for text in ["-150", "15", "1500", "1.5"] {
            assert_ne!(same_number(text), same_number("150"), "{text}");
        }
        assert_eq!(same_number("-0"), same_number("0.0"));
    }
}
