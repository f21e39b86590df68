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
        AttributeValue::S(string) => write_typed(br#"{"S":"#, out, |out| write_string(string, out)),
        AttributeValue::N(number) => write_typed(br#"{"N":"#, out, |out| write_number(number, out)),
        AttributeValue::B(bytes) => write_typed(br#"{"B":"#, out, |out| write_binary(bytes, out)),
        AttributeValue::Bool(boolean) => write_typed(br#"{"BOOL":"#, out, |out| write_boolean(*boolean, out)),
        AttributeValue::Null => write_typed(br#"{"NULL":"#, out, |out| write_boolean(true, out)),
        AttributeValue::M(map) => write_typed(br#"{"M":"#, out, |out| write_map(map, out)),
        AttributeValue::L(list) => write_typed(br#"{"L":"#, out, |out| write_list(list, out, write_value)),
        AttributeValue::Ss(set) => {
            write_typed(br#"{"SS":"#, out, |out| {
                write_list(set, out, |string, out| write_string(string, out))
            });
        }
        AttributeValue::Ns(set) => write_typed(br#"{"NS":"#, out, |out| write_list(set, out, write_number)),
        AttributeValue::Bs(set) => {
            write_typed(br#"{"BS":"#, out, |out| write_list(set, out, |bytes, out| write_binary(bytes, out)));
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

/// How many bytes at the start need no escaping. Blocks, then words, are looked at without a branch a byte.
fn plain_prefix(bytes: &[u8]) -> usize {
    const BLOCK: usize = 32;
    let plain_block = |block: &&[u8]| !block.iter().fold(false, |any, &byte| any | needs_escape(byte));
    let mut plain = bytes.chunks_exact(BLOCK).take_while(plain_block).count() * BLOCK;
    while let Some(word) = bytes.get(plain..).and_then(<[u8]>::first_chunk) {
        let escapes = escapes_in_word(u64::from_le_bytes(*word));
        if escapes != 0 {
            return plain + escapes.trailing_zeros() as usize / 8;
        }
        plain += word.len();
    }
    let rest = bytes.get(plain..).unwrap_or_default();
    plain + rest.iter().position(|&byte| needs_escape(byte)).unwrap_or(rest.len())
}

/// A word whose lowest set bit is the high bit of the lowest byte that needs escaping; 0 when none does.
const fn escapes_in_word(word: u64) -> u64 {
    const LOW: u64 = u64::MAX / 255;
    const HIGH: u64 = LOW << 7;
    // A byte below another, or equal to 0: subtracting borrows into its high bit. A borrow only spoils bytes above.
    let control = word.wrapping_sub(LOW * 0x20) & !word;
    let quote = word ^ (LOW * b'"' as u64);
    let quote = quote.wrapping_sub(LOW) & !quote;
    let backslash = word ^ (LOW * b'\\' as u64);
    let backslash = backslash.wrapping_sub(LOW) & !backslash;
    (control | quote | backslash) & HIGH
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

/// Appends `{"S":`, which is given so, what `write` appends, and `}`.
pub(crate) fn write_typed(opening: &[u8], out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(opening);
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
