//! Printing. A reader that went away (a closed pipe) is no failure of the command.

use std::fmt::Display;
use std::io::{Write, stderr, stdout};

use clap::ValueEnum;

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Prints to standard output at once, also into a pipe.
pub(crate) fn result(text: &str) {
    let mut out = stdout().lock();
    // Nobody is left to tell that nobody is left to read.
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// Prints a failure in one line.
pub(crate) fn failure(failure: &impl Display) {
    let text = failure.to_string().replace('\n', " ");
    let _ = writeln!(stderr(), "keywright: {text}");
}
