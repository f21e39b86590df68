//! A lock that is held: renewed, given back, and asked by transactions.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure};
use keywright_key::Timestamp;
use keywright_key::declare::{self, Table};
use tracing::Instrument;

use super::error::LockError;
use crate::error::WriteError;
use crate::expression::Placeholders;
use crate::item::kept::{OWNER, UNTIL, stored};
use crate::item::{Attributes, KeyAttributes, WRITE_ID_ATTRIBUTE, stamp_value};
use crate::retry::Deadline;
use crate::tenant::Tenant;
use crate::time::timestamp;
use crate::trace;
use crate::write::{Attempt, Change, Leaves, PreparedWrite, Repeat, Target, WriteId, WriteMark};

/// A lock that the caller holds until its lease is over. If it is dropped, or the process dies, it is free then.
///
/// What the lock protects in DynamoDB is written in a transaction with [`HeldLock::check`]: whoever slept through the end of the lease, and
/// whose lock somebody else has taken since, writes nothing.
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
/// let Locked::Held(mut held) = acme.lock(&billing, Duration::from_secs(30)).send().await? else { return Ok(()) };
///
/// held.renew(Duration::from_secs(30)).await?; // the work goes on
/// let mut transaction = acme.transaction();
/// transaction.add(held.check());
/// transaction.add(acme.put(&member(1, "ada")));
/// assert!(transaction.send().await?.is_done());
/// held.release().await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "a lock that is dropped stays taken until its lease is over"]
pub struct HeldLock<TableType, LockType> {
    tenant: Tenant<TableType>,
    key: KeyAttributes,
    owner: WriteId,
    /// In milliseconds since 1970.
    until: u64,
    fence: FencingToken,
    lock: PhantomData<fn() -> LockType>,
}

/// How often a lock was taken up to now: who takes it later has a higher one.
///
/// What is outside of DynamoDB and protected by the lock remembers the highest token that it saw and refuses lower ones.
///
/// ```
/// use keywright::FencingToken;
///
/// /// What is protected remembers the highest token that it saw.
/// fn is_accepted(highest: &mut FencingToken, token: FencingToken) -> bool {
///     let is_accepted = token >= *highest;
///     *highest = token.max(*highest);
///     is_accepted
/// }
/// # let _ = is_accepted;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FencingToken(u64);

/// That a lock is held still, as an action of a [transaction](crate::Transaction): [`HeldLock::check`].
///
/// ```
/// # use applications::teams::*;
/// use keywright::{LockCheck, Transaction};
///
/// /// Writes only if the lock is held still.
/// fn protected(transaction: &mut Transaction, check: LockCheck<App, JobLock>) {
///     transaction.add(check);
/// }
/// # fn main() { let _ = protected; }
/// ```
#[must_use = "nothing is asked before the transaction is sent"]
pub struct LockCheck<TableType, LockType> {
    tenant: Tenant<TableType>,
    key: KeyAttributes,
    owner: WriteId,
    lock: PhantomData<fn() -> LockType>,
}

impl FencingToken {
    pub(super) const fn of(number: u64) -> FencingToken {
        FencingToken(number)
    }

    /// The token as a number, 1 for who took the lock first.
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
    /// for turn in 1..=3 {
    ///     let locked = acme.lock(&billing, Duration::from_secs(30)).send().await?;
    ///     let Locked::Held(held) = locked else { return Err("it was given back".into()) };
    ///     assert_eq!(held.token().number(), turn);
    ///     held.release().await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl<TableType, LockType> HeldLock<TableType, LockType>
where
    TableType: Table,
    LockType: declare::Lock<TableType>,
{
    pub(super) const fn new(
        tenant: Tenant<TableType>,
        key: KeyAttributes,
        owner: WriteId,
        until: u64,
        fence: FencingToken,
    ) -> HeldLock<TableType, LockType> {
        HeldLock { tenant, key, owner, until, fence, lock: PhantomData }
    }

    /// The fencing token of this holding of the lock. A renewal does not change it.
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
    /// # let lease = Duration::from_secs(30);
    /// let lock = || acme.lock(&billing, lease).send();
    /// let Locked::Held(sleeper) = lock().await? else { return Err("nobody has it".into()) };
    /// clock.advance(lease * 2);
    /// let Locked::Held(successor) = lock().await? else { return Err("the lease is over".into()) };
    /// // A printer that has seen the successor's token takes nothing from the sleeper any more.
    /// assert!(sleeper.token() < successor.token());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn token(&self) -> FencingToken {
        self.fence
    }

