//! CreateTable: a table with its key, how it is paid for, and its tags.

use crate::{BillingMode, Error, KeySchema, TableClass, TableDescription, TableName, Tag};

/// A CreateTable request.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateTableInput {
    /// The name of the table.
    pub table_name: TableName,
    /// Its primary key.
    pub key_schema: KeySchema,
    /// How its capacity is paid for.
    pub billing_mode: BillingMode,
    /// Its storage class, where the request names one.
    pub table_class: Option<TableClass>,
    /// Its tags.
    pub tags: Vec<Tag>,
}

/// The answer to CreateTable.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateTableOutput {
    /// The table, which is still being created.
    pub table: TableDescription,
}

impl CreateTableInput {
    /// Parses and checks the body of a request.
    pub fn parse(_body: &[u8]) -> Result<Self, Error> {
        Err(Error::UnknownOperation)
    }
}

impl CreateTableOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, _out: &mut Vec<u8>) {}
}
