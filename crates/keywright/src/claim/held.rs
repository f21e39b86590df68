//! A claim that is held: it is completed with an answer, or given back.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure};
use keywright_key::declare::Table;
use keywright_key::{EntityShape, Timestamp};
use serde::Serialize;
use tracing::Instrument;

use super::error::ClaimError;
use crate::error::WriteError;
use crate::expression::Placeholders;
use crate::item::kept::{ANSWER, OWNER, UNTIL, stored};
use crate::item::{
    Attributes, KeyAttributes, LARGEST_ITEM_BYTES, WRITE_ID_ATTRIBUTE, size_bytes, stamp_value, stored_value,
};
use crate::retry::Deadline;
use crate::tenant::Tenant;
use crate::time::timestamp;
use crate::trace;
use crate::write::{Attempt, Leaves, Repeat, Target, WriteId};

/// A claim that the caller has, until its lease is over: it is completed with what the work gave, or given back.
///
/// If it is dropped, or the process dies, the claim stays in progress until the lease is over, and is taken over then. What the holder
/// stores after that is refused.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
///
/// use keywright::Claimed;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id: "evt_1".to_owned() };
/// let (lease, kept) = (Duration::from_secs(30), Duration::from_secs(86_400));
/// let Claimed::New(mut held) = acme.claim(&event, lease, kept).send::<u64>().await? else { return Ok(()) };
///
/// held.renew(lease).await?; // the work takes longer than was thought
/// println!("held until {}", held.until());
/// held.give_back().await?; // it cannot be done now: whoever comes next does it
/// assert!(matches!(acme.claim(&event, lease, kept).send::<u64>().await?, Claimed::New(_)));
/// # Ok(())
/// # }
/// ```
#[must_use = "a claim that is dropped stays in progress until its lease is over"]
pub struct HeldClaim<TableType, Answer> {
    tenant: Tenant<TableType>,
    entity: &'static EntityShape<'static>,
    key: KeyAttributes,
    owner: WriteId,
    /// In milliseconds since 1970.
    until: u64,
    keep_for: Duration,
    /// The bytes of the item without a lease and without an answer.
    size_bytes: usize,
    answer: PhantomData<fn(&Answer)>,
}

impl<TableType: Table, Answer> HeldClaim<TableType, Answer> {
    pub(super) const fn new(
        tenant: Tenant<TableType>,
        entity: &'static EntityShape<'static>,
        key: KeyAttributes,
        owner: WriteId,
        until: u64,
        keep_for: Duration,
        size_bytes: usize,
    ) -> HeldClaim<TableType, Answer> {
        HeldClaim { tenant, entity, key, owner, until, keep_for, size_bytes, answer: PhantomData }
    }