    /// Until when it is held, by the clock of this process.
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
    /// # let lease = Duration::from_secs(30);
    /// // At midnight, for thirty seconds.
    /// let Locked::Held(mut held) = acme.lock(&billing, lease).send().await? else { return Err("nobody has it".into()) };
    /// assert_eq!(held.until().to_string(), "2026-01-01T00:00:30.000Z");
    /// clock.advance(Duration::from_secs(20));
    /// held.renew(lease).await?;
    /// assert_eq!(held.until().to_string(), "2026-01-01T00:00:50.000Z");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn until(&self) -> Timestamp {
        timestamp(self.until)
    }

    /// That it is held still, as an action of a transaction: nobody has taken it since. The lease may be over; as long as nobody took the lock, what
    /// it protects is this holder's.
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
    /// # let lease = Duration::from_secs(30);
    /// # let Locked::Held(sleeper) = acme.lock(&billing, lease).send().await? else { return Err("nobody has it".into()) };
    /// clock.advance(lease * 2); // who holds it slept, and somebody else takes it
    /// assert!(matches!(acme.lock(&billing, lease).send().await?, Locked::Held(_)));
    ///
    /// let mut transaction = acme.transaction();
    /// transaction.add(sleeper.check());
    /// transaction.add(acme.put(&member(1, "ada")));
    /// assert!(!transaction.send().await?.is_done()); // ada is not stored
    /// # Ok(())
    /// # }
    /// ```
    pub fn check(&self) -> LockCheck<TableType, LockType> {
        let (tenant, key, owner) = (self.tenant.clone(), self.key.clone(), self.owner.clone());
        LockCheck { tenant, key, owner, lock: PhantomData }
    }

    /// Holds it for `lease` from now on. It is accepted after the lease, too, if nobody has taken the lock since.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::{LockError, Locked};
    /// # let (store, clock) = store_with_clock().await?;
    /// # let acme = acme(&store)?;
    /// # let billing = JobLock { organization_id: OrganizationId("acme".to_owned()), job: "billing".to_owned() };
    /// # let lease = Duration::from_secs(30);
    /// # let Locked::Held(mut held) = acme.lock(&billing, lease).send().await? else { return Err("nobody has it".into()) };
    /// clock.advance(lease * 2);
    /// held.renew(lease).await?; // late, but nobody else came
    /// clock.advance(lease * 2);
    /// assert!(matches!(acme.lock(&billing, lease).send().await?, Locked::Held(_))); // somebody came
    /// assert!(matches!(held.renew(lease).await, Err(LockError::Lost { .. })));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`LockError::Lost`] if somebody has; [`LockError::Write`] when nothing was changed, or when that is not known.
    pub async fn renew(&mut self, lease: Duration) -> Result<(), LockError> {
        let until = self.tenant.shared().moment().later(lease);
        self.change(|placeholders| {
            let ends = placeholders.name("until", UNTIL);
            format!(", {ends} = {}", placeholders.value("until", stored(until)))
        })
        .await?;
        self.until = until;
        Ok(())
    }

    /// Gives it back: whoever wants it next has it at once. Nothing happens if somebody has taken it since.
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
    /// let lock = || acme.lock(&billing, Duration::from_secs(30)).send();
    /// let Locked::Held(held) = lock().await? else { return Err("nobody has it".into()) };
    /// held.release().await?;
    /// assert!(matches!(lock().await?, Locked::Held(_))); // at once, and not when the lease is over
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when it was not given back, or when that is not known. It is free when the lease is over.
    pub async fn release(self) -> Result<(), WriteError> {
        let released = self.change(|placeholders| {
            let (owner, until) = (placeholders.name("owner", OWNER), placeholders.name("until", UNTIL));
            format!(" REMOVE {owner}, {until}")
        });
        match released.await {
            Ok(()) | Err(LockError::Lost { .. }) => Ok(()),
            Err(LockError::Write(error)) => Err(error),
        }
    }

    /// Changes the item if it is held still; `clauses` follow those of `SET`.
    async fn change(&self, clauses: impl FnOnce(&mut Placeholders) -> String) -> Result<(), LockError> {
        let entity = LockType::SHAPE;
        let shared = self.tenant.shared();
        let mark = WriteMark::now(shared);
        let mut placeholders = Placeholders::default();
        let condition = is_held(&mut placeholders, &self.owner);
        let written = placeholders.name("write", WRITE_ID_ATTRIBUTE);
        let write_id = placeholders.value("write", mark.write_id.value());
        let mut expression = format!("SET {written} = {write_id}");
        if let Some(updated) = entity.updated {
            let now = placeholders.value("updated", stamp_value(updated.form, mark.since_epoch));
            expression.push_str(&format!(", {} = {now}", placeholders.name("updated", updated.attribute)));
        }
        expression.push_str(&clauses(&mut placeholders));
        let builder = shared
            .calls
            .update_item()
            .table_name(&shared.table_name)
            .set_key(Some(self.key.clone()))
            .update_expression(expression)
            .condition_expression(condition)
            .set_expression_attribute_names(placeholders.take_names())
            .set_expression_attribute_values(placeholders.take_values())
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let (key, write_id) = (&self.key, &mark.write_id);
        let (leaves, deadline) = (Leaves::Item, Deadline::of_call(shared));
        let target = Target { shared, key, write_id, entity: entity.name, leaves, deadline };
        let attempt = target.attempt(Repeat::Harmless, || builder.clone().send());
        match attempt.instrument(trace::update(shared, entity.name)).await {
            Ok(Attempt::Done(output) | Attempt::DoneAgain(output)) => {
                target.count(output.consumed_capacity.and_then(|units| units.capacity_units), None);
                Ok(())
            }
            Ok(Attempt::Landed(_)) => Ok(()),
            Ok(Attempt::Failed(_)) => Err(LockError::Lost { entity: entity.name }),
            // Whatever became of the try, one who took the lock since has it.
            Err(error @ WriteError::Unknown { .. }) => match target.read_in_time().await {
                Some(Some(item)) if !owns(&item, &self.owner) => Err(LockError::Lost { entity: entity.name }),
                Some(_) | None => Err(error.into()),
            },
            Err(error) => Err(error.into()),
        }
    }
}

