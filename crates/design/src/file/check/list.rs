//! Lists: not empty, and nothing in them twice.

use std::collections::HashSet;
use std::ops::Range;

use toml::de::{DeArray, DeValue};

use super::Check;
use crate::file::form::{Form, Twice};
use crate::file::problem::ProblemKind;
use crate::file::said::{quoted, shown};

impl Check<'_> {
    pub(super) fn list(
        &mut self,
        of: &'static Form,
        twice: Twice,
        elements: &DeArray<'_>,
        range: Range<usize>,
    ) {
        if elements.is_empty() {
            let wrong = format!("`{}` is an empty list", self.called);
            let instead = format!("{}, or leave it out", self.write_one_of_the_examples());
            self.problems.report(ProblemKind::OutOfRange, range, wrong, instead);
        }
        let mut seen = HashSet::new();
        for element in elements {
            self.value(of, element);
            let Some(name) = name_of(element.get_ref()).filter(|_| twice == Twice::Refused) else { continue };
            let shown = if element.get_ref().is_table() { quoted(&name) } else { shown(element.get_ref()) };
            if !seen.insert(name) {
                let wrong = format!("{shown} is in `{}` twice", self.called);
                self.problems.report(ProblemKind::Duplicate, element.span(), wrong, "leave one of them out");
            }
        }
    }
}

/// What makes an element of a list the same as another one: its text or number, or what its table is about.
fn name_of(element: &DeValue<'_>) -> Option<String> {
    match element {
        DeValue::String(text) => Some(text.clone().into_owned()),
        DeValue::Integer(integer) => Some(integer.to_string()),
        DeValue::Table(table) => {
            let text = |key: &str| table.get(key).and_then(|value| value.get_ref().as_str());
            let name = ["entity", "attribute", "name"].into_iter().find_map(text)?;
            // A deviation is about one key of an entity, so its index is a part of what it is about.
            Some(text("index").map_or_else(|| name.to_owned(), |index| format!("{name} in {index}")))
        }
        _ => None,
    }
}
