//! DeleteItem: takes away the item that a pattern names.

use std::fmt;

use aws_sdk_dynamodb::operation::delete_item::DeleteItemInput;
use aws_sdk_dynamodb::operation::delete_item::builders::DeleteItemFluentBuilder;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use keywright_key::Components;
use keywright_key::declare::{
    Condition, Deletable, Entity, GivenValues, NamesItem, ReadItems, Table, Unreserved,
};
use serde::de::DeserializeOwned;
use tracing::Instrument;

use super::attempt::{Answer, Attempt, Effect, Leaves, Repeat, Target, Told};
use super::condition::{Conditions, NO_VERSION, unsendable};
use super::mark::WriteMark;
use super::outcome::Conditional;
use super::place::{first_stored, where_it_lies};
use super::prepared::{Change, PreparedWrite};
use super::with_old::{ReturningOld, Returns};
use super::write_id::WriteId;
use crate::error::{ForeignItem, ForeignPlace, WriteError};
use crate::etag::ETagMatch;
use crate::item::{Decoder, ItemKeys, KeyAttributes};
use crate::raw::RawExpression;
use crate::retry::Deadline;
use crate::store::Shared;
use crate::tenant::Tenant;
use crate::trace;

/// An item that is about to be deleted: [`Tenant::delete`], perhaps a condition, then `send`.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
/// // One of two callers is the one who did it.
/// assert!(acme.delete(TeamById { team_id: 1 }).if_present().send().await?.is_done());
/// assert!(!acme.delete(TeamById { team_id: 1 }).if_present().send().await?.is_done());
/// // Without a condition, that there is nothing is no error.
/// acme.delete(TeamById { team_id: 1 }).send().await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is deleted before it is sent"]
pub struct Delete<Pattern: ReadItems> {
    pub(super) tenant: Tenant<Pattern::Table>,
    pattern: Pattern,
    repeat: Repeat,
}

/// An item that is about to be deleted if a condition holds.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::RawExpression;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
/// let by_id = || TeamById { team_id: 1 };
/// assert!(!acme.delete(by_id()).if_version(7).send().await?.is_done());
/// let named = RawExpression::new("#name = :name")?.name("name", "name").value("name", &"Analysts")?;
/// assert!(acme.delete(by_id()).when_raw(named).send().await?.is_done());
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is deleted before it is sent"]
pub struct ConditionalDelete<Pattern: ReadItems> {
    pub(super) delete: Delete<Pattern>,
    conditions: Result<Conditions, WriteError>,
}

/// A delete that had effect, or had nothing to do.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
/// let deleted = acme.delete(TeamById { team_id: 1 }).send().await?;
/// assert_eq!(deleted.write_units, Some(1.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deleted {
    /// The write units that it took; none if the answer was lost and the item is not there.
    pub write_units: Option<f64>,
}

