//! The order-preserving bytes of a number, which are also how it is held in memory.
//!
//! - The digits are grouped in pairs from the decimal point outwards, as base-100 digits; the leading and the
//!   last pair are not 0. The value is `0.PPPP... * 100^exponent`, exponent -64 to 63.
//! - Zero is the byte 0x80.
//! - A positive number is the byte `0xC0 + exponent`, then each pair plus 1 (1 to 100), then the terminator 0.
//! - A negative number is the complement of the positive one's first byte, then 101 minus each pair (2 to 101),
//!   then the terminator 102, so that the longer of two equal beginnings is the smaller number.
//!
//! In memory the terminator fills the rest of the array, so that whole arrays compare as the numbers do.

use super::Number;
use crate::Damage;

/// The byte of zero. The first byte of every negative number is below it; of a positive one, it or above.
pub(super) const ZERO: u8 = 0x80;

const POSITIVE_BIAS: i32 = 0xC0;
const POSITIVE_TERMINATOR: u8 = 0;
const NEGATIVE_TERMINATOR: u8 = 102;

/// Pairs that 38 digits need when the first and the last pair hold one digit each.
pub(super) const MAXIMUM_PAIRS: usize = 20;

/// The exponent that 1E-130 has.
pub(super) const MINIMUM_EXPONENT: i32 = -64;
/// The exponent that 9.99..E+125 has.
pub(super) const MAXIMUM_EXPONENT: i32 = 63;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    Negative,
    Positive,
}

impl Number {
    /// The most bytes that [`write_ordered`](Number::write_ordered) writes, without the terminator.
    pub(super) const MAXIMUM_BYTES: usize = MAXIMUM_PAIRS + 1;