impl<TableType, LockType> LockCheck<TableType, LockType>
where
    TableType: Table,
    LockType: declare::Lock<TableType>,
{
    pub(crate) const fn handle(&self) -> &Tenant<TableType> {
        &self.tenant
    }

    pub(crate) fn action(self, mark: WriteMark) -> Result<PreparedWrite, WriteError> {
        let mut placeholders = Placeholders::default();
        let condition = Some(is_held(&mut placeholders, &self.owner));
        let (entity, change) = (LockType::SHAPE.name, Change::Check);
        let (key, earlier) = (self.key, Vec::new());
        Ok(PreparedWrite { entity, key, earlier, of_one: None, change, condition, placeholders, mark })
    }
}

/// That the item is held by this owner.
fn is_held(placeholders: &mut Placeholders, owner: &WriteId) -> String {
    let me = placeholders.value("owner", AttributeValue::S(owner.to_string()));
    format!("{} = {me}", placeholders.name("owner", OWNER))
}

fn owns(item: &Attributes, owner: &WriteId) -> bool {
    matches!(item.get(OWNER), Some(AttributeValue::S(id)) if *id == owner.as_str())
}

impl fmt::Display for FencingToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<TableType, LockType> fmt::Debug for HeldLock<TableType, LockType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("HeldLock")
            .field("token", &self.fence)
            .field("until", &timestamp(self.until))
            .finish_non_exhaustive()
    }
}

impl<TableType, LockType> fmt::Debug for LockCheck<TableType, LockType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LockCheck").finish_non_exhaustive()
    }
}
