//! The pages of a scan: several segments at once, one cap and one pace for all of them.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use aws_sdk_dynamodb::operation::scan::builders::ScanFluentBuilder;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use futures_util::stream::{FuturesUnordered, StreamExt};
use keywright_key::declare::Table;
use tracing::Instrument;

use super::error::MaintenanceError;
use super::pace::Pace;
use super::position::{InvalidPosition, ScanPosition, SegmentPosition};
use super::row::Row;
use super::scan::{MaintenanceProgress, Scan, Settings};
use crate::error::ServiceError;
use crate::item::{Attributes, KeyAttributes};
use crate::retry::{self, CountedAs, Deadline};
use crate::store::Shared;
use crate::trace;

/// In whose name scans are counted.
const COUNTED_AS: &str = "maintenance";

/// The pages of a scan, one after the other. See [`Scan`].
///
/// It can be dropped at any moment: what was given is in the last page's position.
///
/// ```
/// # use applications::teams::*;
/// # use std::num::NonZeroU64;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::ScanEnd;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # for team_id in 1..=3 { acme.put(&team(team_id, "Analysts")).send().await?; }
/// let mut pages = store.maintenance("an example").scan(const { NonZeroU64::new(2).unwrap() }).pages();
/// while let Some(page) = pages.next().await? {
///     println!("{} rows", page.rows.len());
/// }
/// assert_eq!(pages.end(), Some(ScanEnd::Cap)); // there are three
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read before a page is asked for"]
pub struct ScanPages<'p, TableType> {
    shared: Arc<Shared>,
    settings: Settings<'p>,
    /// What was given so far.
    position: ScanPosition,
    /// Which segments have a request under way.
    is_running: Vec<bool>,
    running: FuturesUnordered<Running>,
    /// Rows that may still be asked for; what is under way is taken off.
    rows_left: u64,
    progress: MaintenanceProgress,
    end: Option<ScanEnd>,
    table: std::marker::PhantomData<fn() -> TableType>,
}

/// Rows of one request.
///
/// ```
/// # use applications::teams::*;
/// /// Works on a page, then keeps where the run is.
/// fn work(page: &keywright::ScanPage<App>) -> String {
///     println!("{} rows for {} units", page.rows.len(), page.read_units);
///     page.position.to_string()
/// }
/// # fn main() { let _ = work; }
/// ```
pub struct ScanPage<TableType> {
    /// The rows; none where a filter left all of them out.
    pub rows: Vec<Row<TableType>>,
    /// Where the run is when these rows have been worked on.
    pub position: ScanPosition,
    /// The read units that it took.
    pub read_units: f64,
}

/// How a scan ended.
///
/// ```
/// use keywright::ScanEnd;
///
/// /// Of a walk that must see everything.
/// fn is_whole(end: Option<ScanEnd>) -> bool {
///     end == Some(ScanEnd::Complete)
/// }
/// # assert!(!is_whole(Some(ScanEnd::Cap)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanEnd {
    /// Every row was read.
    Complete,
    /// So many rows were read as were to be read at most, and there may be more.
    Cap,
}

/// A request that is under way.
type Running = Pin<Box<dyn Future<Output = Ran> + Send>>;

/// What became of a request.
struct Ran {
    segment: usize,
    /// The rows that it was allowed to read.
    allowed: u64,
    answer: Result<Answer, ServiceError>,
}

struct Answer {
    items: Vec<Attributes>,
    rows_read: u64,
    units: f64,
    next: Option<KeyAttributes>,
}

