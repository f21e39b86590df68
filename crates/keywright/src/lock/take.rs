//! Taking a lock: one conditional update, at once or until it succeeds.

use std::fmt;
use std::time::Duration;

use aws_sdk_dynamodb::types::{ReturnConsumedCapacity, ReturnValue, ReturnValuesOnConditionCheckFailure};
use keywright_key::declare::{self, Table};
use keywright_key::{Components, Timestamp};
use serde::Serialize;
use tracing::Instrument;

use super::held::{FencingToken, HeldLock};
use crate::error::{ForeignItem, ForeignPlace, WriteError};
use crate::expression::Placeholders;
use crate::item::kept::{FENCE, OWNER, UNTIL, number, stored};
use crate::item::{Attributes, Decoder, begin, encode};
use crate::retry::Deadline;
use crate::tenant::Tenant;
use crate::time::{Moment, milliseconds};
use crate::trace;
use crate::write::{Attempt, Fence, Leaves, Repeat, Target, WriteMark};

/// A lock that is about to be taken: [`Tenant::lock`], then `send` or `wait`.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
///
/// use keywright::Locked;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let billing = JobLock { organization_id: OrganizationId("acme".to_owned()), job: "billing".to_owned() };
/// let lease = Duration::from_secs(30);
///
/// let Locked::Held(held) = acme.lock(&billing, lease).send().await? else { return Ok(()) };
/// assert!(matches!(acme.lock(&billing, lease).send().await?, Locked::Taken { .. }));
/// held.release().await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is locked before it is sent"]
pub struct Lock<'l, TableType, LockType> {
    tenant: Tenant<TableType>,
    lock: &'l LockType,
    lease: Duration,
}

/// What became of taking a lock.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
///
/// use keywright::Locked;
/// # let (store, clock) = store_with_clock().await?;
/// # let acme = acme(&store)?;
/// # let billing = JobLock { organization_id: OrganizationId("acme".to_owned()), job: "billing".to_owned() };
/// let lock = || acme.lock(&billing, Duration::from_secs(30)).send();
/// let _held = lock().await?;
/// match lock().await? {
///     Locked::Held(_) => return Err("somebody has it".into()),
///     // A second more than the lease, since clocks are not alike.
///     Locked::Taken { until } => assert_eq!(until.to_string(), "2026-01-01T00:00:31.000Z"),
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "whether it is held is said here"]
pub enum Locked<TableType, LockType> {
    /// The caller holds it.
    Held(HeldLock<TableType, LockType>),
    /// Somebody else holds it.
    Taken {
        /// When it is free if whoever holds it is dead, by the caller's clock.
        until: Timestamp,
    },
}

/// How often taking is tried again where the lock became free while it was looked at.
const MOST_ROUNDS: usize = 8;

