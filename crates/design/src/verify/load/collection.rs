//! How large the item collections of tables with a local index are.

use std::collections::HashMap;

use keywright_key::IndexReach;

use crate::cost::{Nature, PartitionKey};
use crate::facts::Facts;
use crate::model::{Entity, Table};

/// The largest item collection under one partition key of a table with a local index.
pub(super) struct Collection<'d> {
    pub(super) table: &'d Table,
    /// The partition key, as the file writes it.
    pub(super) key: String,
    /// The entity that fills it most.
    pub(super) entity: &'d Entity,
    /// What its items have, with their entries in local indexes.
    pub(super) bytes: f64,
}

/// The collections whose size the file says. Tables without a local index have no limit.
pub(super) fn collections<'d>(facts: &Facts<'d>) -> Vec<Collection<'d>> {
    let mut found: Vec<Collection<'d>> = Vec::new();
    for table in &facts.design().tables {
        if !table.indexes.iter().any(|index| index.reach == IndexReach::Local) {
            continue;
        }
        let mut places: HashMap<String, (usize, f64)> = HashMap::new();
        for entity in facts.entities_of(&table.name) {
            let Some((key, bytes)) = of_entity(facts, table, entity) else { continue };
            let (place, most) = *places.entry(key.clone()).or_insert((found.len(), 0.0));
            match found.get_mut(place) {
                None => found.push(Collection { table, key: key.clone(), entity, bytes }),
                Some(collection) => {
                    collection.bytes += bytes;
                    if bytes > most {
                        collection.entity = entity;
                    }
                }
            }
            places.insert(key, (place, f64::max(most, bytes)));
        }
    }
    found
}

/// What the items of an entity have under its largest partition key, if the file says it.
fn of_entity(facts: &Facts<'_>, table: &Table, entity: &Entity) -> Option<(String, f64)> {
    let key = PartitionKey::of(facts, table, entity, None)?;
    let items = entity.count.largest_key.or_else(|| match key.nature(facts, entity) {
        Nature::Tenant => entity.count.largest_tenant,
        Nature::One => entity.count.total,
        Nature::Few(_) | Nature::Many => None,
    })?;
    let cost = facts.costs().entity(&entity.name)?;
    let local = cost.entries.iter().filter(|entry| {
        table
            .indexes
            .iter()
            .any(|index| index.name == *entry.index.as_str() && index.reach == IndexReach::Local)
    });
    let mut bytes = as_figure(*cost.item_bytes.known()?);
    for entry in local {
        bytes += as_figure(*entry.bytes.known()?) * entry.share.known()?;
    }
    Some((key.text, bytes * as_figure(items) / f64::from(key.shards)))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "sizes and counts above 2^53 are rounded, which no limit notices"
)]
const fn as_figure(count: u64) -> f64 {
    count as f64
}