impl<TableType, Pattern> Delete<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
{
    /// Only if the item is there.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let next_year = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_secs() + 31_536_000;
    /// acme.put(&invitation("ada@example.org", next_year)).send().await?;
    /// let accept = || acme.delete(InvitationById { email: "ada@example.org".to_owned() }).if_present();
    /// // However many requests come with it, no two are let in. Where an answer is lost, it may be that nobody is: see `consume`.
    /// assert!(accept().send().await?.is_done());
    /// assert!(!accept().send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_present(self) -> ConditionalDelete<Pattern> {
        ConditionalDelete { delete: self, conditions: Ok(Conditions::there()) }
    }

    /// Only if the item is in the state that was read: nothing was written in between. Of several states, or any, where that is what a client's
    /// `If-Match` says: see [`ETagMatch`].
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{Conditional, ETagMatch};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let seen = acme.put(&team(1, "Analysts")).send().await?.etag().to_string();
    /// acme.update(TeamById { team_id: 1 }, Rename { name: "Testers".to_owned() }).send().await?;
    /// // A client deletes what it has seen, and says so by `If-Match`.
    /// match acme.delete(TeamById { team_id: 1 }).if_match(ETagMatch::if_match(&seen)?).send().await? {
    ///     Conditional::Failed { current: Some(team) } => assert_eq!(team.name, "Testers"), // 412, and what it is now
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_match(self, states: impl Into<ETagMatch>) -> ConditionalDelete<Pattern> {
        let conditions = Conditions::none().in_state(&Pattern::Entity::SHAPE, &states.into());
        ConditionalDelete { delete: self, conditions }
    }

    /// Only if the item has this version.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?; // version 1
    /// acme.update(TeamById { team_id: 1 }, Rename { name: "Testers".to_owned() }).send().await?; // version 2
    /// assert!(!acme.delete(TeamById { team_id: 1 }).if_version(1).send().await?.is_done());
    /// assert!(acme.delete(TeamById { team_id: 1 }).if_version(2).send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_version(self, version: u64) -> ConditionalDelete<Pattern> {
        const {
            assert!(Pattern::Entity::SHAPE.version.is_some(), "{}", NO_VERSION);
        }
        let entity = Pattern::Entity::SHAPE;
        ConditionalDelete { delete: self, conditions: Ok(Conditions::none().has_version(&entity, version)) }
    }

    /// Only if the item is there and this holds for it.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { points: 5, ..member(1, "ada") }).send().await?;
    /// let by_id = MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// // Whoever has fewer points stays.
    /// assert!(!acme.delete(by_id.clone()).when(&HasPoints { least: 10 }).send().await?.is_done());
    /// assert!(acme.delete(by_id).when(&HasPoints { least: 5 }).send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub fn when<Asked>(self, asked: &Asked) -> ConditionalDelete<Pattern>
    where
        Asked: Condition<Table = TableType, Entity = Pattern::Entity> + GivenValues,
    {
        let conditions = Conditions::none()
            .holds(asked)
            .map_err(|problem| unsendable(&self.tenant, &self.pattern, problem));
        ConditionalDelete { delete: self, conditions }
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
    /// acme.put(&Member { nickname: Some("The Countess".to_owned()), ..member(1, "ada") }).send().await?;
    /// let nameless = RawExpression::new("attribute_not_exists(#nickname)")?.name("nickname", "nickname");
    /// let ada = MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// assert!(!acme.delete(ada).when_raw(nameless).send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub fn when_raw(self, expression: RawExpression) -> ConditionalDelete<Pattern> {
        ConditionalDelete { delete: self, conditions: Ok(Conditions::none().holds_raw(expression)) }
    }

    /// The delete may have effect twice: one whose answer was lost is made again unasked, though what somebody else stored in between
    /// is deleted then. For items that only this program writes, and for keys that are never used again.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright::{Capabilities, CursorKey, CursorKeys, Store};
    /// # use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};
    /// # use keywright_embedded::engine::{Engine, Options};
    /// # let rule = Rule::new(Fault::CutConnection(Moment::AfterCommit)).when(When::First(1));
    /// # let rule = rule.operation(keywright_api::Operation::DeleteItem);
    /// # let engine = Engine::open(Options::memory().faults(Faults::new(7).rule(rule)?))?;
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// # let builder = Store::<App>::builder(keywright_embedded::client(&engine), keys).capabilities(Capabilities::EMBEDDED);
    /// # builder.create_table().await?;
    /// # let store = builder.open().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// acme.delete(TeamById { team_id: 1 }).may_repeat().send().await?; // its first answer was lost
    /// let usage = store.usage().writes.get("Team").copied().ok_or("it was deleted")?;
    /// assert_eq!((usage.tries.unanswered, usage.tries.retries), (1, 1)); // made again
    /// assert_eq!(usage.lookups, 0); // and nothing was read to know what became of it
    /// # Ok(())
    /// # }
    /// ```
    pub fn may_repeat(mut self) -> Delete<Pattern> {
        self.repeat = Repeat::Harmless;
        self
    }

    /// Deletes the item. That there is none is no error.
    ///
    /// Where the design lists earlier numbers of shards, a delete is sent to each key under which the item can lie, the present one last. If one
    /// of them fails after another was made, that is [`WriteError::Unknown`], and nobody tells any more what was there: delete it again.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let nothing = acme.delete(TeamById { team_id: 1 }).send().await?;
    /// assert_eq!(nothing.write_units, Some(1.0)); // a delete of nothing costs what a delete costs
    ///
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// acme.delete(TeamById { team_id: 1 }).send().await?;
    /// assert!(acme.get(TeamById { team_id: 1 }).await?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing was deleted, or when that is not known.
    pub async fn send(self) -> Result<Deleted, WriteError> {
        let (deleted, _) = self.remove(Returns::Nothing).await?;
        Ok(deleted)
    }

    /// Gives back what was there, too: nothing that costs, and nothing of another tenant's.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&member(1, "ada")).send().await?;
    /// let by_id = MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// let deleted = acme.delete(by_id).returning_old().send().await?;
    /// let ada = deleted.old.item().ok_or("she was a member")?;
    /// assert_eq!((ada.role.as_str(), deleted.done.write_units), ("engineer", Some(2.0))); // in the table and in the index
    /// # Ok(())
    /// # }
    /// ```
    pub fn returning_old(self) -> ReturningOld<Delete<Pattern>> {
        ReturningOld(self)
    }

    pub(super) async fn remove(&self, returns: Returns) -> Result<(Deleted, Told), WriteError> {
        let prepared = self.prepare(Conditions::none(), returns)?;
        let shared = self.tenant.shared();
        let span = trace::delete(shared, prepared.entity);
        prepared.make_everywhere(shared, Deadline::of_call(shared)).instrument(span).await
    }

    /// The request that would be sent, for a look at it; where there are several keys, that of the present number of shards.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let request = acme.delete(TeamById { team_id: 1 }).request()?;
    /// assert_eq!(request.table_name(), Some(store.table_name()));
    /// assert_eq!(request.condition_expression(), None); // the tenant is in the key
    ///
    /// // Where it is not, an item is deleted only if it is the tenant's.
    /// let request = acme.delete(ShareByToken { token: "k7Q2mX".to_owned() }).request()?;
    /// assert!(request.condition_expression().is_some_and(|asked| asked.ends_with("#c_tenant = :c_tenant")));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<DeleteItemInput, WriteError> {
        self.request_returning(Returns::Nothing)
    }

    pub(super) fn request_returning(&self, returns: Returns) -> Result<DeleteItemInput, WriteError> {
        Ok(self.prepare(Conditions::none(), returns)?.input())
    }

    fn prepare(&self, conditions: Conditions, returns: Returns) -> Result<PreparedDelete, WriteError> {
        let shared = self.tenant.shared();
        let repeat = if conditions.names_state() { Repeat::Impossible } else { self.repeat };
        let mut prepared = self.prepare_write(conditions, WriteMark::now(shared))?;
        let on_failure = prepared.on_failure();
        let builder = shared
            .calls
            .delete_item()
            .table_name(&shared.table_name)
            .set_condition_expression(prepared.condition)
            .set_expression_attribute_names(prepared.placeholders.take_names())
            .set_expression_attribute_values(prepared.placeholders.take_values())
            .set_return_values(returns.value())
            .set_return_values_on_condition_check_failure(on_failure)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let keys = ItemKeys { now: prepared.key, earlier: prepared.earlier };
        Ok(PreparedDelete {
            entity: prepared.entity,
            builder,
            keys,
            write_id: prepared.mark.write_id,
            repeat,
        })
    }

    pub(crate) fn prepare_write(
        &self,
        conditions: Conditions,
        mark: WriteMark,
    ) -> Result<PreparedWrite, WriteError> {
        let (table, entity) = (TableType::SHAPE, Pattern::Entity::SHAPE);
        let ItemKeys { now: key, earlier } = self.tenant.named_keys(&self.pattern)?;
        let conditions = conditions.fenced(&entity, self.tenant.identity());
        let (condition, placeholders) = conditions.write(&table, &entity, mark.seconds());
        let (entity, change) = (entity.name, Change::Delete);
        Ok(PreparedWrite { entity, key, earlier, of_one: None, change, condition, placeholders, mark })
    }

    pub(crate) const fn new(tenant: Tenant<TableType>, pattern: Pattern) -> Delete<Pattern> {
        Delete { tenant, pattern, repeat: Repeat::Harmful }
    }

    pub(crate) const fn handle(&self) -> &Tenant<TableType> {
        &self.tenant
    }

    pub(crate) const fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    pub(crate) fn action(self, mark: WriteMark) -> Result<PreparedWrite, WriteError> {
        self.prepare_write(Conditions::none(), mark)?.under_one_key()
    }
}

