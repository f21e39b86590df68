//! PutItem: stores a whole entity.

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::put_item::PutItemInput;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use keywright_key::Components;
use keywright_key::declare::{Condition, Data, Entity, GivenValues, Table, Unreserved};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tracing::Instrument;

use super::attempt::{Answer, Attempt, Effect, Leaves, Repeat, Target, Told};
use super::condition::{Conditions, NO_VERSION};
use super::mark::WriteMark;
use super::outcome::Conditional;
use super::place::{MOST_ROUNDS, first_stored, where_it_lies};
use super::prepared::{Change, PreparedWrite};
use super::with_old::{ReturningOld, Returns};
use super::write_id::WriteId;
use crate::error::{ForeignItem, ForeignPlace, WriteError};
use crate::etag::{ETag, ETagMatch};
use crate::item::{Decoder, Encoded, ItemKeys, KeyAttributes, encode, table_keys};
use crate::raw::RawExpression;
use crate::retry::Deadline;
use crate::store::Shared;
use crate::tenant::Tenant;
use crate::trace;

/// An entity that is about to be stored, in place of what has its key: [`Tenant::put`], perhaps a condition, then `send`.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::Conditional;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
///
/// // An insert: that the key is taken is an outcome, and it says what is there.
/// match acme.put(&team(1, "Another")).if_absent().send().await? {
///     Conditional::Done(written) => println!("stored, tag {}", written.etag()),
///     Conditional::Failed { current: Some(team) } => assert_eq!(team.name, "Analysts"),
///     Conditional::Failed { current: None } => println!("taken, by what may not be shown"),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is stored before it is sent"]
pub struct Put<'e, TableType, EntityType> {
    pub(super) tenant: Tenant<TableType>,
    entity: &'e EntityType,
    repeat: Repeat,
}

/// An entity that is about to be stored if a condition holds.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::RawExpression;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?; // version 1
/// let renamed = team(1, "Testers");
/// assert!(acme.put(&renamed).if_version(1).send().await?.is_done());
/// assert!(!acme.put(&renamed).if_version(1).send().await?.is_done());
///
/// let short = RawExpression::new("size(#name) < :most")?.name("name", "name").value("most", &20)?;
/// assert!(acme.put(&renamed).when_raw(short).send().await?.is_done());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is stored before it is sent"]
pub struct ConditionalPut<'e, TableType, EntityType> {
    pub(super) put: Put<'e, TableType, EntityType>,
    conditions: Result<Conditions, WriteError>,
}

/// A write that had effect.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let written = acme.put(&team(1, "Analysts")).send().await?;
/// assert_eq!(written.write_units, Some(1.0));
/// println!("ETag: {}", written.etag());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The id of the write, which the item holds now.
    pub write_id: WriteId,
    /// The write units that it took; none if the answer was lost and the item told that the write had effect.
    pub write_units: Option<f64>,
}

impl Written {
    /// The entity tag of what was stored.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let stored = acme.put(&team(1, "Analysts")).send().await?.etag();
    /// // The answer to a client has it as `ETag`, and the client's next change has it as `If-Match`.
    /// assert!(stored.to_string().starts_with('"'));
    /// let rename = Rename { name: "Testers".to_owned() };
    /// assert!(acme.update(TeamById { team_id: 1 }, rename).if_match(&stored).send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn etag(&self) -> ETag {
        ETag::of(self.write_id.clone())
    }
}

