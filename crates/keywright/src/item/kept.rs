//! The attributes that the layer keeps of claims, locks, buckets and tokens, beside those that the entity has.
//!
//! No entity has an attribute of such a name: rule KW0210.

use aws_sdk_dynamodb::types::AttributeValue;

use super::Attributes;

/// The id of whoever holds a claim or a lock.
pub(crate) const OWNER: &str = "keywright_owner";
/// Until when it is held, in milliseconds since 1970, by the clock of whoever holds it.
pub(crate) const UNTIL: &str = "keywright_until";
/// The SHA-256 of the request that a claim is for.
pub(crate) const REQUEST: &str = "keywright_request";
/// How often a lock was taken: the fencing token of whoever took it last.
pub(crate) const FENCE: &str = "keywright_fence";
/// When a bucket is full again, in microseconds since 1970.
pub(crate) const FULL_AT: &str = "keywright_full_at";
/// The SHA-256 of the secret of a token.
pub(crate) const SECRET: &str = "keywright_secret";
/// When a token was used, in milliseconds since 1970.
pub(crate) const USED_AT: &str = "keywright_used_at";
/// What the work of a claim gave.
pub(crate) const ANSWER: &str = "keywright_answer";

/// A whole number that the item has in this attribute.
pub(crate) fn number(item: &Attributes, name: &str) -> Option<u64> {
    match item.get(name) {
        Some(AttributeValue::N(number)) => number.parse().ok(),
        _ => None,
    }
}

/// A number as items store it.
pub(crate) fn stored(number: impl ToString) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

/// A whole number with a sign that the item has in this attribute.
pub(crate) fn signed(item: &Attributes, name: &str) -> Option<i64> {
    match item.get(name) {
        Some(AttributeValue::N(number)) => number.parse().ok(),
        _ => None,
    }
}
