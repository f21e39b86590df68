//! DeleteTable: a table with everything in it.

use crate::table::DescriptionScope;
use crate::wire::{ObjectWriter, read_table_name};
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
    ///
    /// Order of refusal: JSON, presence of the name, form of the name.
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        let table_name = read_table_name(body)?;
        Ok(Self { table_name })
    }
}

impl DeleteTableOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        self.table.write_json(DescriptionScope::WithoutSchema, object.member("TableDescription"));
        object.close();
    }
}
