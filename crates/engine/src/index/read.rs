//! What Query and Scan may ask of an index, and what they need of the table besides.

use keywright_api::{
    Consistency, Filter, IndexName, IndexProjection, IndexRefusal, KeyAttribute, Select, Validation,
};
use keywright_item::Item;

use super::Index;
use super::key::{EntryPartition, KeyValue};
use crate::key_schema::{self, PrimaryKey};
use crate::table::Table;

/// Where the items of a page come from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ReadSource<'table> {
    /// The table.
    Table,
    /// An index, whose entries are all that is read.
    Entries(&'table Index),
    /// A local index, of whose entries the items are fetched from the table.
    Fetched(&'table Index),
}

/// The index that a request names, if it may be read so.
pub(crate) fn find<'table>(
    table: &'table Table,
    name: Option<&IndexName>,
    consistency: Consistency,
) -> Result<Option<&'table Index>, IndexRefusal> {
    let Some(name) = name else { return Ok(None) };
    let index = table.indexes.iter().find(|index| index.definition.name == *name);
    match index {
        None => Err(IndexRefusal::Unknown(name.clone())),
        Some(index) if !index.is_local() && consistency == Consistency::Strong => {
            Err(IndexRefusal::ConsistentGlobalRead)
        }
        index => Ok(index),
    }
}

impl<'table> ReadSource<'table> {
    /// The source of what is selected; a global index has what it projects and no more.
    pub(crate) fn select(
        table: &Table,
        index: Option<&'table Index>,
        select: &Select,
    ) -> Result<ReadSource<'table>, IndexRefusal> {
        let Some(index) = index else { return Ok(ReadSource::Table) };
        let name = || index.definition.name.clone();
        let is_global = !index.is_local();
        match select {
            Select::Count | Select::AllProjected => Ok(ReadSource::Entries(index)),
            Select::AllAttributes if index.definition.projection == IndexProjection::All => {
                Ok(ReadSource::Entries(index))
            }
            Select::AllAttributes if is_global => Err(IndexRefusal::AllAttributesOfGlobal(name())),
            Select::AllAttributes => Ok(ReadSource::Fetched(index)),
            Select::Attributes(projection) => {
                let names = index.unprojected(table, projection.attributes());
                match (names.is_empty(), is_global) {
                    (true, _) => Ok(ReadSource::Entries(index)),
                    (false, true) => Err(IndexRefusal::NotProjected { index: name(), names }),
                    (false, false) => Ok(ReadSource::Fetched(index)),
                }
            }
        }
    }

    /// Refuses a filter that looks at what is not read. A Scan's may: to it, such attributes do not exist.
    pub(crate) fn check_filter(self, table: &Table, filter: &Filter) -> Result<(), IndexRefusal> {
        let ReadSource::Entries(index) = self else { return Ok(()) };
        let names = index.unprojected(table, filter.condition.attributes());
        match names.is_empty() {
            true => Ok(()),
            false => Err(IndexRefusal::FilterNotProjected { index: index.definition.name.clone(), names }),
        }
    }
}

impl Index {
    /// Those of the attributes that its entries do not have, each once.
    fn unprojected<'name>(&self, table: &Table, names: impl Iterator<Item = &'name str>) -> Vec<String> {
        let mut unprojected: Vec<String> = Vec::new();
        for name in names.filter(|name| !self.projects(table, name)) {
            if !unprojected.iter().any(|held| held == name) {
                unprojected.push(name.to_owned());
            }
        }
        unprojected
    }
}

/// An exclusive start key of an index whose attributes for the index are known to be right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexStartKey<'request> {
    key: &'request Item,
}

impl<'request> IndexStartKey<'request> {
    /// Checks the names, and the values of the index's key.
    pub(crate) fn check(
        table: &Table,
        index: &Index,
        key: &'request Item,
    ) -> Result<IndexStartKey<'request>, Validation> {
        if key.len() != index.key_names(table).len() {
            return Err(Validation::StartKeyMalformed);
        }
        for (role, attribute) in index.definition.key_schema.attributes() {
            let value = key.get(&attribute.name).ok_or(Validation::StartKeyMalformed)?;
            if value.type_name() != attribute.kind.wire_name() {
                return Err(Validation::KeyDoesNotMatchSchema);
            }
            key_schema::check_value(role, attribute, value)?;
        }
        Ok(IndexStartKey { key })
    }

    /// Checks the values of the table's key, and answers where the entry lies.
    pub(crate) fn entry_key(self, table: &Table, index: &Index) -> Result<Vec<u8>, Validation> {
        let table_key: Item = table
            .key_schema
            .attributes()
            .filter_map(|(_, attribute)| {
                Some((attribute.name.clone(), self.key.get(&attribute.name)?.clone()))
            })
            .collect();
        let item_key = PrimaryKey::exact(&table.key_schema, &table_key)
            .map_err(|refusal| Validation::StartKeyRefused(Box::new(refusal)))?
            .storage_key(table.number);
        let schema = &index.definition.key_schema;
        let values = |attributes: &[KeyAttribute]| -> Vec<KeyValue<'_>> {
            attributes.iter().filter_map(|attribute| KeyValue::of(self.key.get(&attribute.name)?)).collect()
        };
        let partition = EntryPartition::of(table.number, index.number, values(&schema.partition_key));
        Ok(partition.entry(values(&schema.sort_key), &item_key))
    }
}
