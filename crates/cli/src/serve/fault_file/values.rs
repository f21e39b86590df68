//! The values of a fault file, each with its line.

use std::time::Duration;

use keywright_api::Operation;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Problem;

/// A key with its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'text> {
    pub(super) name: &'text str,
    pub(super) value: &'text Spanned<DeValue<'text>>,
    /// Where the key begins, in bytes.
    pub(super) at: usize,
    pub(super) text: &'text str,
}

impl<'text> Entry<'text> {
    /// The entries of a table in the order of the text.
    pub(super) fn all(text: &'text str, table: &'text DeTable<'text>) -> Vec<Entry<'text>> {
        let entry = |(key, value): (&'text Spanned<_>, &'text Spanned<DeValue<'text>>)| {
            let name: &std::borrow::Cow<'text, str> = key.get_ref();
            Entry { name: name.as_ref(), value, at: key.span().start, text }
        };
        let mut entries: Vec<Entry<'text>> = table.iter().map(entry).collect();
        entries.sort_by_key(|entry| entry.at);
        entries
    }

    pub(super) fn find<'entries>(
        entries: &'entries [Entry<'text>],
        name: &str,
    ) -> Option<&'entries Entry<'text>> {
        entries.iter().find(|entry| entry.name == name)
    }

    pub(super) fn problem(&self, message: impl Into<String>) -> Problem {
        Problem::at(self.text, self.at, message)
    }

    pub(super) fn text(&self) -> Result<&'text str, Problem> {
        text_of(self.value).ok_or_else(|| self.wrong("a text in quotes"))
    }

    /// A whole number that is not negative.
    pub(super) fn integer(&self) -> Result<u64, Problem> {
        integer_of(self.value).ok_or_else(|| self.wrong("a whole number, such as 3"))
    }

    pub(super) fn integers(&self) -> Result<Vec<u64>, Problem> {
        let numbers =
            self.value.get_ref().as_array().and_then(|array| array.iter().map(integer_of).collect());
        numbers.ok_or_else(|| self.wrong("whole numbers, such as [3, 5]"))
    }

    pub(super) fn number(&self) -> Result<f64, Problem> {
        let number = match self.value.get_ref() {
            DeValue::Float(float) => float.as_str().replace('_', "").parse().ok(),
            // Far below 2^53, or no share anyway.
            _ => integer_of(self.value).map(|number| number as f64),
        };
        number.ok_or_else(|| self.wrong("a number, such as 0.1"))
    }

    pub(super) fn milliseconds(&self) -> Result<Duration, Problem> {
        self.integer().map(Duration::from_millis)
    }

    /// One of these words, with what it stands for.
    pub(super) fn choice<Value: Copy>(&self, choices: &[(&str, Value)]) -> Result<Value, Problem> {
        let written = self.text()?;
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        let found = choices.iter().find(|(word, _)| *word == written);
        found.map(|(_, value)| *value).ok_or_else(|| match nearest(written, &words) {
            Some(meant) => self.problem(format!("{written:?} is not known; did you mean {meant:?}?")),
            None => {
                let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
                self.problem(format!("{written:?} is not known; write {}", words.join(" or ")))
            }
        })
    }

    /// An operation's name, or several in an array.
    pub(super) fn operations(&self) -> Result<Vec<Operation>, Problem> {
        let names: Option<Vec<&str>> = match self.value.get_ref() {
            DeValue::Array(names) => names.iter().map(text_of).collect(),
            _ => text_of(self.value).map(|name| vec![name]),
        };
        let names = names.ok_or_else(|| self.wrong("the name of an operation, or several in an array"))?;
        if names.is_empty() {
            return Err(self.problem("no operation is named; leave the key out for all of them"));
        }
        let operation = |name: &&str| {
            let known: Vec<&str> = Operation::ALL.iter().map(|operation| operation.name()).collect();
            Operation::ALL.iter().copied().find(|operation| operation.name() == *name).ok_or_else(|| {
                self.problem(match nearest(name, &known) {
                    Some(meant) => format!("there is no operation `{name}`; did you mean `{meant}`?"),
                    None => {
                        format!("there is no operation `{name}`; the operations are {}", known.join(", "))
                    }
                })
            })
        };
        names.iter().map(operation).collect()
    }

    fn wrong(&self, expected: &str) -> Problem {
        self.problem(format!("`{}` is {expected}", self.name))
    }
}

/// The known word that is meant, if one begins so or is close to what is written.
pub(super) fn nearest<'words>(written: &str, known: &[&'words str]) -> Option<&'words str> {
    // Nothing longer is near a word that is known.
    const LONGEST: usize = 64;
    let plain = |word: &str| -> String {
        let characters = word.chars().filter(|character| !matches!(character, '_' | '-'));
        characters.take(LONGEST).flat_map(char::to_lowercase).collect()
    };
    let written = plain(written);
    if let Some(longer) = known.iter().find(|word| written.len() >= 3 && plain(word).starts_with(&written)) {
        return Some(longer);
    }
    let distances = known.iter().map(|word| (strsim::osa_distance(&written, &plain(word)), *word));
    let (distance, word) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= word.len() / 3).then_some(word)
}

fn text_of<'text>(value: &'text Spanned<DeValue<'text>>) -> Option<&'text str> {
    value.get_ref().as_str()
}

fn integer_of(value: &Spanned<DeValue<'_>>) -> Option<u64> {
    let integer = value.get_ref().as_integer()?;
    u64::from_str_radix(&integer.as_str().replace('_', ""), integer.radix()).ok()
}