impl<'e, TableType, EntityType> Put<'e, TableType, EntityType>
where
    TableType: Table,
    EntityType: Entity<TableType> + Components + Serialize,
{
    pub(crate) const fn new(
        tenant: Tenant<TableType>,
        entity: &'e EntityType,
    ) -> Put<'e, TableType, EntityType> {
        Put { tenant, entity, repeat: Repeat::Harmful }
    }

    /// Only if no item has the key: an insert. An item whose time is over is none.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&invitation("ada@example.org", 1)).send().await?; // its time was over in 1970
    /// let invite = || invitation("ada@example.org", 4_102_444_800);
    /// assert!(acme.put(&invite()).if_absent().send().await?.is_done()); // so it is not in the way
    /// assert!(!acme.put(&invite()).if_absent().send().await?.is_done()); // and this one is
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_absent(self) -> ConditionalPut<'e, TableType, EntityType> {
        ConditionalPut { put: self, conditions: Ok(Conditions::absent()) }
    }

    /// Only if an item has the key, and its time is not over: a replacement.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// assert!(!acme.put(&team(1, "Testers")).if_present().send().await?.is_done()); // there is nothing to replace
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// assert!(acme.put(&team(1, "Testers")).if_present().send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_present(self) -> ConditionalPut<'e, TableType, EntityType> {
        ConditionalPut { put: self, conditions: Ok(Conditions::there()) }
    }

    /// Only if the item is in the state that was read: nothing was written in between. Of several states, or any, where that is what a client's
    /// `If-Match` says: see [`ETagMatch`].
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::ETagMatch;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let first = acme.put(&member(1, "ada")).send().await?.etag();
    /// let second = acme.put(&Member { points: 3, ..member(1, "ada") }).if_match(&first).send().await?.done();
    /// let second = second.ok_or("nothing was written in between")?.etag();
    /// let late = acme.put(&member(1, "ada")).if_match(&first).send().await?;
    /// assert!(!late.is_done());
    /// // A client that knows both, in its header `If-Match`.
    /// let known = ETagMatch::if_match(&format!("{first}, {second}"))?;
    /// assert!(acme.put(&member(1, "ada")).if_match(known).send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_match(self, states: impl Into<ETagMatch>) -> ConditionalPut<'e, TableType, EntityType> {
        let conditions = Conditions::none().in_state(&EntityType::SHAPE, &states.into());
        ConditionalPut { put: self, conditions }
    }

    /// Only if the item has this version; what is stored has the next one. The entity has a field with `#[entity(version)]`.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::Conditional;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?; // version 1
    /// let read = acme.get(TeamById { team_id: 1 }).await?.ok_or("it was just stored")?.into_item();
    /// let renamed = Team { name: "Testers".to_owned(), ..read.clone() };
    /// assert!(acme.put(&renamed).if_version(read.version).send().await?.is_done()); // version 2
    /// match acme.put(&Team { name: "Late".to_owned(), ..read }).if_version(1).send().await? {
    ///     Conditional::Failed { current: Some(team) } => assert_eq!((team.name.as_str(), team.version), ("Testers", 2)),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_version(self, version: u64) -> ConditionalPut<'e, TableType, EntityType> {
        const {
            assert!(EntityType::SHAPE.version.is_some(), "{}", NO_VERSION);
        }
        let entity = EntityType::SHAPE;
        ConditionalPut { put: self, conditions: Ok(Conditions::none().has_version(&entity, version)) }
    }

    /// Only if the item is there and this holds for it.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { points: 12, ..member(1, "ada") }).send().await?;
    /// let lead = Member { role: "lead".to_owned(), points: 12, ..member(1, "ada") };
    /// assert!(!acme.put(&lead).when(&HasPoints { least: 20 }).send().await?.is_done());
    /// assert!(acme.put(&lead).when(&HasPoints { least: 10 }).send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub fn when<Asked>(self, asked: &Asked) -> ConditionalPut<'e, TableType, EntityType>
    where
        Asked: Condition<Table = TableType, Entity = EntityType> + GivenValues,
    {
        let conditions = Conditions::none().holds(asked).map_err(|problem| {
            let error = WriteError::given(EntityType::SHAPE.name, problem);
            let components = self.tenant.identity().beside(self.entity);
            match table_keys(&TableType::SHAPE, &EntityType::SHAPE, &components) {
                Ok(keys) => error.of_item(self.tenant.shared(), &keys.now),
                Err(_) => error,
            }
        });
        ConditionalPut { put: self, conditions }
    }

    /// Only if the item is there and this expression of the caller's own holds for it.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::RawExpression;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&member(1, "ada")).send().await?;
    /// let joined = RawExpression::new("#role IN (:one, :other)")?.name("role", "role");
    /// let joined = joined.value("one", &"engineer")?.value("other", &"guest")?;
    /// let lead = Member { role: "lead".to_owned(), ..member(1, "ada") };
    /// assert!(acme.put(&lead).when_raw(joined.clone()).send().await?.is_done());
    /// assert!(!acme.put(&lead).when_raw(joined).send().await?.is_done()); // she is the lead by now
    /// # Ok(())
    /// # }
    /// ```
    pub fn when_raw(self, expression: RawExpression) -> ConditionalPut<'e, TableType, EntityType> {
        ConditionalPut { put: self, conditions: Ok(Conditions::none().holds_raw(expression)) }
    }

    /// The put may have effect twice: one whose answer was lost is made again unasked, though what somebody else wrote in between is
    /// replaced then, or what somebody deleted is there again. For items that only this program writes, and for items that never change.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright::{Capabilities, CursorKey, CursorKeys, Store};
    /// # use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};
    /// # use keywright_embedded::engine::{Engine, Options};
    /// # let rule = Rule::new(Fault::CutConnection(Moment::AfterCommit)).when(When::First(1));
    /// # let rule = rule.operation(keywright_api::Operation::PutItem);
    /// # let engine = Engine::open(Options::memory().faults(Faults::new(7).rule(rule)?))?;
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// # let builder = Store::<App>::builder(keywright_embedded::client(&engine), keys).capabilities(Capabilities::EMBEDDED);
    /// # builder.create_table().await?;
    /// # let store = builder.open().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).may_repeat().send().await?; // its first answer was lost
    /// let usage = store.usage().writes.get("Team").copied().ok_or("it was stored")?;
    /// assert_eq!((usage.tries.unanswered, usage.tries.retries), (1, 1)); // made again
    /// assert_eq!(usage.lookups, 0); // and nothing was read to know what became of it
    /// # Ok(())
    /// # }
    /// ```
    pub fn may_repeat(mut self) -> Put<'e, TableType, EntityType> {
        self.repeat = Repeat::Harmless;
        self
    }

    /// Gives back what was there before, too: nothing that costs, and nothing of another tenant's.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { role: "lead".to_owned(), ..member(1, "ada") }).send().await?;
    /// let put = acme.put(&member(1, "ada")).returning_old().send().await?;
    /// assert_eq!(put.old.item().map(|before| before.role.as_str()), Some("lead"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn returning_old(self) -> ReturningOld<Put<'e, TableType, EntityType>> {
        ReturningOld(self)
    }

    /// Stores the entity.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::WriteError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let written = acme.put(&team(1, "Analysts")).send().await?;
    /// let read = acme.get(TeamById { team_id: 1 }).await?.ok_or("it was just stored")?;
    /// assert_eq!(read.write_id(), Some(&written.write_id));
    ///
    /// let theirs = Team { organization_id: OrganizationId("globex".to_owned()), ..team(1, "Spies") };
    /// assert!(matches!(acme.put(&theirs).send().await, Err(WriteError::Foreign(_)))); // and nothing was sent
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing was stored, or when that is not known.
    pub async fn send(self) -> Result<Written, WriteError> {
        let (written, _) = self.store(Returns::Nothing).await?;
        Ok(written)
    }

    pub(super) async fn store(&self, returns: Returns) -> Result<(Written, Told), WriteError> {
        let deadline = Deadline::of_call(self.tenant.shared());
        let Attempted { write_id, attempt } = self.attempt(Conditions::none(), returns, deadline).await?;
        match attempt.effect() {
            Ok(Effect { write_units, told }) => Ok((Written { write_id, write_units }, told)),
            // All that was asked is that nobody else's item is there.
            Err(_) => Err(ForeignItem::new(EntityType::SHAPE.name, ForeignPlace::Replaced).into()),
        }
    }

    /// The request that would be sent, for a look at it; where an item of an earlier number of shards is in its place, another one is. The
    /// id of the write in it is another one each time.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::WriteError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let request = acme.put(&team(1, "Analysts")).request()?;
    /// let item = request.item().ok_or("a put has an item")?;
    /// assert_eq!(item.get("version").and_then(|version| version.as_n().ok()).map(String::as_str), Some("1")); // as it is stored
    ///
    /// let long = team(1, &"long ".repeat(100_000));
    /// assert!(matches!(acme.put(&long).request(), Err(WriteError::TooLarge { size_bytes: 500_000.., .. })));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<PutItemInput, WriteError> {
        self.request_returning(Returns::Nothing)
    }

    pub(super) fn request_returning(&self, returns: Returns) -> Result<PutItemInput, WriteError> {
        Ok(self.prepare(Conditions::none(), WriteMark::now(self.tenant.shared()), returns)?.input())
    }

    fn prepare(
        &self,
        conditions: Conditions,
        mark: WriteMark,
        returns: Returns,
    ) -> Result<PreparedPut, WriteError> {
        let shared = self.tenant.shared();
        let repeat = if conditions.names_state() { Repeat::Impossible } else { self.repeat };
        let mut prepared = self.prepare_write(conditions, mark)?;
        let on_failure = prepared.on_failure();
        let Change::Put { item, size_bytes } = prepared.change else {
            unreachable!("`prepare_write` prepares a put")
        };
        let builder = shared
            .calls
            .put_item()
            .table_name(&shared.table_name)
            .set_item(Some(item))
            .set_condition_expression(prepared.condition)
            .set_expression_attribute_names(prepared.placeholders.take_names())
            .set_expression_attribute_values(prepared.placeholders.take_values())
            .set_return_values(returns.value())
            .set_return_values_on_condition_check_failure(on_failure)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let keys = ItemKeys { now: prepared.key, earlier: prepared.earlier };
        Ok(PreparedPut { builder, keys, write_id: prepared.mark.write_id, size_bytes, repeat })
    }

    pub(crate) fn prepare_write(
        &self,
        conditions: Conditions,
        mark: WriteMark,
    ) -> Result<PreparedWrite, WriteError> {
        let (table, shape) = (TableType::SHAPE, EntityType::SHAPE);
        let replaced = conditions.version();
        let Encoded { attributes, keys: ItemKeys { now, earlier }, size_bytes, .. } =
            encode::<TableType, EntityType>(&self.tenant, self.entity, replaced, &mark)?;
        let conditions = conditions.fenced(&shape, self.tenant.identity());
        let (condition, placeholders) = conditions.write(&table, &shape, mark.seconds());
        Ok(PreparedWrite {
            entity: shape.name,
            key: now,
            earlier,
            of_one: None,
            change: Change::Put { item: attributes, size_bytes },
            condition,
            placeholders,
            mark,
        })
    }

    pub(crate) const fn handle(&self) -> &Tenant<TableType> {
        &self.tenant
    }

    pub(crate) fn action(self, mark: WriteMark) -> Result<PreparedWrite, WriteError> {
        self.prepare_write(Conditions::none(), mark)?.under_one_key()
    }

    async fn attempt(
        &self,
        conditions: Conditions,
        returns: Returns,
        deadline: Deadline,
    ) -> Result<Attempted, WriteError> {
        let (shared, entity) = (self.tenant.shared(), EntityType::SHAPE.name);
        let mark = WriteMark::now(shared);
        let write_id = mark.write_id.clone();
        let span = trace::put(shared, entity);
        let attempt = async {
            if EntityType::SHAPE.key.shards.earlier().is_empty() {
                let put = self.prepare(conditions.clone(), mark.clone(), returns)?;
                let again = || Ok(self.prepare(conditions.clone(), mark.clone(), returns)?.builder);
                put.make_under_its_key(shared, entity, deadline, again).await
            } else if conditions.can_make() {
                self.put_or_replace(conditions, mark, returns, deadline).await
            } else {
                let put = self.prepare(conditions, mark, returns)?;
                let put = &put;
                let make = |key: KeyAttributes| async move { put.make(shared, entity, &key, deadline).await };
                Ok(where_it_lies(shared, entity, deadline, &put.keys, make).await?.0)
            }
        };
        Ok(Attempted { write_id, attempt: attempt.instrument(span).await? })
    }

    /// Puts where perhaps no item is: in place of one under an earlier number of shards, else under the present one.
    async fn put_or_replace(
        &self,
        conditions: Conditions,
        mark: WriteMark,
        returns: Returns,
        deadline: Deadline,
    ) -> Result<Attempt<Answer>, WriteError> {
        let (shared, entity) = (self.tenant.shared(), EntityType::SHAPE);
        let decoder = Decoder::<TableType>::new(shared, self.tenant.identity());
        let in_place = self.prepare(conditions.clone().in_place(), mark.clone(), returns)?;
        let asks_absence = conditions.asks_absence();
        let put = self.prepare(conditions, mark, returns)?;
        let earlier: Vec<&KeyAttributes> = put.keys.earlier.iter().collect();
        for _ in 0..MOST_ROUNDS {
            let Some((key, item)) = first_stored(shared, entity.name, deadline, &earlier).await? else {
                return put.make(shared, entity.name, &put.keys.now, deadline).await;
            };
            if let Some((_, present)) = first_stored(shared, entity.name, deadline, &[&put.keys.now]).await? {
                // Two programs wrote with two numbers. The item is the present one; the other was never seen beside it.
                if !decoder.is_foreign(&present) && !decoder.is_foreign(&item) {
                    put.delete_copy(shared, entity.name, key, deadline).await?;
                    continue;
                }
            }
            if asks_absence && !decoder.is_expired(&entity, &item) {
                return Ok(Attempt::Failed(Some(item)));
            }
            match in_place.make(shared, entity.name, key, deadline).await? {
                // It was deleted since it was seen.
                Attempt::Failed(None) => {}
                attempt => return Ok(attempt),
            }
        }
        Err(WriteError::Contended { entity: entity.name })
    }
}

