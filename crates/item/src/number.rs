//! Numbers as DynamoDB keeps them: 38 significant digits, magnitude 1E-130 to 9.99..E+125, and zero.
//!
//! A number is held as its order-preserving bytes: base-100 digits behind a byte for sign and magnitude. So
//! comparing is comparing bytes, the stored form and the key form are copies, and the size that DynamoDB
//! charges is the number of those bytes. There is one form per value: `1.0`, `1E0` and `01` are equal.

mod arithmetic;
mod ordered;
mod parse;
mod text;

use std::error::Error;
use std::fmt;

/// A decimal number of up to 38 significant digits, from 1E-130 to 9.99..E+125 in magnitude, or zero.
///
/// Numbers compare, and hash, by value. `Display` is the text that the service returns: plain decimal, without
/// exponent, leading or trailing zeros, and without a sign on zero.
///
/// ```
/// use keywright_item::Number;
///
/// let number = Number::parse("1.50E2")?;
/// assert_eq!(number.to_string(), "150");
/// assert_eq!(number, Number::from(150_i64));
/// assert!(Number::parse("-0.6")? > Number::parse("-0.7")?);
/// # Ok::<(), keywright_item::NumberError>(())
/// ```
///
/// Source: "Number" in <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html>.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number {
    // Order matters: the derived comparison looks at the bytes first, which decide; `length` follows from them.
    /// The ordered bytes without their terminator, then terminators to the end. `ordered` says what they are.
    bytes: [u8; Number::MAXIMUM_BYTES],
    /// How many of `bytes` come before the terminators.
    length: u8,
}

/// Why a text or a sum is not a number that DynamoDB holds. `Display` is the service's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// The text is not a number; an empty text is not one either. Holds the text, or its first KB.
    NotANumber(String),
    /// The magnitude is 1E+126 or more, or the result of arithmetic needs more than 38 significant digits.
    Overflow,
    /// The magnitude is below 1E-130 and not zero.
    Underflow,
    /// The text has more than 38 significant digits.
    TooManyDigits,
}

impl Number {
    /// The number 0.
    pub const ZERO: Number = Number::zero();

    /// Whether the number is below zero.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        self.bytes[0] < ordered::ZERO
    }

    /// The bytes that DynamoDB counts for this number: one, one more for each pair of digits counted from the
    /// decimal point outwards, and one more for a minus sign, but never more than 21. Zero counts 1.
    ///
    /// AWS documents the size as "approximately" (1 byte per two significant digits) + (1 byte):
    /// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html>. That pairs
    /// are counted from the decimal point, and that the sign counts, was measured on the service at the 400 KB limit
    /// of an item. It is the length of a number in the decimal format that the service uses, which leaves out the
    /// sign's byte where 20 pairs fill it.
    ///
    /// ```
    /// use keywright_item::Number;
    ///
    /// assert_eq!(Number::parse("99")?.size_bytes(), 2);    // one pair
    /// assert_eq!(Number::parse("9.9")?.size_bytes(), 3);   // two pairs: 09 and 90
    /// assert_eq!(Number::parse("-99")?.size_bytes(), 3);
    /// # Ok::<(), keywright_item::NumberError>(())
    /// ```
    #[must_use]
    pub const fn size_bytes(&self) -> usize {
        let size_bytes = self.length as usize + self.is_negative() as usize;
        if size_bytes > Number::MAXIMUM_BYTES { Number::MAXIMUM_BYTES } else { size_bytes }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Number({self})")
    }
}

impl fmt::Display for NumberError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberError::NotANumber(text) if text.is_empty() => {
                formatter.write_str("The parameter cannot be converted to a numeric value")
            }
            NumberError::NotANumber(text) => {
                write!(formatter, "The parameter cannot be converted to a numeric value: {text}")
            }
            NumberError::Overflow => formatter.write_str(
                "Number overflow. Attempting to store a number with magnitude larger than supported range",
            ),
            NumberError::Underflow => formatter.write_str(
                "Number underflow. Attempting to store a number with magnitude smaller than supported range",
            ),
            NumberError::TooManyDigits => {
                formatter.write_str("Attempting to store more than 38 significant digits in a Number")
            }
        }
    }
}

impl Error for NumberError {}
