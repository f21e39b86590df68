//! UpdateItem: changes the item that a pattern names, and everything that follows from the change.
//!
//! The keys of indexes that hold a changed attribute are rendered anew in the same call; that they can be is a rule of the
//! compiler's. The item must be there: an update never makes half an item.

mod expression;

use std::collections::BTreeMap;
use std::fmt;

use aws_sdk_dynamodb::operation::update_item::UpdateItemInput;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};
use keywright_key::declare::{
    self, Condition, Entity, GivenValues, NamesItem, PlainUpdate, ReadItems, Table,
};
use keywright_key::{ChangeAction, ChangeShape, Components, UpdateShape};
use serde::de::DeserializeOwned;
use tracing::Instrument;

use super::attempt::{Answer, Attempt, Effect, Leaves, Repeat, Target, Told};
use super::condition::{Conditions, NO_VERSION, unsendable};
use super::mark::WriteMark;
use super::outcome::Conditional;
use super::place::where_it_lies;
use super::prepared::{Change, PreparedWrite};
use super::put::Written;
use super::with_old::{ReturningOld, Returns};
use super::write_id::WriteId;
use crate::error::{ItemError, ItemProblem, WriteError};
use crate::etag::ETagMatch;
use crate::expression::{GivenProblem, given_value};
use crate::item::{
    Attributes, Decoder, ItemKeys, KeyAttributes, WRITE_ID_ATTRIBUTE, empty_in_index, remark, size_bytes,
    stamp_value,
};
use crate::raw::RawExpression;
use crate::retry::Deadline;
use crate::stored::Stored;
use crate::tenant::Tenant;
use crate::trace;
pub(crate) use expression::Changed;
use expression::UpdateExpression;

/// A change of one item that is about to be made: [`Tenant::update`], perhaps conditions, all of which must hold, then `send`.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&Member { points: 5, ..member(1, "ada") }).send().await?;
/// let ada = || MemberById { team_id: 1, user_id: "ada".to_owned() };
///
/// let awarded = acme.update(ada(), Award { points: 3 }).send().await?.done().ok_or("ada is a member")?;
/// assert_eq!(awarded.item.points, 8);
///
/// // Points are taken only from who has them.
/// let spent = acme.update(ada(), Spend { points: 10 }).when(&HasPoints { least: 10 }).send().await?;
/// assert!(!spent.is_done());
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is changed before it is sent"]
pub struct Update<Pattern: ReadItems, Changes> {
    tenant: Tenant<Pattern::Table>,
    pattern: Pattern,
    changes: Changes,
    conditions: Result<Conditions, WriteError>,
    repeat: Repeat,
}

/// An update that had effect.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::RawExpression;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
/// let rename = Rename { name: "Testers".to_owned() };
/// let updated = acme.update(TeamById { team_id: 1 }, rename).if_version(1).send().await?.done().ok_or("it is version 1")?;
/// assert_eq!((updated.item.name.as_str(), updated.item.version), ("Testers", 2));
///
/// let named = RawExpression::new("#name = :name")?.name("name", "name").value("name", &"Analysts")?;
/// let again = acme.update(TeamById { team_id: 1 }, Rename { name: "Late".to_owned() }).when_raw(named).send().await?;
/// assert!(!again.is_done());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Updated<Item> {
    /// The item as the update left it.
    pub item: Stored<Item>,
    /// The write units that it took; none if the answer was lost and the item told that the write had effect.
    pub write_units: Option<f64>,
}

