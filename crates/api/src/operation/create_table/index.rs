//! The secondary indexes of a CreateTable request: constraints on each, then how they fit the table and each other.

use super::index_wire::{Index, IndexList, Projection};
use super::key::{Definitions, LONGEST_ATTRIBUTE_NAME, SentKey};
use crate::constraint::Constraints;
use crate::wire::Few;
use crate::{
    BillingMode, IndexKeySchema, IndexKind, IndexName, IndexProjection, IndexRefusal, KeyAttribute, KeyRole,
    KeySchema, ProvisionedThroughput, SecondaryIndex, Validation,
};

/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>
const MOST_LOCAL: usize = 5;
const MOST_GLOBAL: usize = 20;
/// The most attributes of each kind in the key of a global index.
const MOST_KEY_ATTRIBUTES: usize = 4;

/// A list of indexes that have passed their constraints; the first few are kept.
#[derive(Default)]
pub(super) struct SentIndexes {
    count: usize,
    kept: Vec<SentIndex>,
}

struct SentIndex {
    name: IndexName,
    key: SentKey,
    projection: SentProjection,
    throughput: Option<ProvisionedThroughput>,
}

#[derive(Default)]
struct SentProjection {
    kind: Option<ProjectionKind>,
    named: Option<Vec<String>>,
}

#[derive(Debug, Clone, Copy)]
enum ProjectionKind {
    All,
    Include,
    KeysOnly,
}

/// In the order of the service's message.
const PROJECTION_KINDS: [(&str, ProjectionKind); 3] = [
    ("ALL", ProjectionKind::All),
    ("INCLUDE", ProjectionKind::Include),
    ("KEYS_ONLY", ProjectionKind::KeysOnly),
];

impl SentIndexes {
    /// The list, where the request has one.
    pub(super) fn check(
        list: IndexList,
        constraints: &mut Constraints,
        indexes: Option<Few<Index>>,
    ) -> Option<Self> {
        let indexes = indexes?;
        let member = match list {
            IndexList::Local => "localSecondaryIndexes",
            IndexList::Global => "globalSecondaryIndexes",
        };
        let checked = indexes.kept.into_iter().enumerate().filter_map(|(place, index)| {
            SentIndex::check(list, &format!("{member}.{}.member", place + 1), constraints, index)
        });
        Some(Self { kept: checked.collect(), count: indexes.count })
    }
}

impl SentIndex {
    fn check(list: IndexList, path: &str, constraints: &mut Constraints, index: Index) -> Option<Self> {
        let name_path = format!("{path}.indexName");
        let name = constraints.required(&name_path, index.name);
        let name = name.and_then(|name| constraints.index_name(&name_path, &name));
        let key_path = format!("{path}.keySchema");
        let key = SentKey::check(&key_path, constraints, index.key_schema);
        if list == IndexList::Local {
            constraints.length(&key_path, key.count, 0, 2, || key.shown());
        }
        let projection_path = format!("{path}.projection");
        let projection = constraints.required(&projection_path, index.projection);
        let projection =
            projection.map(|projection| SentProjection::check(&projection_path, constraints, projection));
        let throughput_path = format!("{path}.provisionedThroughput");
        let throughput = index.throughput.and_then(|sent| sent.check(&throughput_path, constraints));
        Some(Self { name: name?, key, projection: projection?, throughput })
    }
}

impl SentProjection {
    fn check(path: &str, constraints: &mut Constraints, projection: Projection) -> Self {
        let kind_path = format!("{path}.projectionType");
        let kind = constraints.one_of(&kind_path, projection.kind.as_deref(), &PROJECTION_KINDS);
        let named = projection.non_key_attributes.map(|attributes| {
            let path = format!("{path}.nonKeyAttributes");
            let names: Vec<String> = attributes
                .kept
                .into_iter()
                .enumerate()
                .filter_map(|(place, name)| {
                    let path = format!("{path}.{}.member", place + 1);
                    let name = constraints.required(&path, name)?;
                    constraints.text_length(&path, &name, 1, LONGEST_ATTRIBUTE_NAME);
                    Some(name)
                })
                .collect();
            constraints.length(&path, attributes.count, 1, IndexProjection::MOST_NAMED, || {
                format!("[{}]", names.join(", "))
            });
            names
        });
        Self { kind, named }
    }

