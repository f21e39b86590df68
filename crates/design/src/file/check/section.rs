//! Sections: keys that are unknown or missing.

use std::ops::Range;

use toml::de::DeTable;

use super::{Check, write_one_of};
use crate::file::form::{Key, Need, Section, entries};
use crate::file::keys::FILE;
use crate::file::nearest::{is_same, nearest};
use crate::file::problem::{ProblemKind, Problems};
use crate::file::said::{either, quoted};

/// Checks a section. `siblings` could have stood in its place; `range` is where it stands: its header, or the whole of it.
pub(super) fn check(
    section: &'static Section,
    siblings: &[&'static Section],
    table: &DeTable<'_>,
    range: &Range<usize>,
    problems: &mut Problems,
) {
    let mut meant = Vec::new();
    for (name, value) in entries(table) {
        let written = name.get_ref();
        if let Some(key) = section.key(written) {
            Check { key, called: key.name.to_owned(), problems: &mut *problems }.value(&key.form, value);
        } else if let Some(sibling) = siblings.iter().find(|sibling| sibling.key(written).is_some()) {
            excluded(section, sibling, written, name.span(), problems);
        } else {
            meant.extend(unknown(section, written, name.span(), problems));
        }
    }
    for key in section.keys {
        // Who wrote it under another name has been told.
        if key.need == Need::Required && !table.contains_key(key.name) && !meant.contains(&key.name) {
            let wrong = format!("{} must have `{}`", section.called, key.name);
            problems.report(ProblemKind::MissingKey, range.clone(), wrong, write_one_of(key.examples));
        }
    }
}

/// A key that only another form has.
fn excluded(section: &Section, other: &Section, written: &str, range: Range<usize>, problems: &mut Problems) {
    let own = section.keys.first().map_or(section.called, |key| key.name);
    let wrong = format!("`{own}` and `{written}` exclude each other: {} is one of them", other.called);
    problems.report(ProblemKind::Conflict, range, wrong, "leave one of them out");
}

/// Reports a key that the section does not have; gives the key that was meant, if that can be told.
fn unknown(
    section: &'static Section,
    written: &str,
    range: Range<usize>,
    problems: &mut Problems,
) -> Option<&'static str> {
    let meant = meant_by(section, written);
    let instead = match meant {
        Some(name) => format!("write `{name}`"),
        None if FILE.key(written).is_some() => {
            "it belongs to the whole file: write it above the first section".to_owned()
        }
        None => {
            let names = section.keys.iter().map(|key| format!("`{}`", key.name));
            format!("its keys are {}", either(names, "and"))
        }
    };
    let wrong = format!("{} has no key {}", section.called, quoted(written));
    problems.report(ProblemKind::UnknownKey, range, wrong, instead);
    meant
}

fn meant_by(section: &'static Section, written: &str) -> Option<&'static str> {
    let is_called = |key: &&Key| key.also.iter().any(|other| is_same(other, written));
    let renamed = section.keys.iter().find(is_called).map(|key| key.name);
    renamed.or_else(|| nearest(written, section.keys.iter().map(|key| key.name)))
}