impl<TableType, Pattern, Changes> Update<Pattern, Changes>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    Pattern::Entity: DeserializeOwned,
    Changes: declare::Update<Table = TableType, Entity = Pattern::Entity> + GivenValues + Components,
{
    /// Only if the item is in the state that was read: nothing was written in between. Of several states, or any, where that is what a client's
    /// `If-Match` says: see [`ETagMatch`].
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let read = acme.put(&member(1, "ada")).send().await?.etag();
    /// let by_id = MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// let lead = acme.update(by_id.clone(), ChangeRole { role: "lead".to_owned() }).if_match(&read).send().await?;
    /// let lead = lead.done().ok_or("nothing was written in between")?.item;
    /// assert_ne!(lead.etag(), Some(read.clone())); // every write gives a new one
    /// assert!(!acme.update(by_id, Award { points: 3 }).if_match(&read).send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_match(mut self, states: impl Into<ETagMatch>) -> Update<Pattern, Changes> {
        let (entity, states) = (Pattern::Entity::SHAPE, states.into());
        self.conditions = self.conditions.and_then(|conditions| conditions.in_state(&entity, &states));
        self
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
    /// let rename = |name: &str| acme.update(TeamById { team_id: 1 }, Rename { name: name.to_owned() }).if_version(1);
    /// let renamed = rename("Testers").send().await?.done().ok_or("it was version 1")?;
    /// assert_eq!(renamed.item.version, 2); // counted by the update itself
    /// assert!(!rename("Late").send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_version(mut self, version: u64) -> Update<Pattern, Changes> {
        const {
            assert!(Pattern::Entity::SHAPE.version.is_some(), "{}", NO_VERSION);
        }
        let entity = Pattern::Entity::SHAPE;
        self.conditions = self.conditions.map(|conditions| conditions.has_version(&entity, version));
        self
    }

    /// Only if this holds for the item.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::Conditional;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { points: 15, ..member(1, "ada") }).send().await?;
    /// let ada = || MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// let spend = || acme.update(ada(), Spend { points: 10 }).when(&HasPoints { least: 10 });
    /// assert!(spend().send().await?.is_done());
    /// match spend().send().await? {
    ///     Conditional::Failed { current: Some(ada) } => assert_eq!(ada.points, 5), // too few, and no second read to know it
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn when<Asked>(mut self, asked: &Asked) -> Update<Pattern, Changes>
    where
        Asked: Condition<Table = TableType, Entity = Pattern::Entity> + GivenValues,
    {
        self.conditions = self.conditions.and_then(|conditions| {
            conditions.holds(asked).map_err(|problem| unsendable(&self.tenant, &self.pattern, problem))
        });
        self
    }

    /// Only if this expression of the caller's own holds for the item.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::RawExpression;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { points: 5, ..member(1, "ada") }).send().await?;
    /// let ada = || MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// let below = RawExpression::new("#points < :most")?.name("points", "points").value("most", &10)?;
    /// // It holds together with what else is asked.
    /// let award = |least| acme.update(ada(), Award { points: 6 }).when(&HasPoints { least }).when_raw(below.clone());
    /// assert!(award(5).send().await?.is_done());
    /// assert!(!award(5).send().await?.is_done()); // 11 is not below 10
    /// # Ok(())
    /// # }
    /// ```
    pub fn when_raw(mut self, expression: RawExpression) -> Update<Pattern, Changes> {
        self.conditions = self.conditions.map(|conditions| conditions.holds_raw(expression));
        self
    }

    /// The update may have effect twice: one whose answer was lost is made again unasked, though what somebody else changed in between
    /// is changed back then. For attributes that only this program writes.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::UpdateItem;
    /// # use keywright_embedded::engine::faults::{Fault, Moment, Rule, When};
    /// # use keywright::{CursorKey, CursorKeys, Store};
    /// use keywright::WriteError;
    /// # let lost = Rule::new(Fault::CutConnection(Moment::BeforeCommit)).operation(UpdateItem);
    /// # let store = store_with_fault(lost.when(When::Calls(vec![1, 2]))).await?;
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// # let store = Store::<App>::builder(store.client().clone(), keys).open_unchecked();
    /// # let acme = acme(&store)?;
    /// acme.put(&member(1, "ada")).send().await?;
    /// let promotion = || {
    ///     let ada = MemberById { team_id: 1, user_id: "ada".to_owned() };
    ///     acme.update(ada, ChangeRole { role: "lead".to_owned() })
    /// };
    /// // The connection is cut. Whether the update had effect is not known; one that may be made twice is made again.
    /// assert!(matches!(promotion().send().await, Err(WriteError::Unknown { .. })));
    /// assert!(promotion().may_repeat().send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// An update that adds, subtracts or appends, or that counts a version, does not compile here. (`cargo build` says so, and
    /// `cargo check` does not.)
    ///
    /// ```compile_fail,E0080
    /// # use applications::teams::*;
    /// fn award(acme: &keywright::Tenant<App>) {
    ///     let ada = MemberById { team_id: 1, user_id: "ada".to_owned() };
    ///     let _ = acme.update(ada, Award { points: 3 }).may_repeat();
    /// }
    /// # fn main() { let _: fn(&keywright::Tenant<App>) = award; }
    /// ```
    pub fn may_repeat(mut self) -> Update<Pattern, Changes> {
        const {
            assert!(
                !counts(&Changes::SHAPE) && Pattern::Entity::SHAPE.version.is_none(),
                "this update adds to what is there, or counts a version: made twice it would count twice. Ask for a tag \
                 instead, by `if_match(..)`: then it is made again safely"
            );
        }
        self.repeat = Repeat::Harmless;
        self
    }

    /// Changes the item. It must be there, and what was asked for must hold: that it does not is no error.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&member(1, "ada")).send().await?;
    /// let ada = MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// let awarded = acme.update(ada, Award { points: 3 }).send().await?.done().ok_or("she is a member")?;
    /// assert_eq!((awarded.item.points, awarded.item.role.as_str()), (3, "engineer")); // the whole item, as it is now
    ///
    /// // There is no bob, and an update makes none.
    /// let bob = MemberById { team_id: 1, user_id: "bob".to_owned() };
    /// assert!(!acme.update(bob, Award { points: 3 }).send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing was changed, or when that is not known.
    pub async fn send(self) -> Result<Conditional<Updated<Pattern::Entity>, Pattern::Entity>, WriteError> {
        let deadline = Deadline::of_call(self.tenant.shared());
        self.attempt(deadline).await
    }

    /// Gives back the item as it was before, in place of what it is after: the same request, and the same cost.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { nickname: Some("Countess".to_owned()), ..member(1, "ada") }).send().await?;
    /// let by_id = MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// let changed = acme.update(by_id, ChangeRole { role: "lead".to_owned() }).returning_old().send().await?;
    /// let changed = changed.done().ok_or("she is a member")?;
    /// assert_eq!(changed.old.item().map(|before| before.role.as_str()), Some("engineer"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn returning_old(self) -> ReturningOld<Update<Pattern, Changes>> {
        ReturningOld(self)
    }

    /// The request that would be sent first, for a look at it. The id of the write in it is another one each time.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let ada = MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// let request = acme.update(ada, Award { points: 3 }).request()?;
    /// assert_eq!(request.update_expression(), Some("SET #u0 = :u0 ADD #u1 :u1"));
    /// let names = request.expression_attribute_names().ok_or("it has names")?;
    /// assert_eq!(names.get("#u1").map(String::as_str), Some("points")); // `#u0` is the id of the write
    /// assert_eq!(request.condition_expression(), Some("attribute_exists(#c_key)")); // it makes no item
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<UpdateItemInput, WriteError> {
        self.request_returning(Returns::New)
    }

    pub(super) fn request_returning(&self, returns: Returns) -> Result<UpdateItemInput, WriteError> {
        let PreparedUpdate { builder, keys, .. } = self.prepare(returns)?;
        match builder.set_key(Some(keys.now)).as_input().clone().build() {
            Ok(input) => Ok(input),
            Err(_) => unreachable!("`prepare` gives what UpdateItem needs"),
        }
    }

    fn prepare(&self, returns: Returns) -> Result<PreparedUpdate, WriteError> {
        let shared = self.tenant.shared();
        let (mut prepared, repeat) = self.prepare_write(self.conditions.clone()?, WriteMark::now(shared))?;
        let on_failure = prepared.on_failure();
        let Change::Update { expression } = prepared.change else {
            unreachable!("`prepare_write` prepares an update")
        };
        let builder = shared
            .calls
            .update_item()
            .table_name(&shared.table_name)
            .update_expression(expression)
            .set_condition_expression(prepared.condition)
            .set_expression_attribute_names(prepared.placeholders.take_names())
            .set_expression_attribute_values(prepared.placeholders.take_values())
            .set_return_values(returns.value())
            .set_return_values_on_condition_check_failure(on_failure)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let keys = ItemKeys { now: prepared.key, earlier: prepared.earlier };
        Ok(PreparedUpdate { builder, keys, write_id: prepared.mark.write_id, repeat })
    }

    fn prepare_write(
        &self,
        conditions: Conditions,
        mark: WriteMark,
    ) -> Result<(PreparedWrite, Repeat), WriteError> {
        let (table, entity) = (TableType::SHAPE, Pattern::Entity::SHAPE);
        let ItemKeys { now: key, earlier } = self.tenant.named_keys(&self.pattern)?;
        let conditions = conditions.fenced(&entity, self.tenant.identity());
        let names_state = conditions.names_state();
        let (condition, mut placeholders) = conditions.write(&table, &entity, mark.seconds());
        let mut expression = UpdateExpression::default();
        expression.set(&mut placeholders, WRITE_ID_ATTRIBUTE, mark.write_id.value());
        if let Some(updated) = entity.updated {
            expression.set(&mut placeholders, updated.attribute, stamp_value(updated.form, mark.since_epoch));
        }
        for change in Changes::SHAPE.changes {
            let value = match change.action {
                ChangeAction::Remove => None,
                _ => Some(self.value(change).map_err(|error| error.of_item(self.tenant.shared(), &key))?),
            };
            expression.change(&mut placeholders, change.attribute, change.action, value);
        }
        if let Some(version) = entity.version {
            let one = AttributeValue::N("1".to_owned());
            expression.change(&mut placeholders, version, ChangeAction::Add, Some(one));
        }
        let known = self.tenant.identity().beside(&self.pattern);
        let components = Changed { changes: &self.changes, known: &known };
        expression.index_keys::<TableType, Changes>(&mut placeholders, &components)?;
        // Where one state of the item is asked for by its tag, a second effect is impossible.
        let repeat = if names_state { Repeat::Impossible } else { self.repeat };
        let (entity, change) = (entity.name, Change::Update { expression: expression.text() });
        let of_one = None;
        Ok((PreparedWrite { entity, key, earlier, of_one, change, condition, placeholders, mark }, repeat))
    }

    /// What an attribute is changed by.
    fn value(&self, change: &ChangeShape<'static>) -> Result<AttributeValue, WriteError> {
        let (attribute, entity) = (change.attribute, Pattern::Entity::SHAPE.name);
        let value = given_value(&self.changes, change.given).map_err(|problem| {
            let inside = problem.given.strip_prefix(change.given).unwrap_or_default();
            WriteError::given(entity, GivenProblem { given: format!("{attribute}{inside}"), ..problem })
        })?;
        match empty_in_index(&TableType::SHAPE, attribute, &value) {
            Some(reason) => {
                Err(WriteError::given(entity, GivenProblem { given: attribute.to_owned(), reason }))
            }
            None => Ok(value),
        }
    }

    pub(crate) fn action(self, mark: WriteMark) -> Result<PreparedWrite, WriteError> {
        self.prepare_write(self.conditions.clone()?, mark)?.0.under_one_key()
    }

    /// The write if the item's attributes are what they were when it was read.
    pub(crate) fn action_of_unchanged(
        &self,
        read: &BTreeMap<&'static str, Option<AttributeValue>>,
        mark: WriteMark,
    ) -> Result<PreparedWrite, WriteError> {
        self.prepare_write(self.conditions.clone()?.unchanged(read), mark)?.0.under_one_key()
    }

    pub(super) async fn attempt(
        &self,
        deadline: Deadline,
    ) -> Result<Conditional<Updated<Pattern::Entity>, Pattern::Entity>, WriteError> {
        let Attempted { attempt, .. } = self.make(Returns::New, deadline).await?;
        let (item, write_units) = match attempt {
            Attempt::Done(answer) | Attempt::DoneAgain(answer) => (answer.item, answer.write_units),
            Attempt::Landed(item) => (item, None),
            Attempt::Failed(current) => return self.failed(current),
        };
        // The change may have ended the item's time: it was made nevertheless.
        let entity = Pattern::Entity::SHAPE;
        if let Some(item) = &item {
            let size_bytes = size_bytes(item);
            self.tenant.shared().counters.write(entity.name, |usage| usage.updated(size_bytes as u64));
            remark(entity.name, size_bytes);
        }
        let written = decoder(&self.tenant).of_write().entity(&entity, item.unwrap_or_default());
        match written.map_err(WriteError::Item)?.live() {
            Some(item) => Ok(Conditional::Done(Updated { item, write_units })),
            None => {
                let problem = ItemProblem::AnotherEntity { expected: entity.name };
                Err(WriteError::Item(ItemError::new("", None, problem)))
            }
        }
    }

    /// Changes the item, and gives what was told of it as it was.
    pub(super) async fn change(&self) -> Result<Conditional<(Written, Told), Pattern::Entity>, WriteError> {
        let Attempted { write_id, attempt } =
            self.make(Returns::Old, Deadline::of_call(self.tenant.shared())).await?;
        match attempt.effect() {
            Ok(Effect { write_units, told }) => {
                Ok(Conditional::Done((Written { write_id, write_units }, told)))
            }
            Err(current) => self.failed(current),
        }
    }

    fn failed<Done>(
        &self,
        current: Option<Attributes>,
    ) -> Result<Conditional<Done, Pattern::Entity>, WriteError> {
        let current = decoder(&self.tenant).current(&Pattern::Entity::SHAPE, current)?;
        Ok(Conditional::Failed { current })
    }

    async fn make(&self, returns: Returns, deadline: Deadline) -> Result<Attempted, WriteError> {
        let PreparedUpdate { builder, keys, write_id, repeat } = self.prepare(returns)?;
        let shared = self.tenant.shared();
        let entity = Pattern::Entity::SHAPE.name;
        let under = (&builder, &write_id);
        let make = |key: KeyAttributes| async move {
            let (builder, write_id) = under;
            let (key, leaves) = (&key, Leaves::Item);
            let target = Target { shared, key, write_id, entity, leaves, deadline };
            let send = || builder.clone().set_key(Some(key.clone())).send();
            let attempt = target.attempt(repeat, send).await?;
            Ok(attempt.map(|output| {
                let write_units = output.consumed_capacity.and_then(|units| units.capacity_units);
                target.count(write_units, None);
                Answer { write_units, item: output.attributes }
            }))
        };
        let tried = where_it_lies(shared, entity, deadline, &keys, make);
        let (attempt, _) = tried.instrument(trace::update(shared, entity)).await?;
        Ok(Attempted { write_id, attempt })
    }
}