/// A put with everything that it needs.
struct PreparedPut {
    /// Under the present key.
    builder: PutItemFluentBuilder,
    keys: ItemKeys,
    write_id: WriteId,
    size_bytes: usize,
    repeat: Repeat,
}

impl PreparedPut {
    fn input(&self) -> PutItemInput {
        match self.builder.as_input().clone().build() {
            Ok(input) => input,
            Err(_) => unreachable!("`prepare` gives what PutItem needs"),
        }
    }

    /// Puts the item under one of its keys.
    async fn make(
        &self,
        shared: &Shared,
        entity: &'static str,
        key: &KeyAttributes,
        deadline: Deadline,
    ) -> Result<Attempt<Answer>, WriteError> {
        let (write_id, leaves) = (&self.write_id, Leaves::Item);
        let target = Target { shared, key, write_id, entity, leaves, deadline };
        let request = || {
            let builder = self.builder.clone();
            if *key == self.keys.now {
                return Ok(builder);
            }
            Ok(key.iter().fold(builder, |builder, (name, value)| builder.item(name, value.clone())))
        };
        put(&target, self.repeat, self.size_bytes, request).await
    }

    /// Puts the item under its one key. `again` makes the request for another try: nearly all are made once, and a copy of the item that
    /// nobody needs is a part of what a put costs.
    async fn make_under_its_key(
        self,
        shared: &Shared,
        entity: &'static str,
        deadline: Deadline,
        again: impl Fn() -> Result<PutItemFluentBuilder, WriteError>,
    ) -> Result<Attempt<Answer>, WriteError> {
        let PreparedPut { builder, keys, write_id, size_bytes, repeat } = self;
        let (key, write_id, leaves) = (&keys.now, &write_id, Leaves::Item);
        let target = Target { shared, key, write_id, entity, leaves, deadline };
        let mut first = Some(builder);
        put(&target, repeat, size_bytes, || first.take().map_or_else(&again, Ok)).await
    }

