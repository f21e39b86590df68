//! The reader: a checked file becomes a design.
//!
//! Templates are parsed here, since that takes the format of their table, and parts that exclude each other are refused. A part
//! that cannot be read is left out, and its problem is known; so a design is whole only if there are no problems.

mod billing;
mod entity;
mod index;
mod load;
mod pattern;
mod sort_key;
mod table;
mod templates;
mod tenancy;
mod write;

use std::ops::Range;

use keywright_key::KeyFormat;

use super::members::Members;
use super::problem::{ProblemKind, Problems};
use crate::model::{Design, Entity, Table, TableName};

/// Reads the file.
pub(super) fn read(file: &Members<'_>, text: &str, problems: &mut Problems) -> Design {
    let tables: Vec<Table> =
        file.entries("table").into_iter().filter_map(|entry| table::read(&entry, problems)).collect();
    let mut reader = Reader { text, tables: &tables, entities: Vec::new(), problems };
    let tenancy = tenancy::read(file);
    for entry in file.entries("entity") {
        let entity = entity::read(&entry, &mut reader);
        reader.entities.extend(entity);
    }
    let patterns =
        file.entries("pattern").iter().filter_map(|entry| pattern::read(entry, &mut reader)).collect();
    let writes = file.entries("write").iter().filter_map(|entry| write::read(entry, &mut reader)).collect();
    let consumers =
        file.entries("consumer").iter().filter_map(|entry| write::consumer(entry, &mut reader)).collect();
    let exceptions = file.elements("exception").into_iter().filter_map(write::exception).collect();
    let entities = reader.entities;
    let region = file.owned_text("region");
    Design { region, tables, tenancy, entities, patterns, writes, consumers, exceptions }
}

/// What reading a part needs of the rest of the file.
struct Reader<'r> {
    text: &'r str,
    tables: &'r [Table],
    /// Those that were read so far.
    entities: Vec<Entity>,
    problems: &'r mut Problems,
}

impl Reader<'_> {
    fn conflict(&mut self, range: Range<usize>, wrong: impl Into<String>, instead: impl Into<String>) {
        self.problems.report(ProblemKind::Conflict, range, wrong, instead);
    }

    /// The table that a part names, or the only one.
    fn table_of(&mut self, members: &Members<'_>, called: &str) -> Option<TableName> {
        if members.part("table").is_some() {
            return members.name("table", TableName::new);
        }
        match self.tables {
            [] => None,
            [only] => Some(only.name.clone()),
            [first, ..] => {
                self.problems.report(
                    ProblemKind::MissingKey,
                    members.range(),
                    format!("{called} must have `table`, since the design has several tables"),
                    format!("write `table = \"{}\"`, or the name of another table", first.name),
                );
                None
            }
        }
    }

    fn table(&self, name: &TableName) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == *name)
    }

    /// How the keys of a table are written; the standard for one that is not there, which verification reports.
    fn format_of(&self, name: &TableName) -> KeyFormat {
        self.table(name).map_or(KeyFormat::STANDARD, |table| table.format)
    }
}
