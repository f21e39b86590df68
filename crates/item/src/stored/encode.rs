//! Writing the stored form, in one pass into one buffer.

use super::cursor::tag;
use super::{FORMAT, HEADER_BYTES};
use crate::{AttributeMap, AttributeValue, Item};

/// The stored bytes of an item.
pub(super) fn encode(item: &Item) -> Vec<u8> {
    let size_bytes = item.size_bytes();
    // Beside the size DynamoDB counts, a value costs a tag, and a name and a value a length each.
    let mut out = Vec::with_capacity(HEADER_BYTES + 1 + size_bytes + item.len() * 8);
    out.extend_from_slice(&[0; 4]);
    out.push(FORMAT);
    out.extend_from_slice(&fixed(size_bytes));
    write_attributes(item, &mut out);
    let checksum = crc32fast::hash(out.get(4..).unwrap_or_default());
    if let Some(place) = out.first_chunk_mut() {
        *place = checksum.to_le_bytes();
    }
    out
}

fn write_value(value: &AttributeValue, out: &mut Vec<u8>) {
    match value {
        AttributeValue::Null => out.push(tag::NULL),
        AttributeValue::Bool(false) => out.push(tag::FALSE),
        AttributeValue::Bool(true) => out.push(tag::TRUE),
        AttributeValue::S(string) => {
            out.push(tag::STRING);
            write_prefixed(string.as_bytes(), out);
        }
        AttributeValue::N(number) => {
            out.push(tag::NUMBER);
            write_prefixed(number.significant_bytes(), out);
        }
        AttributeValue::B(bytes) => {
            out.push(tag::BINARY);
            write_prefixed(bytes, out);
        }
        AttributeValue::M(map) => write_container(tag::MAP, out, |out| write_attributes(map, out)),
        AttributeValue::L(list) => write_container(tag::LIST, out, |out| {
            write_length(list.len(), out);
            list.iter().for_each(|value| write_value(value, out));
        }),
        AttributeValue::Ss(set) => write_container(tag::STRING_SET, out, |out| {
            write_length(set.len(), out);
            set.iter().for_each(|string| write_prefixed(string.as_bytes(), out));
        }),
        AttributeValue::Ns(set) => write_container(tag::NUMBER_SET, out, |out| {
            write_length(set.len(), out);
            set.iter().for_each(|number| write_prefixed(number.significant_bytes(), out));
        }),
        AttributeValue::Bs(set) => write_container(tag::BINARY_SET, out, |out| {
            write_length(set.len(), out);
            set.iter().for_each(|bytes| write_prefixed(bytes, out));
        }),
    }
}

fn write_attributes(map: &AttributeMap, out: &mut Vec<u8>) {
    write_length(map.len(), out);
    for (name, value) in map.iter() {
        write_prefixed(name.as_bytes(), out);
        write_value(value, out);
    }
}

/// A tag, the length of what `write` writes, and that.
fn write_container(tag: u8, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    out.push(tag);
    let place = out.len();
    out.extend_from_slice(&[0; 4]);
    let start = out.len();
    write(out);
    let length = fixed(out.len() - start);
    if let Some(place) = out.get_mut(place..start) {
        place.copy_from_slice(&length);
    }
}

fn write_prefixed(bytes: &[u8], out: &mut Vec<u8>) {
    write_length(bytes.len(), out);
    out.extend_from_slice(bytes);
}

fn write_length(length: usize, out: &mut Vec<u8>) {
    let mut rest = length;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

#[expect(clippy::expect_used, reason = "an item comes out of one request, whose body is far below 4 GB")]
fn fixed(length: usize) -> [u8; 4] {
    u32::try_from(length).expect("an item below 4 GB").to_le_bytes()
}
