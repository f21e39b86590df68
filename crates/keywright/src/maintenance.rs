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
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// globex.put(&Team { organization_id: OrganizationId("globex".to_owned()), ..team(1, "Pilots") }).send().await?;
    ///
    /// const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// let teams = store.maintenance("how many teams are there?").scan(MOST); // acme's and globex's
    /// assert_eq!(teams.pages().next().await?.ok_or("there are some")?.rows.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn maintenance(&self, reason: impl Into<String>) -> Maintenance<TableType> {
        let reason: Arc<str> = reason.into().into();
        tracing::info!(table = self.table_name(), reason = &*reason, "maintenance has begun");
        Maintenance { store: self.clone(), reason }
    }
}

impl<TableType: Table> Maintenance<TableType> {
    /// Every item of the table, up to so many.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// use keywright::Row;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&invitation("ada@example.com", 1)).send().await?; // its time was over in 1970
    /// let email = "ada@example.com".to_owned();
    /// assert!(acme.get(InvitationById { email }).await?.is_none());
    ///
    /// let mut pages = store.maintenance("what is there and seen by nobody").scan(NonZeroU64::MIN).pages();
    /// let page = pages.next().await?.ok_or("the item is there")?;
    /// assert_eq!(page.rows.first().and_then(Row::entity), Some("invitation"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn scan<'p>(&self, max_rows: NonZeroU64) -> Scan<'p, TableType> {
        Scan::new(&self.store, &self.reason, max_rows)
    }

    /// A walk over the table that finds what is not as the types say.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use aws_sdk_dynamodb::types::AttributeValue;
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// // Another program wrote an item, and does not say what it is.
    /// let stray = |key: &str| AttributeValue::S(key.to_owned());
    /// store.client().put_item().table_name("Feed").item("pk", stray("ORG#acme")).item("sk", stray("NOTE")).send().await?;
    ///
    /// let walk = store.maintenance("the walk of the night").integrity(NonZeroU64::MIN);
    /// let mut pages = walk.checking::<Event>().checking::<Mention>().pages()?;
    /// let found = pages.next().await?.ok_or("there is a row")?.findings;
    /// let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    /// assert_eq!(found, ["a row does not say which entity it is: it has no text in `entity`"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn integrity<'p>(&self, max_rows: NonZeroU64) -> Integrity<'p, TableType> {
        Integrity::new(self.scan(max_rows))
    }
}

impl<TableType: Tenanted> Maintenance<TableType> {
    /// Everything of one tenant, in the form in which DynamoDB exports tables.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
    /// # globex.put(&Team { organization_id: OrganizationId("globex".to_owned()), ..team(1, "Pilots") }).send().await?;
    /// const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// let mut pages = store.maintenance("request 4711 of acme").export(&acme, MOST).pages();
    /// let page = pages.next().await?.ok_or("the table has rows")?;
    /// assert!(page.lines.contains(r#""name":{"S":"Analysts"}"#));
    /// assert!(!page.lines.contains("Pilots")); // they are globex's
    /// # Ok(())
    /// # }
    /// ```
    pub fn export<'p>(&self, tenant: &Tenant<TableType>, max_rows: NonZeroU64) -> Export<'p, TableType> {
        Export::new(self.scan(max_rows), tenant)
    }

    /// The erasure of everything of one tenant: first it is looked at, then carried out.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
    /// # globex.put(&Team { organization_id: OrganizationId("globex".to_owned()), ..team(1, "Pilots") }).send().await?;
    /// const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// let erased = store.maintenance("acme has left").erasure(&acme, MOST).plan().await?.carry_out().await?;
    /// assert_eq!(erased.items, 1);
    ///
    /// assert!(acme.get(TeamById { team_id: 1 }).await?.is_none());
    /// assert!(globex.get(TeamById { team_id: 1 }).await?.is_some());
    /// # Ok(())
    /// # }
    /// ```
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
