//! Exact counters: increments in one transaction with the claim of what is counted.

use std::fmt;
use std::time::Duration;

use keywright_key::Components;
use keywright_key::declare::{Claim, CountedInOneItem, Counter, Table};
use serde::Serialize;

use super::increment::{Found, Increment};
use super::limits::Limits;
use crate::claim::is_done;
use crate::error::{ForeignItem, ForeignPlace, WriteError};
use crate::item::{Attributes, Decoder};
use crate::retry::Deadline;
use crate::tenant::Tenant;
use crate::transaction::{ActionKind, Canceled, Cause, Transacted, TransactionError};
use crate::write::WriteMark;

/// Increments that are about to be made once: [`Tenant::add_once`], the counters, then `send`.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
///
/// use keywright::{AddedOnce, Limits};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let acme_id = || OrganizationId("acme".to_owned());
/// let paid = PaymentEvent { organization_id: acme_id(), event_id: "evt_1".to_owned() };
/// let used = PaymentEvent { organization_id: acme_id(), event_id: "use_1".to_owned() };
/// let (balance, four_days) = (Balance { organization_id: acme_id() }, Duration::from_secs(4 * 86_400));
///
/// let top_up = || acme.add_once(&paid, four_days).add(&balance, 100);
/// assert_eq!(top_up().send().await?, AddedOnce::Done);
/// assert_eq!(top_up().send().await?, AddedOnce::Before); // delivered twice, counted once
///
/// let charge = acme.add_once(&used, four_days).add_within(&balance, -150, Limits::at_least(0));
/// assert_eq!(charge.send().await?, AddedOnce::Refused { counter: 0, count: Some(100) });
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is counted before it is sent"]
pub struct AddOnce<'c, TableType, ClaimType> {
    tenant: Tenant<TableType>,
    claim: &'c ClaimType,
    keep_for: Duration,
    increments: Vec<(&'static str, Result<Increment, WriteError>)>,
}

/// What became of increments that are made once. All of them were made, or none.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
///
/// use keywright::{AddedOnce, Limits};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # let acme_id = || OrganizationId("acme".to_owned());
/// # let order = PaymentEvent { organization_id: acme_id(), event_id: "order_1".to_owned() };
/// # let (balance, kept) = (Balance { organization_id: acme_id() }, Duration::from_secs(4 * 86_400));
/// let status = match acme.add_once(&order, kept).add_within(&balance, -5, Limits::at_least(0)).send().await? {
///     AddedOnce::Done => 201,
///     AddedOnce::Before => 200,
///     AddedOnce::Refused { counter, count } => {
///         assert_eq!((counter, count), (0, Some(0))); // nothing has been paid yet
///         402
///     }
/// };
/// assert_eq!(status, 402);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "whether it was counted is said here"]
pub enum AddedOnce {
    /// They were made now.
    Done,
    /// They were made before, for the same claim.
    Before,
    /// One of them would leave its count beyond its limits, or there is nothing to take from. Nothing was written, the claim neither.
    Refused {
        /// Which: the place in the order of the calls.
        counter: usize,
        /// The count that is there; none where nothing is, because the counter's time is over.
        count: Option<i64>,
    },
}

/// How often a transaction is begun again because an item came or went while it was looked at.
const MOST_ROUNDS: usize = 8;

