//! How large an item is, as DynamoDB counts.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html>

use aws_sdk_dynamodb::types::AttributeValue;

use super::Attributes;
use super::number::size_bytes as number_bytes;

/// The largest item that DynamoDB stores, in bytes.
pub(crate) const LARGEST_ITEM_BYTES: usize = 400 * 1024;
/// Above this an item is an event: every write of it costs 16 units and more.
const REMARKABLE_ITEM_BYTES: usize = 16 * 1024;

/// An event if an item is large.
pub(crate) fn remark(entity: &'static str, size_bytes: usize) {
    if size_bytes > REMARKABLE_ITEM_BYTES {
        tracing::warn!(entity, size_bytes, "a large item: each KB of it costs a unit with every write");
    }
}

/// The bytes of an item: names and values.
pub(crate) fn size_bytes(attributes: &Attributes) -> usize {
    attributes.iter().map(|(name, value)| name.len() + value_bytes(value)).sum()
}

fn value_bytes(value: &AttributeValue) -> usize {
    match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::N(number) => number_bytes(number),
        AttributeValue::B(bytes) => bytes.as_ref().len(),
        AttributeValue::Ss(texts) => texts.iter().map(String::len).sum(),
        AttributeValue::Ns(numbers) => numbers.iter().map(|number| number_bytes(number)).sum(),
        AttributeValue::Bs(all) => all.iter().map(|bytes| bytes.as_ref().len()).sum(),
        AttributeValue::L(values) => 3 + values.iter().map(|value| 1 + value_bytes(value)).sum::<usize>(),
        AttributeValue::M(map) => {
            3 + map.iter().map(|(name, value)| 1 + name.len() + value_bytes(value)).sum::<usize>()
        }
        _ => 1,
    }
}
