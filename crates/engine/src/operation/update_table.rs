//! UpdateTable: how the capacity of a table and of its global indexes is paid for, and whether the table can be deleted.
//!
//! Order of refusal: request shape (in `api`), no such table, the table is being created or deleted, its capacity is changing;
//! then the table, then each index: throughput that does not fit the billing mode, or does not change; then too many
//! decreases. The table stays readable and writable; capacity that was changed is in effect when its time is over, and
//! protection at once, even while capacity is changing.

use std::mem::discriminant;

use keywright_api::{
    BillingMode, CapacityUpdate, Error, IndexKind, IndexName, IndexRefusal, ProvisionedThroughput,
    ResourceInUse, ResourceNotFound, Response, TableStatus, UpdateTableInput, UpdateTableOutput, Validation,
};

use crate::clock::Timestamp;
use crate::group::{Change, Group, TableChange};
use crate::index::Index;
use crate::table::throughput::{Owner, Period};
use crate::table::{Audience, Table};

/// An UpdateTable that waits for its decision.
#[derive(Debug)]
pub(crate) struct UpdateTable(UpdateTableInput);

pub(crate) fn prepare(input: UpdateTableInput) -> UpdateTable {
    UpdateTable(input)
}

impl UpdateTable {
    pub(crate) fn decide(self, group: &Group<'_>) -> Result<(Change, Response), Error> {
        let UpdateTable(input) = self;
        let now = group.now();
        let Some(table) = group.catalog().table(&input.table_name, now) else {
            return Err(Error::ResourceNotFound(ResourceNotFound::Table(input.table_name)));
        };
        check_status(table, &input, now)?;
        let billing_mode = billing_mode_after(table, input.capacity)?;
        let indexes = index_modes_after(table, billing_mode, &input, now)?;
        check_decreases(table, billing_mode, &indexes, now)?;

        let period = Period { from: now, until: now.plus(group.state().table_delay) };
        let mut updated = table.copy();
        updated.deletion_protection = input.deletion_protection.unwrap_or(table.deletion_protection);
        if updated.billing_mode != billing_mode {
            updated.throughput = table.throughput.changed(Owner::Table, table.billing_mode, period);
            updated.billing_mode = billing_mode;
            if billing_mode == BillingMode::OnDemand {
                updated.on_demand_since = Some(period.until);
            }
        }
        for (index, after) in updated.indexes.iter_mut().zip(indexes) {
            if let (IndexKind::Global(before), Some(after)) = (index.definition.kind, after) {
                index.throughput = index.throughput.changed(Owner::Index, before, period);
                index.definition.kind = IndexKind::Global(after);
            }
        }
        let mut description = updated.describe(now, Audience::Changer(table));
        if input.capacity.is_some() {
            // The service answers so even when the table is on demand already, and stays ready.
            description.status = TableStatus::Updating;
        }
        let change = Change { table: Some(TableChange::Update(updated)), ..Change::default() };
        Ok((change, UpdateTableOutput { table: description }.into()))
    }
}

fn check_status(table: &Table, input: &UpdateTableInput, now: Timestamp) -> Result<(), Error> {
    let name = table.name.clone();
    let changes_capacity = input.capacity.is_some() || !input.indexes.is_empty();
    Err(Error::ResourceInUse(match table.status(now) {
        TableStatus::Active => return Ok(()),
        TableStatus::Updating if !changes_capacity => return Ok(()),
        TableStatus::Creating => ResourceInUse::BeingCreated(name),
        TableStatus::Deleting => ResourceInUse::BeingDeleted(name),
        TableStatus::Updating => ResourceInUse::CapacityBeingUpdated(name),
    }))
}

