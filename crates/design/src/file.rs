//! `keywright.toml`: a text becomes a design that knows where its parts stand, or every problem that it has.
//!
//! The text is parsed as TOML, checked against the tables of keys, and read. Nothing stops at the first problem. No text makes
//! this panic, and nothing is read that a table of keys does not name.

mod check;
mod form;
mod keys;
mod members;
mod nearest;
mod number;
mod places;
mod position;
mod problem;
mod read;
mod reference;
mod said;
mod schema;
mod syntax;
mod texts;

use std::ops::Range;

use toml::de::DeTable;

use self::members::Members;
use self::places::Places;
use self::position::Lines;
use self::problem::Problems;
use self::syntax::Readable;
use crate::model::Design;
use crate::place::Place;

pub use position::Position;
pub use problem::{Problem, ProblemKind};

/// A design and the file that it was read from.
///
/// ```
/// use keywright_design::{DesignFile, Place};
///
/// let text = "[table.app]\npartition_key = \"pk\"\n\n[entity.user]\npartition_key = \"USER#{user_id}\"\n";
/// let file = DesignFile::parse(text).unwrap();
/// let user = &file.design().entities[0];
/// assert_eq!(user.partition_key.text(), "USER#{user_id}");
///
/// let place = Place::entity(&user.name).member("partition_key");
/// assert_eq!(file.position(&place).line, 5);
///
/// let problems = DesignFile::parse("[table.app]\npartition_kye = \"pk\"\n").unwrap_err();
/// assert_eq!(problems[0].message(), "a table has no key `partition_kye`: write `partition_key`");
/// ```
#[derive(Clone, Debug)]
pub struct DesignFile {
    text: String,
    design: Design,
    places: Places,
    lines: Lines,
}

impl DesignFile {
    /// Reads a file's text.
    ///
    /// # Errors
    /// All problems of the text, in its order, if it has some: a thousand at most. Where the text is no TOML, those of the TOML.
    pub fn parse(text: &str) -> Result<DesignFile, Vec<Problem>> {
        let (file, errors) = DeTable::parse_recoverable(text);
        let mut problems = Problems::default();
        if syntax::report(text, &errors, &mut problems) == Readable::No {
            return Err(problems.in_order());
        }
        let table = file.get_ref();
        check::check(&keys::FILE, table, &mut problems);
        let design = read::read(&Members::new(&keys::FILE, table, 0..0), text, &mut problems);
        if !problems.is_empty() {
            return Err(problems.in_order());
        }
        Ok(DesignFile {
            text: text.to_owned(),
            design,
            places: Places::of(table, text),
            lines: Lines::of(text),
        })
    }

    /// The JSON schema of the file, for editors. It never refuses what [`parse`](DesignFile::parse) reads.
    pub fn json_schema() -> String {
        schema::schema(&keys::FILE)
    }

    /// The page of the book that explains every key, as Markdown.
    pub fn reference_page() -> String {
        reference::page(&keys::FILE)
    }

    /// The design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where a part of the design stands: bytes of the text. For a part that the file does not write, the nearest one around it;
    /// the beginning of the text if there is none.
    ///
    /// A section is its header, a key is its value, or the key itself where the value has several lines.
    pub fn range(&self, place: &Place) -> Range<usize> {
        self.places.range(place).unwrap_or(0..0)
    }

    /// Where a part of the design begins: line and column.
    pub fn position(&self, place: &Place) -> Position {
        self.position_of(self.range(place).start)
    }

    /// The line and column of a byte of the text.
    pub fn position_of(&self, byte: usize) -> Position {
        self.lines.position(&self.text, byte)
    }

    /// Whether the file writes that part of the design.
    pub fn has(&self, place: &Place) -> bool {
        self.places.has(place)
    }
}