impl<TableType, Pattern> ConditionalDelete<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
{
    pub(crate) const fn handle(&self) -> &Tenant<TableType> {
        &self.delete.tenant
    }

    pub(crate) fn action(self, mark: WriteMark) -> Result<PreparedWrite, WriteError> {
        self.delete.prepare_write(self.conditions?, mark)?.under_one_key()
    }
}

impl<TableType, Pattern> ConditionalDelete<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    Pattern::Entity: DeserializeOwned,
{
    /// The request that would be sent, for a look at it.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let request = acme.delete(TeamById { team_id: 1 }).if_present().request()?;
    /// assert_eq!(request.condition_expression(), Some("attribute_exists(#c_key)"));
    /// // An invitation ends by itself, and one that has ended is none, though it may still be stored.
    /// let request = acme.delete(InvitationById { email: "ada@example.org".to_owned() }).if_present().request()?;
    /// let condition = request.condition_expression().unwrap_or_default();
    /// assert!(condition.ends_with("AND (attribute_not_exists(#c_expiry) OR NOT #c_expiry <= :c_now)"), "{condition}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<DeleteItemInput, WriteError> {
        self.request_returning(Returns::Nothing)
    }

    pub(super) fn request_returning(&self, returns: Returns) -> Result<DeleteItemInput, WriteError> {
        Ok(self.delete.prepare(self.conditions.clone()?, returns)?.input())
    }

    /// Gives back what was there, too: nothing that costs, and nothing of another tenant's.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::Conditional;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { points: 12, ..member(1, "ada") }).send().await?;
    /// let by_id = MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// let rich = acme.delete(by_id).when(&HasPoints { least: 10 }).returning_old();
    /// // Whether the condition holds or not, the one answer has the item.
    /// match rich.send().await? {
    ///     Conditional::Done(deleted) => assert_eq!(deleted.old.item().map(|ada| ada.points), Some(12)),
    ///     Conditional::Failed { current } => println!("still there: {current:?}"),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn returning_old(self) -> ReturningOld<ConditionalDelete<Pattern>> {
        ReturningOld(self)
    }

    /// Deletes the item if the condition holds.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { points: 5, ..member(1, "ada") }).send().await?;
    /// let by_id = MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// let refused = acme.delete(by_id.clone()).when(&HasPoints { least: 10 }).send().await?;
    /// assert!(refused.done().is_none()); // an outcome, and no error
    /// assert!(acme.get(by_id).await?.is_some());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing was deleted, or when that is not known. That the condition does not hold is no error.
    pub async fn send(self) -> Result<Conditional<Deleted, Pattern::Entity>, WriteError> {
        self.remove(Returns::Nothing).await?.try_map(|(deleted, _)| Ok(deleted))
    }

    pub(super) async fn remove(
        self,
        returns: Returns,
    ) -> Result<Conditional<(Deleted, Told), Pattern::Entity>, WriteError> {
        let prepared = self.delete.prepare(self.conditions?, returns)?;
        let has_copies = !prepared.keys.earlier.is_empty();
        let unconditional =
            has_copies.then(|| self.delete.prepare(Conditions::none(), Returns::Nothing)).transpose()?;
        let shared = self.delete.tenant.shared();
        let span = trace::delete(shared, prepared.entity);
        let deadline = Deadline::of_call(shared);
        let made = prepared.make_where_it_lies(shared, unconditional.as_ref(), deadline);
        let attempt = made.instrument(span).await?;
        match attempt.effect() {
            Ok(Effect { write_units, told }) => Ok(Conditional::Done((Deleted { write_units }, told))),
            Err(current) => {
                let tenant = &self.delete.tenant;
                let decoder = Decoder::<TableType>::new(tenant.shared(), tenant.identity());
                let current = decoder.current(&Pattern::Entity::SHAPE, current)?;
                Ok(Conditional::Failed { current })
            }
        }
    }
}

