//! Maintenance: what reads a whole table, for programs that an operator starts. Nothing here is for a request handler.
//!
//! - Scan is sent from here and from nowhere else, and only for a reason, which is in an event and in every span.
//! - Every run reads so many rows at most. That it stopped there is an event and an outcome, never silence.
//! - A run can be interrupted at any moment, and goes on from a position that was kept.
//! - Pauses, the rate in units a second too, are made on the client's clock.
//! - What belongs to a tenant is decided by the tenant attribute, and by the key only where that is missing.

mod dynamodb_json;
mod erase;
mod error;
mod export;
mod finding;
mod integrity;
mod ownership;
mod pace;
mod pages;
mod position;
mod row;
mod scan;

use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;

use keywright_key::declare::{Table, Tenanted};

pub use erase::{Erased, Erasure, ErasurePlan, ErasureProgress};
pub use error::MaintenanceError;
pub use export::{Export, ExportPage, ExportPages};
pub use finding::{Finding, FindingProblem};
pub use integrity::{Integrity, IntegrityPage, IntegrityPages};
pub use pages::{ScanEnd, ScanPage, ScanPages};
pub use position::{InvalidPosition, ScanPosition};
pub use row::Row;
pub use scan::{MaintenanceProgress, Scan};

use crate::store::Store;
use crate::tenant::Tenant;

/// The door to a whole table, over all tenants: [`Store::maintenance`].
///
/// ```
/// # use applications::teams::*;
/// # use std::num::NonZeroU64;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
///
/// const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
/// let maintenance = store.maintenance("counting teams for the yearly report");
/// let mut pages = maintenance.scan(MOST).pages();
/// let mut teams = 0;
/// while let Some(page) = pages.next().await? {
///     teams += page.rows.iter().filter(|row| row.entity() == Some("team")).count();
/// }
/// assert_eq!(teams, 1);
/// # Ok(())
/// # }
/// ```
pub struct Maintenance<TableType> {
    store: Store<TableType>,
    reason: Arc<str>,
}

impl<TableType: Table> Store<TableType> {
    /// What reads the whole table, for this reason: a backfill, a walk over everything, the export or erasure of a tenant.
    ///
    /// It reads past every tenant's fence, and takes capacity from everybody. The reason is in an event of level `INFO` and in the spans.
    pub fn maintenance(&self, reason: impl Into<String>) -> Maintenance<TableType> {
        let reason: Arc<str> = reason.into().into();
        tracing::info!(table = self.table_name(), reason = &*reason, "maintenance has begun");
        Maintenance { store: self.clone(), reason }
    }
}

impl<TableType: Table> Maintenance<TableType> {
    /// Every item of the table, up to so many.
    pub fn scan<'p>(&self, max_rows: NonZeroU64) -> Scan<'p, TableType> {
        Scan::new(&self.store, &self.reason, max_rows)
    }

    /// A walk over the table that finds what is not as the types say.
    pub fn integrity<'p>(&self, max_rows: NonZeroU64) -> Integrity<'p, TableType> {
        Integrity::new(self.scan(max_rows))
    }
}

impl<TableType: Tenanted> Maintenance<TableType> {
    /// Everything of one tenant, in the form in which DynamoDB exports tables.
    pub fn export<'p>(&self, tenant: &Tenant<TableType>, max_rows: NonZeroU64) -> Export<'p, TableType> {
        Export::new(self.scan(max_rows), tenant)
    }

    /// The erasure of everything of one tenant: first it is looked at, then carried out.
    pub fn erasure(&self, tenant: &Tenant<TableType>, max_rows: NonZeroU64) -> Erasure<TableType> {
        Erasure::new(&self.store, &self.reason, tenant, max_rows)
    }
}

impl<TableType: Table> fmt::Debug for Maintenance<TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Maintenance")
            .field("table", &self.store.table_name())
            .field("reason", &self.reason)
            .finish()
    }
}