    /// Deletes a copy that lies under a key behind the item's, which nobody sees.
    async fn delete_copy(
        &self,
        shared: &Shared,
        entity: &'static str,
        key: &KeyAttributes,
        deadline: Deadline,
    ) -> Result<(), WriteError> {
        let delete = shared.calls.delete_item().table_name(&shared.table_name);
        let delete =
            delete.set_key(Some(key.clone())).return_consumed_capacity(ReturnConsumedCapacity::Total);
        let (write_id, leaves) = (&self.write_id, Leaves::Absence);
        let target = Target { shared, key, write_id, entity, leaves, deadline };
        let attempt = target.attempt(Repeat::Harmless, || delete.clone().send()).await?;
        if let Attempt::Done(output) | Attempt::DoneAgain(output) = attempt {
            target.count(output.consumed_capacity.and_then(|units| units.capacity_units), None);
        }
        Ok(())
    }
}

/// Sends a put, each try by a request of its own, and counts what it took.
async fn put(
    target: &Target<'_>,
    repeat: Repeat,
    size_bytes: usize,
    mut request: impl FnMut() -> Result<PutItemFluentBuilder, WriteError>,
) -> Result<Attempt<Answer>, WriteError> {
    let send = || {
        let request = request();
        async { request.map_err(SdkError::construction_failure)?.send().await }
    };
    let attempt = target.attempt(repeat, send).await?;
    Ok(attempt.map(|output| {
        let write_units = output.consumed_capacity.and_then(|units| units.capacity_units);
        target.count(write_units, Some(size_bytes));
        Answer { write_units, item: output.attributes }
    }))
}

