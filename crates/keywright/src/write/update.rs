//! UpdateItem: changes the item that a pattern names, and everything that follows from the change.
//!
//! The keys of indexes that hold a changed attribute are rendered anew in the same call; that they can be is a rule of the
//! compiler's. The item must be there: an update never makes half an item.

use std::fmt;

use aws_sdk_dynamodb::operation::update_item::UpdateItemInput;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeValue, ReturnConsumedCapacity, ReturnValue, ReturnValuesOnConditionCheckFailure,
};
use keywright_key::declare::{self, Condition, Entity, GivenValues, NamesItem, ReadItems, Table};
use keywright_key::{ChangeAction, Components, Filling, UpdateShape};
use serde::de::DeserializeOwned;
use tracing::Instrument;

use super::attempt::{Attempt, Leaves, Repeat, Target};
use super::condition::Conditions;
use super::outcome::Conditional;
use super::write_id::WriteId;
use crate::error::{ItemError, ItemProblem, WriteError};
use crate::expression::{Placeholders, given_value};
use crate::item::{
    Attributes, Decoder, KeyAttributes, WRITE_ID_ATTRIBUTE, index_attribute_names, index_key_attributes,
    stamp_value, touched_indexes,
};
use crate::raw::RawExpression;
use crate::stored::{ETag, Stored};
use crate::tenant::Tenant;
use crate::trace;

