//! Where the parts of a design stand in its file.

use std::collections::HashMap;
use std::ops::Range;

use serde_spanned::Spanned;
use toml::de::{DeTable, DeValue};

use crate::place::Place;

/// A part of the file: where it stands, and its parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    range: Range<usize>,
    parts: HashMap<String, Places>,
}

impl Places {
    /// The places of a file.
    pub(super) fn of(file: &DeTable<'_>, text: &str) -> Places {
        Places { range: 0..0, parts: parts_of_table(file, text) }
    }

    /// Where `place` stands, or the nearest part around it that is in the file. None for the file as a whole.
    pub(super) fn range(&self, place: &Place) -> Option<Range<usize>> {
        let mut part = self;
        let mut found = None;
        for segment in place.segments() {
            let Some(inner) = part.parts.get(segment) else { break };
            part = inner;
            found = Some(inner.range.clone());
        }
        found
    }

    /// Whether the file has the part, or the section that it would be in.
    pub(super) fn has(&self, place: &Place) -> bool {
        let mut part = self;
        for segment in place.segments() {
            let Some(inner) = part.parts.get(segment) else { return false };
            part = inner;
        }
        true
    }
}

fn parts_of_table(table: &DeTable<'_>, text: &str) -> HashMap<String, Places> {
    table
        .iter()
        .map(|(key, value)| {
            let range = shown(key.span(), value.span(), text);
            (key.get_ref().clone().into_owned(), Places { range, parts: parts_of(value, text) })
        })
        .collect()
}

fn parts_of(value: &Spanned<DeValue<'_>>, text: &str) -> HashMap<String, Places> {
    match value.get_ref() {
        DeValue::Table(table) => parts_of_table(table, text),
        DeValue::Array(elements) => elements
            .iter()
            .enumerate()
            .map(|(place, element)| {
                let range = shown(element.span(), element.span(), text);
                (place.to_string(), Places { range, parts: parts_of(element, text) })
            })
            .collect(),
        _ => HashMap::new(),
    }
}

/// The value, or the key if the value has several lines.
fn shown(key: Range<usize>, value: Range<usize>, text: &str) -> Range<usize> {
    match text.get(value.clone()) {
        Some(written) if !written.contains('\n') => value,
        _ => key,
    }
}
