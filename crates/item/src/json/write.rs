//! Writing values and items as DynamoDB JSON, straight into the response's buffer.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::{AttributeMap, AttributeValue};

/// Appends a value: `{"S":"text"}`.
///
/// ```
/// use keywright_item::AttributeValue;
/// use keywright_item::json::write_value;
///
/// let mut out = Vec::new();
/// write_value(&AttributeValue::Null, &mut out);
/// assert_eq!(out, br#"{"NULL":true}"#);
/// ```
pub fn write_value(value: &AttributeValue, out: &mut Vec<u8>) {
    match value {
        AttributeValue::S(string) => write_typed("S", out, |out| write_string(string, out)),
        AttributeValue::N(number) => write_typed("N", out, |out| write_number(number, out)),
        AttributeValue::B(bytes) => write_typed("B", out, |out| write_binary(bytes, out)),
        AttributeValue::Bool(boolean) => write_typed("BOOL", out, |out| write_boolean(*boolean, out)),
        AttributeValue::Null => write_typed("NULL", out, |out| write_boolean(true, out)),
        AttributeValue::M(map) => write_typed("M", out, |out| write_map(map, out)),
        AttributeValue::L(list) => write_typed("L", out, |out| write_list(list, out, write_value)),
        AttributeValue::Ss(set) => {
            write_typed("SS", out, |out| write_list(set, out, |string, out| write_string(string, out)));
        }
        AttributeValue::Ns(set) => write_typed("NS", out, |out| write_list(set, out, write_number)),
        AttributeValue::Bs(set) => {
            write_typed("BS", out, |out| write_list(set, out, |bytes, out| write_binary(bytes, out)));
        }
    }
}

/// Appends attributes by name: `{"pk":{"S":"text"}}`.
pub fn write_map(map: &AttributeMap, out: &mut Vec<u8>) {
    out.push(b'{');
    for (position, (name, value)) in map.iter().enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write_string(name, out);
        out.push(b':');
        write_value(value, out);
    }
    out.push(b'}');
}

/// Appends a JSON string with its quotes, escaping what JSON requires and nothing else.
pub fn write_string(string: &str, out: &mut Vec<u8>) {
    write_utf8(string.as_bytes(), out);
}

/// Appends bytes as a JSON string of base64.
pub fn write_binary(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    let start = out.len();
    out.resize(start + bytes.len().div_ceil(3) * 4, 0);
    let written = STANDARD.encode_slice(bytes, out.get_mut(start..).unwrap_or_default());
    debug_assert!(written == Ok(out.len() - start));
    out.push(b'"');
}

pub(super) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Appends the JSON string whose UTF-8 bytes these are.
pub(crate) fn write_utf8(bytes: &[u8], out: &mut Vec<u8>) {
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let mut rest = bytes;
    loop {
        let plain = plain_prefix(rest);
        let (head, tail) = rest.split_at_checked(plain).unwrap_or((rest, &[]));
        out.extend_from_slice(head);
        let Some((&escaped, tail)) = tail.split_first() else {
            break;
        };
        write_escaped(escaped, out);
        rest = tail;
    }
    out.push(b'"');
}

/// How many bytes at the start need no escaping. Whole blocks are looked at without a branch a byte.
fn plain_prefix(bytes: &[u8]) -> usize {
    const BLOCK: usize = 32;
    let plain_blocks = bytes
        .chunks_exact(BLOCK)
        .take_while(|block| !block.iter().fold(false, |any, &byte| any | needs_escape(byte)))
        .count();
    let start = plain_blocks * BLOCK;
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().position(|&byte| needs_escape(byte)).unwrap_or(rest.len())
}

const fn needs_escape(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

fn write_escaped(byte: u8, out: &mut Vec<u8>) {
    const HEXADECIMAL: &[u8; 16] = b"0123456789abcdef";
    let short = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        0x0C => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        control => {
            out.extend_from_slice(b"\\u00");
            out.extend(
                [control >> 4, control & 15].iter().filter_map(|&digit| HEXADECIMAL.get(usize::from(digit))),
            );
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

pub(crate) fn write_typed(type_name: &str, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(b"{\"");
    out.extend_from_slice(type_name.as_bytes());
    out.extend_from_slice(b"\":");
    write(out);
    out.push(b'}');
}

pub(crate) fn write_boolean(boolean: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(if boolean { b"true" } else { b"false" });
}

pub(crate) fn write_number(number: &crate::Number, out: &mut Vec<u8>) {
    out.push(b'"');
    number.write_text(out);
    out.push(b'"');
}

pub(crate) fn write_list<Element>(
    elements: impl IntoIterator<Item = Element>,
    out: &mut Vec<u8>,
    write: impl Fn(Element, &mut Vec<u8>),
) {
    out.push(b'[');
    for (position, element) in elements.into_iter().enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write(element, out);
    }
    out.push(b']');
}