/// A change of one item that is about to be made: [`Tenant::update`], perhaps conditions, all of which must hold, then `send`.
///
/// ```
/// # mod application { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data-layer/application.rs")); }
/// # use application::*;
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
    /// Only if the item is in the state that was read: nothing was written in between.
    pub fn if_match(mut self, etag: &ETag) -> Update<Pattern, Changes> {
        self.conditions = self.conditions.map(|conditions| conditions.in_state(etag));
        self
    }

    /// Only if the item has this version.
    pub fn if_version(mut self, version: u64) -> Update<Pattern, Changes> {
        let entity = Pattern::Entity::SHAPE;
        self.conditions = self.conditions.and_then(|conditions| conditions.has_version(&entity, version));
        self
    }

    /// Only if this holds for the item.
    pub fn when<Asked>(mut self, asked: &Asked) -> Update<Pattern, Changes>
    where
        Asked: Condition<Table = TableType, Entity = Pattern::Entity> + GivenValues,
    {
        self.conditions = self.conditions.and_then(|conditions| {
            conditions
                .holds(asked)
                .map_err(|problem| WriteError::given(Pattern::Entity::SHAPE.name, &problem))
        });
        self
    }

    /// Only if this expression of the caller's own holds for the item.
    pub fn when_raw(mut self, expression: RawExpression) -> Update<Pattern, Changes> {
        self.conditions = self.conditions.map(|conditions| conditions.holds_raw(expression));
        self
    }

    /// The update may have effect twice: one whose answer was lost is made again unasked, though what somebody else changed in between
    /// is changed back then. For attributes that only this program writes. An update that adds, subtracts or appends, or that counts a
    /// version, does not compile here. (`cargo build` says so, and `cargo check` does not.)
    ///
    /// ```compile_fail,E0080
    /// # mod application { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data-layer/application.rs")); }
    /// # use application::*;
    /// async fn award(acme: keywright::Tenant<App>) {
    ///     let ada = MemberById { team_id: 1, user_id: "ada".to_owned() };
    ///     let _ = acme.update(ada, Award { points: 3 }).may_repeat().send().await;
    /// }
    /// # fn main() { drop(award); }
    /// ```
    pub fn may_repeat(mut self) -> Update<Pattern, Changes> {
        const {
            assert!(
                !counts(&Changes::SHAPE) && Pattern::Entity::SHAPE.version.is_none(),
                "this update adds to what is there, or counts a version: made twice it would count twice. Ask for a tag or a \
                 version instead, by `if_match(..)` or `if_version(..)`: then it is made again safely"
            );
        }
        self.repeat = Repeat::Harmless;
        self
    }

    /// Changes the item. It must be there, and what was asked for must hold: that it does not is no error.
    ///
    /// # Errors
    /// [`WriteError`] when nothing was changed, or when that is not known.
    pub async fn send(self) -> Result<Conditional<Updated<Pattern::Entity>, Pattern::Entity>, WriteError> {
        self.attempt().await
    }

    /// The request that would be sent, for a look at it. The id of the write in it is another one each time.
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<UpdateItemInput, WriteError> {
        match self.prepare()?.builder.as_input().clone().build() {
            Ok(input) => Ok(input),
            Err(_) => unreachable!("`prepare` gives what UpdateItem needs"),
        }
    }

    fn prepare(&self) -> Result<PreparedUpdate, WriteError> {
        let (table, entity) = (TableType::SHAPE, Pattern::Entity::SHAPE);
        let shared = self.tenant.shared();
        let key = self.tenant.named_key(&self.pattern)?;
        let write_id = WriteId::new();
        let conditions = self.conditions.clone()?.fenced(&entity, self.tenant.identity());
        let names_state = conditions.names_state();
        let (condition, mut placeholders) = conditions.write(&table, &entity, shared.clock.seconds());
        let mut expression = UpdateExpression::default();
        expression.set(&mut placeholders, WRITE_ID_ATTRIBUTE, AttributeValue::S(write_id.to_string()));
        if let Some(updated) = entity.updated {
            let now = stamp_value(updated.form, shared.clock.since_epoch());
            expression.set(&mut placeholders, updated.attribute, now);
        }
        for change in Changes::SHAPE.changes {
            let value = match change.action {
                ChangeAction::Remove => None,
                _ => Some(
                    given_value(&self.changes, change.given)
                        .map_err(|problem| WriteError::given(entity.name, &problem))?,
                ),
            };
            expression.change(&mut placeholders, change.attribute, change.action, value);
        }
        if let Some(version) = entity.version {
            expression.change(
                &mut placeholders,
                version,
                ChangeAction::Add,
                Some(AttributeValue::N("1".to_owned())),
            );
        }
        let known = self.tenant.identity().beside(&self.pattern);
        let components = Changed { changes: &self.changes, known: &known };
        expression.index_keys::<TableType, Changes>(&mut placeholders, &components)?;
        // Where one state of the item is asked for, a second effect is impossible.
        let repeat = if names_state { Repeat::Harmless } else { self.repeat };
        let builder = shared
            .calls
            .update_item()
            .table_name(&shared.table_name)
            .set_key(Some(key.clone()))
            .update_expression(expression.text())
            .set_condition_expression(condition)
            .set_expression_attribute_names(placeholders.take_names())
            .set_expression_attribute_values(placeholders.take_values())
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        Ok(PreparedUpdate { builder, key, write_id, repeat })
    }

    pub(super) async fn attempt(
        &self,
    ) -> Result<Conditional<Updated<Pattern::Entity>, Pattern::Entity>, WriteError> {
        let prepared = self.prepare()?;
        let span = trace::update(self.tenant.shared(), Pattern::Entity::SHAPE.name);
        self.make(prepared).instrument(span).await
    }

    async fn make(
        &self,
        prepared: PreparedUpdate,
    ) -> Result<Conditional<Updated<Pattern::Entity>, Pattern::Entity>, WriteError> {
        let entity = Pattern::Entity::SHAPE;
        let shared = self.tenant.shared();
        let PreparedUpdate { builder, key, write_id, repeat } = prepared;
        let target =
            Target { shared, key: &key, write_id: &write_id, entity: entity.name, leaves: Leaves::Item };
        let decoder = Decoder::<TableType>::new(shared, self.tenant.identity());
        let (attributes, write_units) = match target.attempt(repeat, || builder.clone().send()).await? {
            Attempt::Done(output) => {
                let units = output.consumed_capacity.and_then(|units| units.capacity_units);
                target.count(units, None);
                (output.attributes, units)
            }
            Attempt::Landed(attributes) => (attributes, None),
            Attempt::Failed(current) => {
                let current = decoder.current(&entity, current)?;
                return Ok(Conditional::Failed { current });
            }
        };
        // The change may have ended the item's time: it was made nevertheless.
        let written = decoder.of_write().entity(&entity, attributes.unwrap_or_default());
        match written.map_err(WriteError::Item)?.live() {
            Some(item) => Ok(Conditional::Done(Updated { item, write_units })),
            None => {
                let problem = ItemProblem::AnotherEntity { expected: entity.name };
                Err(WriteError::Item(ItemError::new("", None, problem)))
            }
        }
    }
}

/// An update with everything that it needs.
struct PreparedUpdate {
    builder: UpdateItemFluentBuilder,
    key: KeyAttributes,
    write_id: WriteId,
    repeat: Repeat,
}