    fn resolve(self) -> Result<IndexProjection, IndexRefusal> {
        let kind = self.kind.ok_or(IndexRefusal::ProjectionMissing)?;
        match (kind, self.named) {
            (ProjectionKind::All, None) => Ok(IndexProjection::All),
            (ProjectionKind::KeysOnly, None) => Ok(IndexProjection::KeysOnly),
            (ProjectionKind::All, Some(_)) => {
                Err(IndexRefusal::ProjectionExcludesAttributes { projection: "ALL" })
            }
            (ProjectionKind::KeysOnly, Some(_)) => {
                Err(IndexRefusal::ProjectionExcludesAttributes { projection: "KEYS_ONLY" })
            }
            (ProjectionKind::Include, None) => Err(IndexRefusal::ProjectionWithoutAttributes),
            (ProjectionKind::Include, Some(mut names)) => {
                names.sort_unstable();
                let repeated = names.windows(2).find(|pair| pair.first() == pair.last());
                match repeated.and_then(<[String]>::first) {
                    Some(name) => Err(IndexRefusal::ProjectedTwice { name: name.clone() }),
                    None => Ok(IndexProjection::Include(names)),
                }
            }
        }
    }
}

/// The indexes of the table: the local ones, then the global ones.
pub(super) fn resolve(
    table_key: &KeySchema,
    billing_mode: BillingMode,
    definitions: &Definitions,
    local: Option<SentIndexes>,
    global: Option<SentIndexes>,
) -> Result<Vec<SecondaryIndex>, Validation> {
    check_lists(table_key, local.as_ref(), global.as_ref())?;
    let (has_indexes, local, global) =
        (local.is_some() || global.is_some(), local.unwrap_or_default(), global.unwrap_or_default());
    check_definitions(table_key, definitions, has_indexes, &local, &global)?;

    let mut indexes: Vec<SecondaryIndex> = Vec::with_capacity(local.kept.len() + global.kept.len());
    for index in local.kept {
        let key_schema = local_key(table_key, &index, definitions)?;
        let projection = index.projection.resolve()?;
        add(
            &mut indexes,
            SecondaryIndex { name: index.name, kind: IndexKind::Local, key_schema, projection },
        )?;
    }
    if local.count > MOST_LOCAL {
        return Err(IndexRefusal::TooManyLocal.into());
    }
    for index in global.kept {
        let key_schema = global_key(&index.key, definitions)?;
        let projection = index.projection.resolve()?;
        let kind = IndexKind::Global(index_billing(billing_mode, &index.name, index.throughput)?);
        add(&mut indexes, SecondaryIndex { name: index.name, kind, key_schema, projection })?;
    }
    if global.count > MOST_GLOBAL {
        return Err(IndexRefusal::TooManyGlobal.into());
    }
    let projected: usize = indexes.iter().map(|index| index.projection.named().len()).sum();
    if projected > IndexProjection::MOST_NAMED_BY_TABLE {
        return Err(IndexRefusal::TooManyProjected.into());
    }
    Ok(indexes)
}

fn check_lists(
    table_key: &KeySchema,
    local: Option<&SentIndexes>,
    global: Option<&SentIndexes>,
) -> Result<(), IndexRefusal> {
    if local.is_some_and(|local| local.count == 0) {
        return Err(IndexRefusal::EmptyList { member: IndexList::Local.member() });
    }
    if local.is_some() && table_key.sort_key.is_none() {
        return Err(IndexRefusal::LocalWithoutTableSortKey);
    }
    if global.is_some_and(|global| global.count == 0) {
        return Err(IndexRefusal::EmptyList { member: IndexList::Global.member() });
    }
    Ok(())
}