/// What an item of somebody else is, where a condition did not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    /// As if there were none: the condition did not hold, and that is all.
    IsHidden,
    /// An error, as for a put without a condition.
    IsError,
}

/// What became of a put, and the id that it carried.
struct Attempted {
    write_id: WriteId,
    attempt: Attempt<Answer>,
}

impl<TableType, EntityType> ConditionalPut<'_, TableType, EntityType>
where
    TableType: Table,
    EntityType: Entity<TableType> + Components + Serialize,
{
    pub(crate) const fn handle(&self) -> &Tenant<TableType> {
        &self.put.tenant
    }

    pub(crate) fn action(self, mark: WriteMark) -> Result<PreparedWrite, WriteError> {
        self.put.prepare_write(self.conditions?, mark)?.under_one_key()
    }
}

impl<'e, TableType, EntityType> ConditionalPut<'e, TableType, EntityType>
where
    TableType: Table,
    EntityType: Entity<TableType> + Components + Serialize + DeserializeOwned,
{
    /// The request that would be sent, for a look at it. The id of the write in it is another one each time.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let request = acme.put(&team(1, "Analysts")).if_version(4).request()?;
    /// assert_eq!(request.condition_expression(), Some("(attribute_exists(#c_key)) AND (#c0_ = :c0_)"));
    /// let item = request.item().ok_or("a put has an item")?;
    /// assert_eq!(item.get("version").and_then(|version| version.as_n().ok()).map(String::as_str), Some("5"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<PutItemInput, WriteError> {
        self.request_returning(Returns::Nothing)
    }

    pub(super) fn request_returning(&self, returns: Returns) -> Result<PutItemInput, WriteError> {
        let mark = WriteMark::now(self.put.tenant.shared());
        Ok(self.put.prepare(self.conditions.clone()?, mark, returns)?.input())
    }

    /// Gives back what was there before, too: nothing that costs, and nothing of another tenant's.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?; // version 1
    /// let replaced = acme.put(&team(1, "Testers")).if_version(1).returning_old().send().await?;
    /// let old = replaced.done().ok_or("it was version 1")?.old;
    /// assert_eq!(old.item().map(|team| team.name.as_str()), Some("Analysts"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn returning_old(self) -> ReturningOld<ConditionalPut<'e, TableType, EntityType>> {
        ReturningOld(self)
    }

    /// Stores the entity if the condition holds.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{Conditional, WriteError};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { points: 5, ..member(1, "ada") }).send().await?;
    /// let lead = Member { role: "lead".to_owned(), ..member(1, "ada") };
    /// let put: Result<Conditional<_, Member>, WriteError> = acme.put(&lead).when(&HasPoints { least: 10 }).send().await;
    /// match put? {
    ///     Conditional::Done(written) => println!("stored, tag {}", written.etag()),
    ///     Conditional::Failed { current } => assert_eq!(current.map(|ada| ada.points), Some(5)),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing was stored, or when that is not known. That the condition does not hold is no error.
    pub async fn send(self) -> Result<Conditional<Written, EntityType>, WriteError> {
        let deadline = Deadline::of_call(self.put.tenant.shared());
        let stored = self.store(Foreign::IsHidden, Returns::Nothing, deadline).await?;
        stored.try_map(|(written, _)| Ok(written))
    }

    pub(super) async fn store(
        self,
        foreign: Foreign,
        returns: Returns,
        deadline: Deadline,
    ) -> Result<Conditional<(Written, Told), EntityType>, WriteError> {
        let Attempted { write_id, attempt } = self.put.attempt(self.conditions?, returns, deadline).await?;
        match attempt.effect() {
            Ok(Effect { write_units, told }) => {
                Ok(Conditional::Done((Written { write_id, write_units }, told)))
            }
            Err(current) => {
                let tenant = &self.put.tenant;
                let decoder = Decoder::<TableType>::new(tenant.shared(), tenant.identity());
                if foreign == Foreign::IsError
                    && current.as_ref().is_some_and(|item| decoder.is_foreign(item))
                {
                    return Err(ForeignItem::new(EntityType::SHAPE.name, ForeignPlace::Replaced).into());
                }
                let current = decoder.current(&EntityType::SHAPE, current)?;
                Ok(Conditional::Failed { current })
            }
        }
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// Stores an entity of this tenant, in place of what has its key. What is `None` is not stored, and attributes that the type does not have are
    /// gone: change items by [`Tenant::update`] where other programs write them too.
    ///
    /// The version of an entity that has one is stored one higher than the entity's own, whatever that of the item is which is replaced: of an
    /// entity with version 0 it begins again at 1. With [`Put::if_version`] it counts on from what is stored.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { nickname: Some("Countess".to_owned()), ..member(1, "ada") }).send().await?;
    /// let written = acme.put(&member(1, "ada")).send().await?;
    /// let ada = acme.get(MemberById { team_id: 1, user_id: "ada".to_owned() }).await?.ok_or("it was just stored")?;
    /// assert_eq!(ada.nickname, None); // nothing of the first one is left
    /// assert_eq!(ada.etag(), Some(written.etag()));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// What has a purpose is stored by the call that is for it:
    ///
    /// ```compile_fail,E0277
    /// # use applications::teams::*;
    /// fn overwrite(acme: &keywright::Tenant<App>, lock: &JobLock) {
    ///     acme.put(lock); // whoever holds it would hold it no more, and its fencing tokens would begin again
    /// }
    /// # fn main() {}
    /// ```
    pub fn put<'e, EntityType>(&self, entity: &'e EntityType) -> Put<'e, TableType, EntityType>
    where
        EntityType: Data<TableType> + Unreserved<TableType> + Components + Serialize,
    {
        Put::new(self.clone(), entity)
    }
}
