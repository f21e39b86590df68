//! Errors of TOML itself: the parser says what it expected, and here is what to write.

use std::ops::Range;

use toml::de::Error;

use super::problem::{ProblemKind, Problems};
use super::said::quoted;

/// The most lines that are reported: a text that is not TOML at all has an error in each.
const MOST_LINES: usize = 20;

/// Reports what keeps the text from being TOML: one error a line. Gives whether what was parsed can be read on.
pub(super) fn report(text: &str, errors: &[Error], problems: &mut Problems) -> Readable {
    let mut errors: Vec<&Error> = errors.iter().collect();
    errors.sort_by_key(|error| range_of(error, text).start);
    let (duplicates, faults): (Vec<&Error>, Vec<&Error>) =
        errors.into_iter().partition(|error| error.message() == DUPLICATE);
    let readable = if faults.is_empty() { Readable::Yes } else { Readable::No };
    for error in first_of_lines(text, &duplicates) {
        duplicate(text, range_of(error, text), problems);
    }
    for error in first_of_lines(text, &faults) {
        let range = range_of(error, text);
        let instead = advice(error.message(), text, &range);
        problems.report(ProblemKind::Syntax, range, error.message(), instead);
        if is_open(error.message()) {
            // What follows an open list or table is read as a part of it, so that its errors are not the user's.
            break;
        }
    }
    readable
}

fn range_of(error: &Error, text: &str) -> Range<usize> {
    error.span().unwrap_or(text.len()..text.len())
}

/// The first error of each line, of the first lines that have some.
fn first_of_lines<'e>(text: &str, errors: &[&'e Error]) -> Vec<&'e Error> {
    let mut first = Vec::new();
    let mut last_line = None;
    for error in errors {
        let range = range_of(error, text);
        if last_line.as_ref().is_some_and(|line: &Range<usize>| line.contains(&range.start)) {
            continue;
        }
        let line = line_of(text, &range);
        // An error at the end of a line is one of the line.
        last_line = Some(line.start..line.end + 1);
        first.push(*error);
        if first.len() == MOST_LINES {
            break;
        }
    }
    first
}

/// Whether a text with these errors can still be looked at as a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readable {
    /// It can.
    Yes,
    /// It cannot: parts of it may be missing.
    No,
}

/// What the parser says of a key or a section that is there twice.
const DUPLICATE: &str = "duplicate key";

fn duplicate(text: &str, range: Range<usize>, problems: &mut Problems) {
    let line = text.get(line_of(text, &range)).unwrap_or_default().trim();
    let (wrong, instead) = if line.starts_with('[') {
        (format!("the section {} is there already", quoted(line)), "write all its keys in one place")
    } else {
        let key = text.get(range.clone()).unwrap_or_default();
        (format!("the key {} is in this section already", quoted(key)), "leave one of them out")
    };
    problems.report(ProblemKind::Duplicate, range, wrong, instead);
}

/// Whether a list or an inline table was not closed where it should have been.
fn is_open(message: &str) -> bool {
    ["missing comma between", "unclosed array", "unclosed inline table"]
        .iter()
        .any(|start| message.starts_with(start))
}

/// What to write where the parser says `message`. A message of a later parser that is not known here gets the general advice.
fn advice(message: &str, text: &str, range: &Range<usize>) -> String {
    let known = [
        ("string values must be quoted", "put the text in quotes"),
        (
            "missing comma between",
            "put a comma between the two, or close what is open before: a list with `]`, a table with `}`",
        ),
        ("unclosed array", "close the list with `]`"),
        ("unclosed inline table", "close the table with `}`"),
        ("unclosed array of tables", "close the header with `]]`, such as `[[exception]]`"),
        ("unclosed table", "close the header with `]`, such as `[table.app]`"),
        (
            "missing escaped value",
            "write `\\\\` for a backslash, or put the text in single quotes, which keep it as it is",
        ),
        ("key with no value", "write `=` between a key and its value, such as `partition_key = \"pk\"`"),
        (
            "invalid unquoted key",
            "write keys with letters, digits, `-` and `_`, and `=` after them; other keys go in quotes",
        ),
        (
            "invalid key-value pair",
            "write `key = value` in each line, below a section such as `[table.app]`: the file is TOML",
        ),
        ("recursion limit", "nest less deeply: no part of a design is more than a few levels deep"),
    ];
    if message.starts_with("invalid basic string") || message.starts_with("invalid literal string") {
        let at_end =
            text.get(range.start..).is_none_or(|rest| rest.is_empty() || rest.starts_with(['\n', '\r']));
        let advice = if at_end {
            "close the text with the quote that it begins with"
        } else {
            "leave the control character out"
        };
        return advice.to_owned();
    }
    let found = known.into_iter().find(|(start, _)| message.starts_with(start));
    found
        .map_or("write TOML here: https://toml.io/en/v1.0.0 shows its forms", |(_, advice)| advice)
        .to_owned()
}

/// The line on which a range begins.
fn line_of(text: &str, range: &Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = range.start.min(text.len());
    let before = bytes.get(..start).unwrap_or_default();
    let after = bytes.get(start..).unwrap_or_default();
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |place| place + 1);
    let line_end = start + after.iter().position(|byte| *byte == b'\n').unwrap_or(after.len());
    line_start..line_end
}
