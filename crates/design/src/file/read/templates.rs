//! Key templates, and where in the text of the file a character of one stands.

use std::ops::Range;

use keywright_key::KeyFormat;

use super::Reader;
use crate::file::members::Part;
use crate::file::problem::ProblemKind;
use crate::model::Template;

impl Reader<'_> {
    /// The template that a text is, in a table with this format.
    pub(super) fn template(&mut self, part: Part<'_>, format: KeyFormat) -> Option<Template> {
        let text = part.text()?;
        match Template::parse(text, format) {
            Ok(template) => Some(template),
            Err(error) => {
                let message = error.message(text);
                let (wrong, instead) = wrong_and_instead(message.as_str());
                let range = within(self.text, part.range(), text, error.place());
                self.problems.report(ProblemKind::Template, range, wrong, instead);
                None
            }
        }
    }
}

/// The rule's text says that the template cannot be read at a character, a colon, and why and what to write.
fn wrong_and_instead(message: &str) -> (String, &str) {
    const AT: &str = " cannot be read at character ";
    let parts = message.rsplit_once(AT).and_then(|(_, rest)| rest.split_once(": "));
    match parts {
        Some((character, instead)) => (format!("the key template{AT}{character}"), instead),
        None => ("the key template cannot be read".to_owned(), message),
    }
}

/// Where the byte `place` of the decoded `text` stands, if the file writes it as it is; else the whole of it.
fn within(file: &str, range: Range<usize>, text: &str, place: usize) -> Range<usize> {
    let Some(raw) = file.get(range.clone()) else { return range };
    let quotes = if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
    let inner = raw.get(quotes..raw.len().saturating_sub(quotes));
    if inner != Some(text) {
        return range;
    }
    let start = range.start + quotes + place;
    let length = text.get(place..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
    start..start + length
}
