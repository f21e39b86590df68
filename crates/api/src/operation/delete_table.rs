//! DeleteTable: a table with everything in it.

use crate::{Error, TableDescription, TableName};

/// A DeleteTable request.
#[derive(Debug, Clone, PartialEq)]
pub struct DeleteTableInput {
    /// The name of the table.
    pub table_name: TableName,
}

/// The answer to DeleteTable.
#[derive(Debug, Clone, PartialEq)]
pub struct DeleteTableOutput {
    /// The table, which is being deleted.
    pub table: TableDescription,
}

impl DeleteTableInput {
    /// Parses and checks the body of a request.
    pub fn parse(_body: &[u8]) -> Result<Self, Error> {
        Err(Error::UnknownOperation)
    }
}

impl DeleteTableOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, _out: &mut Vec<u8>) {}
}
