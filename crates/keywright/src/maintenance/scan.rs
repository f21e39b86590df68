//! A scan that is about to be made, with its settings.

use std::fmt;
use std::marker::PhantomData;
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::Table;

use super::pace::Pace;
use super::pages::ScanPages;
use super::position::ScanPosition;
use crate::store::{Shared, Store};

/// A scan that is about to be made: [`Maintenance::scan`](crate::Maintenance::scan), settings, then [`Scan::pages`].
///
/// ```
/// # use applications::teams::*;
/// # use std::num::{NonZeroU32, NonZeroU64};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::ScanEnd;
/// # let store = store().await?;
/// const MOST: NonZeroU64 = NonZeroU64::new(5_000_000).unwrap();
/// const FOUR: NonZeroU32 = NonZeroU32::new(4).unwrap();
/// const RATE: NonZeroU32 = NonZeroU32::new(500).unwrap();
/// let scan = store.maintenance("a backfill").scan(MOST);
/// let mut pages = scan
///     .segments(FOUR)          // four requests at once
///     .units_per_second(RATE)  // and 500 read units a second, all together
///     .consistent()
///     .on_progress(|progress| println!("{} rows, {} units", progress.rows, progress.read_units))
///     .pages();
/// while let Some(page) = pages.next().await? {
///     // work on `page.rows`, then keep `page.position`
/// }
/// assert_eq!(pages.end(), Some(ScanEnd::Complete));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read before a page is asked for"]
pub struct Scan<'p, TableType> {
    pub(super) shared: Arc<Shared>,
    pub(super) settings: Settings<'p>,
    table: PhantomData<fn() -> TableType>,
}

/// How far a run is.
///
/// ```
/// use keywright::MaintenanceProgress;
///
/// fn show(progress: MaintenanceProgress) {
///     println!("{} rows; {} of {} segments are through", progress.rows, progress.segments_done, progress.segments);
/// }
/// # let _ = show;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MaintenanceProgress {
    /// Rows that were read, those that a filter left out included.
    pub rows: u64,
    /// Requests that were answered.
    pub requests: u64,
    /// Read units that they took.
    pub read_units: f64,
    /// Segments that were read to their end.
    pub segments_done: usize,
    /// All segments.
    pub segments: usize,
}

/// What is told of progress.
pub(super) type OnProgress<'p> = Box<dyn FnMut(MaintenanceProgress) + Send + 'p>;

/// How a scan is made.
pub(super) struct Settings<'p> {
    pub(super) reason: Arc<str>,
    pub(super) max_rows: u64,
    pub(super) segments: usize,
    pub(super) rows_per_page: u64,
    pub(super) pace: Arc<Pace>,
    pub(super) is_consistent: bool,
    /// Rows of other tenants are left out by the service; those that do not say whose they are come.
    pub(super) of_tenant: Option<(&'static str, AttributeValue)>,
    pub(super) resume: Option<ScanPosition>,
    pub(super) on_progress: Option<OnProgress<'p>>,
}

impl<'p, TableType: Table> Scan<'p, TableType> {
    pub(super) fn new(store: &Store<TableType>, reason: &Arc<str>, max_rows: NonZeroU64) -> Self {
        let settings = Settings {
            reason: Arc::clone(reason),
            max_rows: max_rows.get(),
            segments: 1,
            rows_per_page: 1000,
            pace: Arc::new(Pace::new(None, store.shared().clock.since_epoch())),
            is_consistent: false,
            of_tenant: None,
            resume: None,
            on_progress: None,
        };
        Scan { shared: Arc::clone(store.shared()), settings, table: PhantomData }
    }

