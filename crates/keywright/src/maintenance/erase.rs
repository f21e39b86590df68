//! The erasure of everything of one tenant: looked at first, carried out then, and counted again at the end.
//!
//! An item whose key holds the tenant is deleted in batches. One that lies under a deviation is deleted by itself, and only if it is
//! still the tenant's: between the look and the delete, another tenant may have taken the key.

use std::collections::BTreeMap;
use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::{Arc, Mutex, PoisonError};

use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use keywright_key::declare::Table;

use super::error::MaintenanceError;
use super::ownership::{Ownership, key_alone};
use super::pace::Pace;
use super::pages::{ScanEnd, ScanPage, ScanPages};
use super::row::Row;
use super::scan::Scan;
use crate::error::{ServiceError, ServiceProblem};
use crate::item::{KeyAttributes, size_bytes};
use crate::retry::{CountedAs, Deadline, Tries};
use crate::store::Store;
use crate::tenant::{Identity, Tenant};

/// How many deletes are one call of a batch.
const CHANGES_OF_A_CALL: usize = 25;
/// How often everything is looked at and deleted before it is said that somebody goes on writing.
const MOST_ROUNDS: u32 = 3;

/// The erasure of one tenant: [`Maintenance::erasure`](crate::Maintenance::erasure), then [`Erasure::plan`], which changes nothing.
///
/// ```
/// # use applications::teams::*;
/// # use std::num::NonZeroU64;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # acme.put(&team(1, "Analysts")).send().await?;
/// const MOST: NonZeroU64 = NonZeroU64::new(5_000_000).unwrap();
/// let plan = store.maintenance("acme has left").erasure(&acme, MOST).plan().await?;
/// println!("{} items and {} bytes would go: {:?}", plan.items(), plan.bytes(), plan.items_by_entity());
///
/// let erased = plan.carry_out().await?; // and nothing of acme's is found any more
/// assert_eq!(erased.items, 1);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read before it is planned"]
pub struct Erasure<TableType> {
    store: Store<TableType>,
    reason: Arc<str>,
    tenant: Tenant<TableType>,
    max_rows: NonZeroU64,
    segments: NonZeroU32,
    rows_per_page: Option<NonZeroU32>,
    units_per_second: Option<NonZeroU32>,
    on_progress: Option<OnProgress>,
}

/// What is told of progress; locked while it is.
type OnProgress = Mutex<Box<dyn FnMut(ErasureProgress) + Send>>;

/// How far an erasure is, or the look before it.
///
/// ```
/// fn show(progress: keywright::ErasureProgress) {
///     println!("round {}: {} rows were looked at, {} items are gone", progress.round, progress.rows, progress.items);
/// }
/// # let _ = show;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ErasureProgress {
    /// Which look at the table this is: 0 that of the plan, then 1 and further.
    pub round: u32,
    /// Rows that this look has read so far, other tenants' included.
    pub rows: u64,
    /// Items that were deleted so far, in all rounds.
    pub items: u64,
    /// Write units that it took so far.
    pub write_units: f64,
}

/// What would be erased. Nothing is, until [`ErasurePlan::carry_out`].
///
/// ```
/// # use applications::teams::*;
/// /// Asks somebody.
/// fn show(plan: &keywright::ErasurePlan<App>) {
///     for (entity, items) in plan.items_by_entity() {
///         println!("{items} of `{entity}`");
///     }
/// }
/// # fn main() { let _ = show; }
/// ```
#[must_use = "nothing is erased before it is carried out"]
pub struct ErasurePlan<TableType> {
    erasure: Erasure<TableType>,
    /// Of all looks: what one took is waited for in the next.
    pace: Arc<Pace>,
    items_by_entity: BTreeMap<String, u64>,
    bytes: u64,
}

/// What was erased. A count after it found nothing left.
///
/// ```
/// fn log(erased: &keywright::Erased) {
///     println!("{} items, {} write units, in {} rounds", erased.items, erased.write_units, erased.rounds);
/// }
/// # let _ = log;
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Erased {
    /// The items that were deleted.
    pub items: u64,
    /// The write units that it took.
    pub write_units: f64,
    /// How often everything was looked at and deleted: once, if nobody wrote meanwhile.
    pub rounds: u32,
}

impl Erased {
    const NOTHING: Erased = Erased { items: 0, write_units: 0.0, rounds: 0 };
}

impl<TableType: Table> Erasure<TableType> {
    pub(super) fn new(
        store: &Store<TableType>,
        reason: &Arc<str>,
        tenant: &Tenant<TableType>,
        max_rows: NonZeroU64,
    ) -> Erasure<TableType> {
        Erasure {
            store: store.clone(),
            reason: Arc::clone(reason),
            tenant: tenant.clone(),
            max_rows,
            segments: NonZeroU32::MIN,
            rows_per_page: None,
            units_per_second: None,
            on_progress: None,
        }
    }

