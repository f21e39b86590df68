//! ListTables: the names of the tables, in pages.

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
    pub fn parse(_body: &[u8]) -> Result<Self, Error> {
        Err(Error::UnknownOperation)
    }
}

impl ListTablesOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, _out: &mut Vec<u8>) {}
}
