//! The file against the tables of keys: what is unknown, missing, of a wrong type, or out of its range.
//!
//! Every problem of the file is found in one run: a part that is wrong does not hide the next one. What passes here has the
//! type that its form says, so that the reader's own refusals are about meaning alone.

mod words;

use std::ops::Range;

use serde_spanned::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use self::words::{check_optional_word, check_word, check_word_or_text};
use super::form::{Form, Key, Lowest, Need, Section, TextForm, Twice, entries};
use super::nearest::{is_same, nearest};
use super::number::{Whole, number, whole};
use super::problem::{ProblemKind, Problems};
use super::said::{described, either, quoted, shown};

/// Checks a section. `range` is where it stands: its header, or the whole of it.
pub(super) fn check_section(
    section: &'static Section,
    table: &DeTable<'_>,
    range: &Range<usize>,
    problems: &mut Problems,
) {
    for (name, value) in entries(table) {
        match section.key(name.get_ref()) {
            Some(key) => Check { key, problems }.value(&key.form, value),
            None => unknown_key(section, name.get_ref(), name.span(), problems),
        }
    }
    for key in section.keys {
        if key.need == Need::Required && !table.contains_key(key.name) {
            let wrong = format!("{} must have `{}`", section.called, key.name);
            problems.report(ProblemKind::MissingKey, range.clone(), wrong, write_one_of(key));
        }
    }
}

fn unknown_key(section: &Section, written: &str, range: Range<usize>, problems: &mut Problems) {
    let wrong = format!("{} has no key {}", section.called, quoted(written));
    let renamed = section.keys.iter().find(|key| key.also.iter().any(|other| is_same(other, written)));
    let names = || section.keys.iter().map(|key| key.name);
    let instead = match renamed.map(|key| key.name).or_else(|| nearest(written, names())) {
        Some(name) => format!("write `{name}`"),
        None => format!("its keys are {}", either(names().map(|name| format!("`{name}`")), "and")),
    };
    problems.report(ProblemKind::UnknownKey, range, wrong, instead);
}

/// "write `stream = "keys-only"`, or `stream = false`"
fn write_one_of(key: &Key) -> String {
    format!("write {}", either(key.examples.iter().map(|example| format!("`{example}`")), "or"))
}

/// The check of what stands at one key.
struct Check<'p> {
    key: &'static Key,
    problems: &'p mut Problems,
}

impl Check<'_> {
    fn value(&mut self, form: &'static Form, value: &Spanned<DeValue<'_>>) {
        let Some(form) = form.of_value(value.get_ref()) else {
            let wrong = format!("`{}` cannot be {}", self.key.name, described(value.get_ref()));
            let instead = self.what_to_write();
            self.problems.report(ProblemKind::WrongType, value.span(), wrong, instead);
            return;
        };
        match (form, value.get_ref()) {
            (Form::Text(of), DeValue::String(text)) => self.text(of, text, value.span()),
            (Form::Word(words), DeValue::String(text)) => {
                check_word(self.key.name, *words, text, value.span(), self.problems);
            }
            (Form::OptionalWord(words), DeValue::String(text)) => {
                check_optional_word(self.key.name, *words, text, value.span(), self.problems);
            }
            (Form::WordOrText(words), DeValue::String(text)) => {
                check_word_or_text(self.key.name, *words, text, value.span(), self.problems);
            }
            (Form::Whole { least, most }, written) => self.whole(*least, *most, written, value.span()),
            (Form::Rate, written) => self.rate(written, value.span()),
            (Form::Share(lowest), written) => self.share(*lowest, written, value.span()),
            (Form::List { of, twice }, DeValue::Array(elements)) => {
                self.list(of, *twice, elements, value.span());
            }
            (Form::Table(section), DeValue::Table(table)) => {
                check_section(section, table, &value.span(), self.problems);
            }
            (Form::Map { names, of }, DeValue::Table(table)) => {
                for (name, value) in entries(table) {
                    self.text(names, name.get_ref(), name.span());
                    self.value(of, value);
                }
            }
            // The booleans: `of_value` has compared them.
            _ => {}
        }
    }

    fn what_to_write(&self) -> String {
        write_one_of(self.key)
    }

    fn text(&mut self, form: &TextForm, text: &str, range: Range<usize>) {
        if let Err(misfit) = (form.check)(text) {
            let wrong = format!("{} {} ({})", quoted(text), misfit.wrong, form.called);
            self.problems.report(misfit.kind, range, wrong, misfit.instead);
        }
    }

    fn whole(&mut self, least: u64, most: u64, written: &DeValue<'_>, range: Range<usize>) {
        let fits = match whole(written) {
            Some(Whole::Number(number)) => (least..=most).contains(&number),
            Some(Whole::Below | Whole::Above) | None => false,
        };
        if !fits {
            let limits = if most == u64::MAX {
                format!("a whole number from {least} up")
            } else {
                format!("a whole number from {least} to {most}")
            };
            self.out_of_range(written, &limits, range);
        }
    }

    fn rate(&mut self, written: &DeValue<'_>, range: Range<usize>) {
        if !number(written).is_some_and(|rate| rate.is_finite() && rate >= 0.0) {
            self.out_of_range(written, "a number from 0 up", range);
        }
    }

    fn share(&mut self, lowest: Lowest, written: &DeValue<'_>, range: Range<usize>) {
        let (fits, limits): (fn(f64) -> bool, _) = match lowest {
            Lowest::Zero => (|share| (0.0..=1.0).contains(&share), "a share from 0 to 1, such as `0.2`"),
            Lowest::AboveZero => {
                (|share| share > 0.0 && share <= 1.0, "a share above 0 and up to 1, such as `0.2`")
            }
        };
        if !number(written).is_some_and(fits) {
            self.out_of_range(written, limits, range);
        }
    }

    fn out_of_range(&mut self, written: &DeValue<'_>, limits: &str, range: Range<usize>) {
        let wrong = format!("`{}` cannot be {}", self.key.name, shown(written));
        self.problems.report(ProblemKind::OutOfRange, range, wrong, format!("write {limits}"));
    }

    fn list(&mut self, of: &'static Form, twice: Twice, elements: &DeArray<'_>, range: Range<usize>) {
        if elements.is_empty() {
            let wrong = format!("`{}` is an empty list", self.key.name);
            let instead = self.what_to_write();
            self.problems.report(ProblemKind::OutOfRange, range, wrong, instead);
        }
        let mut seen = std::collections::HashSet::new();
        for element in elements {
            self.value(of, element);
            if twice == Twice::Refused && !name_of(element.get_ref()).is_none_or(|name| seen.insert(name)) {
                let wrong = format!("{} is in `{}` twice", shown(element.get_ref()), self.key.name);
                self.problems.report(ProblemKind::Duplicate, element.span(), wrong, "leave one of them out");
            }
        }
    }
}

/// What makes an element of a list the same as another one: its text or number, or the name that its table begins with.
fn name_of(element: &DeValue<'_>) -> Option<String> {
    match element {
        DeValue::String(text) => Some(text.clone().into_owned()),
        DeValue::Integer(integer) => Some(integer.to_string()),
        DeValue::Table(table) => {
            let name = ["entity", "attribute", "name"].into_iter().find_map(|key| table.get(key));
            // A deviation is about one key of an entity, so its index is a part of what it is about.
            let index = table.get("index").and_then(|index| index.get_ref().as_str());
            let name = name?.get_ref().as_str()?;
            Some(index.map_or_else(|| name.to_owned(), |index| format!("{name} {index}")))
        }
        _ => None,
    }
}
