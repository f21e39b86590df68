//! Words: those that a key takes, and what was meant by others.

use std::ops::Range;

use super::Check;
use crate::file::nearest::{is_same, nearest};
use crate::file::problem::ProblemKind;
use crate::file::said::{either, quoted};
use crate::words::Vocabulary;

impl Check<'_> {
    /// One of the words.
    pub(super) fn word(&mut self, words: &dyn Vocabulary, text: &str, range: Range<usize>) {
        if is_known(words, text) {
            return;
        }
        let instead = match text.strip_suffix('?').filter(|bare| is_known(words, bare)) {
            Some(bare) => format!("write `\"{bare}\"`, and `optional = true` beside it"),
            None => self.instead(words, text, ""),
        };
        self.unknown_word(text, instead, range);
    }

    /// One of the words, with a `?` after it or not.
    pub(super) fn optional_word(&mut self, words: &dyn Vocabulary, text: &str, range: Range<usize>) {
        let (bare, mark) = text.strip_suffix('?').map_or((text, ""), |bare| (bare, "?"));
        if !is_known(words, bare) {
            let instead = self.instead(words, bare, mark);
            self.unknown_word(text, instead, range);
        }
    }

    /// One of the words, or a text that is more than a word: what looks like a word must be one.
    pub(super) fn word_or_text(&mut self, words: &dyn Vocabulary, text: &str, range: Range<usize>) {
        let is_word = text.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'));
        if is_word && !is_known(words, text) {
            let instead = self.instead(words, text, "");
            self.unknown_word(
                text,
                format!("{instead}, or an expression such as `\"balance >= :cost\"`"),
                range,
            );
        }
    }

    fn unknown_word(&mut self, text: &str, instead: String, range: Range<usize>) {
        let wrong = format!("{} is no word of `{}`", quoted(text), self.called);
        self.problems.report(ProblemKind::UnknownWord, range, wrong, instead);
    }

    fn instead(&self, words: &dyn Vocabulary, text: &str, mark: &str) -> String {
        let words = words.words();
        let renamed = words.iter().find(|(_, _, also)| also.iter().any(|other| is_same(other, text)));
        let known = || words.iter().map(|(word, ..)| *word);
        match renamed.map(|(word, ..)| *word).or_else(|| nearest(text, known())) {
            Some(word) => format!("write `\"{word}{mark}\"`"),
            None => {
                let known = either(known().map(|word| format!("`\"{word}\"`")), "or");
                format!("write {known}{}", self.or_another_form(|value| value.starts_with('"')))
            }
        }
    }
}

fn is_known(words: &dyn Vocabulary, text: &str) -> bool {
    words.words().iter().any(|(word, ..)| *word == text)
}