fn decoder<TableType: Table>(tenant: &Tenant<TableType>) -> Decoder<'_, TableType> {
    Decoder::new(tenant.shared(), tenant.identity())
}

/// What became of an update, and the id that it carried.
struct Attempted {
    write_id: WriteId,
    attempt: Attempt<Answer>,
}

/// An update with everything that it needs.
struct PreparedUpdate {
    /// Without a key.
    builder: UpdateItemFluentBuilder,
    keys: ItemKeys,
    write_id: WriteId,
    repeat: Repeat,
}

impl<Pattern: ReadItems, Changes: declare::Update> Update<Pattern, Changes> {
    pub(crate) fn new(
        tenant: Tenant<Pattern::Table>,
        pattern: Pattern,
        changes: Changes,
    ) -> Update<Pattern, Changes> {
        Update { tenant, pattern, changes, conditions: Ok(Conditions::there()), repeat: Repeat::Harmful }
    }
}

impl<Pattern: ReadItems, Changes> Update<Pattern, Changes> {
    pub(crate) const fn handle(&self) -> &Tenant<Pattern::Table> {
        &self.tenant
    }

    pub(crate) const fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    pub(crate) const fn changes(&self) -> &Changes {
        &self.changes
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// Changes the item that a pattern names, in one request. An item that is not there, or whose time is over, is not made: see
    /// [`Update::or_insert`]. The keys of indexes follow.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&member(1, "ada")).send().await?;
    /// let by_id = MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// acme.update(by_id, ChangeRole { role: "lead".to_owned() }).send().await?;
    ///
    /// // What an index holds of the item has changed with it.
    /// let memberships = acme.query(MembershipsOfUser { user_id: "ada".to_owned() }).page().await?;
    /// let roles: Vec<String> = memberships.items.into_iter().flatten().map(|membership| membership.role.clone()).collect();
    /// assert_eq!(roles, ["lead"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn update<Pattern, Changes>(&self, pattern: Pattern, changes: Changes) -> Update<Pattern, Changes>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
        Changes: PlainUpdate<Table = TableType, Entity = Pattern::Entity>,
    {
        Update::new(self.clone(), pattern, changes)
    }
}

impl<Pattern: ReadItems, Changes> fmt::Debug for Update<Pattern, Changes> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Update").field("pattern", &Pattern::SHAPE.name).finish_non_exhaustive()
    }
}

/// Whether a second effect of these changes adds to the first.
const fn counts(changes: &UpdateShape<'static>) -> bool {
    let mut rest = changes.changes;
    while let [change, later @ ..] = rest {
        if matches!(change.action, ChangeAction::Add | ChangeAction::Subtract | ChangeAction::Append) {
            return true;
        }
        rest = later;
    }
    false
}
