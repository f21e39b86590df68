//! Taking a claim: one conditional put, which one of many wins.

use std::fmt;
use std::time::Duration;

use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use keywright_key::declare::{self, Table};
use keywright_key::{Components, EntityShape, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use tracing::Instrument;

use super::error::ClaimError;
use super::held::HeldClaim;
use super::state::{State, decoded, state};
use crate::error::{ForeignItem, ForeignPlace, WriteError};
use crate::expression::Placeholders;
use crate::item::kept::{ANSWER, OWNER, REQUEST, UNTIL, stored};
use crate::item::{Attributes, Decoder, KeyAttributes, encode, size_bytes};
use crate::retry::Deadline;
use crate::tenant::Tenant;
use crate::time::Moment;
use crate::trace;
use crate::write::{Attempt, Fence, Leaves, Repeat, Target, WriteId, WriteMark};

/// A claim that is about to be taken: [`Tenant::claim`], then `send` or `run`.
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
/// let (lease, four_days) = (Duration::from_secs(30), Duration::from_secs(4 * 24 * 60 * 60));
///
/// match acme.claim(&event, lease, four_days).send::<String>().await? {
///     Claimed::New(held) => held.complete(&"receipt 7".to_owned()).await?,
///     Claimed::InProgress { until } => println!("somebody is at it, until {until} at most"),
///     Claimed::Done(receipt) => println!("done before: {receipt}"),
/// }
/// let again = acme.claim(&event, lease, four_days).send::<String>().await?;
/// assert!(matches!(again, Claimed::Done(receipt) if receipt == "receipt 7"));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is claimed before it is sent"]
pub struct Claim<'c, TableType, ClaimType> {
    pub(super) tenant: Tenant<TableType>,
    pub(super) claim: &'c ClaimType,
    lease: Duration,
    pub(super) keep_for: Duration,
    request: Option<String>,
}

/// What became of a claim.
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
/// let claim = || acme.claim(&event, lease, kept).send::<u64>();
/// let Claimed::New(held) = claim().await? else { return Err("nobody has claimed it".into()) };
/// // Somebody else is told when it is free at the latest: a second more than the lease, since clocks are not alike.
/// let Claimed::InProgress { until } = claim().await? else { return Err("it is held".into()) };
/// assert_eq!(until.to_string(), "2026-01-01T00:00:31.000Z");
/// held.complete(&7).await?;
/// assert!(matches!(claim().await?, Claimed::Done(7)));
/// # Ok(())
/// # }
/// ```
#[must_use = "a claim that was taken is to be completed, or given back"]
pub enum Claimed<TableType, Answer> {
    /// The caller has it, and does the work.
    New(HeldClaim<TableType, Answer>),
    /// Somebody else does the work.
    InProgress {
        /// When the claim is free if whoever does it is dead, by the caller's clock.
        until: Timestamp,
    },
    /// The work is done, and gave this.
    Done(Answer),
}

/// How often a claim is tried again that vanished while it was looked at.
const MOST_ROUNDS: usize = 8;