impl<TableType, ClaimType> AddOnce<'_, TableType, ClaimType>
where
    TableType: Table,
    ClaimType: Claim<TableType> + Components + Serialize,
{
    /// Adds to this counter, too, or takes from it. A counter that is not there begins at 0.
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
    /// # let (balance, seats) = (Balance { organization_id: acme_id() }, Seats { organization_id: acme_id() });
    /// // A seat is paid for: both are counted, or none of them is.
    /// let sold = acme.add_once(&event, Duration::from_secs(4 * 86_400)).add(&balance, -12).add(&seats, 1);
    /// let _ = sold.send().await?;
    /// assert_eq!((acme.count(&balance).await?, acme.count(&seats).await?), (-12, 1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn add<CounterType>(self, counter: &CounterType, by: i64) -> Self
    where
        CounterType: Counter<TableType> + Components + Serialize,
    {
        self.and(counter, by, Limits::NONE)
    }

    /// The same, only if the count is within these limits afterwards. The count is in one item: no condition sees what is spread over shards.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::{AddedOnce, Limits};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let acme_id = || OrganizationId("acme".to_owned());
    /// # let event = PaymentEvent { organization_id: acme_id(), event_id: "evt_1".to_owned() };
    /// # let (balance, seats) = (Balance { organization_id: acme_id() }, Seats { organization_id: acme_id() });
    /// let sold = acme.add_once(&event, Duration::from_secs(4 * 86_400)).add(&seats, 1);
    /// let sold = sold.add_within(&balance, -12, Limits::at_least(0)); // what was not paid is not sold
    /// assert_eq!(sold.send().await?, AddedOnce::Refused { counter: 1, count: Some(0) });
    /// assert_eq!(acme.count(&seats).await?, 0); // the seat neither
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_within<CounterType>(self, counter: &CounterType, by: i64, limits: Limits) -> Self
    where
        CounterType: Counter<TableType> + CountedInOneItem + Components + Serialize,
    {
        self.and(counter, by, limits)
    }

    fn and<CounterType>(mut self, counter: &CounterType, by: i64, limits: Limits) -> Self
    where
        CounterType: Counter<TableType> + Components + Serialize,
    {
        let mark = WriteMark::now(self.tenant.shared());
        let increment = Increment::new(&self.tenant, counter, by, limits, mark);
        self.increments.push((CounterType::SHAPE.name, increment));
        self
    }

    /// Makes all increments and takes the claim, in one transaction: for items of up to 1 KB, two write units for the claim and two for each
    /// counter.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::AddedOnce;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let acme_id = || OrganizationId("acme".to_owned());
    /// # let event = PaymentEvent { organization_id: acme_id(), event_id: "evt_1".to_owned() };
    /// # let (balance, kept) = (Balance { organization_id: acme_id() }, Duration::from_secs(4 * 86_400));
    /// let top_up = || acme.add_once(&event, kept).add(&balance, 100).send();
    /// assert_eq!(top_up().await?, AddedOnce::Done);
    /// assert_eq!(top_up().await?, AddedOnce::Before); // so after an error it is simply sent again
    /// assert_eq!(acme.count(&balance).await?, 100);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TransactionError`] when nothing was counted, or when that is not known: more than 99 counters, the same counter twice, no capacity.
    /// Sending the same claim again is right in any case: it counts once.
    pub async fn send(mut self) -> Result<AddedOnce, TransactionError> {
        let deadline = Deadline::of_call(self.tenant.shared());
        let mut expired = vec![false; self.increments.len()];
        let mut canceled = None;
        for _ in 0..MOST_ROUNDS {
            let mut transaction = self.tenant.transaction();
            transaction.add(self.tenant.mark_done(self.claim, self.keep_for));
            for ((entity, increment), expired) in self.increments.iter().zip(&expired) {
                let kind = if *expired { ActionKind::Put } else { ActionKind::Update };
                transaction.add_prepared(&self.tenant, kind, entity, |mark| {
                    let increment = increment.as_ref().map_err(Clone::clone)?.marked(mark);
                    Ok(if *expired { increment.replacement() } else { increment.update() })
                });
            }
            let why = match transaction.send_until(deadline).await? {
                Transacted::Done(_) => return Ok(AddedOnce::Done),
                Transacted::Canceled(why) => why,
            };
            if let Some(outcome) = self.judge(&why, &mut expired, deadline).await? {
                return Ok(outcome);
            }
            canceled = Some(why);
        }
        let contended = WriteError::Contended { entity: ClaimType::SHAPE.name };
        match canceled.and_then(|canceled| canceled.error(0, contended)) {
            Some(error) => Err(error),
            None => unreachable!("a transaction has the claim as its first action"),
        }
    }

    /// What a canceled transaction means; nothing if it is to be made again, with what is expired by now.
    async fn judge(
        &mut self,
        canceled: &Canceled,
        expired: &mut [bool],
        deadline: Deadline,
    ) -> Result<Option<AddedOnce>, TransactionError> {
        let at = |position: usize, source: WriteError| match canceled.error(position, source) {
            Some(error) => error,
            None => unreachable!("it is the place of one of its actions"),
        };
        match canceled.cause(0) {
            Some(Cause::ConditionFailed) => {
                let claim = canceled.failed(0).flatten();
                return self.judge_claim(claim).map_err(|error| at(0, error));
            }
            Some(Cause::Conflict | Cause::Throttled | Cause::Refused) => {
                return Err(at(0, WriteError::Contended { entity: ClaimType::SHAPE.name }));
            }
            None => {}
        }
        for (place, ((_, increment), expired)) in self.increments.iter_mut().zip(expired).enumerate() {
            let entity = increment.as_ref().map_or(ClaimType::SHAPE.name, |increment| increment.entity.name);
            match canceled.cause(place + 1) {
                Some(Cause::Refused) => {
                    let reason = "what its item holds cannot be added to";
                    return Err(at(place + 1, WriteError::value(entity, reason)));
                }
                Some(Cause::Conflict | Cause::Throttled) => {
                    return Err(at(place + 1, WriteError::Contended { entity }));
                }
                Some(Cause::ConditionFailed) | None => {}
            }
            let (Some(item), Ok(increment)) = (canceled.failed(place + 1), increment) else { continue };
            let now = increment.marked(WriteMark::now(self.tenant.shared()));
            match now.found(&self.tenant, item).map_err(|error| at(place + 1, error))? {
                Found::Changed => *expired = false,
                Found::Expired => *expired = true,
                Found::Refused { count } => {
                    // Nothing is taken from a shard that is not there while another one is.
                    let elsewhere = now.elsewhere(&self.tenant, deadline).await;
                    match elsewhere.map_err(|error| at(place + 1, error.into()))? {
                        Some(partition_key) => *increment = now.under(partition_key),
                        None => return Ok(Some(AddedOnce::Refused { counter: place, count })),
                    }
                }
            }
        }
        Ok(None)
    }

    /// What a claim says that is there already.
    fn judge_claim(&self, item: Option<&Attributes>) -> Result<Option<AddedOnce>, WriteError> {
        let entity = ClaimType::SHAPE.name;
        let Some(item) = item else { return Ok(None) };
        if Decoder::<TableType>::new(self.tenant.shared(), self.tenant.identity()).is_foreign(item) {
            return Err(ForeignItem::new(entity, ForeignPlace::Replaced).into());
        }
        if is_done(item) {
            return Ok(Some(AddedOnce::Before));
        }
        Err(WriteError::value(
            entity,
            "somebody has claimed it and does its work: count by a claim of its own",
        ))
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// Adds to counters once for this claim: however often the same claim is counted within `keep_for`, by a record that is delivered twice or a
    /// caller who got no answer, it counts once.
    ///
    /// Keep it for as long as it may come again: a record of a stream for a day, of a queue for as long as that keeps messages.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::AddedOnce;
    /// # let (store, clock) = store_with_clock().await?;
    /// # let acme = acme(&store)?;
    /// # let acme_id = || OrganizationId("acme".to_owned());
    /// # let (balance, day) = (Balance { organization_id: acme_id() }, Duration::from_secs(86_400));
    /// let event = PaymentEvent { organization_id: acme_id(), event_id: "evt_1".to_owned() };
    /// let top_up = || acme.add_once(&event, 4 * day).add(&balance, 100).send();
    /// assert_eq!(top_up().await?, AddedOnce::Done);
    /// clock.advance(3 * day);
    /// assert_eq!(top_up().await?, AddedOnce::Before);
    /// clock.advance(2 * day); // it is forgotten: keep it for longer than it may come again
    /// assert_eq!(top_up().await?, AddedOnce::Done);
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_once<'c, ClaimType>(
        &self,
        claim: &'c ClaimType,
        keep_for: Duration,
    ) -> AddOnce<'c, TableType, ClaimType>
    where
        ClaimType: Claim<TableType>,
    {
        AddOnce { tenant: self.clone(), claim, keep_for, increments: Vec::new() }
    }
}

impl<TableType, ClaimType> fmt::Debug for AddOnce<'_, TableType, ClaimType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("AddOnce").field("counters", &self.increments.len()).finish_non_exhaustive()
    }
}
