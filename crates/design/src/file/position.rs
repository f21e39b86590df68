//! Lines and columns of a text.

/// Where a byte stands, as editors count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Position {
    /// Where the byte `place` of a text stands; the end of the text for what is beyond it.
    ///
    /// ```
    /// use keywright_design::Position;
    ///
    /// assert_eq!(Position::of("one\ntwo", 5), Position { line: 2, column: 2 });
    /// ```
    pub fn of(text: &str, place: usize) -> Position {
        let before = text.as_bytes().get(..place).unwrap_or(text.as_bytes());
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |place| place + 1);
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        Position { line, column: column(before.get(line_start..).unwrap_or_default()) }
    }
}

/// The beginnings of the lines of a text, for many positions.
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
        let place = place.min(text.len());
        let line = self.0.partition_point(|start| *start <= place);
        let start = line.checked_sub(1).and_then(|line| self.0.get(line)).copied().unwrap_or(0);
        Position { line, column: column(text.as_bytes().get(start..place).unwrap_or_default()) }
    }
}

/// The column after these bytes of a line: bytes that continue a character do not begin one.
fn column(before: &[u8]) -> usize {
    1 + before.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::{Lines, Position};

    #[test]
    fn both_ways_of_finding_a_position_agree() {
        let text = "a\u{e9}\u{1f600}z\r\n\n  b\u{e9}";
        let lines = Lines::of(text);
        for place in (0..text.len() + 3).filter(|place| text.is_char_boundary(*place) || *place > text.len())
        {
            assert_eq!(lines.position(text, place), Position::of(text, place), "byte {place}");
        }
        assert_eq!(lines.position(text, 7), Position { line: 1, column: 4 });
        assert_eq!(lines.position(text, 100), Position { line: 3, column: 5 });
    }
}
