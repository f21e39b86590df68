//! Reports: what was found and what it costs, as text for people and as JSON for programs.
//!
//! Nothing here prints: a report is a text. Width and colour are the caller's, who knows where it will be read.

mod explain;
mod paragraph;
mod snippet;

pub use explain::{explain, list_of_rules};
pub use snippet::{finding_snippet, problem_snippet};

/// How a report is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The columns that a line may take. Where a word or a path is longer, its line is.
    pub width: usize,
    /// Whether it may use colours.
    pub colour: Colour,
}

impl Default for Layout {
    /// 100 columns without colour: for files and pipes.
    fn default() -> Layout {
        Layout { width: 100, colour: Colour::Never }
    }
}

/// Whether a report uses colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// ANSI escape sequences, for a terminal.
    Ansi,
    /// Plain text.
    Never,
}
