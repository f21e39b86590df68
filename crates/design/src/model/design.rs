//! The whole design.

use super::consumer::StreamConsumer;
use super::decision::Decision;
use super::entity::Entity;
use super::exception::Exception;
use super::name::{EntityName, TableName};
use super::pattern::Pattern;
use super::table::Table;
use super::tenancy::Tenants;
use super::write::Write;

/// A team's tables, entities and access patterns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Design {
    /// The region whose prices count, such as `us-east-1`; that of the price list if the file does not say.
    pub region: Option<String>,
    /// Its tables, in the order of the file.
    pub tables: Vec<Table>,
    /// Whether tenants share the tables.
    pub tenancy: Decision<Tenants>,
    /// Its entities, in the order of the file.
    pub entities: Vec<Entity>,
    /// Its access patterns, in the order of the file.
    pub patterns: Vec<Pattern>,
    /// Its writes, in the order of the file.
    pub writes: Vec<Write>,
    /// The consumers of its streams, in the order of the file.
    pub consumers: Vec<StreamConsumer>,
    /// The findings that are accepted.
    pub exceptions: Vec<Exception>,
}

impl Design {
    /// The table of that name.
    pub fn table(&self, name: &TableName) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == *name)
    }

    /// The entity of that name.
    pub fn entity(&self, name: &EntityName) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.name == *name)
    }
}
