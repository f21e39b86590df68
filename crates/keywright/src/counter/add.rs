//! Approximate counters: one `ADD`, with limits if they are asked for.

use std::fmt;

use aws_sdk_dynamodb::types::{ReturnConsumedCapacity, ReturnValue};
use keywright_key::Components;
use keywright_key::declare::{ApproximateCounter, CountedInOneItem, Counter, Table};
use serde::Serialize;
use tracing::Instrument;

use super::increment::{Found, Increment};
use super::limits::Limits;
use crate::error::WriteError;
use crate::retry::Deadline;
use crate::store::Shared;
use crate::tenant::Tenant;
use crate::trace;
use crate::write::{Attempt, Change, Leaves, PreparedWrite, Repeat, Target, WriteMark};

/// An increment that is about to be made: [`Tenant::add`], perhaps limits, then `send`.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{Added, Limits};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let seats = Seats { organization_id: OrganizationId("acme".to_owned()) };
/// assert_eq!(acme.add(&seats, 3).send().await?, Added::Done { count: Some(3) });
///
/// let four_seats = Limits::at_most(4).and_at_least(0);
/// assert_eq!(acme.add(&seats, 2).within(four_seats).send().await?, Added::Refused { count: Some(3) });
/// # Ok(())
/// # }
/// ```
///
/// An exact counter is not counted by one `ADD`, and no condition sees a count that is spread over shards:
///
/// ```compile_fail,E0277
/// # use applications::teams::*;
/// async fn top_up(acme: keywright::Tenant<App>, balance: Balance) {
///     let _ = acme.add(&balance, 100).send().await; // `add_once`
/// }
/// # fn main() {}
/// ```
///
/// ```compile_fail,E0277
/// # use applications::teams::*;
/// fn limited(acme: keywright::Tenant<App>, views: PageViews) {
///     let _ = acme.add(&views, -1).within(keywright::Limits::at_least(0));
/// }
/// # fn main() {}
/// ```
#[must_use = "nothing is counted before it is sent"]
pub struct Add<'c, TableType, CounterType> {
    tenant: Tenant<TableType>,
    counter: &'c CounterType,
    by: i64,
    limits: Limits,
}

/// What became of an increment.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{Added, Limits};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let seats = Seats { organization_id: OrganizationId("acme".to_owned()) };
/// let _ = acme.add(&seats, 3).send().await?;
/// let status = match acme.add(&seats, 1).within(Limits::at_most(3)).send().await? {
///     Added::Done { .. } => 201,
///     Added::Refused { count } => {
///         assert_eq!(count, Some(3)); // what is there, and stays
///         409
///     }
/// };
/// assert_eq!(status, 409);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "whether it was counted is said here"]
pub enum Added {
    /// It was counted.
    Done {
        /// The count after it; none where the count is spread over shards.
        count: Option<i64>,
    },
    /// It would leave the count beyond its limits, or there is nothing to take from. Nothing was written.
    Refused {
        /// The count that is there; none where nothing is, because the counter's time is over or it never began.
        count: Option<i64>,
    },
}

/// How often an increment is tried again whose item came or went while it was looked at.
const MOST_ROUNDS: usize = 8;