    /// In so many segments, each of which has one request under way; one by default, 1,000,000 at most.
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html>
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::{NonZeroU32, NonZeroU64};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for team_id in 1..=3 { acme.put(&team(team_id, "Analysts")).send().await?; }
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// const FOUR: NonZeroU32 = NonZeroU32::new(4).unwrap();
    /// let mut pages = store.maintenance("a backfill").scan(MOST).segments(FOUR).pages();
    /// let (mut requests, mut rows) = (0, 0);
    /// while let Some(page) = pages.next().await? {
    ///     (requests, rows) = (requests + 1, rows + page.rows.len());
    /// }
    /// assert_eq!((requests, rows), (4, 3)); // a page of each segment, some of which are empty
    /// # Ok(())
    /// # }
    /// ```
    pub fn segments(mut self, segments: NonZeroU32) -> Scan<'p, TableType> {
        self.settings.segments = usize::try_from(segments.get()).unwrap_or(usize::MAX).min(1_000_000);
        self
    }

    /// So many rows in a page at most; 1,000 by default. A request reads 1 MB at most, whatever is said here.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::{NonZeroU32, NonZeroU64};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for team_id in 1..=3 { acme.put(&team(team_id, "Analysts")).send().await?; }
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// let mut pages = store.maintenance("a backfill").scan(MOST).rows_per_page(NonZeroU32::MIN).pages();
    /// while let Some(page) = pages.next().await? {
    ///     assert!(page.rows.len() <= 1); // what is kept after it is where the next row is
    /// }
    /// assert!(store.usage().reads.get("maintenance").is_some_and(|read| read.requests >= 3));
    /// # Ok(())
    /// # }
    /// ```
    pub fn rows_per_page(mut self, rows: NonZeroU32) -> Scan<'p, TableType> {
        self.settings.rows_per_page = u64::from(rows.get());
        self
    }

    /// So many read units a second, all segments together; as fast as it goes by default.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::{NonZeroU32, NonZeroU64};
    /// use std::time::{Duration, Instant};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for team_id in 1..=60 { acme.put(&team(team_id, "Analysts")).send().await?; }
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// const TWENTY: NonZeroU32 = NonZeroU32::new(20).unwrap();
    /// let scan = store.maintenance("a backfill").scan(MOST).rows_per_page(NonZeroU32::MIN);
    /// let (mut pages, begun) = (scan.units_per_second(TWENTY).pages(), Instant::now());
    /// while let Some(page) = pages.next().await? {
    ///     assert!(page.read_units <= 0.5); // sixty rows, each of its own: thirty units
    /// }
    /// assert!(begun.elapsed() > Duration::from_millis(400)); // twenty of them were there at once
    /// # Ok(())
    /// # }
    /// ```
    pub fn units_per_second(mut self, units: NonZeroU32) -> Scan<'p, TableType> {
        self.settings.pace = Arc::new(Pace::new(Some(units), self.shared.clock.since_epoch()));
        self
    }

    /// Reads what was written just before, for twice the units.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    ///
    /// let maintenance = store.maintenance("what was just written, too");
    /// let page = maintenance.scan(NonZeroU64::MIN).pages().next().await?.ok_or("there is a row")?;
    /// assert_eq!(page.read_units, 0.5);
    /// let page = maintenance.scan(NonZeroU64::MIN).consistent().pages().next().await?.ok_or("there is a row")?;
    /// assert_eq!(page.read_units, 1.0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn consistent(mut self) -> Scan<'p, TableType> {
        self.settings.is_consistent = true;
        self
    }

    /// Tells how far it is, after every request.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::{NonZeroU32, NonZeroU64};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for team_id in 1..=3 { acme.put(&team(team_id, "Analysts")).send().await?; }
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();
    /// let mut told = Vec::new();
    /// let scan = store.maintenance("a backfill").scan(MOST).rows_per_page(TWO);
    /// let mut pages = scan.on_progress(|progress| told.push((progress.requests, progress.rows))).pages();
    /// while pages.next().await?.is_some() {}
    /// drop(pages);
    /// assert_eq!(told, [(1, 2), (2, 3)]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_progress(mut self, tell: impl FnMut(MaintenanceProgress) + Send + 'p) -> Scan<'p, TableType> {
        self.settings.on_progress = Some(Box::new(tell));
        self
    }

    /// Goes on after the page that had this position, in as many segments as it had. The cap is counted anew.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::{NonZeroU32, NonZeroU64};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for team_id in 1..=3 { acme.put(&team(team_id, "Analysts")).send().await?; }
    /// const TWO: NonZeroU64 = NonZeroU64::new(2).unwrap();
    /// let maintenance = store.maintenance("a backfill, two rows a night");
    /// let first_night = maintenance.scan(TWO).pages().next().await?.ok_or("there are rows")?;
    /// let second_night = maintenance.scan(TWO).resume(first_night.position).pages().next().await?.ok_or("there is one more")?;
    /// assert_eq!((first_night.rows.len(), second_night.rows.len()), (2, 1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn resume(mut self, position: ScanPosition) -> Scan<'p, TableType> {
        self.settings.resume = Some(position);
        self
    }

    /// The pages, in no order.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for team_id in 1..=3 { acme.put(&team(team_id, "Analysts")).send().await?; }
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// let mut pages = store.maintenance("a backfill").scan(MOST).pages();
    /// assert!(store.usage().reads.is_empty()); // nothing was sent yet
    /// let mut rows = 0;
    /// while let Some(page) = pages.next().await? {
    ///     rows += page.rows.len();
    /// }
    /// assert_eq!(rows, 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn pages(self) -> ScanPages<'p, TableType> {
        ScanPages::new(self)
    }
}

impl<TableType> fmt::Debug for Scan<'_, TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Scan")
            .field("table", &self.shared.table_name)
            .field("reason", &self.settings.reason)
            .field("max_rows", &self.settings.max_rows)
            .field("segments", &self.settings.segments)
            .finish_non_exhaustive()
    }
}
