//! DescribeTable: what a table is.

use crate::table::DescriptionScope;
use crate::wire::{ObjectWriter, read_table_name};
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
    ///
    /// Order of refusal: JSON, presence of the name, form of the name.
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        let table_name = read_table_name(body)?;
        Ok(Self { table_name })
    }
}

impl DescribeTableOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        self.table.write_json(DescriptionScope::Whole, object.member("Table"));
        object.close();
    }
}
