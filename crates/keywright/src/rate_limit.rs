//! Rate limits: a bucket of permits that fills with time, in one item.
//!
//! The item holds one number, the moment at which the bucket is full again. A permit moves it on by the time that a permit takes to come
//! back; a bucket whose moment is further away than all its permits take refuses. (It is the generic cell rate algorithm, of
//! <https://www.itu.int/rec/T-REC-I.371-200403-I/en>, appendix.) An expression has no maximum of two values, so a bucket that is full and one that is
//! not are two updates: the first is tried first, and its refusal brings the moment, which decides the rest.

mod rate;

use std::time::Duration;

use aws_sdk_dynamodb::types::{ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure};
use keywright_key::Components;
use keywright_key::declare::{self, Table};
use serde::Serialize;
use tracing::Instrument;

pub use rate::{InvalidRate, Rate};

use crate::error::{ForeignItem, ForeignPlace, WriteError};
use crate::expression::Placeholders;
use crate::item::kept::{FULL_AT, number, stored};
use crate::item::{Attributes, Decoder, Encoded, ItemKeys, begin, encode};
use crate::retry::Deadline;
use crate::tenant::Tenant;
use crate::trace;
use crate::write::{Attempt, Fence, Leaves, Repeat, Target, WriteMark};

/// Whether permits were taken.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use std::time::Duration;
/// # use keywright::Rate;
/// use keywright::Taken;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # let hourly = Rate::new(1, Duration::from_secs(3600))?;
/// # let ada = CallLimit { organization_id: OrganizationId("acme".to_owned()), user_id: "ada".to_owned() };
/// # assert_eq!(acme.take(&ada, hourly, 1).await?, Taken::Allowed { left: 0 });
///
/// // One call an hour, and ada has just made it.
/// let answer = match acme.take(&ada, hourly, 1).await? {
///     Taken::Allowed { left } => format!("200, {left} left"),
///     Taken::Refused { retry_after } => format!("429, again in {} minutes", retry_after.as_secs().div_ceil(60)),
/// };
/// assert_eq!(answer, "429, again in 60 minutes");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "whether it is allowed is said here"]
pub enum Taken {
    /// They were: go on.
    Allowed {
        /// How many are left at this moment.
        left: u32,
    },
    /// There are not so many, and none was taken.
    Refused {
        /// After how long there are, if nobody takes any until then: for a `Retry-After`.
        retry_after: Duration,
    },
}

/// How often taking is tried again where the bucket changed while it was looked at.
const MOST_ROUNDS: usize = 16;
const MICROSECONDS: u64 = 1_000_000;

/// In which state a bucket is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bucket {
    /// It is full, or was never taken from.
    Full,
    /// Some permits are out.
    Begun,
}

impl<TableType: Table> Tenant<TableType> {
    /// Takes `permits` from the bucket, or none if there are not so many: one request if the bucket is full, or has too few; two if it is in
    /// between.
    ///
    /// Time is that of the store's clock: machines whose clocks are apart by a second give what comes back in a second too early or too late. If
    /// nobody can tell whether a try had effect, the error is [`WriteError::Unknown`], and the caller decides between letting in and refusing.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::{Rate, Taken};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let ada = CallLimit { organization_id: OrganizationId("acme".to_owned()), user_id: "ada".to_owned() };
    /// let rate = Rate::new(2, Duration::from_secs(60))?; // two a minute
    ///
    /// assert_eq!(acme.take(&ada, rate, 1).await?, Taken::Allowed { left: 1 });
    /// assert_eq!(acme.take(&ada, rate, 1).await?, Taken::Allowed { left: 0 });
    /// match acme.take(&ada, rate, 1).await? {
    ///     Taken::Refused { retry_after } => assert!(retry_after <= Duration::from_secs(30)),
    ///     Taken::Allowed { .. } => println!("half a minute has passed"),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError::Value`] for no permits, and for more than the bucket ever has; others when nothing was taken, or when that is not known.
    pub async fn take<LimitType>(
        &self,
        limit: &LimitType,
        rate: Rate,
        permits: u32,
    ) -> Result<Taken, WriteError>
    where
        LimitType: declare::RateLimit<TableType> + Components + Serialize,
    {
        let entity = LimitType::SHAPE.name;
        if permits == 0 || permits > rate.burst() {
            let reason = format!("{permits} permits are never there at once: from 1 to {} are", rate.burst());
            return Err(WriteError::value(entity, reason));
        }
        let deadline = Deadline::of_call(self.shared());
        let mut bucket = Bucket::Full;
        for _ in 0..MOST_ROUNDS {
            let mark = WriteMark::now(self.shared());
            let now = u64::try_from(mark.since_epoch.as_micros()).unwrap_or(u64::MAX);
            let span = trace::update(self.shared(), entity);
            let taken = self.take_from(limit, rate, permits, bucket, &mark, deadline);
            let item = match taken.instrument(span).await? {
                Ok(full_at) => return Ok(Taken::Allowed { left: rate.left(full_at.saturating_sub(now)) }),
                Err(item) => item,
            };
            if Decoder::<TableType>::new(self.shared(), self.identity()).is_foreign(&item) {
                return Err(ForeignItem::new(entity, ForeignPlace::Replaced).into());
            }
            let out = number(&item, FULL_AT).unwrap_or(0).saturating_sub(now);
            if out == 0 {
                bucket = Bucket::Full;
                continue;
            }
            match out.saturating_add(rate.takes(permits)).checked_sub(rate.takes(rate.burst())) {
                None | Some(0) => bucket = Bucket::Begun,
                Some(missing) => return Ok(Taken::Refused { retry_after: Duration::from_micros(missing) }),
            }
        }
        Err(WriteError::Contended { entity })
    }

