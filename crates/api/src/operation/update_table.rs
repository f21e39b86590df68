//! UpdateTable: how the capacity of a table and of its global indexes is paid for, and whether the table can be deleted.

mod wire;

use std::collections::BTreeSet;

use self::wire::{IndexAction, SentIndexUpdate, Wire};
use crate::constraint::Constraints;
use crate::table::DescriptionScope;
use crate::throughput::{BILLING_MODES, SentBillingMode};
use crate::wire::{Few, ObjectWriter};
use crate::{
    DeletionProtection, Error, IndexName, IndexRefusal, ProvisionedThroughput, TableDescription, TableName,
    Validation,
};

/// An UpdateTable request, which changes capacity of the table, of indexes, or both, or else the protection of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateTableInput {
    /// The name of the table.
    pub table_name: TableName,
    /// What becomes of the table's capacity, where the request says so.
    pub capacity: Option<CapacityUpdate>,
    /// The throughput that global indexes get, each index once, in the order of the request.
    pub indexes: Vec<(IndexName, ProvisionedThroughput)>,
    /// Whether the table can be deleted from now on, where the request says so.
    pub deletion_protection: Option<DeletionProtection>,
}

/// What becomes of a table's capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CapacityUpdate {
    /// It is paid for by request.
    OnDemand,
    /// So much of it is reserved, however it was paid for before.
    Provisioned(ProvisionedThroughput),
    /// So much of it is reserved, instead of what is reserved already.
    Throughput(ProvisionedThroughput),
}

/// The answer to UpdateTable.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateTableOutput {
    /// The table, which is still changing.
    pub table: TableDescription,
}

impl UpdateTableInput {
    /// Parses and checks the body of a request.
    ///
    /// Order of refusal: JSON; presence of the name; the constraints together; nothing to change; throughput against
    /// billing mode, and its bounds; an empty list of indexes; changes to indexes that say nothing or too much; two changes
    /// to one index; deletion protection beside other changes; what this version does not support.
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        Ok(check(Wire::read(body)?)?)
    }
}

impl UpdateTableOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        self.table.write_json(DescriptionScope::Whole, object.member("TableDescription"));
        object.close();
    }
}

fn check(mut wire: Wire) -> Result<UpdateTableInput, Validation> {
    if wire.table_name.is_none() {
        return Err(Validation::Required { member: "TableName" });
    }
    let mut constraints = Constraints::default();
    let mode = constraints.one_of("billingMode", wire.billing_mode.as_deref(), &BILLING_MODES);
    let table_name = constraints.table_name(wire.table_name);
    let throughput = wire.throughput.and_then(|sent| sent.check("provisionedThroughput", &mut constraints));
    let actions = wire.indexes.as_ref().map(|updates| check_actions(&mut constraints, updates));
    constraints.check()?;
    let Some(table_name) = table_name else { unreachable!("the constraints require a name") };

    let deletion_protection = wire.deletion_protection.map(DeletionProtection::from);
    let changes_indexes = wire.indexes.as_ref().is_some_and(|updates| updates.count > 0);
    let changes_capacity = mode.is_some() || throughput.is_some() || changes_indexes;
    if !changes_capacity && deletion_protection.is_none() && !wire.unsupported.is_used() {
        return Err(Validation::NothingToUpdate);
    }
    let capacity = match (mode, throughput) {
        (None, None) => None,
        (Some(SentBillingMode::OnDemand), None) => Some(CapacityUpdate::OnDemand),
        (Some(SentBillingMode::OnDemand), Some(_)) => return Err(Validation::ThroughputWithOnDemand),
        (Some(SentBillingMode::Provisioned), None) => return Err(Validation::ThroughputMissingInUpdate),
        (Some(SentBillingMode::Provisioned), Some(throughput)) => {
            Some(CapacityUpdate::Provisioned(throughput.in_bounds()?))
        }
        (None, Some(throughput)) => Some(CapacityUpdate::Throughput(throughput.in_bounds()?)),
    };
    if actions.is_some() && !changes_indexes {
        return Err(IndexRefusal::EmptyList { member: "GlobalSecondaryIndexUpdates" }.into());
    }
    let indexes = check_indexes(actions.unwrap_or_default())?;
    if changes_capacity && deletion_protection.is_some() {
        return Err(Validation::ProtectionNotAlone);
    }
    if wire.defines_attributes {
        wire.unsupported.use_member("AttributeDefinitions");
    }
    wire.unsupported.check()?;
    Ok(UpdateTableInput { table_name, capacity, indexes, deletion_protection })
}

/// What an element of the list of indexes asks for.
struct CheckedUpdate {
    actions: usize,
    /// `None` of an index that is created or deleted, which this version refuses.
    throughput: Option<(IndexName, ProvisionedThroughput)>,
}

fn check_actions(constraints: &mut Constraints, updates: &Few<SentIndexUpdate>) -> Vec<CheckedUpdate> {
    let checked = updates.kept.iter().enumerate().map(|(place, update)| {
        let path = format!("globalSecondaryIndexUpdates.{}.member.update", place + 1);
        let throughput = update.action.as_ref().and_then(|action| check_action(constraints, &path, action));
        CheckedUpdate { actions: update.actions, throughput }
    });
    checked.collect()
}

fn check_action(
    constraints: &mut Constraints,
    path: &str,
    action: &IndexAction,
) -> Option<(IndexName, ProvisionedThroughput)> {
    let name_path = format!("{path}.indexName");
    let name = constraints.required(&name_path, action.index_name.clone());
    let name = name.and_then(|name| constraints.index_name(&name_path, &name));
    let throughput_path = format!("{path}.provisionedThroughput");
    let throughput = match action.changes_more {
        true => action.throughput,
        false => constraints.required(&throughput_path, action.throughput),
    };
    let throughput = throughput.and_then(|sent| sent.check(&throughput_path, constraints));
    Some((name?, throughput?))
}

fn check_indexes(
    updates: Vec<CheckedUpdate>,
) -> Result<Vec<(IndexName, ProvisionedThroughput)>, IndexRefusal> {
    match updates.iter().find(|update| update.actions != 1).map(|update| update.actions) {
        None => {}
        Some(0) => return Err(IndexRefusal::NoUpdateAction),
        Some(_) => return Err(IndexRefusal::SeveralUpdateActions),
    }
    let indexes: Vec<_> = updates.into_iter().filter_map(|update| update.throughput).collect();
    let mut names = BTreeSet::new();
    match indexes.iter().find(|(name, _)| !names.insert(name)) {
        Some((name, _)) => Err(IndexRefusal::UpdatedTwice(name.clone())),
        None => Ok(indexes),
    }
}
