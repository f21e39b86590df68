//! Where a report will be read: how wide, and whether in colour.

use std::io::{IsTerminal, stdout};

use keywright_design::report::{Colour, Layout};

/// The layout for standard output. Colour is for terminals, and not where `NO_COLOR` is set to anything
/// (<https://no-color.org>) or `TERM` is `dumb`. The width is the terminal's, or what `COLUMNS` says.
pub(crate) fn layout() -> Layout {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let is_terminal = stdout().is_terminal();
    let is_plain = variable("NO_COLOR").is_some() || variable("TERM").is_some_and(|term| term == "dumb");
    let default = Layout::default();
    let columns = variable("COLUMNS").and_then(|columns| columns.parse::<usize>().ok());
    let of_terminal = || is_terminal.then(terminal_size::terminal_size).flatten();
    Layout {
        width: columns
            .or_else(|| of_terminal().map(|(terminal_size::Width(width), _)| usize::from(width)))
            .unwrap_or(default.width)
            .clamp(NARROWEST, WIDEST),
        colour: if is_terminal && !is_plain { Colour::Ansi } else { Colour::Never },
    }
}

/// Tables are not readable in less.
const NARROWEST: usize = 60;

/// Lines are not readable in more.
const WIDEST: usize = 160;
