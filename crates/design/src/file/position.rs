//! Lines and columns of a text.

/// Where a byte stands, as editors count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// The beginnings of the lines of a text.
#[derive(Clone, Debug)]
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn of(text: &str) -> Lines {
        let after_breaks =
            text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(place, _)| place + 1);
        Lines(std::iter::once(0).chain(after_breaks).collect())
    }

    /// Where the byte `place` of the text stands; the end of the text for what is beyond it.
    pub(super) fn position(&self, text: &str, place: usize) -> Position {
        let line = self.0.partition_point(|start| *start <= place);
        let start = line.checked_sub(1).and_then(|line| self.0.get(line)).copied().unwrap_or(0);
        let end = place.min(text.len());
        let before = text.as_bytes().get(start..end).unwrap_or_default();
        // Bytes that continue a character do not begin one.
        let column = 1 + before.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        Position { line, column }
    }
}