impl<'p, TableType: Table> ScanPages<'p, TableType> {
    pub(super) fn new(scan: Scan<'p, TableType>) -> ScanPages<'p, TableType> {
        let Scan { shared, mut settings, .. } = scan;
        let position = settings
            .resume
            .take()
            .unwrap_or_else(|| ScanPosition::start(&shared.table_name, settings.segments));
        let segments = position.segments.len();
        let progress =
            MaintenanceProgress { rows: 0, requests: 0, read_units: 0.0, segments_done: 0, segments };
        ScanPages {
            rows_left: settings.max_rows,
            shared,
            settings,
            position,
            is_running: vec![false; segments],
            running: FuturesUnordered::new(),
            progress,
            end: None,
            table: std::marker::PhantomData,
        }
    }

    /// The next page; none after the last one. A page may be empty and not be the last.
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
    /// let mut pages = store.maintenance("three teams").scan(MOST).rows_per_page(TWO).pages();
    /// assert_eq!(pages.next().await?.map(|page| page.rows.len()), Some(2));
    /// assert_eq!(pages.next().await?.map(|page| page.rows.len()), Some(1));
    /// assert!(pages.next().await?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`MaintenanceError`]; the same page can be asked for again.
    pub async fn next(&mut self) -> Result<Option<ScanPage<TableType>>, MaintenanceError> {
        if self.position.table != self.shared.table_name {
            return Err(InvalidPosition.into());
        }
        if self.end.is_some() {
            return Ok(None);
        }
        self.begin();
        let Some(ran) = self.running.next().await else {
            self.ended();
            return Ok(None);
        };
        let Ran { segment, allowed, answer } = ran;
        if let Some(running) = self.is_running.get_mut(segment) {
            *running = false;
        }
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                self.rows_left = self.rows_left.saturating_add(allowed);
                return Err(error.into());
            }
        };
        self.rows_left = self.rows_left.saturating_add(allowed.saturating_sub(answer.rows_read));
        if let Some(position) = self.position.segments.get_mut(segment) {
            *position = answer.next.map_or(SegmentPosition::End, SegmentPosition::After);
        }
        self.tell(answer.rows_read, answer.units);
        let rows = answer.items.into_iter().map(|item| Row::new(&self.shared, item)).collect();
        Ok(Some(ScanPage { rows, position: self.position.clone(), read_units: answer.units }))
    }

    /// How it ended; none as long as [`ScanPages::next`] gives pages.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// use keywright::ScanEnd;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// let mut pages = store.maintenance("a backfill").scan(MOST).pages();
    /// while let Some(page) = pages.next().await? {
    ///     assert_eq!((page.rows.len(), pages.end()), (1, None)); // there may be more
    /// }
    /// assert_eq!(pages.end(), Some(ScanEnd::Complete));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn end(&self) -> Option<ScanEnd> {
        self.end
    }

    pub(super) const fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    pub(super) const fn max_rows(&self) -> u64 {
        self.settings.max_rows
    }

    /// The rows that were read so far.
    pub(super) const fn rows(&self) -> u64 {
        self.progress.rows
    }

    pub(super) fn pace(&self) -> &Pace {
        &self.settings.pace
    }

    /// Begins a request for each segment that has none and is not at its end, as far as the cap allows.
    fn begin(&mut self) {
        let segments = self.position.segments.len();
        for (segment, position) in self.position.segments.iter().enumerate() {
            let allowed = self.settings.rows_per_page.min(self.rows_left);
            if allowed == 0 {
                return;
            }
            let start = match position {
                SegmentPosition::Start => None,
                SegmentPosition::After(key) => Some(key.clone()),
                SegmentPosition::End => continue,
            };
            let Some(running) = self.is_running.get_mut(segment).filter(|running| !**running) else {
                continue;
            };
            *running = true;
            self.rows_left -= allowed;
            let request = request(&self.shared, &self.settings, (segment, segments), start, allowed);
            let (shared, pace) = (Arc::clone(&self.shared), Arc::clone(&self.settings.pace));
            let span = trace::scan(&shared, &self.settings.reason, segment);
            let run = async move {
                let answer = ask(&shared, &pace, request).await;
                Ran { segment, allowed, answer }
            };
            self.running.push(Box::pin(run.instrument(span)));
        }
    }

    fn ended(&mut self) {
        let is_complete =
            self.position.segments.iter().all(|segment| matches!(segment, SegmentPosition::End));
        if is_complete {
            self.end = Some(ScanEnd::Complete);
            return;
        }
        tracing::warn!(
            table = self.shared.table_name,
            reason = &*self.settings.reason,
            max_rows = self.settings.max_rows,
            "a scan stopped at its cap, and there may be more rows"
        );
        self.end = Some(ScanEnd::Cap);
    }

    fn tell(&mut self, rows: u64, units: f64) {
        self.progress.rows += rows;
        self.progress.requests += 1;
        self.progress.read_units += units;
        let is_done = |segment: &&SegmentPosition| matches!(segment, SegmentPosition::End);
        self.progress.segments_done = self.position.segments.iter().filter(is_done).count();
        if let Some(tell) = &mut self.settings.on_progress {
            tell(self.progress);
        }
    }
}

/// The request of one page.
fn request(
    shared: &Shared,
    settings: &Settings<'_>,
    (segment, segments): (usize, usize),
    start: Option<KeyAttributes>,
    rows: u64,
) -> ScanFluentBuilder {
    let number = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    let request = shared
        .calls
        .scan()
        .table_name(&shared.table_name)
        .set_exclusive_start_key(start)
        .limit(i32::try_from(rows).unwrap_or(i32::MAX))
        .set_consistent_read(settings.is_consistent.then_some(true))
        .return_consumed_capacity(ReturnConsumedCapacity::Total);
    let request = if segments > 1 {
        request.segment(number(segment)).total_segments(number(segments))
    } else {
        request
    };
    match &settings.of_tenant {
        Some((attribute, id)) => request
            .filter_expression("attribute_not_exists(#t0) OR #t0 = :t0")
            .expression_attribute_names("#t0", *attribute)
            .expression_attribute_values(":t0", id.clone()),
        None => request,
    }
}

async fn ask(shared: &Shared, pace: &Pace, request: ScanFluentBuilder) -> Result<Answer, ServiceError> {
    pace.wait(shared).await;
    let deadline = Deadline::of_call(shared);
    let output =
        retry::read(shared, CountedAs::Read(COUNTED_AS), deadline, || request.clone().send()).await?;
    let units = output.consumed_capacity.as_ref().and_then(|units| units.capacity_units).unwrap_or(0.0);
    pace.take(units);
    let rows_read = u64::try_from(output.scanned_count).unwrap_or(0);
    let items = output.items.unwrap_or_default();
    let items_given = items.len() as u64;
    shared.counters.read(COUNTED_AS, |usage| {
        usage.requests += 1;
        usage.units += units;
        usage.items_read += rows_read;
        usage.items_given += items_given;
    });
    trace::record_read(1, units, rows_read, items_given);
    Ok(Answer { items, rows_read, units, next: output.last_evaluated_key.filter(|key| !key.is_empty()) })
}

impl<TableType: Table> fmt::Debug for ScanPage<TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ScanPage")
            .field("rows", &self.rows.len())
            .field("read_units", &self.read_units)
            .finish_non_exhaustive()
    }
}

impl<TableType> fmt::Debug for ScanPages<'_, TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ScanPages")
            .field("progress", &self.progress)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}
