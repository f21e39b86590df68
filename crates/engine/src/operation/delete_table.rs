//! DeleteTable: a table with everything in it.
//!
//! Order of refusal: request shape (in `api`), no such table, the table is being created or deleted, or it or an index of it
//! is being updated, or the table is protected. The name is free when the table's time as DELETING is over; its items are removed in the background.

use std::sync::Arc;

use keywright_api::{
    DeleteTableInput, DeleteTableOutput, DeletionProtection, Error, ResourceInUse, ResourceNotFound,
    Response, TableStatus, Validation,
};

use crate::group::{Change, Group, TableChange};
use crate::table::Audience;

/// A DeleteTable that waits for its decision.
#[derive(Debug)]
pub(crate) struct DeleteTable(DeleteTableInput);

pub(crate) fn prepare(input: DeleteTableInput) -> DeleteTable {
    DeleteTable(input)
}

impl DeleteTable {
    pub(crate) fn decide(self, group: &Group<'_>) -> Result<(Change, Response), Error> {
        let DeleteTable(DeleteTableInput { table_name }) = self;
        let now = group.now();
        let Some(table) = group.catalog().table(&table_name, now) else {
            return Err(Error::ResourceNotFound(ResourceNotFound::Table(table_name)));
        };
        match table.status(now) {
            TableStatus::Creating => {
                return Err(Error::ResourceInUse(ResourceInUse::BeingCreated(table_name)));
            }
            TableStatus::Deleting => {
                return Err(Error::ResourceInUse(ResourceInUse::BeingDeleted(table_name)));
            }
            TableStatus::Active if !table.is_changing(now) => {}
            TableStatus::Active | TableStatus::Updating => {
                return Err(Error::ResourceInUse(ResourceInUse::BeingUpdated(table_name)));
            }
        }
        if table.deletion_protection == DeletionProtection::On {
            return Err(Validation::DeletionProtected.into());
        }
        let deleting = table.deleting(now.plus(group.state().table_delay));
        let output = DeleteTableOutput { table: deleting.describe(now, Audience::Reader) };
        let change = match deleting.is_gone(now) {
            true => TableChange::Drop(Arc::clone(table)),
            false => TableChange::Update(deleting),
        };
        Ok((Change { table: Some(change), ..Change::default() }, output.into()))
    }
}