/// A delete with everything that it needs.
struct PreparedDelete {
    entity: &'static str,
    /// Without a key.
    builder: DeleteItemFluentBuilder,
    keys: ItemKeys,
    /// Told where nobody knows what became of the delete.
    write_id: WriteId,
    repeat: Repeat,
}

impl PreparedDelete {
    fn input(&self) -> DeleteItemInput {
        let builder = self.builder.clone().set_key(Some(self.keys.now.clone()));
        match builder.as_input().clone().build() {
            Ok(input) => input,
            Err(_) => unreachable!("`prepare` gives what DeleteItem needs"),
        }
    }

    /// Deletes under one of the item's keys.
    async fn make(
        &self,
        shared: &Shared,
        key: KeyAttributes,
        leaves: Leaves,
        deadline: Deadline,
    ) -> Result<Attempt<Answer>, WriteError> {
        let (write_id, entity) = (&self.write_id, self.entity);
        let target = Target { shared, key: &key, write_id, entity, leaves, deadline };
        let send = || self.builder.clone().set_key(Some(key.clone())).send();
        let attempt = target.attempt(self.repeat, send).await?;
        Ok(attempt.map(|output| {
            let write_units = output.consumed_capacity.and_then(|units| units.capacity_units);
            target.count(write_units, None);
            Answer { write_units, item: output.attributes }
        }))
    }

