//! ListTables: the names of the tables, in pages.

use keywright_item::json::{self, Reader};

use crate::constraint::Constraints;
use crate::wire::{ObjectWriter, read_body, write_array};
use crate::{Error, TableName};

/// A ListTables request.
#[derive(Debug, Clone, PartialEq)]
pub struct ListTablesInput {
    /// The page starts after this name; no table needs to have it.
    pub exclusive_start_table_name: Option<String>,
    /// The most names that the page may have, 1 to 100.
    pub limit: usize,
}

/// The answer to ListTables.
#[derive(Debug, Clone, PartialEq)]
pub struct ListTablesOutput {
    /// The names, sorted by their bytes.
    pub table_names: Vec<TableName>,
    /// The last name of the page, where more tables follow.
    pub last_evaluated_table_name: Option<TableName>,
}

impl ListTablesInput {
    /// Parses and checks the body of a request.
    ///
    /// Order of refusal: JSON, then the constraints together.
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        let mut start = None;
        let mut limit = None;
        read_body(body, |name, reader| {
            match name {
                "ExclusiveStartTableName" => start = reader.optional(Reader::string)?,
                "Limit" => limit = reader.optional(Reader::integer)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;

        let mut constraints = Constraints::default();
        if let Some(start) = &start {
            constraints.name("exclusiveStartTableName", start, SHORTEST_START);
        }
        if let Some(limit) = limit {
            constraints.at_least("limit", limit, 1);
            constraints.at_most("limit", limit, MOST_NAMES as i64);
        }
        constraints.check()?;
        let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(MOST_NAMES);
        Ok(Self { exclusive_start_table_name: start, limit })
    }
}

/// The most names that a page has, and how many it has where the request does not say.
const MOST_NAMES: usize = 100;

const SHORTEST_START: usize = 3;

impl ListTablesOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        write_array(object.member("TableNames"), &self.table_names, |name, out| {
            json::write_string(name.as_str(), out);
        });
        if let Some(last) = &self.last_evaluated_table_name {
            object.string("LastEvaluatedTableName", last.as_str());
        }
        object.close();
    }
}