fn billing_mode_after(table: &Table, update: Option<CapacityUpdate>) -> Result<BillingMode, Validation> {
    let throughput = match (table.billing_mode, update) {
        (before, None) => return Ok(before),
        (_, Some(CapacityUpdate::OnDemand)) => return Ok(BillingMode::OnDemand),
        (BillingMode::OnDemand, Some(CapacityUpdate::Throughput(_))) => {
            return Err(Validation::ThroughputWithOnDemand);
        }
        (_, Some(CapacityUpdate::Provisioned(throughput) | CapacityUpdate::Throughput(throughput))) => {
            throughput
        }
    };
    let after = BillingMode::from(throughput);
    if after == table.billing_mode {
        return Err(Validation::ThroughputUnchanged(throughput));
    }
    Ok(after)
}

/// How each index of the table is paid for afterwards; `None` of an index that does not change.
fn index_modes_after(
    table: &Table,
    table_mode: BillingMode,
    input: &UpdateTableInput,
    now: Timestamp,
) -> Result<Vec<Option<BillingMode>>, Error> {
    for (name, throughput) in &input.indexes {
        check_index_update(table, table_mode, name, *throughput, now)?;
    }
    let switches = discriminant(&table_mode) != discriminant(&table.billing_mode);
    if let Some(index) = table.indexes.iter().find(|index| switches && index.throughput.is_changing(now)) {
        return Err(being_updated(table, index));
    }
    let mut without_throughput = Vec::new();
    let mut modes = Vec::with_capacity(table.indexes.len());
    for index in &table.indexes {
        let given = input.indexes.iter().find(|(name, _)| *name == index.definition.name);
        modes.push(match (given, table_mode) {
            (Some((_, throughput)), _) => Some(BillingMode::from(*throughput)),
            (None, BillingMode::OnDemand) if switches && !index.is_local() => Some(BillingMode::OnDemand),
            (None, _) => {
                if switches && !index.is_local() {
                    without_throughput.push(index.definition.name.clone());
                }
                None
            }
        });
    }
    match without_throughput.is_empty() {
        true => Ok(modes),
        false => Err(IndexRefusal::ThroughputMissingInUpdate(without_throughput).into()),
    }
}

fn check_index_update(
    table: &Table,
    table_mode: BillingMode,
    name: &IndexName,
    throughput: ProvisionedThroughput,
    now: Timestamp,
) -> Result<(), Error> {
    if !throughput.is_in_bounds() {
        return Err(IndexRefusal::UpdateBlocked.into());
    }
    let Some(index) = table.indexes.iter().find(|index| index.definition.name == *name) else {
        return Err(Error::ResourceNotFound(ResourceNotFound::Resource));
    };
    let IndexKind::Global(before) = index.definition.kind else {
        return Err(IndexRefusal::UpdatedLocal(name.clone()).into());
    };
    if table_mode == BillingMode::OnDemand {
        return Err(IndexRefusal::UpdatedOnDemand(name.clone()).into());
    }
    if index.throughput.is_changing(now) {
        return Err(being_updated(table, index));
    }
    if before == BillingMode::from(throughput) {
        return Err(IndexRefusal::ThroughputUnchanged { index: name.clone(), throughput }.into());
    }
    Ok(())
}

fn being_updated(table: &Table, index: &Index) -> Error {
    let (table, index) = (table.name.clone(), index.definition.name.clone());
    Error::ResourceInUse(ResourceInUse::IndexBeingUpdated { table, index })
}

fn check_decreases(
    table: &Table,
    billing_mode: BillingMode,
    indexes: &[Option<BillingMode>],
    now: Timestamp,
) -> Result<(), Error> {
    table.throughput.check_decrease(Owner::Table, (table.billing_mode, billing_mode), now)?;
    let changes = table.indexes.iter().zip(indexes);
    changes.filter_map(|(index, after)| Some((index, (*after)?))).try_for_each(|(index, after)| {
        let Index { definition, throughput, .. } = index;
        match definition.kind {
            IndexKind::Global(before) => throughput.check_decrease(Owner::Index, (before, after), now),
            IndexKind::Local => Ok(()),
        }
    })
}