    /// Deletes under each of the item's keys, the present one last. What was there is what lay under the first of its keys.
    async fn make_everywhere(
        &self,
        shared: &Shared,
        deadline: Deadline,
    ) -> Result<(Deleted, Told), WriteError> {
        let mut write_units = Some(0.0);
        let mut told = Told::Item(None);
        for (made_before, key) in self.keys.present_last().into_iter().enumerate() {
            let attempt = self.make(shared, key.clone(), Leaves::Absence, deadline).await;
            let attempt = match attempt {
                Err(error) if made_before > 0 => return Err(self.half_way(shared, key, error)),
                attempt => attempt?,
            };
            // All that was asked is that nobody else's item is there.
            let Ok(effect) = attempt.effect() else {
                return Err(ForeignItem::new(self.entity, ForeignPlace::Replaced).into());
            };
            write_units = write_units.zip(effect.write_units).map(|(taken, units)| taken + units);
            let was_nothing = matches!(told, Told::Item(None));
            let is_something = !matches!(effect.told, Told::Item(None));
            if is_something && (was_nothing || *key == self.keys.now) {
                told = effect.told;
            }
        }
        Ok((Deleted { write_units }, told))
    }

    /// What a request that had no effect means after another that may have had it: nobody knows whether the item is gone.
    fn half_way(&self, shared: &Shared, key: &KeyAttributes, error: WriteError) -> WriteError {
        match error {
            WriteError::Service(source) => WriteError::Unknown {
                entity: self.entity,
                key: shared.key_in_errors(key),
                write_id: self.write_id.clone(),
                source,
            },
            error => error,
        }
    }

    /// Deletes the item where it lies, if the conditions hold.
    ///
    /// Then what copies of it there are, by `unconditional`, so that none of them comes to be seen.
    async fn make_where_it_lies(
        &self,
        shared: &Shared,
        unconditional: Option<&PreparedDelete>,
        deadline: Deadline,
    ) -> Result<Attempt<Answer>, WriteError> {
        let make = |key| self.make(shared, key, Leaves::Nothing, deadline);
        let (attempt, key) = where_it_lies(shared, self.entity, deadline, &self.keys, make).await?;
        if let (Attempt::Done(_) | Attempt::DoneAgain(_), Some(unconditional)) = (&attempt, unconditional) {
            for earlier in &self.keys.earlier {
                if earlier == key {
                    continue;
                }
                let stored = first_stored(shared, self.entity, deadline, &[earlier]).await;
                if stored.map_err(|error| self.half_way(shared, earlier, error.into()))?.is_some() {
                    let copy = unconditional.make(shared, earlier.clone(), Leaves::Absence, deadline).await;
                    copy.map_err(|error| self.half_way(shared, earlier, error))?;
                }
            }
        }
        Ok(attempt)
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// Deletes the item that a pattern names.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// acme.put(&member(1, "ada")).send().await?;
    /// acme.delete(TeamById { team_id: 1 }).send().await?;
    /// // The item that is named, and nothing that lies beside it.
    /// let left = acme.query(TeamWithMembers { team_id: 1 }).page().await?;
    /// assert_eq!(left.items.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn delete<Pattern>(&self, pattern: Pattern) -> Delete<Pattern>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
        Pattern::Entity: Deletable<TableType> + Unreserved<TableType>,
    {
        Delete::new(self.clone(), pattern)
    }
}

impl<Pattern: ReadItems> fmt::Debug for Delete<Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Delete").field("pattern", &Pattern::SHAPE.name).finish_non_exhaustive()
    }
}

impl<Pattern: ReadItems> fmt::Debug for ConditionalDelete<Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.delete.fmt(formatter)
    }
}