impl<TableType, CounterType> Add<'_, TableType, CounterType>
where
    TableType: Table,
    CounterType: Counter<TableType> + Components + Serialize,
{
    /// Only if the count is within these limits afterwards. A counter that is not there has the count 0. The count is in one item:
    /// no condition sees what is spread over shards.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{Added, Limits};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let seats = Seats { organization_id: OrganizationId("acme".to_owned()) };
    /// let take = |seats_taken| acme.add(&seats, seats_taken).within(Limits::at_most(5));
    /// assert_eq!(take(5).send().await?, Added::Done { count: Some(5) }); // up to the limit
    /// assert_eq!(take(1).send().await?, Added::Refused { count: Some(5) });
    /// assert_eq!(acme.count(&seats).await?, 5);
    /// # Ok(())
    /// # }
    /// ```
    pub fn within(mut self, limits: Limits) -> Self
    where
        CounterType: CountedInOneItem,
    {
        self.limits = limits;
        self
    }

    pub(crate) const fn handle(&self) -> &Tenant<TableType> {
        &self.tenant
    }

    pub(crate) fn action(self, mark: WriteMark) -> Result<PreparedWrite, WriteError> {
        let increment = self.increment(mark)?;
        if increment.is_to_be_found() {
            let reason = "what is taken from a count in shards that expires is taken from a shard that is there, and a transaction cannot \
                          look which one is: count it by `add_once`, or alone";
            return Err(WriteError::value(increment.entity.name, reason));
        }
        Ok(increment.update())
    }

    fn increment(&self, mark: WriteMark) -> Result<Increment, WriteError> {
        Increment::new(&self.tenant, self.counter, self.by, self.limits, mark)
    }

    /// Counts: one request. Where a counter expires, an increment begins it anew in place of one whose time is over, and nothing is taken
    /// from one that is not there.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::Added;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let acme_id = || OrganizationId("acme".to_owned());
    /// let (seats, views) = (Seats { organization_id: acme_id() }, PageViews { organization_id: acme_id(), page: "prices".to_owned() });
    /// assert_eq!(acme.add(&seats, 2).send().await?, Added::Done { count: Some(2) });
    /// assert_eq!(acme.add(&seats, -1).send().await?, Added::Done { count: Some(1) });
    /// assert_eq!(acme.add(&views, 1).send().await?, Added::Done { count: None }); // one of eight shards: nobody knows the sum
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing was counted. [`WriteError::Unknown`] if an answer was lost and others counted since: then the
    /// counter is off by this increment, or is not. What must not be is counted by [`Tenant::add_once`].
    pub async fn send(self) -> Result<Added, WriteError>
    where
        CounterType: ApproximateCounter<TableType>,
    {
        let entity = CounterType::SHAPE;
        let shared = self.tenant.shared();
        let (mark, deadline) = (WriteMark::now(shared), Deadline::of_call(shared));
        let mut found = None;
        for _ in 0..MOST_ROUNDS {
            let mark = WriteMark { write_id: mark.write_id.clone(), ..WriteMark::now(shared) };
            let mut increment = self.increment(mark)?;
            if let Some(partition_key) = found.take() {
                increment = increment.under(partition_key);
            }
            let span = trace::update(shared, entity.name);
            match self.make(&increment, deadline).instrument(span).await? {
                Ok(count) => return Ok(Added::Done { count }),
                // Nothing is taken from a shard that is not there while another one is.
                Err(Found::Refused { count }) => match increment.elsewhere(&self.tenant, deadline).await? {
                    Some(partition_key) => found = Some(partition_key),
                    None => return Ok(Added::Refused { count }),
                },
                Err(Found::Expired) => {
                    let span = trace::put(shared, entity.name);
                    if self.replace(&increment, deadline).instrument(span).await? {
                        return Ok(Added::Done { count: increment.shown(self.by) });
                    }
                }
                Err(Found::Changed) => {}
            }
        }
        Err(WriteError::Contended { entity: entity.name })
    }

    /// Adds to the item: the count after it, or what is in the way.
    async fn make(
        &self,
        increment: &Increment,
        deadline: Deadline,
    ) -> Result<Result<Option<i64>, Found>, WriteError> {
        let shared = self.tenant.shared();
        let mut write = increment.update();
        let Change::Update { expression } = &write.change else { unreachable!("an increment is an update") };
        let builder = shared
            .calls
            .update_item()
            .table_name(&shared.table_name)
            .set_key(Some(write.key.clone()))
            .update_expression(expression)
            .set_condition_expression(write.condition.clone())
            .set_expression_attribute_names(write.placeholders.take_names())
            .set_expression_attribute_values(write.placeholders.take_values())
            .return_values(ReturnValue::UpdatedNew)
            .set_return_values_on_condition_check_failure(write.on_failure())
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let target = target(shared, &write, deadline);
        Ok(match target.attempt(Repeat::Harmful, || builder.clone().send()).await? {
            Attempt::Done(output) | Attempt::DoneAgain(output) => {
                target.count(output.consumed_capacity.and_then(|units| units.capacity_units), None);
                Ok(increment.counted(output.attributes.as_ref()))
            }
            Attempt::Landed(item) => Ok(increment.counted(item.as_ref())),
            Attempt::Failed(item) => Err(increment.found(&self.tenant, item.as_ref())?),
        })
    }

    /// Begins the counter in place of an item whose time is over; whether that was still there.
    async fn replace(&self, increment: &Increment, deadline: Deadline) -> Result<bool, WriteError> {
        let shared = self.tenant.shared();
        let mut write = increment.replacement();
        let Change::Put { item, size_bytes } = &write.change else { unreachable!("a replacement is a put") };
        let size_bytes = *size_bytes;
        let builder = shared
            .calls
            .put_item()
            .table_name(&shared.table_name)
            .set_item(Some(item.clone()))
            .set_condition_expression(write.condition.clone())
            .set_expression_attribute_names(write.placeholders.take_names())
            .set_expression_attribute_values(write.placeholders.take_values())
            .set_return_values_on_condition_check_failure(write.on_failure())
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let target = target(shared, &write, deadline);
        Ok(match target.attempt(Repeat::Harmless, || builder.clone().send()).await? {
            Attempt::Done(output) | Attempt::DoneAgain(output) => {
                target
                    .count(output.consumed_capacity.and_then(|units| units.capacity_units), Some(size_bytes));
                true
            }
            Attempt::Landed(_) => true,
            Attempt::Failed(_) => false,
        })
    }
}

fn target<'t>(shared: &'t Shared, write: &'t PreparedWrite, deadline: Deadline) -> Target<'t> {
    let (key, write_id, entity) = (&write.key, &write.mark.write_id, write.entity);
    Target { shared, key, write_id, entity, leaves: Leaves::Item, deadline }
}

impl<TableType: Table> Tenant<TableType> {
    /// Adds to a counter, or takes from it: one `ADD`, which needs no reading and no lock. A counter that is not there begins at 0.
    ///
    /// Alone it is for approximate counters, because an answer can be lost: see [`Add::send`]; the same increment delivered twice counts twice.
    /// As an action of a [transaction](crate::Transaction) it is for exact ones, too, where another action is what makes the transaction happen once: a
    /// [`Tenant::mark_done`] of a claim, or an insert.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let acme_id = || OrganizationId("acme".to_owned());
    /// # let event = PaymentEvent { organization_id: acme_id(), event_id: "evt_1".to_owned() };
    /// # let balance = Balance { organization_id: acme_id() };
    /// // An exact counter, in a transaction that happens once for a payment.
    /// let mut transaction = acme.transaction();
    /// transaction.add(acme.mark_done(&event, Duration::from_secs(4 * 86_400)));
    /// transaction.add(acme.add(&balance, 100));
    /// assert!(transaction.send().await?.is_done());
    /// assert_eq!(acme.count(&balance).await?, 100);
    /// # Ok(())
    /// # }
    /// ```
    pub fn add<'c, CounterType>(&self, counter: &'c CounterType, by: i64) -> Add<'c, TableType, CounterType>
    where
        CounterType: Counter<TableType>,
    {
        Add { tenant: self.clone(), counter, by, limits: Limits::NONE }
    }
}

impl<TableType, CounterType> fmt::Debug for Add<'_, TableType, CounterType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Add")
            .field("by", &self.by)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
