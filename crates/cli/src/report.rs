//! Printing. A reader that went away (a closed pipe) is no failure of the command.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write, stderr, stdout};

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
    // What `serve` says on its way is no reason to stop.
    let _ = whole_result(text);
}

/// Prints what a command is for. That it could not be written, such as to a full disk, is a failure of the command.
pub(crate) fn whole_result(text: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        // Nobody is left to tell that nobody is left to read.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints a failure in one line.
pub(crate) fn failure(failure: &impl Display) {
    let text = failure.to_string().replace('\n', " ");
    let _ = writeln!(stderr(), "keywright: {text}");
}
