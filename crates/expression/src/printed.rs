//! How much of a request a message repeats: the beginning, since messages must not grow with hostile requests.

/// The most bytes of a name, path or value that a message repeats.
pub(crate) const LONGEST_PRINTED_BYTES: usize = 1024;

/// The beginning of a text, cut at a character.
pub(crate) fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LONGEST_PRINTED_BYTES)).unwrap_or_default()
}
