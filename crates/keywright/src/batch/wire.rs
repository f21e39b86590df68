//! How large an item is in the text of a request, which is what a request's limit counts.
//!
//! Many small values take several times as many bytes there as stored: a `true` in a list is 2 bytes of an item, and 14 of a request.

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::Consistency;

use crate::item::{Attributes, LARGEST_ITEM_BYTES};

/// The bytes of a request that a call with this many bytes of members may have.
///
/// Of the 16 MB of a request, what is around its members takes a table's name or ARN and a little.
pub(super) const REQUEST_BYTES: usize = 16 * 1024 * 1024 - 4096;

/// The most bytes that a member takes with these attributes.
pub(super) fn member_bytes(attributes: &Attributes) -> usize {
    const AROUND: usize = r#"{"DeleteRequest":{"Item":}},"#.len();
    AROUND + map_bytes(attributes)
}

fn map_bytes(map: &Attributes) -> usize {
    2 + map.iter().map(|(name, value)| text_bytes(name) + 1 + value_bytes(value) + 1).sum::<usize>()
}

fn value_bytes(value: &AttributeValue) -> usize {
    /// `{"BOOL":}` is the longest.
    const AROUND: usize = 9;
    let inside = match value {
        AttributeValue::S(text) | AttributeValue::N(text) => text_bytes(text),
        AttributeValue::B(bytes) => base64_bytes(bytes.as_ref().len()),
        AttributeValue::Ss(texts) | AttributeValue::Ns(texts) => {
            2 + texts.iter().map(|text| text_bytes(text) + 1).sum::<usize>()
        }
        AttributeValue::Bs(all) => {
            2 + all.iter().map(|bytes| base64_bytes(bytes.as_ref().len()) + 1).sum::<usize>()
        }
        AttributeValue::L(values) => 2 + values.iter().map(|value| value_bytes(value) + 1).sum::<usize>(),
        AttributeValue::M(map) => map_bytes(map),
        _ => "false".len(),
    };
    AROUND + inside
}

/// A text in its quotes, with what is escaped.
fn text_bytes(text: &str) -> usize {
    let escaped = text.bytes().map(|byte| match byte {
        b'"' | b'\\' => 2,
        0..0x20 | 0x7f => 6,
        _ => 1,
    });
    2 + escaped.sum::<usize>()
}

const fn base64_bytes(bytes: usize) -> usize {
    2 + bytes.div_ceil(3) * 4
}

/// Whether an answer to BatchGetItem that took so many units is as large as answers are: 16 MB, and 1 MB of one partition. The item that did
/// not fit may have had 400 KB.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html>
pub(super) fn is_full(units: f64, consistency: Consistency) -> bool {
    const MOST_OF_A_PARTITION: usize = 1024 * 1024;
    // What is read is rounded up to 4 KB an item, 400 KB in all: small items never look like a full answer.
    let bytes_per_unit = if consistency == Consistency::Strong { 4096.0 } else { 8192.0 };
    units * bytes_per_unit >= (MOST_OF_A_PARTITION - LARGEST_ITEM_BYTES) as f64
}