    /// In so many segments at once; one by default.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::{NonZeroU32, NonZeroU64};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// const FOUR: NonZeroU32 = NonZeroU32::new(4).unwrap();
    /// let erasure = store.maintenance("acme has left").erasure(&acme, MOST).segments(FOUR);
    /// assert_eq!(erasure.plan().await?.items(), 1);
    /// assert_eq!(store.usage().reads.get("maintenance").map(|read| read.requests), Some(4)); // one for each
    /// # Ok(())
    /// # }
    /// ```
    pub const fn segments(mut self, segments: NonZeroU32) -> Erasure<TableType> {
        self.segments = segments;
        self
    }

    /// So many rows in a page at most; 1,000 by default. A page is read at once, so beside a low pace it should be small.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::{NonZeroU32, NonZeroU64};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();
    /// for team_id in 1..=3 {
    ///     acme.put(&team(team_id, "Analysts")).send().await?;
    /// }
    /// let (tell, told) = std::sync::mpsc::channel();
    /// let erasure = store.maintenance("acme has left").erasure(&acme, MOST).rows_per_page(TWO);
    /// let plan = erasure.on_progress(move |progress| drop(tell.send(progress.rows))).plan().await?;
    /// assert_eq!((told.try_iter().collect::<Vec<_>>(), plan.items()), (vec![2, 3], 3)); // after each page
    /// # Ok(())
    /// # }
    /// ```
    pub const fn rows_per_page(mut self, rows: NonZeroU32) -> Erasure<TableType> {
        self.rows_per_page = Some(rows);
        self
    }

    /// Tells how far it is, after every page: that it was looked at, and what of it was deleted.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// let (tell, told) = std::sync::mpsc::channel();
    /// let erasure = store.maintenance("acme has left").erasure(&acme, MOST);
    /// let erasure = erasure.on_progress(move |progress| drop(tell.send((progress.round, progress.items))));
    ///
    /// erasure.plan().await?.carry_out().await?;
    /// // The look of the plan, the round that deletes, and the one that finds nothing left.
    /// assert_eq!(told.try_iter().collect::<Vec<_>>(), [(0, 0), (1, 1), (2, 1)]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_progress(mut self, tell: impl FnMut(ErasureProgress) + Send + 'static) -> Erasure<TableType> {
        self.on_progress = Some(Mutex::new(Box::new(tell)));
        self
    }

    /// So many units a second, read and written together; as fast as it goes by default. What a request takes is known when it has been
    /// answered, so it is that on the average, and a page or 25 deletes at once.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::{NonZeroU32, NonZeroU64};
    /// use std::time::{Duration, Instant};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// for team_id in 1..=130 {
    ///     acme.put(&team(team_id, "Analysts")).send().await?; // a write unit each, and one more to delete it
    /// }
    /// const HUNDRED: NonZeroU32 = NonZeroU32::new(100).unwrap();
    /// let erasure = store.maintenance("acme has left").erasure(&acme, MOST).units_per_second(HUNDRED);
    /// let (plan, begun) = (erasure.plan().await?, Instant::now());
    /// assert_eq!(plan.carry_out().await?.write_units, 130.0);
    /// assert!(begun.elapsed() > Duration::from_millis(100)); // the first hundred were there at once
    /// # Ok(())
    /// # }
    /// ```
    pub const fn units_per_second(mut self, units: NonZeroU32) -> Erasure<TableType> {
        self.units_per_second = Some(units);
        self
    }

    /// Looks at everything, and deletes nothing.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// use keywright::MaintenanceError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// acme.put(&member(1, "ada")).send().await?;
    ///
    /// // A cap that is too low: what is not seen would not be erased.
    /// let plan = store.maintenance("acme has left").erasure(&acme, NonZeroU64::MIN).plan().await;
    /// assert!(matches!(plan, Err(MaintenanceError::Capped { max_rows: 1 })));
    /// assert!(acme.get(TeamById { team_id: 1 }).await?.is_some()); // a plan deletes nothing
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`MaintenanceError::Capped`] if the table has more rows than are to be read: then nobody knows what is left out.
    pub async fn plan(self) -> Result<ErasurePlan<TableType>, MaintenanceError> {
        let pace = Arc::new(Pace::new(self.units_per_second, self.store.shared().clock.since_epoch()));
        let mut pages = self.scan(&pace).pages();
        let (mut items_by_entity, mut bytes) = (BTreeMap::new(), 0);
        while let Some(page) = pages.next().await? {
            self.tell(&pages, &Erased::NOTHING);
            for row in self.own(&page) {
                *items_by_entity.entry(row.entity().unwrap_or_default().to_owned()).or_default() += 1;
                bytes += size_bytes(row.attributes()) as u64;
            }
        }
        whole(&pages)?;
        Ok(ErasurePlan { erasure: self, pace, items_by_entity, bytes })
    }

    /// Reads what was written until now: what is not seen is not erased.
    fn scan(&self, pace: &Arc<Pace>) -> Scan<'static, TableType> {
        let mut scan =
            Scan::new(&self.store, &self.reason, self.max_rows).segments(self.segments).consistent();
        if let Identity::Tenant { attribute, stored, .. } = self.tenant.identity() {
            scan.settings.of_tenant = Some((*attribute, stored.clone()));
        }
        scan.settings.pace = Arc::clone(pace);
        if let Some(rows) = self.rows_per_page {
            scan = scan.rows_per_page(rows);
        }
        scan
    }

    fn own<'r>(&'r self, page: &'r ScanPage<TableType>) -> impl Iterator<Item = &'r Row<TableType>> {
        page.rows.iter().filter(|row| row.ownership(self.tenant.identity()) != Ownership::None)
    }
}

