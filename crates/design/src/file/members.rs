//! The parts of a checked file, as the reader asks for them.
//!
//! What the check has refused reads as if it were not there: its problem is known already, and the file is not read in the
//! end. So nothing here fails.

use std::ops::Range;

use serde_spanned::Spanned;
use toml::de::{DeTable, DeValue};

use super::form::{Form, Section, entries};
use super::number::{Whole, number, whole};
use crate::words::Words;

/// A section of the file with its keys.
#[derive(Clone)]
pub(super) struct Members<'t> {
    section: &'static Section,
    table: &'t DeTable<'t>,
    range: Range<usize>,
}

/// What stands at a key or in a list.
#[derive(Clone, Copy)]
pub(super) struct Part<'t> {
    form: &'static Form,
    value: &'t Spanned<DeValue<'t>>,
}

/// A named entry: what stands under a name that the file gives.
pub(super) struct Entry<'t> {
    /// The name.
    pub(super) name: &'t str,
    /// What stands under it.
    pub(super) part: Part<'t>,
}

impl<'t> Members<'t> {
    pub(super) fn new(section: &'static Section, table: &'t DeTable<'t>, range: Range<usize>) -> Members<'t> {
        Members { section, table, range }
    }

    /// Where the section stands: its header, or the whole of it.
    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Whether these are the members of that section.
    pub(super) fn are_of(&self, section: &'static Section) -> bool {
        std::ptr::eq(self.section, section)
    }

    /// What stands at `key`.
    pub(super) fn part(&self, key: &str) -> Option<Part<'t>> {
        let Some(known) = self.section.key(key) else {
            unreachable!("{} has no key `{key}` in the tables of keys", self.section.called)
        };
        let value = self.table.get(key)?;
        Some(Part { form: known.form.of_value(value.get_ref())?.form, value })
    }

    pub(super) fn text(&self, key: &str) -> Option<&'t str> {
        self.part(key)?.text()
    }

    pub(super) fn owned_text(&self, key: &str) -> Option<String> {
        self.text(key).map(str::to_owned)
    }

    /// The name at `key`, which `new` makes.
    pub(super) fn name<Name, Problem>(
        &self,
        key: &str,
        new: impl Fn(&'t str) -> Result<Name, Problem>,
    ) -> Option<Name> {
        new(self.text(key)?).ok()
    }

    /// The names in the list at `key`.
    pub(super) fn names<Name, Problem>(
        &self,
        key: &str,
        new: impl Fn(&'t str) -> Result<Name, Problem>,
    ) -> Vec<Name> {
        self.elements(key).into_iter().filter_map(|part| new(part.text()?).ok()).collect()
    }

    pub(super) fn word<Choice: Clone>(&self, key: &str, words: &Words<Choice>) -> Option<Choice> {
        words.choice(self.text(key)?)
    }

    pub(super) fn whole<Number: TryFrom<u64>>(&self, key: &str) -> Option<Number> {
        self.part(key)?.whole()
    }

    pub(super) fn number(&self, key: &str) -> Option<f64> {
        self.part(key)?.number()
    }

    pub(super) fn boolean(&self, key: &str) -> Option<bool> {
        self.part(key)?.boolean()
    }

    pub(super) fn members(&self, key: &str) -> Option<Members<'t>> {
        self.part(key)?.members()
    }

    /// The elements of the list at `key`.
    pub(super) fn elements(&self, key: &str) -> Vec<Part<'t>> {
        self.part(key).map(Part::elements).unwrap_or_default()
    }

    /// The named entries at `key`, in the order of the file.
    pub(super) fn entries(&self, key: &str) -> Vec<Entry<'t>> {
        self.part(key).map(Part::entries).unwrap_or_default()
    }
}

impl<'t> Part<'t> {
    /// Where it stands.
    pub(super) fn range(self) -> Range<usize> {
        self.value.span()
    }

    pub(super) fn text(self) -> Option<&'t str> {
        self.value.get_ref().as_str()
    }

    pub(super) fn word<Choice: Clone>(self, words: &Words<Choice>) -> Option<Choice> {
        words.choice(self.text()?)
    }

    pub(super) fn whole<Number: TryFrom<u64>>(self) -> Option<Number> {
        match whole(self.value.get_ref())? {
            Whole::Number(number) => Number::try_from(number).ok(),
            Whole::Below | Whole::Above => None,
        }
    }

    pub(super) fn number(self) -> Option<f64> {
        number(self.value.get_ref())
    }

    pub(super) fn boolean(self) -> Option<bool> {
        self.value.get_ref().as_bool()
    }

    pub(super) fn members(self) -> Option<Members<'t>> {
        match (self.form, self.value.get_ref()) {
            (Form::Table(section), DeValue::Table(table)) => {
                Some(Members::new(section, table, self.value.span()))
            }
            _ => None,
        }
    }

    /// The elements, if it is a list.
    pub(super) fn elements(self) -> Vec<Part<'t>> {
        match (self.form, self.value.get_ref()) {
            (Form::List { of, .. }, DeValue::Array(elements)) => elements
                .iter()
                .filter_map(|value| Some(Part { form: of.of_value(value.get_ref())?.form, value }))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it is a list.
    pub(super) fn is_list(self) -> bool {
        matches!(self.value.get_ref(), DeValue::Array(_))
    }

    /// The named entries, in the order of the file, if its keys are names.
    pub(super) fn entries(self) -> Vec<Entry<'t>> {
        match (self.form, self.value.get_ref()) {
            (Form::Map { of, .. }, DeValue::Table(table)) => entries(table)
                .into_iter()
                .filter_map(|(name, value)| {
                    let part = Part { form: of.of_value(value.get_ref())?.form, value };
                    Some(Entry { name: name.get_ref(), part })
                })
                .collect(),
            _ => Vec::new(),
        }
    }
}