impl<TableType, ClaimType> Claim<'_, TableType, ClaimType>
where
    TableType: Table,
    ClaimType: declare::Claim<TableType> + Components + Serialize,
{
    /// For this request: the bytes that make it what it is, such as method, path and body. The same key with other bytes is
    /// [`ClaimError::AnotherRequest`] then, and with the answer of the first one if this is left out. Their SHA-256 is stored.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::{ClaimError, Claimed};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id: "key_1".to_owned() };
    /// # let (lease, kept) = (Duration::from_secs(30), Duration::from_secs(4 * 86_400));
    /// let claim = |request: &str| acme.claim(&event, lease, kept).of_request(request).send::<u64>();
    /// let Claimed::New(held) = claim("POST /charges 12 EUR").await? else { return Err("nobody has claimed it".into()) };
    /// held.complete(&7).await?;
    /// assert!(matches!(claim("POST /charges 12 EUR").await?, Claimed::Done(7)));
    /// assert!(matches!(claim("POST /charges 95 EUR").await, Err(ClaimError::AnotherRequest { .. })));
    /// # Ok(())
    /// # }
    /// ```
    pub fn of_request(mut self, request: impl AsRef<[u8]>) -> Self {
        self.request = Some(URL_SAFE_NO_PAD.encode(Sha256::digest(request.as_ref())));
        self
    }

    /// Takes the claim if nobody has it and the work is not done: one request. `Answer` is what the work gives, and what is
    /// stored of it.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::{ClaimError, Claimed, WriteError};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id: "evt_1".to_owned() };
    /// # let (lease, kept) = (Duration::from_secs(30), Duration::from_secs(4 * 86_400));
    /// let no_lease = acme.claim(&event, Duration::ZERO, kept).send::<u64>().await;
    /// assert!(matches!(no_lease, Err(ClaimError::Write(WriteError::Value { .. }))));
    ///
    /// // Of two who send it at the same moment, one has it.
    /// let claim = || acme.claim(&event, lease, kept).send::<u64>();
    /// let (one, other) = tokio::join!(claim(), claim());
    /// assert_eq!([one?, other?].iter().filter(|claimed| matches!(claimed, Claimed::New(_))).count(), 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ClaimError`] when the key was used for another request, when the stored answer does not decode, and when nothing was written or
    /// that is not known. Then trying again is right: if the claim was taken after all, it is in progress until the lease is over.
    pub async fn send<Answer: DeserializeOwned>(self) -> Result<Claimed<TableType, Answer>, ClaimError> {
        self.check_times()?;
        let deadline = Deadline::of_call(self.tenant.shared());
        for _ in 0..MOST_ROUNDS {
            let moment = self.tenant.shared().moment();
            let prepared = self.prepare(moment)?;
            let span = trace::put(self.tenant.shared(), ClaimType::SHAPE.name);
            let taken = self.take(&prepared, deadline).instrument(span).await?;
            let Some(item) = taken else {
                return Ok(Claimed::New(self.held(prepared, moment)));
            };
            if let Some(claimed) = self.of_somebody(item, moment)? {
                return Ok(claimed);
            }
        }
        Err(WriteError::Contended { entity: ClaimType::SHAPE.name }.into())
    }

    fn check_times(&self) -> Result<(), WriteError> {
        let reason = if self.lease < Duration::from_millis(1) {
            "its lease is over at once: a lease is a millisecond at least, and longer than the work takes"
        } else if self.keep_for < self.lease {
            "it is kept for less time than its lease: keep it for as long as the request may come again"
        } else {
            return Ok(());
        };
        Err(WriteError::value(ClaimType::SHAPE.name, reason))
    }

    fn prepare(&self, moment: Moment) -> Result<PreparedClaim, WriteError> {
        let entity = ClaimType::SHAPE;
        let shared = self.tenant.shared();
        let encoded =
            encode::<TableType, ClaimType>(&self.tenant, self.claim, None, &WriteMark::now(shared))?;
        let mut attributes = encoded.attributes;
        let time_to_live = time_to_live(&entity);
        attributes.insert(time_to_live.to_owned(), stored(moment.later_seconds(self.keep_for)));
        attributes.insert(OWNER.to_owned(), encoded.write_id.value());
        if let Some(request) = &self.request {
            attributes.insert(REQUEST.to_owned(), AttributeValue::S(request.clone()));
        }
        let completed_bytes = size_bytes(&attributes);
        attributes.insert(UNTIL.to_owned(), stored(moment.later(self.lease)));
        let put_bytes = size_bytes(&attributes);
        let mut placeholders = Placeholders::default();
        let condition = self.condition(&mut placeholders, moment);
        let builder = shared
            .calls
            .put_item()
            .table_name(&shared.table_name)
            .set_item(Some(attributes))
            .condition_expression(condition)
            .set_expression_attribute_names(placeholders.take_names())
            .set_expression_attribute_values(placeholders.take_values())
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        Ok(PreparedClaim {
            builder,
            key: encoded.keys.now,
            write_id: encoded.write_id,
            put_bytes,
            completed_bytes,
        })
    }

    /// That nobody has it: nothing is there, its time is over, or the lease of whoever had it for this request is.
    pub(super) fn condition(&self, placeholders: &mut Placeholders, moment: Moment) -> String {
        let entity = ClaimType::SHAPE;
        let key = placeholders.name("key", TableType::SHAPE.partition_key.name);
        let expiry = placeholders.name("expiry", time_to_live(&entity));
        let now = placeholders.value("now", stored(moment.seconds()));
        let (answer, until) = (placeholders.name("answer", ANSWER), placeholders.name("until", UNTIL));
        let over = placeholders.value("over", stored(moment.over()));
        let of_request = placeholders.name("request", REQUEST);
        let same_request = match &self.request {
            Some(request) => {
                let request = placeholders.value("request", AttributeValue::S(request.clone()));
                format!("{of_request} = {request}")
            }
            None => format!("attribute_not_exists({of_request})"),
        };
        let left = format!("attribute_not_exists({answer}) AND {until} <= {over} AND {same_request}");
        let own = match Fence::of(&entity, self.tenant.identity()) {
            Some(fence) => format!("{} AND {left}", fence.write(placeholders)),
            None => left,
        };
        // What is over is gone, whosever it was.
        format!("attribute_not_exists({key}) OR {expiry} <= {now} OR ({own})")
    }

    /// Makes the write: nothing if it had effect, else the item that is in the way; an empty one if that is gone by now.
    async fn take(
        &self,
        prepared: &PreparedClaim,
        deadline: Deadline,
    ) -> Result<Option<Attributes>, WriteError> {
        let PreparedClaim { builder, key, write_id, put_bytes, .. } = prepared;
        let entity = ClaimType::SHAPE.name;
        let (shared, leaves) = (self.tenant.shared(), Leaves::Item);
        let target = Target { shared, key, write_id, entity, leaves, deadline };
        match target.attempt(Repeat::Harmless, || builder.clone().send()).await {
            Ok(Attempt::Done(output) | Attempt::DoneAgain(output)) => {
                target
                    .count(output.consumed_capacity.and_then(|units| units.capacity_units), Some(*put_bytes));
                Ok(None)
            }
            Ok(Attempt::Landed(_)) => Ok(None),
            Ok(Attempt::Failed(item)) => Ok(Some(item.unwrap_or_default())),
            // Whoever holds it now, it is not this try: what is there says the rest.
            Err(unknown @ WriteError::Unknown { .. }) => match target.read_in_time().await {
                Some(Some(item)) if target.is_ours(&item) => Ok(None),
                Some(Some(item)) => Ok(Some(item)),
                Some(None) | None => Err(unknown),
            },
            Err(error) => Err(error),
        }
    }

    /// What the claim of somebody says; nothing if it is free by now.
    fn of_somebody<Answer: DeserializeOwned>(
        &self,
        item: Attributes,
        moment: Moment,
    ) -> Result<Option<Claimed<TableType, Answer>>, ClaimError> {
        let entity = ClaimType::SHAPE;
        if item.is_empty() {
            return Ok(None);
        }
        let decoder = Decoder::<TableType>::new(self.tenant.shared(), self.tenant.identity());
        if decoder.is_expired(&entity, &item) {
            return Ok(None);
        }
        if decoder.is_foreign(&item) {
            return Err(WriteError::from(ForeignItem::new(entity.name, ForeignPlace::Replaced)).into());
        }
        Ok(match state(&entity, item, self.request.as_deref(), moment) {
            State::Free => None,
            State::AnotherRequest => return Err(ClaimError::AnotherRequest { entity: entity.name }),
            State::Done(answer) => Some(Claimed::Done(decoded(&entity, answer)?)),
            State::InProgress { until } => Some(Claimed::InProgress { until: moment.free(until) }),
        })
    }

    fn held<Answer>(&self, prepared: PreparedClaim, moment: Moment) -> HeldClaim<TableType, Answer> {
        HeldClaim::new(
            self.tenant.clone(),
            const { &ClaimType::SHAPE },
            prepared.key,
            prepared.write_id,
            moment.later(self.lease),
            self.keep_for,
            prepared.completed_bytes,
        )
    }
}

