//! DescribeTable: what a table is.

use crate::{Error, TableDescription, TableName};

/// A DescribeTable request.
#[derive(Debug, Clone, PartialEq)]
pub struct DescribeTableInput {
    /// The name of the table.
    pub table_name: TableName,
}

/// The answer to DescribeTable.
#[derive(Debug, Clone, PartialEq)]
pub struct DescribeTableOutput {
    /// The table.
    pub table: TableDescription,
}

impl DescribeTableInput {
    /// Parses and checks the body of a request.
    pub fn parse(_body: &[u8]) -> Result<Self, Error> {
        Err(Error::UnknownOperation)
    }
}

impl DescribeTableOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, _out: &mut Vec<u8>) {}
}
