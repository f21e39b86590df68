//! The file against the tables of keys: what is unknown, missing, of a wrong type, or out of its range.
//!
//! Every problem of the file is found in one run: a part that is wrong does not hide the next one. What passes here has the
//! type that its form says, so that the reader's own refusals are about meaning alone.

mod list;
mod numbers;
mod section;
mod words;

use std::ops::Range;

use serde_spanned::Spanned;
use toml::de::{DeTable, DeValue};

use super::form::{Chosen, Form, Key, Section, TextForm, entries};
use super::problem::{ProblemKind, Problems};
use super::said::{described, either, quoted};

/// Checks the file's sections.
pub(super) fn check(file: &'static Section, table: &DeTable<'_>, problems: &mut Problems) {
    section::check(file, &[], table, &(0..0), problems);
}

/// The check of what stands at one key, or in what stands there.
struct Check<'p> {
    key: &'static Key,
    /// What messages call it: the key, or a name below it.
    called: String,
    problems: &'p mut Problems,
}

impl Check<'_> {
    fn value(&mut self, form: &'static Form, value: &Spanned<DeValue<'_>>) {
        let Chosen { form, siblings } = match form.of_value(value.get_ref()) {
            Some(chosen) => chosen,
            None => return self.wrong_type(form, value),
        };
        let range = value.span();
        match (form, value.get_ref()) {
            (Form::Text(of), DeValue::String(text)) => self.text(of, text, range),
            (Form::Word(words), DeValue::String(text)) => self.word(*words, text, range),
            (Form::OptionalWord(words), DeValue::String(text)) => self.optional_word(*words, text, range),
            (Form::WordOrText(words), DeValue::String(text)) => self.word_or_text(*words, text, range),
            (Form::Whole { least, most }, written) => self.whole(*least, *most, written, range),
            (Form::Rate, written) => self.rate(written, range),
            (Form::Share(lowest), written) => self.share(*lowest, written, range),
            (Form::List { of, twice }, DeValue::Array(elements)) => self.list(of, *twice, elements, range),
            (Form::Table(section), DeValue::Table(table)) => {
                section::check(section, &siblings, table, &range, self.problems);
            }
            (Form::Map { names, of }, DeValue::Table(table)) => self.map(names, of, table),
            // The booleans: `of_value` has compared them.
            _ => {}
        }
    }

    fn text(&mut self, form: &TextForm, text: &str, range: Range<usize>) {
        match (form.check)(text) {
            Ok(()) => {}
            Err(_) if form.is_free && text.trim().is_empty() => {
                let wrong = format!("`{}` is empty", self.called);
                let instead = self.write_one_of_the_examples();
                self.problems.report(ProblemKind::Malformed, range, wrong, instead);
            }
            Err(instead) => {
                let wrong = format!("{} cannot be {}", quoted(text), form.called);
                self.problems.report(ProblemKind::Malformed, range, wrong, instead);
            }
        }
    }

    fn map(&mut self, names: &TextForm, of: &'static Form, table: &DeTable<'_>) {
        for (name, value) in entries(table) {
            if let (Form::Table(_), false) = (of, value.get_ref().is_table()) {
                let wrong = format!("the section `[{}]` has no name", self.key.name);
                let instead = self.write_one_of_the_examples();
                // Its other keys are there for the same reason.
                return self.problems.report(ProblemKind::WrongType, name.span(), wrong, instead);
            }
            self.text(names, name.get_ref(), name.span());
            let called = format!("{}.{}", self.key.name, name.get_ref());
            Check { key: self.key, called, problems: &mut *self.problems }.value(of, value);
        }
    }

    fn wrong_type(&mut self, form: &'static Form, value: &Spanned<DeValue<'_>>) {
        let instead = match value.get_ref() {
            DeValue::String(text) if form.takes_list() && !text.is_empty() => {
                format!("write a list, `{} = [\"{}\"]`", self.called, text.escape_debug())
            }
            _ => self.write_one_of_the_examples(),
        };
        let wrong = format!("`{}` cannot be {}", self.called, described(value.get_ref()));
        self.problems.report(ProblemKind::WrongType, value.span(), wrong, instead);
    }

    fn write_one_of_the_examples(&self) -> String {
        write_one_of(self.key.examples)
    }

    /// The forms of the key that are not of the kind which was written, to go behind advice about that kind.
    fn or_another_form(&self, is_of_kind: fn(&str) -> bool) -> String {
        let others: Vec<&str> = match self.key.form {
            Form::OneOf(_) => {
                let is_other =
                    |example: &&&str| example.split_once(" = ").is_none_or(|(_, value)| !is_of_kind(value));
                self.key.examples.iter().filter(is_other).copied().collect()
            }
            _ => Vec::new(),
        };
        if others.is_empty() { String::new() } else { format!("; or {}", examples(&others)) }
    }
}

/// "write `stream = "keys-only"` or `stream = false`"
fn write_one_of(lines: &[&str]) -> String {
    format!("write {}", examples(lines))
}

fn examples(lines: &[&str]) -> String {
    let shown = lines.iter().map(|example| {
        let lines: Vec<String> = example.lines().map(|line| format!("`{line}`")).collect();
        lines.join(" and below it ")
    });
    either(shown, "or")
}
