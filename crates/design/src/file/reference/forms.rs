//! Forms in words.

use crate::file::form::{Form, Lowest};
use crate::file::said::either;
use crate::words::Vocabulary;

/// The most words that are written where the form stands; more are in a list of their own.
const MOST_WORDS: usize = 3;

/// What can have the form, for a cell of a table.
pub(super) fn described(form: &Form) -> String {
    match form {
        Form::Text(text) => text.called.to_owned(),
        Form::Word(words) if words.words().len() > MOST_WORDS => "one of the words below".to_owned(),
        Form::Word(words) => alternatives(words.words().iter().map(|(word, ..)| format!("`\"{word}\"`"))),
        Form::OptionalWord(_) => {
            "one of the words below, with `?` after it where not every item has it".to_owned()
        }
        Form::WordOrText(_) => "one of the words below, or an expression in words or signs".to_owned(),
        Form::Whole { least, most: u64::MAX } => format!("a whole number from {least}"),
        Form::Whole { least, most } => format!("a whole number from {least} to {most}"),
        Form::Rate => "a number from 0 to 1,000,000,000".to_owned(),
        Form::Share(Lowest::Zero) => "a share from 0 to 1".to_owned(),
        Form::Share(Lowest::AboveZero) => "a share above 0, up to 1".to_owned(),
        Form::True => "`true`".to_owned(),
        Form::False => "`false`".to_owned(),
        Form::Boolean => "`true` or `false`".to_owned(),
        Form::List { of, .. } => format!("a list, each element {}", described(of)),
        Form::Table(section) => {
            let keys: Vec<String> = section.keys.iter().map(|key| format!("`{}`", key.name)).collect();
            if keys.len() > MOST_WORDS {
                "a table, see below".to_owned()
            } else {
                format!("a table with {}", keys.join(", "))
            }
        }
        Form::Map { names, of } => match of {
            Form::Table(_) => format!("a section under {}", names.called),
            of => format!("a table: under {}, {}", names.called, described(of)),
        },
        Form::OneOf(forms) => alternatives(forms.iter().map(described)),
    }
}

/// The vocabularies of a form that are too large for the place where it stands.
pub(super) fn words_of(form: &'static Form) -> Vec<&'static dyn Vocabulary> {
    match form {
        Form::OptionalWord(words) | Form::WordOrText(words) => vec![*words],
        Form::Word(words) if words.words().len() > MOST_WORDS => vec![*words],
        Form::List { of, .. } | Form::Map { of, .. } => words_of(of),
        Form::OneOf(forms) => forms.iter().flat_map(words_of).collect(),
        _ => Vec::new(),
    }
}

fn alternatives(texts: impl Iterator<Item = String>) -> String {
    either(texts, "or")
}
