//! Words: those that a key takes, and what was meant by others.

use std::ops::Range;

use crate::file::nearest::{is_same, nearest};
use crate::file::problem::{ProblemKind, Problems};
use crate::file::said::{either, quoted};
use crate::file::words::Vocabulary;

/// One of the words.
pub(super) fn check_word(
    key: &str,
    words: &dyn Vocabulary,
    text: &str,
    range: Range<usize>,
    problems: &mut Problems,
) {
    if !is_known(words, text) {
        problems.report(ProblemKind::UnknownWord, range, unknown(key, text), instead(words, text, ""));
    }
}

/// One of the words, with a `?` after it or not.
pub(super) fn check_optional_word(
    key: &str,
    words: &dyn Vocabulary,
    text: &str,
    range: Range<usize>,
    problems: &mut Problems,
) {
    let (bare, mark) = text.strip_suffix('?').map_or((text, ""), |bare| (bare, "?"));
    if !is_known(words, bare) {
        problems.report(ProblemKind::UnknownWord, range, unknown(key, text), instead(words, bare, mark));
    }
}

/// One of the words, or a text that is more than a word: what looks like a word must be one.
pub(super) fn check_word_or_text(
    key: &str,
    words: &dyn Vocabulary,
    text: &str,
    range: Range<usize>,
    problems: &mut Problems,
) {
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'));
    if is_word && !is_known(words, text) {
        let instead = format!("{}, or an expression such as `balance >= :cost`", instead(words, text, ""));
        problems.report(ProblemKind::UnknownWord, range, unknown(key, text), instead);
    }
}

fn is_known(words: &dyn Vocabulary, text: &str) -> bool {
    words.words().iter().any(|(word, ..)| *word == text)
}

fn unknown(key: &str, text: &str) -> String {
    format!("`{key}` cannot be {}", quoted(text))
}

fn instead(words: &dyn Vocabulary, text: &str, mark: &str) -> String {
    let words = words.words();
    let renamed = words.iter().find(|(_, _, also)| also.iter().any(|other| is_same(other, text)));
    let meant =
        renamed.map(|(word, ..)| *word).or_else(|| nearest(text, words.iter().map(|(word, ..)| *word)));
    match meant {
        Some(word) => format!("write `\"{word}{mark}\"`"),
        None => format!("write {}", either(words.iter().map(|(word, ..)| format!("`\"{word}\"`")), "or")),
    }
}
