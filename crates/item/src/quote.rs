//! How much of a request its refusal repeats: an answer must not grow with what a hostile client sends.

/// More of a value than this is not repeated.
pub(crate) const LONGEST_BYTES: usize = 1024;

/// The text, or as much of it as a message repeats.
pub(crate) fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LONGEST_BYTES)).unwrap_or_default()
}
