//! What the service says about a table.

use crate::{KeySchema, TableName};

/// A table as CreateTable, DescribeTable and DeleteTable describe it.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html>
#[derive(Debug, Clone, PartialEq)]
pub struct TableDescription {
    /// The name.
    pub table_name: TableName,
    /// The id, a UUID in its canonical text; a table created again under an old name has another one.
    pub table_id: String,
    /// The Amazon Resource Name, with the account and region that the engine stands for.
    pub table_arn: String,
    /// Whether it can be used.
    pub status: TableStatus,
    /// When it was created, in milliseconds since 1970.
    pub created_at_ms: u64,
    /// The primary key.
    pub key_schema: KeySchema,
    /// How its capacity is paid for.
    pub billing_mode: BillingMode,
    /// The table class, where the request named one.
    pub table_class: Option<TableClass>,
    /// How many items it held when they were last counted.
    pub item_count: u64,
    /// How many bytes its items took when they were last counted.
    pub size_bytes: u64,
}

/// Whether a table can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TableStatus {
    /// It is being created: item operations do not find it yet.
    Creating,
    /// It is ready.
    Active,
    /// Its settings are changing; it is usable.
    Updating,
    /// It is being deleted.
    Deleting,
}

/// How a table's capacity is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BillingMode {
    /// By request (`PAY_PER_REQUEST` on the wire).
    OnDemand,
    /// By reserved capacity (`PROVISIONED` on the wire).
    Provisioned {
        /// Read capacity units a second, at least 1.
        read_units: u64,
        /// Write capacity units a second, at least 1.
        write_units: u64,
    },
}

/// The storage class of a table; it changes the price and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TableClass {
    /// `STANDARD`
    Standard,
    /// `STANDARD_INFREQUENT_ACCESS`
    StandardInfrequentAccess,
}

/// A tag of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The key, unique within the table.
    pub key: String,
    /// The value.
    pub value: String,
}

impl TableStatus {
    /// The name on the wire, such as `ACTIVE`.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::Creating => "CREATING",
            Self::Active => "ACTIVE",
            Self::Updating => "UPDATING",
            Self::Deleting => "DELETING",
        }
    }
}

impl BillingMode {
    /// The name on the wire: `PAY_PER_REQUEST` or `PROVISIONED`.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::OnDemand => "PAY_PER_REQUEST",
            Self::Provisioned { .. } => "PROVISIONED",
        }
    }
}

impl TableClass {
    /// The name on the wire.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::Standard => "STANDARD",
            Self::StandardInfrequentAccess => "STANDARD_INFREQUENT_ACCESS",
        }
    }
}
