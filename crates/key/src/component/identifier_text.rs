//! ULIDs, UUIDs and bytes as text.

use crate::format::LetterCase;

const UPPER_BASE_32: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LOWER_BASE_32: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const UPPER_HEXADECIMAL: &[u8; 16] = b"0123456789ABCDEF";
const LOWER_HEXADECIMAL: &[u8; 16] = b"0123456789abcdef";

/// The places of a UUID's hyphens.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];

fn base_32(letter_case: LetterCase) -> &'static [u8; 32] {
    match letter_case {
        LetterCase::Upper => UPPER_BASE_32,
        LetterCase::Lower => LOWER_BASE_32,
    }
}

fn hexadecimal(letter_case: LetterCase) -> &'static [u8; 16] {
    match letter_case {
        LetterCase::Upper => UPPER_HEXADECIMAL,
        LetterCase::Lower => LOWER_HEXADECIMAL,
    }
}

/// Adds the twenty-six characters of a ULID to `out`; the first holds three bits.
pub(super) fn write_ulid(bits: u128, letter_case: LetterCase, out: &mut String) {
    let signs = base_32(letter_case);
    out.extend((0..26).rev().map(|place| sign(signs, (bits >> (5 * place)) & 31)));
}

/// The bits of a ULID; nothing if `text` is none in this case.
pub(super) fn read_ulid(text: &str, letter_case: LetterCase) -> Option<u128> {
    let signs = base_32(letter_case);
    if text.len() != 26 || text.as_bytes().first().is_none_or(|first| *first > b'7') {
        return None;
    }
    text.bytes().try_fold(0_u128, |bits, byte| Some((bits << 5) | value(signs, byte)?))
}

/// Adds the thirty-six characters of a UUID to `out`.
pub(super) fn write_uuid(bits: u128, letter_case: LetterCase, out: &mut String) {
    let signs = hexadecimal(letter_case);
    for place in 0..32 {
        if matches!(place, 8 | 12 | 16 | 20) {
            out.push('-');
        }
        out.push(sign(signs, (bits >> (4 * (31 - place))) & 15));
    }
}

/// The bits of a UUID; nothing if `text` is none in this case.
pub(super) fn read_uuid(text: &str, letter_case: LetterCase) -> Option<u128> {
    let signs = hexadecimal(letter_case);
    if text.len() != 36 {
        return None;
    }
    text.bytes().enumerate().try_fold(0_u128, |bits, (place, byte)| {
        if HYPHENS.contains(&place) {
            return (byte == b'-').then_some(bits);
        }
        Some((bits << 4) | value(signs, byte)?)
    })
}

/// Adds two characters for each byte to `out`.
pub(super) fn write_bytes(bytes: &[u8], letter_case: LetterCase, out: &mut String) {
    let signs = hexadecimal(letter_case);
    for byte in bytes {
        out.push(sign(signs, u128::from(byte >> 4)));
        out.push(sign(signs, u128::from(byte & 15)));
    }
}

/// The bytes that `text` is; nothing if it is none in this case.
pub(super) fn read_bytes(text: &str, letter_case: LetterCase) -> Option<Vec<u8>> {
    let signs = hexadecimal(letter_case);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs
        .iter()
        .map(|[high, low]| u8::try_from((value(signs, *high)? << 4) | value(signs, *low)?).ok())
        .collect()
}

fn sign(signs: &[u8], value: u128) -> char {
    let place = usize::try_from(value).unwrap_or(usize::MAX);
    match signs.get(place) {
        Some(sign) => char::from(*sign),
        // Every caller has masked the value with the number of signs less one.
        None => unreachable!(),
    }
}

fn value(signs: &[u8], byte: u8) -> Option<u128> {
    signs.iter().position(|sign| *sign == byte).and_then(|place| u128::try_from(place).ok())
}