    /// Appends the number's order-preserving bytes: of two numbers, the smaller one's bytes compare lower, whatever
    /// follows them. They end themselves, so that more key parts can follow. At most 22 bytes.
    ///
    /// ```
    /// use keywright_item::Number;
    ///
    /// let mut key = Vec::new();
    /// Number::from(-7_i64).write_ordered(&mut key);
    /// key.extend_from_slice(b"what follows");
    /// let (number, length) = Number::read_ordered(&key)?;
    /// assert_eq!((number, &key[length..]), (Number::from(-7_i64), &b"what follows"[..]));
    /// # Ok::<(), keywright_item::Damage>(())
    /// ```
    pub fn write_ordered(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.significant_bytes());
        out.push(self.terminator());
    }

    /// Reads what [`write_ordered`](Number::write_ordered) wrote at the start of `bytes`: the number, and how many
    /// bytes it took.
    ///
    /// # Errors
    /// [`Damage`] when the bytes do not start with the one form that `write_ordered` gives to a number.
    pub fn read_ordered(bytes: &[u8]) -> Result<(Number, usize), Damage> {
        let first = *bytes.first().ok_or(Damage::new("a number's bytes end early", 0))?;
        let terminator = if first < ZERO { NEGATIVE_TERMINATOR } else { POSITIVE_TERMINATOR };
        let longest = bytes.get(..=Number::MAXIMUM_BYTES).unwrap_or(bytes);
        let length = longest
            .iter()
            .skip(1)
            .position(|&byte| byte == terminator)
            .map(|position| position + 1)
            .ok_or(Damage::new("a number's bytes have no end", longest.len()))?;
        let number =
            bytes.get(..length).map_or(Err(Damage::new("a number's bytes end early", 0)), |bytes| {
                Number::from_significant_bytes(bytes)
            })?;
        Ok((number, length + 1))
    }

    /// The ordered bytes without the terminator: 1 to 21.
    pub(crate) fn significant_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.length)).unwrap_or(&self.bytes)
    }

    /// The number whose [`significant_bytes`](Number::significant_bytes) these are.
    pub(crate) fn from_significant_bytes(bytes: &[u8]) -> Result<Number, Damage> {
        let (&first, digits) = bytes.split_first().ok_or(Damage::new("a number has no bytes", 0))?;
        let Some((&last, _)) = digits.split_last() else {
            return if first == ZERO {
                Ok(Number::ZERO)
            } else {
                Err(Damage::new("a number has no digits", 0))
            };
        };
        let (lowest, highest, zero) = if first < ZERO { (2, 101, 101) } else { (1, 100, 1) };
        if digits.len() > MAXIMUM_PAIRS || digits.iter().any(|digit| !(lowest..=highest).contains(digit)) {
            return Err(Damage::new("a number has impossible digits", 0));
        }
        if digits.first() == Some(&zero) || last == zero {
            return Err(Damage::new("a number is not in its normal form", 0));
        }
        let number = Number::from_ordered_digits(first, digits);
        if number.digit_count() > Number::MAXIMUM_DIGITS {
            return Err(Damage::new("a number has more than 38 digits", 0));
        }
        Ok(number)
    }

    /// The number of bytes that [`from_significant_bytes`](Number::from_significant_bytes) has accepted before.
    pub(crate) fn from_verified_bytes(bytes: &[u8]) -> Number {
        match bytes {
            [first, digits @ ..] => Number::from_ordered_digits(*first, digits),
            [] => Number::ZERO,
        }
    }

    pub(super) const fn zero() -> Number {
        let mut bytes = [POSITIVE_TERMINATOR; Number::MAXIMUM_BYTES];
        bytes[0] = ZERO;
        Number { bytes, length: 1 }
    }

    /// The number `0.PPPP... * 100^exponent`. The caller has checked: 1 to 20 pairs of 0 to 99, the first and the
    /// last not 0, and an exponent within -64 to 63.
    pub(super) fn from_pairs(sign: Sign, exponent: i32, pairs: &[u8]) -> Number {
        debug_assert!((MINIMUM_EXPONENT..=MAXIMUM_EXPONENT).contains(&exponent));
        let magnitude = u8::try_from(POSITIVE_BIAS + exponent).unwrap_or(u8::MAX);
        let (first, terminator) = match sign {
            Sign::Positive => (magnitude, POSITIVE_TERMINATOR),
            Sign::Negative => (!magnitude, NEGATIVE_TERMINATOR),
        };
        let mut bytes = [terminator; Number::MAXIMUM_BYTES];
        let mut length = 1;
        bytes[0] = first;
        for (byte, &pair) in bytes.iter_mut().skip(1).zip(pairs) {
            *byte = match sign {
                Sign::Positive => pair + 1,
                Sign::Negative => 101 - pair,
            };
            length += 1;
        }
        Number { bytes, length }
    }

    fn from_ordered_digits(first: u8, digits: &[u8]) -> Number {
        let terminator = if first < ZERO { NEGATIVE_TERMINATOR } else { POSITIVE_TERMINATOR };
        let mut bytes = [terminator; Number::MAXIMUM_BYTES];
        bytes[0] = first;
        if let Some(place) = bytes.get_mut(1..=digits.len()) {
            place.copy_from_slice(digits);
        }
        Number { bytes, length: digits.len() as u8 + 1 }
    }

    /// The base-100 digits, leading first; none for zero.
    pub(super) fn pairs(&self) -> impl DoubleEndedIterator<Item = u8> + ExactSizeIterator + '_ {
        let negative = self.is_negative();
        let digits = self.significant_bytes().get(1..).unwrap_or_default();
        digits.iter().map(move |&byte| if negative { 101 - byte } else { byte - 1 })
    }

    /// The exponent of 100 in `0.PPPP... * 100^exponent`; meaningless for zero.
    pub(super) fn exponent(&self) -> i32 {
        let first = self.bytes[0];
        i32::from(if self.is_negative() { !first } else { first }) - POSITIVE_BIAS
    }

    pub(super) fn sign(&self) -> Sign {
        if self.is_negative() { Sign::Negative } else { Sign::Positive }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.length == 1
    }

    fn terminator(&self) -> u8 {
        if self.is_negative() { NEGATIVE_TERMINATOR } else { POSITIVE_TERMINATOR }
    }

    /// How many significant digits the number has; 0 for zero.
    pub(super) fn digit_count(&self) -> usize {
        let mut pairs = self.pairs();
        let digits = pairs.len() * 2;
        let single_digit_at_the_start = pairs.next().is_some_and(|pair| pair < 10);
        let single_digit_at_the_end = self.pairs().next_back().is_some_and(|pair| pair % 10 == 0);
        digits - usize::from(single_digit_at_the_start) - usize::from(single_digit_at_the_end)
    }
}