/// Every key attribute is defined, and every definition is of a key attribute.
fn check_definitions(
    table_key: &KeySchema,
    definitions: &Definitions,
    has_indexes: bool,
    local: &SentIndexes,
    global: &SentIndexes,
) -> Result<(), Validation> {
    let mut keys: Vec<String> = table_key.attributes().map(|(_, attribute)| attribute.name.clone()).collect();
    for index in local.kept.iter().chain(&global.kept) {
        for attribute in index.key.attributes(definitions)? {
            if !keys.contains(&attribute.name) {
                keys.push(attribute.name);
            }
        }
    }
    match (definitions.count == keys.len(), has_indexes) {
        (true, _) => Ok(()),
        (false, false) => Err(Validation::DefinitionUnused),
        (false, true) => {
            Err(IndexRefusal::DefinitionsUnused { definitions: definitions.names(), keys }.into())
        }
    }
}

fn add(indexes: &mut Vec<SecondaryIndex>, index: SecondaryIndex) -> Result<(), IndexRefusal> {
    if indexes.iter().any(|other| other.name == index.name) {
        return Err(IndexRefusal::NameTaken(index.name));
    }
    indexes.push(index);
    Ok(())
}

fn local_key(
    table_key: &KeySchema,
    index: &SentIndex,
    definitions: &Definitions,
) -> Result<IndexKeySchema, Validation> {
    let KeySchema { partition_key, sort_key } = index.key.resolve(definitions)?;
    let Some(sort_key) = sort_key else {
        return Err(IndexRefusal::LocalWithoutSortKey(index.name.clone()).into());
    };
    if partition_key.name != table_key.partition_key.name {
        return Err(IndexRefusal::LocalPartitionKey {
            index: index.name.clone(),
            index_key: partition_key.name,
            table_key: table_key.partition_key.name.clone(),
        }
        .into());
    }
    Ok(IndexKeySchema { partition_key: vec![partition_key], sort_key: vec![sort_key] })
}

fn global_key(key: &SentKey, definitions: &Definitions) -> Result<IndexKeySchema, Validation> {
    check_global_roles(key)?;
    let attributes = key.attributes(definitions)?;
    let of_role = |role| -> Vec<KeyAttribute> {
        let elements = key.elements.iter().zip(&attributes);
        elements.filter(|(element, _)| element.role == role).map(|(_, attribute)| attribute.clone()).collect()
    };
    Ok(IndexKeySchema { partition_key: of_role(KeyRole::Partition), sort_key: of_role(KeyRole::Sort) })
}

/// One to four partition attributes, then none to four sort attributes, no two alike.
fn check_global_roles(key: &SentKey) -> Result<(), Validation> {
    let mut names: Vec<&str> = key.elements.iter().map(|element| element.name.as_str()).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair.first() == pair.last()) {
        return Err(match key.count {
            2 => Validation::KeyNamesEqual,
            _ => IndexRefusal::KeyNamesRepeated.into(),
        });
    }
    if key.elements.first().is_some_and(|first| first.role != KeyRole::Partition) {
        return Err(Validation::FirstKeyNotPartition);
    }
    if key.elements.is_sorted_by_key(|element| element.role == KeyRole::Sort) {
        for role in [KeyRole::Partition, KeyRole::Sort] {
            if key.elements.iter().filter(|element| element.role == role).count() > MOST_KEY_ATTRIBUTES {
                return Err(IndexRefusal::KeyTooWide(role).into());
            }
        }
        Ok(())
    } else {
        Err(IndexRefusal::PartitionBehindSort.into())
    }
}

/// A global index has the billing mode of its table, and reserved capacity of its own.
fn index_billing(
    table: BillingMode,
    index: &IndexName,
    throughput: Option<ProvisionedThroughput>,
) -> Result<BillingMode, Validation> {
    match (table, throughput) {
        (BillingMode::OnDemand, None) => Ok(BillingMode::OnDemand),
        (BillingMode::OnDemand, Some(_)) => Err(IndexRefusal::ThroughputWithOnDemand(index.clone()).into()),
        (BillingMode::Provisioned { .. }, None) => Err(IndexRefusal::ThroughputMissing(index.clone()).into()),
        (BillingMode::Provisioned { .. }, Some(throughput)) => Ok(throughput.in_bounds()?.into()),
    }
}