impl<TableType: Table> ErasurePlan<TableType> {
    /// The items that would be deleted.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// acme.put(&member(1, "ada")).send().await?;
    ///
    /// let maintenance = store.maintenance("somebody has left");
    /// assert_eq!(maintenance.erasure(&acme, MOST).plan().await?.items(), 2);
    /// assert_eq!(maintenance.erasure(&globex, MOST).plan().await?.items(), 0);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn items(&self) -> u64 {
        self.items_by_entity.values().sum()
    }

    /// The items that would be deleted, by what their discriminators say that they are; "" for those that say nothing.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// for user_id in ["ada", "bob"] {
    ///     acme.put(&member(1, user_id)).send().await?;
    /// }
    /// let plan = store.maintenance("acme has left").erasure(&acme, MOST).plan().await?;
    /// let found: Vec<(&str, u64)> = plan.items_by_entity().iter().map(|(entity, items)| (entity.as_str(), *items)).collect();
    /// assert_eq!(found, [("member", 2), ("team", 1)]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn items_by_entity(&self) -> &BTreeMap<String, u64> {
        &self.items_by_entity
    }

    /// How large they are together, as DynamoDB counts. A delete takes a write unit for each KB of an item, rounded up, and for each index
    /// that holds it.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// acme.put(&team(1, &"A long name. ".repeat(200))).send().await?;
    ///
    /// let plan = store.maintenance("acme has left").erasure(&acme, MOST).plan().await?;
    /// let kilobytes = plan.bytes().div_ceil(1024);
    /// assert_eq!(kilobytes, 3);
    /// assert_eq!(plan.carry_out().await?.write_units, 3.0); // of one item, which no index holds
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Deletes everything, then looks again: it ends well only if a whole look finds nothing left.
    ///
    /// It can be carried out again after an error: what is deleted is not found again.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// let plan = store.maintenance("acme has left").erasure(&acme, MOST).plan().await?;
    /// let erased = plan.carry_out().await?;
    /// assert_eq!((erased.items, erased.rounds), (1, 1));
    ///
    /// let again = plan.carry_out().await?; // nothing is left, and that is no error
    /// assert_eq!((again.items, again.rounds), (0, 0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`MaintenanceError::StillThere`] if somebody goes on writing; [`MaintenanceError`] if something could not be read or deleted.
    pub async fn carry_out(&self) -> Result<Erased, MaintenanceError> {
        let erasure = &self.erasure;
        let mut erased = Erased::NOTHING;
        loop {
            let found = erasure.round(&self.pace, &mut erased).await?;
            if found == 0 {
                tracing::info!(
                    table = erasure.store.table_name(),
                    reason = &*erasure.reason,
                    items = erased.items,
                    "a tenant was erased"
                );
                return Ok(erased);
            }
            if erased.rounds == MOST_ROUNDS {
                return Err(MaintenanceError::StillThere { items: found });
            }
            erased.rounds += 1;
        }
    }
}

impl<TableType: Table> Erasure<TableType> {
    /// Looks at everything and deletes what is the tenant's; how many items that were. None in the last round.
    async fn round(&self, pace: &Arc<Pace>, erased: &mut Erased) -> Result<u64, MaintenanceError> {
        let may_delete = erased.rounds < MOST_ROUNDS;
        let mut pages = self.scan(pace).pages();
        let mut found = 0;
        while let Some(page) = pages.next().await? {
            found += self.own(&page).count() as u64;
            if may_delete {
                self.delete(&pages, &page, erased).await?;
            }
            self.tell(&pages, &Erased { rounds: erased.rounds + 1, ..erased.clone() });
        }
        whole(&pages)?;
        Ok(found)
    }

