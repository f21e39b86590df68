//! From the text of a number to its value.
//!
//! The text is scanned once, nothing is allocated, and an exponent of any length is refused without computing it.

use super::ordered::{MAXIMUM_PAIRS, Sign};
use super::{Number, NumberError};
use crate::quote;

/// The power of ten of the leading digit of the largest number.
const MAXIMUM_POWER: i64 = 125;
/// The power of ten of the leading digit of the smallest number above zero.
const MINIMUM_POWER: i64 = -130;

impl Number {
    /// The significant digits that a number can have.
    pub(super) const MAXIMUM_DIGITS: usize = 38;

    /// Parses a number: a sign, digits with a decimal point, an exponent, all but the digits optional.
    ///
    /// # Errors
    /// [`NumberError`], whose text is the service's: not a number, out of range, or more than 38 significant
    /// digits. Leading and trailing zeros are no significant digits. Of several errors the range comes first. An
    /// exponent of more than 64 bits makes it no number, and a zero's exponent must be within the range too.
    ///
    /// ```
    /// use keywright_item::{Number, NumberError};
    ///
    /// assert_eq!(Number::parse("00042")?.to_string(), "42");
    /// assert_eq!(Number::parse("1E126"), Err(NumberError::Overflow));
    /// assert_eq!(Number::parse("b"), Err(NumberError::NotANumber("b".to_owned())));
    /// # Ok::<(), NumberError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Number, NumberError> {
        let scanned = Scanned::scan(text.as_bytes())
            .ok_or_else(|| NumberError::NotANumber(quote::beginning(text).to_owned()))?;
        scanned.number()
    }
}

/// The value `d.ddd * 10^power` with its sign, zeros on both sides gone.
struct Scanned {
    sign: Sign,
    /// The significant digits, 0 to 9; those after the 38th are only counted.
    digits: [u8; Number::MAXIMUM_DIGITS],
    digit_count: usize,
    /// The power of ten of the leading digit; of zero, the exponent it is written with.
    power: i64,
}

impl Scanned {
    fn scan(text: &[u8]) -> Option<Scanned> {
        let (sign, mut rest) = match text {
            [b'-', rest @ ..] => (Sign::Negative, rest),
            [b'+', rest @ ..] => (Sign::Positive, rest),
            rest => (Sign::Positive, rest),
        };
        let mut scanned = Scanned { sign, digits: [0; Number::MAXIMUM_DIGITS], digit_count: 0, power: -1 };
        let mut any_digit = false;
        let mut after_point = false;
        let mut pending_zeros = 0_usize;
        while let [byte, next @ ..] = rest {
            match byte {
                b'0'..=b'9' => {
                    any_digit = true;
                    let leading = scanned.digit_count == 0;
                    if *byte != b'0' {
                        scanned.push_zeros(pending_zeros);
                        scanned.push(byte - b'0');
                        pending_zeros = 0;
                    } else if !leading {
                        pending_zeros += 1;
                    }
                    let counts_up = !after_point && (!leading || *byte != b'0');
                    let counts_down = after_point && leading && *byte == b'0';
                    scanned.power += i64::from(counts_up) - i64::from(counts_down);
                }
                b'.' if !after_point => after_point = true,
                b'e' | b'E' if any_digit => {
                    let exponent = exponent(next)?;
                    let zero = scanned.digit_count == 0;
                    scanned.power = if zero { exponent } else { scanned.power.saturating_add(exponent) };
                    return Some(scanned);
                }
                _ => return None,
            }
            rest = next;
        }
        if scanned.digit_count == 0 {
            scanned.power = 0;
        }
        any_digit.then_some(scanned)
    }

    fn push_zeros(&mut self, count: usize) {
        // The array holds zeros already.
        self.digit_count += count;
    }

    fn push(&mut self, digit: u8) {
        if let Some(place) = self.digits.get_mut(self.digit_count) {
            *place = digit;
        }
        self.digit_count += 1;
    }

    fn number(&self) -> Result<Number, NumberError> {
        if self.power > MAXIMUM_POWER {
            return Err(NumberError::Overflow);
        }
        if self.power < MINIMUM_POWER {
            return Err(NumberError::Underflow);
        }
        if self.digit_count == 0 {
            return Ok(Number::ZERO);
        }
        if self.digit_count > Number::MAXIMUM_DIGITS {
            return Err(NumberError::TooManyDigits);
        }
        let power = i32::try_from(self.power).map_err(|_| NumberError::Overflow)?;
        // An odd power puts two digits into the leading pair, an even one puts one.
        let single = usize::from(power.rem_euclid(2) == 0);
        let mut pairs = [0_u8; MAXIMUM_PAIRS];
        let digits = self.digits.iter().take(self.digit_count);
        let mut pair_count = 0;
        for (position, &digit) in digits.enumerate() {
            let place = position + single;
            pair_count = place / 2 + 1;
            if let Some(pair) = pairs.get_mut(place / 2) {
                *pair += if place.is_multiple_of(2) { digit * 10 } else { digit };
            }
        }
        let pairs = pairs.get(..pair_count).unwrap_or(&pairs);
        Ok(Number::from_pairs(self.sign, power.div_euclid(2) + 1, pairs))
    }
}

/// The digits after `e`, with their sign, when 64 bits hold them.
fn exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    // Counted down, since the lowest number has no positive counterpart.
    let mut exponent = 0_i64;
    for byte in digits {
        let digit = byte.is_ascii_digit().then(|| i64::from(byte - b'0'))?;
        exponent = exponent.checked_mul(10)?.checked_sub(digit)?;
    }
    if negative { Some(exponent) } else { exponent.checked_neg() }
}

impl From<i64> for Number {
    fn from(integer: i64) -> Number {
        from_integer(if integer < 0 { Sign::Negative } else { Sign::Positive }, integer.unsigned_abs())
    }
}

impl From<u64> for Number {
    fn from(integer: u64) -> Number {
        from_integer(Sign::Positive, integer)
    }
}

fn from_integer(sign: Sign, integer: u64) -> Number {
    let mut pairs = [0_u8; 10];
    let mut rest = integer;
    for pair in pairs.iter_mut().rev() {
        *pair = (rest % 100) as u8;
        rest /= 100;
    }
    let Some(first) = pairs.iter().position(|&pair| pair != 0) else {
        return Number::ZERO;
    };
    let last = pairs.iter().rposition(|&pair| pair != 0).unwrap_or(first);
    let exponent = (pairs.len() - first) as i32;
    Number::from_pairs(sign, exponent, pairs.get(first..=last).unwrap_or_default())
}
