//! Tenants that share tables.

use super::name::{AttributeName, EntityName, IndexName};

/// Tenants share the tables of the design: `[tenancy]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tenants {
    /// The attribute that says whose an item is; in every partition key that is no deviation.
    pub attribute: AttributeName,
    /// The keys that do without it.
    pub deviations: Vec<Deviation>,
}

/// A key without the tenant, declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The entity.
    pub entity: EntityName,
    /// Which of its keys.
    pub key: DeviationKey,
    /// Why; empty if the file does not say.
    pub reason: String,
    /// What keeps an item from another tenant's caller.
    pub check: ReadTimeCheck,
}

/// Which key of an entity a deviation is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviationKey {
    /// Its key in the table.
    Table,
    /// Its key in this index.
    Index(IndexName),
}

/// What keeps an item that a key without the tenant finds from another tenant's caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadTimeCheck {
    /// The tenant attribute of the item is compared with the caller's tenant, whenever it is read.
    TenantAttribute,
    /// The value that the key is made of is the authority itself (a share token); said in words.
    Bearer {
        /// Why whoever has the value may see the item.
        reason: String,
    },
}