impl<Pattern: ReadItems, Changes> Update<Pattern, Changes> {
    pub(super) const fn tenant(&self) -> &Tenant<Pattern::Table> {
        &self.tenant
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// Changes the item that a pattern names, in one request. An item that is not there, or whose time is over, is not made: see
    /// [`Update::or_insert`]. The keys of indexes follow.
    pub fn update<Pattern, Changes>(&self, pattern: Pattern, changes: Changes) -> Update<Pattern, Changes>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
        Changes: declare::Update<Table = TableType, Entity = Pattern::Entity>,
    {
        Update {
            tenant: self.clone(),
            pattern,
            changes,
            conditions: Ok(Conditions::there()),
            repeat: Repeat::Harmful,
        }
    }
}

impl<Pattern: ReadItems, Changes> fmt::Debug for Update<Pattern, Changes> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Update").field("pattern", &Pattern::SHAPE.name).finish_non_exhaustive()
    }
}

/// What fills the keys of indexes after a change: what was changed, and beside it what names the item.
struct Changed<'a, Changes, Known> {
    changes: &'a Changes,
    known: &'a Known,
}

impl<Changes: Components, Known: Components> Components for Changed<'_, Changes, Known> {
    fn filling(&self, field: &str) -> Filling<'_> {
        match self.changes.filling(field) {
            Filling::Unknown => self.known.filling(field),
            filling => filling,
        }
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

/// The clauses of an update expression, while they are put together.
#[derive(Debug, Default)]
struct UpdateExpression {
    set: Vec<String>,
    add: Vec<String>,
    delete: Vec<String>,
    remove: Vec<String>,
    placeholders: usize,
}

impl UpdateExpression {
    fn set(&mut self, placeholders: &mut Placeholders, attribute: &str, value: AttributeValue) {
        self.change(placeholders, attribute, ChangeAction::Set, Some(value));
    }

    /// Adds one change. A value that is not there removes the attribute.
    fn change(
        &mut self,
        placeholders: &mut Placeholders,
        attribute: &str,
        action: ChangeAction,
        value: Option<AttributeValue>,
    ) {
        let place = format!("u{}", self.placeholders);
        self.placeholders += 1;
        let name = placeholders.name(&place, attribute);
        let value = match value {
            Some(AttributeValue::Null(_)) | None => {
                // Nothing is added, subtracted, appended or taken out.
                if matches!(action, ChangeAction::Set | ChangeAction::Remove) {
                    self.remove.push(name);
                }
                return;
            }
            Some(value) => placeholders.value(&place, value),
        };
        match action {
            ChangeAction::Set => self.set.push(format!("{name} = {value}")),
            ChangeAction::SetIfAbsent => self.set.push(format!("{name} = if_not_exists({name}, {value})")),
            ChangeAction::Subtract => self.set.push(format!("{name} = {name} - {value}")),
            ChangeAction::Append => {
                let empty = placeholders.value(&format!("{place}e"), AttributeValue::L(Vec::new()));
                self.set.push(format!("{name} = list_append(if_not_exists({name}, {empty}), {value})"));
            }
            ChangeAction::Add => self.add.push(format!("{name} {value}")),
            ChangeAction::DeleteFrom => self.delete.push(format!("{name} {value}")),
            ChangeAction::Remove => self.remove.push(name),
        }
    }

    /// Renders anew the keys of the indexes whose templates name a changed attribute; one that lost a component goes.
    fn index_keys<TableType: Table, Changes: declare::Update<Table = TableType>>(
        &mut self,
        placeholders: &mut Placeholders,
        components: &impl Components,
    ) -> Result<(), WriteError> {
        let (table, entity) = (TableType::SHAPE, Changes::Entity::SHAPE);
        let is_changed = |field: &str| Changes::SHAPE.changes.iter().any(|change| change.attribute == field);
        let mut rendered = Attributes::new();
        let touched = touched_indexes(&table, &entity, is_changed);
        index_key_attributes(&table, &entity, components, &touched, &mut rendered)?;
        // A key attribute that is the entity's own value is set with the change itself.
        let names = index_attribute_names(&table, &touched).into_iter().filter(|name| !is_changed(name));
        for attribute in names {
            let value = rendered.remove(attribute);
            let action = if value.is_some() { ChangeAction::Set } else { ChangeAction::Remove };
            self.change(placeholders, attribute, action, value);
        }
        Ok(())
    }

    fn text(&self) -> String {
        let clauses =
            [("SET", &self.set), ("ADD", &self.add), ("DELETE", &self.delete), ("REMOVE", &self.remove)];
        let written: Vec<String> = clauses
            .into_iter()
            .filter(|(_, parts)| !parts.is_empty())
            .map(|(word, parts)| format!("{word} {}", parts.join(", ")))
            .collect();
        written.join(" ")
    }
}
