//! Text and bytes in constant functions, where the standard library's traits cannot be called yet.

/// Whether both texts are the same.
///
/// Compared from the end: names that differ mostly differ there, and each step is paid for when a program compiles.
#[expect(clippy::indexing_slicing, reason = "both lengths are one, and the place is below it")]
pub(crate) const fn equal(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut place = left.len();
    if place != right.len() {
        return false;
    }
    while place > 0 {
        place -= 1;
        if left[place] != right[place] {
            return false;
        }
    }
    true
}

/// Whether `bytes` begins with `prefix`.
#[expect(clippy::indexing_slicing, reason = "the place is below the shorter length")]
pub(crate) const fn begins_with(bytes: &[u8], prefix: &[u8]) -> bool {
    if bytes.len() < prefix.len() {
        return false;
    }
    let mut place = 0;
    while place < prefix.len() {
        if bytes[place] != prefix[place] {
            return false;
        }
        place += 1;
    }
    true
}

/// Whether `list` has `text`.
pub(crate) const fn has(list: &[&str], text: &str) -> bool {
    let mut rest = list;
    while let [one, later @ ..] = rest {
        if equal(one, text) {
            return true;
        }
        rest = later;
    }
    false
}

/// Whether `left` sorts below `right`, byte by byte.
pub(crate) const fn is_below(left: &str, right: &str) -> bool {
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    loop {
        match (left, right) {
            (_, []) => return false,
            ([], _) => return true,
            ([one, later_left @ ..], [other, later_right @ ..]) => {
                if *one != *other {
                    return *one < *other;
                }
                left = later_left;
                right = later_right;
            }
        }
    }
}

/// The byte at `place`, if there is one.
#[expect(clippy::indexing_slicing, reason = "the index is compared with the length in the line before")]
pub(crate) const fn byte_at(bytes: &[u8], place: usize) -> Option<u8> {
    if place < bytes.len() { Some(bytes[place]) } else { None }
}

/// The part of `text` from byte `from` to before byte `to`.
///
/// # Panics
/// When the places are not between characters of `text`, or not in order.
pub(crate) const fn between(text: &str, from: usize, to: usize) -> &str {
    let (before, _) = text.split_at(to);
    let (_, part) = before.split_at(from);
    part
}

/// How many characters `bytes` has before `place`, one of its character boundaries.
pub(crate) const fn characters_before(bytes: &[u8], place: usize) -> usize {
    let (mut index, mut characters) = (0, 0);
    while index < place {
        match byte_at(bytes, index) {
            // 0x80 to 0xbf continue a character.
            Some(byte) if byte & 0xc0 != 0x80 => characters += 1,
            Some(_) => {}
            None => return characters,
        }
        index += 1;
    }
    characters
}
