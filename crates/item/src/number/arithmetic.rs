//! Sums and differences, exact or refused: a result that needs more than 38 digits is not rounded.

use super::ordered::{MAXIMUM_EXPONENT, MAXIMUM_PAIRS, MINIMUM_EXPONENT, Sign};
use super::{Number, NumberError};

impl Number {
    /// The exact sum.
    ///
    /// # Errors
    /// [`NumberError::Overflow`] when it is out of range or needs more than 38 significant digits (the service
    /// reports both so), [`NumberError::Underflow`] when it is closer to zero than 1E-130 and not zero.
    ///
    /// ```
    /// use keywright_item::{Number, NumberError};
    ///
    /// let sum = Number::parse("0.1")?.checked_add(&Number::parse("0.2")?)?;
    /// assert_eq!(sum.to_string(), "0.3");
    /// assert_eq!(Number::parse("1E50")?.checked_add(&Number::from(1_i64)), Err(NumberError::Overflow));
    /// # Ok::<(), NumberError>(())
    /// ```
    pub fn checked_add(&self, other: &Number) -> Result<Number, NumberError> {
        if self.is_zero() {
            return Ok(*other);
        }
        if other.is_zero() {
            return Ok(*self);
        }
        let mut columns = Columns::new();
        columns.add(self);
        columns.add(other);
        columns.number()
    }

    /// The exact difference, `self - other`.
    ///
    /// # Errors
    /// As [`checked_add`](Number::checked_add).
    pub fn checked_sub(&self, other: &Number) -> Result<Number, NumberError> {
        self.checked_add(&other.negated())
    }

    fn negated(&self) -> Number {
        if self.is_zero() {
            return *self;
        }
        let sign = match self.sign() {
            Sign::Negative => Sign::Positive,
            Sign::Positive => Sign::Negative,
        };
        let mut pairs = [0_u8; MAXIMUM_PAIRS];
        let count = self.pairs().len();
        for (place, pair) in pairs.iter_mut().zip(self.pairs()) {
            *place = pair;
        }
        Number::from_pairs(sign, self.exponent(), pairs.get(..count).unwrap_or(&pairs))
    }
}

/// The lowest power of 100 that a digit of a number can have.
const LOWEST: i32 = MINIMUM_EXPONENT - MAXIMUM_PAIRS as i32;
/// One column a power of 100, and one for the carry out of the highest.
const COLUMNS: usize = (MAXIMUM_EXPONENT - LOWEST + 1) as usize;

/// A sum in the making, lowest power of 100 first: each column -198 to 198 until the carries are settled.
struct Columns {
    columns: [i16; COLUMNS],
    /// The columns that a number reached into; the others are 0.
    start: usize,
    end: usize,
}

impl Columns {
    fn new() -> Columns {
        Columns { columns: [0; COLUMNS], start: COLUMNS, end: 0 }
    }

    fn add(&mut self, number: &Number) {
        let negative = number.is_negative();
        let pairs = number.pairs();
        let lowest = number.exponent() - pairs.len() as i32;
        let start = usize::try_from(lowest - LOWEST).unwrap_or_default();
        self.start = self.start.min(start);
        self.end = self.end.max(start + pairs.len());
        for (column, pair) in self.columns.iter_mut().skip(start).zip(pairs.rev()) {
            *column += if negative { -i16::from(pair) } else { i16::from(pair) };
        }
    }

    fn number(mut self) -> Result<Number, NumberError> {
        // One column more for the carry.
        let columns = self.columns.get_mut(self.start..=self.end).unwrap_or_default();
        let Some(&highest) = columns.iter().rfind(|&&column| column != 0) else {
            return Ok(Number::ZERO);
        };
        // The highest column that is not 0 decides the sign: what is below it adds up to less than 1 of it.
        let sign = if highest < 0 { Sign::Negative } else { Sign::Positive };
        let mut carry = 0;
        for column in columns.iter_mut() {
            let value = carry + if sign == Sign::Negative { -*column } else { *column };
            *column = value.rem_euclid(100);
            carry = value.div_euclid(100);
        }
        let highest = columns.iter().rposition(|&column| column != 0).unwrap_or_default();
        let lowest = columns.iter().position(|&column| column != 0).unwrap_or_default();
        let exponent = LOWEST + (self.start + highest) as i32 + 1;
        if exponent > MAXIMUM_EXPONENT {
            return Err(NumberError::Overflow);
        }
        if exponent < MINIMUM_EXPONENT {
            return Err(NumberError::Underflow);
        }
        let significant = columns.get(lowest..=highest).unwrap_or_default();
        let mut pairs = [0_u8; MAXIMUM_PAIRS];
        if significant.len() > pairs.len() {
            return Err(NumberError::Overflow);
        }
        for (pair, &column) in pairs.iter_mut().zip(significant.iter().rev()) {
            *pair = column as u8;
        }
        let number = Number::from_pairs(sign, exponent, pairs.get(..significant.len()).unwrap_or(&pairs));
        if number.digit_count() > Number::MAXIMUM_DIGITS { Err(NumberError::Overflow) } else { Ok(number) }
    }
}