    async fn delete(
        &self,
        pages: &ScanPages<'static, TableType>,
        page: &ScanPage<TableType>,
        erased: &mut Erased,
    ) -> Result<(), MaintenanceError> {
        let table = TableType::SHAPE;
        let mut by_key = Vec::new();
        for row in &page.rows {
            let key = key_alone(&table, row.attributes());
            let entity = row.shape().map_or("unknown", |entity| entity.name);
            match row.ownership(self.tenant.identity()) {
                Ownership::None => {}
                Ownership::ByKey => by_key.push((entity, key)),
                Ownership::ByAttribute => {
                    pages.pace().wait(pages.shared()).await;
                    if let Some(units) = self.delete_if_own(entity, &key).await? {
                        pages.pace().take(units);
                        erased.items += 1;
                        erased.write_units += units;
                    }
                }
            }
        }
        // With a pace one call after the other, of no more than it allows in a second: each of them waits for its units.
        let at_once = match self.units_per_second {
            Some(units) => usize::try_from(units.get()).unwrap_or(usize::MAX).min(CHANGES_OF_A_CALL),
            None => by_key.len().max(1),
        };
        for deletes in by_key.chunks(at_once) {
            let batch = deletes.iter().fold(self.tenant.batch_write(), |batch, (entity, key)| {
                batch.delete_key(entity, key.clone())
            });
            pages.pace().wait(pages.shared()).await;
            let written = batch.send().await?;
            pages.pace().take(written.write_units);
            erased.items += deletes.len() as u64;
            erased.write_units += written.write_units;
        }
        Ok(())
    }

    fn tell(&self, pages: &ScanPages<'static, TableType>, erased: &Erased) {
        if let Some(tell) = &self.on_progress {
            let Erased { items, write_units, rounds } = *erased;
            let progress = ErasureProgress { round: rounds, rows: pages.rows(), items, write_units };
            tell.lock().unwrap_or_else(PoisonError::into_inner)(progress);
        }
    }

    /// Deletes an item whose key does not hold the tenant, if it is still the tenant's; what it took, if it was.
    ///
    /// A delete whose answer was lost is made again: of this key nothing is deleted but what is the tenant's. What is not there any more
    /// then was deleted by the first, of whose units nobody knows.
    async fn delete_if_own(
        &self,
        entity: &'static str,
        key: &KeyAttributes,
    ) -> Result<Option<f64>, MaintenanceError> {
        let Identity::Tenant { attribute, stored, .. } = self.tenant.identity() else { return Ok(None) };
        let shared = self.tenant.shared();
        let request = shared
            .calls
            .delete_item()
            .table_name(&shared.table_name)
            .set_key(Some(key.clone()))
            .condition_expression("#t0 = :t0")
            .expression_attribute_names("#t0", *attribute)
            .expression_attribute_values(":t0", stored.clone())
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let count = |units: f64| {
            shared.count_key(key, units);
            shared.counters.write(entity, |usage| {
                usage.requests += 1;
                usage.units += units;
            });
        };
        let mut tries = Tries::begin(shared, CountedAs::Write(entity), Deadline::of_call(shared));
        let mut was_lost = false;
        loop {
            let error = match request.clone().send().await {
                Ok(output) => {
                    tries.answered();
                    let units =
                        output.consumed_capacity.and_then(|units| units.capacity_units).unwrap_or(0.0);
                    count(units);
                    return Ok(Some(units));
                }
                Err(error) => error,
            };
            if error.as_service_error().is_some_and(DeleteItemError::is_conditional_check_failed_exception) {
                tries.answered();
                // An answer, though it says nothing of units.
                count(0.0);
                return Ok(was_lost.then_some(0.0));
            }
            let error = ServiceError::new(error);
            tries.failed(&error);
            was_lost |= matches!(error.problem(), ServiceProblem::Unanswered);
            let may_succeed = !matches!(error.problem(), ServiceProblem::Refused | ServiceProblem::Denied);
            if !may_succeed || !tries.wait().await {
                return Err(error.into());
            }
        }
    }
}

/// Whether everything was seen.
fn whole<TableType: Table>(pages: &ScanPages<'_, TableType>) -> Result<(), MaintenanceError> {
    match pages.end() {
        Some(ScanEnd::Complete) => Ok(()),
        Some(ScanEnd::Cap) | None => Err(MaintenanceError::Capped { max_rows: pages.max_rows() }),
    }
}

impl<TableType: Table> fmt::Debug for Erasure<TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Erasure")
            .field("table", &self.store.table_name())
            .field("reason", &self.reason)
            .field("max_rows", &self.max_rows)
            .finish_non_exhaustive()
    }
}

impl<TableType: Table> fmt::Debug for ErasurePlan<TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ErasurePlan")
            .field("erasure", &self.erasure)
            .field("items_by_entity", &self.items_by_entity)
            .field("bytes", &self.bytes)
            .finish()
    }
}

impl fmt::Display for Erased {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} items were erased for {} write units", self.items, self.write_units)
    }
}