    /// Makes one of the two updates: when the bucket is full again, or the item that is in the way.
    async fn take_from<LimitType>(
        &self,
        limit: &LimitType,
        rate: Rate,
        permits: u32,
        bucket: Bucket,
        mark: &WriteMark,
        deadline: Deadline,
    ) -> Result<Result<u64, Attributes>, WriteError>
    where
        LimitType: declare::RateLimit<TableType> + Components + Serialize,
    {
        let (table, entity, shared) = (TableType::SHAPE, LimitType::SHAPE, self.shared());
        let now = u64::try_from(mark.since_epoch.as_micros()).unwrap_or(u64::MAX);
        let (all, takes) = (rate.takes(rate.burst()), rate.takes(permits));
        let Encoded { attributes, keys: ItemKeys { now: key, .. }, write_id, .. } =
            encode::<TableType, LimitType>(self, limit, None, mark)?;
        let mut placeholders = Placeholders::default();
        let mut set = begin(&table, &entity, &attributes, &mut placeholders);
        let expiry = placeholders.name("expiry", entity.time_to_live.unwrap_or_default());
        let over = stored(now.saturating_add(all).div_ceil(MICROSECONDS));
        set.push(format!("{expiry} = {}", placeholders.value("expiry", over)));
        let full_at = placeholders.name("full", FULL_AT);
        let now_value = placeholders.value("now", stored(now));
        let (in_state, repeat) = match bucket {
            Bucket::Full => {
                let next = placeholders.value("next", stored(now.saturating_add(takes)));
                set.push(format!("{full_at} = {next}"));
                let in_state = format!("attribute_not_exists({full_at}) OR {full_at} <= {now_value}");
                (in_state, Repeat::Harmless)
            }
            Bucket::Begun => {
                let takes_value = placeholders.value("takes", stored(takes));
                let latest = placeholders.value("latest", stored(now.saturating_add(all - takes)));
                set.push(format!("{full_at} = {full_at} + {takes_value}"));
                (format!("{full_at} > {now_value} AND {full_at} <= {latest}"), Repeat::Harmful)
            }
        };
        let condition = match Fence::of(&entity, self.identity()) {
            Some(tenant) => {
                let key = placeholders.name("key", table.partition_key.name);
                format!(
                    "attribute_not_exists({key}) OR ({} AND ({in_state}))",
                    tenant.write(&mut placeholders)
                )
            }
            None => in_state,
        };
        let builder = shared
            .calls
            .update_item()
            .table_name(&shared.table_name)
            .set_key(Some(key.clone()))
            .update_expression(format!("SET {}", set.join(", ")))
            .condition_expression(condition)
            .set_expression_attribute_names(placeholders.take_names())
            .set_expression_attribute_values(placeholders.take_values())
            .return_values(aws_sdk_dynamodb::types::ReturnValue::UpdatedNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let (write_id, leaves) = (&write_id, Leaves::Item);
        let target = Target { shared, key: &key, write_id, entity: entity.name, leaves, deadline };
        let item = match target.attempt(repeat, || builder.clone().send()).await? {
            Attempt::Done(output) | Attempt::DoneAgain(output) => {
                target.count(output.consumed_capacity.and_then(|units| units.capacity_units), None);
                output.attributes
            }
            Attempt::Landed(item) => item,
            Attempt::Failed(item) => return Ok(Err(item.unwrap_or_default())),
        };
        Ok(Ok(item.and_then(|item| number(&item, FULL_AT)).unwrap_or(now.saturating_add(takes))))
    }
}