/// A claim with everything that taking it needs.
struct PreparedClaim {
    builder: PutItemFluentBuilder,
    key: KeyAttributes,
    write_id: WriteId,
    put_bytes: usize,
    /// The bytes of the item without a lease.
    completed_bytes: usize,
}

impl<TableType: Table> Tenant<TableType> {
    /// Claims the right to do something once: the key of a webhook's event, or of a request that a client may send again.
    ///
    /// Whoever gets it does the work within `lease`; if that passes, and the machines' clocks agree that it did, somebody else may take it over.
    /// The answer is kept for `keep_for` after the work, at least for as long as the request may come again: four days for Stripe, six
    /// hours for Slack.
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
    /// let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id: "evt_1".to_owned() };
    /// let (lease, four_days) = (Duration::from_secs(30), Duration::from_secs(4 * 86_400));
    /// let claim = || acme.claim(&event, lease, four_days).send::<u64>();
    /// assert!(matches!(claim().await?, Claimed::New(_))); // and then the process dies
    /// clock.advance(lease);
    /// assert!(matches!(claim().await?, Claimed::InProgress { .. })); // by another clock it may not be over
    /// clock.advance(Duration::from_secs(1));
    /// assert!(matches!(claim().await?, Claimed::New(_)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn claim<'c, ClaimType>(
        &self,
        claim: &'c ClaimType,
        lease: Duration,
        keep_for: Duration,
    ) -> Claim<'c, TableType, ClaimType>
    where
        ClaimType: declare::Claim<TableType>,
    {
        Claim { tenant: self.clone(), claim, lease, keep_for, request: None }
    }
}

/// The attribute at which a claim expires.
pub(super) fn time_to_live(entity: &EntityShape<'static>) -> &'static str {
    match entity.time_to_live {
        Some(attribute) => attribute,
        None => unreachable!("rule KW0213 holds that a claim has a time to live"),
    }
}

impl<TableType, ClaimType> fmt::Debug for Claim<'_, TableType, ClaimType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Claim")
            .field("lease", &self.lease)
            .field("keep_for", &self.keep_for)
            .finish_non_exhaustive()
    }
}

impl<TableType, Answer: fmt::Debug> fmt::Debug for Claimed<TableType, Answer> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claimed::New(held) => formatter.debug_tuple("New").field(held).finish(),
            Claimed::InProgress { until } => {
                formatter.debug_struct("InProgress").field("until", until).finish()
            }
            Claimed::Done(answer) => formatter.debug_tuple("Done").field(answer).finish(),
        }
    }
}