impl<TableType, LockType> Lock<'_, TableType, LockType>
where
    TableType: Table,
    LockType: declare::Lock<TableType> + Components + Serialize,
{
    /// Takes the lock if nobody holds it, or its lease is over by everybody's clock: one request.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::{Locked, WriteError};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let billing = JobLock { organization_id: OrganizationId("acme".to_owned()), job: "billing".to_owned() };
    /// let no_lease = acme.lock(&billing, Duration::ZERO).send().await;
    /// assert!(matches!(no_lease, Err(WriteError::Value { .. })));
    /// // One of two has it; the other one is told at once, and does not wait.
    /// let lock = || acme.lock(&billing, Duration::from_secs(30)).send();
    /// assert!(matches!((lock().await?, lock().await?), (Locked::Held(_), Locked::Taken { .. })));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing was written, or when that is not known. Then the lock is taken by nobody, or until the lease is over.
    pub async fn send(self) -> Result<Locked<TableType, LockType>, WriteError> {
        self.try_now().await
    }

    /// The same, again and again for `at_most` this long, by the store's clock: after pauses with jitter as the store's
    /// [`RetryPolicy`](crate::RetryPolicy) has them, and when the lease of whoever holds it is over.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::Locked;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let billing = JobLock { organization_id: OrganizationId("acme".to_owned()), job: "billing".to_owned() };
    /// let lock = || acme.lock(&billing, Duration::from_secs(30));
    /// let Locked::Held(held) = lock().send().await? else { return Err("nobody has it".into()) };
    /// assert!(matches!(lock().wait(Duration::ZERO).await?, Locked::Taken { .. })); // one try
    ///
    /// let (next, released) = tokio::join!(lock().wait(Duration::from_secs(10)), held.release());
    /// released?;
    /// assert!(matches!(next?, Locked::Held(_)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As for [`Lock::send`].
    pub async fn wait(self, at_most: Duration) -> Result<Locked<TableType, LockType>, WriteError> {
        let shared = self.tenant.shared();
        let end = shared.moment().later(at_most);
        let mut tries = 0;
        loop {
            let until = match self.try_now().await? {
                Locked::Taken { until } => until,
                held @ Locked::Held(_) => return Ok(held),
            };
            let now = shared.moment().now;
            if now >= end {
                return Ok(Locked::Taken { until });
            }
            tries += 1;
            let free = u64::try_from(until.unix_milliseconds()).unwrap_or(0).saturating_sub(now);
            let longest = Duration::from_millis(free.min(end - now).max(1));
            shared
                .sleep(shared.retries.pause(tries).clamp(SHORTEST_PAUSE, longest.max(SHORTEST_PAUSE)))
                .await;
        }
    }

    async fn try_now(&self) -> Result<Locked<TableType, LockType>, WriteError> {
        let entity = LockType::SHAPE;
        if self.lease < SHORTEST_PAUSE {
            let reason = "its lease is over at once: a lease is a millisecond at least";
            return Err(WriteError::value(entity.name, reason));
        }
        let deadline = Deadline::of_call(self.tenant.shared());
        for _ in 0..MOST_ROUNDS {
            let mark = WriteMark::now(self.tenant.shared());
            let moment = Moment { now: milliseconds(mark.since_epoch), ..self.tenant.shared().moment() };
            let span = trace::update(self.tenant.shared(), entity.name);
            let item = match self.take(&mark, moment, deadline).instrument(span).await? {
                Ok(held) => return Ok(Locked::Held(held)),
                Err(item) => item,
            };
            if Decoder::<TableType>::new(self.tenant.shared(), self.tenant.identity()).is_foreign(&item) {
                return Err(ForeignItem::new(entity.name, ForeignPlace::Replaced).into());
            }
            if let Some(until) = number(&item, UNTIL).filter(|until| *until > moment.over()) {
                return Ok(Locked::Taken { until: moment.free(until) });
            }
        }
        Err(WriteError::Contended { entity: entity.name })
    }

    /// Makes the write: the lock, or the item that is in the way.
    async fn take(
        &self,
        mark: &WriteMark,
        moment: Moment,
        deadline: Deadline,
    ) -> Result<Result<HeldLock<TableType, LockType>, Attributes>, WriteError> {
        let (table, entity) = (TableType::SHAPE, LockType::SHAPE);
        let shared = self.tenant.shared();
        let encoded = encode::<TableType, LockType>(&self.tenant, self.lock, None, mark)?;
        let until = moment.later(self.lease);
        let mut placeholders = Placeholders::default();
        let mut set = begin(&table, &entity, &encoded.attributes, &mut placeholders);
        let (owner, ends) = (placeholders.name("owner", OWNER), placeholders.name("until", UNTIL));
        let me = placeholders.value("owner", mark.write_id.value());
        set.push(format!("{owner} = {me}"));
        set.push(format!("{ends} = {}", placeholders.value("until", stored(until))));
        let (fence, one) = (placeholders.name("fence", FENCE), placeholders.value("one", stored(1)));
        let over = placeholders.value("over", stored(moment.over()));
        let free = format!("attribute_not_exists({ends}) OR {ends} <= {over}");
        let condition = match Fence::of(&entity, self.tenant.identity()) {
            Some(tenant) => {
                let key = placeholders.name("key", table.partition_key.name);
                format!("attribute_not_exists({key}) OR ({} AND ({free}))", tenant.write(&mut placeholders))
            }
            None => free,
        };
        let builder = shared
            .calls
            .update_item()
            .table_name(&shared.table_name)
            .set_key(Some(encoded.keys.now.clone()))
            .update_expression(format!("SET {} ADD {fence} {one}", set.join(", ")))
            .condition_expression(condition)
            .set_expression_attribute_names(placeholders.take_names())
            .set_expression_attribute_values(placeholders.take_values())
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let (key, write_id) = (&encoded.keys.now, &mark.write_id);
        let leaves = Leaves::Item;
        let target = Target { shared, key, write_id, entity: entity.name, leaves, deadline };
        let taken = match target.attempt(Repeat::Harmless, || builder.clone().send()).await {
            Ok(Attempt::Done(output) | Attempt::DoneAgain(output)) => {
                target.count(output.consumed_capacity.and_then(|units| units.capacity_units), None);
                output.attributes
            }
            Ok(Attempt::Landed(item)) => item,
            Ok(Attempt::Failed(item)) => return Ok(Err(item.unwrap_or_default())),
            // Whoever holds it now, it is not this try: what is there says the rest.
            Err(unknown @ WriteError::Unknown { .. }) => match target.read_in_time().await {
                Some(Some(item)) if target.is_ours(&item) => Some(item),
                Some(Some(item)) => return Ok(Err(item)),
                Some(None) | None => return Err(unknown),
            },
            Err(error) => return Err(error),
        };
        let fence = FencingToken::of(taken.as_ref().and_then(|item| number(item, FENCE)).unwrap_or_default());
        Ok(Ok(HeldLock::new(self.tenant.clone(), encoded.keys.now, mark.write_id.clone(), until, fence)))
    }
}

/// What is waited at least, and what a lease is at least.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);

impl<TableType: Table> Tenant<TableType> {
    /// Locks something for `lease`. If that passes, and the machines' clocks agree that it did, somebody else may take the lock: what it protects is
    /// written with [`HeldLock::check`], or carries the [`FencingToken`].
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::Locked;
    /// # let (store, clock) = store_with_clock().await?;
    /// # let acme = acme(&store)?;
    /// let billing = JobLock { organization_id: OrganizationId("acme".to_owned()), job: "billing".to_owned() };
    /// let lease = Duration::from_secs(30);
    /// assert!(matches!(acme.lock(&billing, lease).send().await?, Locked::Held(_))); // and then the process dies
    /// assert!(matches!(acme.lock(&billing, lease).send().await?, Locked::Taken { .. }));
    /// clock.advance(lease + Duration::from_secs(1)); // the lease, and how far clocks may be apart
    /// assert!(matches!(acme.lock(&billing, lease).send().await?, Locked::Held(_)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn lock<'l, LockType>(&self, lock: &'l LockType, lease: Duration) -> Lock<'l, TableType, LockType>
    where
        LockType: declare::Lock<TableType>,
    {
        Lock { tenant: self.clone(), lock, lease }
    }
}

impl<TableType, LockType> fmt::Debug for Lock<'_, TableType, LockType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Lock").field("lease", &self.lease).finish_non_exhaustive()
    }
}

impl<TableType, LockType> fmt::Debug for Locked<TableType, LockType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Locked::Held(held) => formatter.debug_tuple("Held").field(held).finish(),
            Locked::Taken { until } => formatter.debug_struct("Taken").field("until", until).finish(),
        }
    }
}
