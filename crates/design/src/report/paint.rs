//! Colours of a report, where it has some.

use super::Colour;

/// What a text is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// The name of a section.
    Heading,
    /// That the design verifies.
    Good,
    /// That it does not.
    Bad,
}

/// Paints or does not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint(pub(super) Colour);

impl Paint {
    /// The text in its colour.
    pub(super) fn with(self, style: Style, text: &str) -> String {
        let code = match style {
            Style::Heading => "1",
            Style::Good => "1;32",
            Style::Bad => "1;31",
        };
        match self.0 {
            Colour::Ansi => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            Colour::Never => text.to_owned(),
        }
    }
}
