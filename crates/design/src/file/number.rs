//! Numbers of the file, which TOML leaves as text.

use toml::de::DeValue;

/// A whole number of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    /// From 0 to the largest of 64 bits.
    Number(u64),
    /// Below 0.
    Below,
    /// Above the largest of 64 bits.
    Above,
}

/// The whole number that a value is; none if it is no integer.
pub(super) fn whole(value: &DeValue<'_>) -> Option<Whole> {
    let DeValue::Integer(integer) = value else { return None };
    let digits = integer.as_str();
    Some(match (u64::from_str_radix(digits, integer.radix()), digits.strip_prefix('-')) {
        (Ok(number), _) => Whole::Number(number),
        (Err(_), Some(rest)) if rest.bytes().all(|byte| byte == b'0') => Whole::Number(0),
        (Err(_), Some(_)) => Whole::Below,
        (Err(_), None) => Whole::Above,
    })
}

/// The number that a value is: an integer or not. None if it is no number, or too large for one.
pub(super) fn number(value: &DeValue<'_>) -> Option<f64> {
    let number = match value {
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix()).ok()? as f64,
        DeValue::Float(float) => float.as_str().parse().ok()?,
        _ => return None,
    };
    Some(number)
}