    /// Until when it is held, by the clock of this process.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::Claimed;
    /// # let (store, clock) = store_with_clock().await?;
    /// # let acme = acme(&store)?;
    /// # let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id: "evt_1".to_owned() };
    /// # let kept = Duration::from_secs(4 * 86_400);
    /// // At midnight, for thirty seconds.
    /// let claimed = acme.claim(&event, Duration::from_secs(30), kept).send::<u64>().await?;
    /// let Claimed::New(held) = claimed else { return Err("nobody has claimed it".into()) };
    /// assert_eq!(held.until().to_string(), "2026-01-01T00:00:30.000Z");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn until(&self) -> Timestamp {
        timestamp(self.until)
    }

    /// Stores what the work gave, for everybody who comes with the same key. It is accepted after the lease, too, if nobody has taken the
    /// claim over.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::{ClaimError, Claimed};
    /// # let (store, clock) = store_with_clock().await?;
    /// # let acme = acme(&store)?;
    /// # let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id: "evt_1".to_owned() };
    /// # let (lease, kept) = (Duration::from_secs(30), Duration::from_secs(4 * 86_400));
    /// let claim = || acme.claim(&event, lease, kept).send::<u64>();
    /// let Claimed::New(sleeper) = claim().await? else { return Err("nobody has claimed it".into()) };
    /// clock.advance(lease * 2);
    /// let Claimed::New(successor) = claim().await? else { return Err("the lease is over".into()) };
    /// successor.complete(&7).await?;
    ///
    /// assert!(matches!(sleeper.complete(&8).await, Err(ClaimError::Lost { .. })));
    /// assert!(matches!(claim().await?, Claimed::Done(7)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ClaimError::Lost`] if somebody has; [`ClaimError::Write`] when nothing was stored, or when that is not known.
    pub async fn complete(self, answer: &Answer) -> Result<(), ClaimError>
    where
        Answer: Serialize,
    {
        let entity = self.entity.name;
        let key = || self.tenant.shared().key_in_errors(&self.key);
        let answer = stored_value(answer).map_err(|problem| {
            let path = Some(format!("answer{}", problem.path));
            WriteError::Value { entity, key: key(), path, reason: problem.reason }
        })?;
        let size_bytes =
            self.size_bytes + size_bytes(&Attributes::from([(ANSWER.to_owned(), answer.clone())]));
        if size_bytes > LARGEST_ITEM_BYTES {
            return Err(WriteError::TooLarge { entity, key: key(), size_bytes }.into());
        }
        let expires_at = self.tenant.shared().moment().later_seconds(self.keep_for);
        self.change(|placeholders, set| {
            set.push((placeholders.name("answer", ANSWER), placeholders.value("answer", answer)));
            let expiry = self.entity.time_to_live.unwrap_or_default();
            set.push((placeholders.name("expiry", expiry), placeholders.value("expiry", stored(expires_at))));
            Some(placeholders.name("until", UNTIL))
        })
        .await
    }

    /// Holds it for `lease` from now on.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::Claimed;
    /// # let (store, clock) = store_with_clock().await?;
    /// # let acme = acme(&store)?;
    /// # let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id: "evt_1".to_owned() };
    /// # let (lease, kept) = (Duration::from_secs(30), Duration::from_secs(4 * 86_400));
    /// # let claim = || acme.claim(&event, lease, kept).send::<u64>();
    /// let Claimed::New(mut held) = claim().await? else { return Err("nobody has claimed it".into()) };
    /// clock.advance(Duration::from_secs(20)); // and there is as much to do
    /// held.renew(lease).await?;
    /// clock.advance(Duration::from_secs(20));
    /// assert!(matches!(claim().await?, Claimed::InProgress { .. }));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ClaimError::Lost`] if somebody has taken it over; [`ClaimError::Write`] when nothing was changed, or when that is not known.
    pub async fn renew(&mut self, lease: Duration) -> Result<(), ClaimError> {
        let moment = self.tenant.shared().moment();
        let (until, kept_until) = (moment.later(lease), moment.later_seconds(self.keep_for.max(lease)));
        self.change(|placeholders, set| {
            set.push((placeholders.name("until", UNTIL), placeholders.value("until", stored(until))));
            let expiry = self.entity.time_to_live.unwrap_or_default();
            set.push((placeholders.name("expiry", expiry), placeholders.value("expiry", stored(kept_until))));
            None
        })
        .await?;
        self.until = until;
        Ok(())
    }

    /// Gives it back, as if it had never been taken: whoever comes next does the work. Nothing happens if somebody has taken it over.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::Claimed;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id: "evt_1".to_owned() };
    /// # let (lease, kept) = (Duration::from_secs(30), Duration::from_secs(4 * 86_400));
    /// let claim = || acme.claim(&event, lease, kept).send::<u64>();
    /// let Claimed::New(held) = claim().await? else { return Err("nobody has claimed it".into()) };
    /// assert!(matches!(claim().await?, Claimed::InProgress { .. }));
    /// held.give_back().await?;
    /// assert!(matches!(claim().await?, Claimed::New(_))); // at once, and not when the lease is over
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ClaimError::Write`] when it was not given back, or when that is not known. It is free when the lease is over.
    pub async fn give_back(self) -> Result<(), ClaimError> {
        let shared = self.tenant.shared();
        let mut placeholders = Placeholders::default();
        let condition = self.is_held(&mut placeholders);
        let builder = shared
            .calls
            .delete_item()
            .table_name(&shared.table_name)
            .set_key(Some(self.key.clone()))
            .condition_expression(condition)
            .set_expression_attribute_names(placeholders.take_names())
            .set_expression_attribute_values(placeholders.take_values())
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let write_id = WriteId::new();
        let target = self.target(&write_id, Leaves::Absence);
        let attempt = target.attempt(Repeat::Harmless, || builder.clone().send());
        match attempt.instrument(trace::delete(shared, self.entity.name)).await {
            Ok(Attempt::Done(output) | Attempt::DoneAgain(output)) => {
                target.count(output.consumed_capacity.and_then(|units| units.capacity_units), None);
                Ok(())
            }
            // It is somebody else's, or gone by a try whose answer was lost.
            Ok(Attempt::Landed(_) | Attempt::Failed(_)) => Ok(()),
            Err(error @ WriteError::Unknown { .. }) => match target.read_in_time().await {
                Some(item) if !self.owns(item.as_ref()) => Ok(()),
                Some(_) | None => Err(error.into()),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// Changes the item if it is held still. `change` gives what is set, and an attribute that goes.
    async fn change(
        &self,
        change: impl FnOnce(&mut Placeholders, &mut Vec<(String, String)>) -> Option<String>,
    ) -> Result<(), ClaimError> {
        let shared = self.tenant.shared();
        let write_id = WriteId::new();
        let mut placeholders = Placeholders::default();
        let condition = self.is_held(&mut placeholders);
        let written = placeholders.name("write", WRITE_ID_ATTRIBUTE);
        let mut set = vec![(written, placeholders.value("write", write_id.value()))];
        if let Some(updated) = self.entity.updated {
            let now = stamp_value(updated.form, shared.clock.since_epoch());
            set.push((placeholders.name("updated", updated.attribute), placeholders.value("updated", now)));
        }
        let removed = change(&mut placeholders, &mut set);
        let set: Vec<String> = set.into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let removed = removed.map(|name| format!(" REMOVE {name}")).unwrap_or_default();
        let builder = shared
            .calls
            .update_item()
            .table_name(&shared.table_name)
            .set_key(Some(self.key.clone()))
            .update_expression(format!("SET {}{removed}", set.join(", ")))
            .condition_expression(condition)
            .set_expression_attribute_names(placeholders.take_names())
            .set_expression_attribute_values(placeholders.take_values())
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        self.make(builder, &write_id).instrument(trace::update(shared, self.entity.name)).await
    }

    async fn make(&self, builder: UpdateItemFluentBuilder, write_id: &WriteId) -> Result<(), ClaimError> {
        let target = self.target(write_id, Leaves::Item);
        match target.attempt(Repeat::Harmless, || builder.clone().send()).await {
            Ok(Attempt::Done(output) | Attempt::DoneAgain(output)) => {
                target.count(output.consumed_capacity.and_then(|units| units.capacity_units), None);
                Ok(())
            }
            Ok(Attempt::Landed(_)) => Ok(()),
            Ok(Attempt::Failed(_)) => Err(ClaimError::Lost { entity: self.entity.name }),
            // Whatever became of the try, one who took the claim over has it.
            Err(error @ WriteError::Unknown { .. }) => match target.read_in_time().await {
                Some(item) if !self.owns(item.as_ref()) => Err(ClaimError::Lost { entity: self.entity.name }),
                Some(_) | None => Err(error.into()),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// That it is held still, and the work is not done.
    fn is_held(&self, placeholders: &mut Placeholders) -> String {
        let owner = placeholders.name("owner", OWNER);
        let me = placeholders.value("owner", AttributeValue::S(self.owner.to_string()));
        let answer = placeholders.name("done", ANSWER);
        format!("{owner} = {me} AND attribute_not_exists({answer})")
    }

    fn owns(&self, item: Option<&Attributes>) -> bool {
        let owner = item.and_then(|item| item.get(OWNER));
        matches!(owner, Some(AttributeValue::S(owner)) if *owner == self.owner.as_str())
    }

    fn target<'a>(&'a self, write_id: &'a WriteId, leaves: Leaves) -> Target<'a> {
        let shared = self.tenant.shared();
        let deadline = Deadline::of_call(shared);
        Target { shared, key: &self.key, write_id, entity: self.entity.name, leaves, deadline }
    }
}

impl<TableType, Answer> fmt::Debug for HeldClaim<TableType, Answer> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("HeldClaim")
            .field("entity", &self.entity.name)
            .field("until", &timestamp(self.until))
            .finish_non_exhaustive()
    }
}
