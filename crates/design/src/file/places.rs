//! Where the parts of a design stand in its file.

use std::ops::Range;

use serde_spanned::Spanned;
use toml::de::{DeTable, DeValue};

use crate::place::Place;

/// A part of the file: where it stands, and its parts.
#[derive(Clone, Debug)]
pub(super) struct Places {
    range: Range<usize>,
    parts: Parts,
}

#[derive(Clone, Debug)]
enum Parts {
    None,
    /// By name, in the order of the names.
    Named(Vec<(Box<str>, Places)>),
    /// By position.
    Listed(Vec<Places>),
}

impl Places {
    /// The places of a file.
    pub(super) fn of(file: &DeTable<'_>, text: &str) -> Places {
        Places { range: 0..0, parts: Parts::of_table(file, text) }
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

    /// Whether the file has the part.
    pub(super) fn has(&self, place: &Place) -> bool {
        place.segments().iter().try_fold(self, |part, segment| part.parts.get(segment)).is_some()
    }
}

impl Parts {
    fn of(value: &Spanned<DeValue<'_>>, text: &str) -> Parts {
        match value.get_ref() {
            DeValue::Table(table) => Parts::of_table(table, text),
            DeValue::Array(elements) => {
                let element = |value: &Spanned<DeValue<'_>>| Places {
                    range: shown(value.span(), value.span(), text),
                    parts: Parts::of(value, text),
                };
                Parts::Listed(elements.iter().map(element).collect())
            }
            _ => Parts::None,
        }
    }

    fn of_table(table: &DeTable<'_>, text: &str) -> Parts {
        let mut parts: Vec<(Box<str>, Places)> = table
            .iter()
            .map(|(key, value)| {
                let range = shown(key.span(), value.span(), text);
                (Box::from(key.get_ref().as_ref()), Places { range, parts: Parts::of(value, text) })
            })
            .collect();
        parts.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        Parts::Named(parts)
    }

    fn get(&self, segment: &str) -> Option<&Places> {
        match self {
            Parts::None => None,
            Parts::Named(parts) => {
                let place = parts.binary_search_by(|(name, _)| name.as_ref().cmp(segment)).ok()?;
                parts.get(place).map(|(_, part)| part)
            }
            Parts::Listed(parts) => parts.get(segment.parse::<usize>().ok()?),
        }
    }
}

/// The value, or the key if the value has several lines.
fn shown(key: Range<usize>, value: Range<usize>, text: &str) -> Range<usize> {
    match text.get(value.clone()) {
        Some(written) if !written.contains('\n') => value,
        _ => key,
    }
}
