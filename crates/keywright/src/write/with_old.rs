//! Writes that give back what was there before.
//!
//! What was there is asked for in the same request, and costs nothing more. An item whose time was over is nothing; one that is not the
//! tenant's is an error and an event, never data. Where an answer was lost, nobody can tell any more what was there.

use std::fmt;

use aws_sdk_dynamodb::operation::delete_item::DeleteItemInput;
use aws_sdk_dynamodb::operation::put_item::PutItemInput;
use aws_sdk_dynamodb::operation::update_item::UpdateItemInput;
use aws_sdk_dynamodb::types::ReturnValue;
use keywright_key::Components;
use keywright_key::declare::{self, Entity, GivenValues, NamesItem, ReadItems, Table};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::attempt::Told;
use super::delete::{ConditionalDelete, Delete, Deleted};
use super::outcome::Conditional;
use super::put::{ConditionalPut, Foreign, Put, Written};
use super::update::Update;
use crate::error::WriteError;
use crate::item::Decoder;
use crate::retry::Deadline;
use crate::stored::Stored;
use crate::tenant::Tenant;

/// A write that gives back what was there before it: `returning_old()` of a put, an update or a delete, with or without a condition.
///
/// It is one request and the same units. An item that does not decode is [`WriteError::Item`]: the write had effect nevertheless.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let first = acme.put(&team(1, "Analysts")).returning_old().send().await?;
/// assert!(first.old.item().is_none());
///
/// let rename = Rename { name: "Testers".to_owned() };
/// let renamed = acme.update(TeamById { team_id: 1 }, rename).returning_old().send().await?.done().ok_or("it is there")?;
/// assert_eq!(renamed.old.item().map(|team| team.name.as_str()), Some("Analysts"));
///
/// let deleted = acme.delete(TeamById { team_id: 1 }).returning_old().send().await?;
/// assert_eq!(deleted.old.item().map(|team| team.name.as_str()), Some("Testers"));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written before it is sent"]
pub struct ReturningOld<Write>(pub(super) Write);

/// A write that had effect, and what was there before: see [`ReturningOld`].
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{Old, WithOld, Written};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let put: WithOld<Written, Team> = acme.put(&team(1, "Analysts")).returning_old().send().await?;
/// assert_eq!((put.done.write_units, put.old), (Some(1.0), Old::Nothing));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WithOld<Done, Item> {
    /// What the write did.
    pub done: Done,
    /// What was there before.
    pub old: Old<Item>,
}

/// What was there before a write.
///
/// ```
/// # use applications::teams::*;
/// use keywright::Old;
///
/// fn freed(old: &Old<Team>) -> &str {
///     match old {
///         Old::Item(team) => &team.name,
///         Old::Nothing => "nothing",
///         Old::Lost => "nobody knows what",
///     }
/// }
/// assert_eq!(freed(&Old::Nothing), "nothing");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Old<Item> {
    /// Nothing, or an item whose time was over.
    Nothing,
    /// This item.
    Item(Stored<Item>),
    /// The answer that would have said it was lost. The write had effect.
    Lost,
}

impl<Item> Old<Item> {
    /// The item, if there was one and the answer said so.
    pub const fn item(&self) -> Option<&Stored<Item>> {
        match self {
            Old::Item(item) => Some(item),
            Old::Nothing | Old::Lost => None,
        }
    }
}

/// What of an item an answer is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returns {
    /// Nothing.
    Nothing,
    /// The item before the write.
    Old,
    /// The item after the write.
    New,
}

impl Returns {
    /// As a request says it.
    pub(super) const fn value(self) -> Option<ReturnValue> {
        match self {
            Returns::Nothing => None,
            Returns::Old => Some(ReturnValue::AllOld),
            Returns::New => Some(ReturnValue::AllNew),
        }
    }
}

impl<TableType, EntityType> ReturningOld<Put<'_, TableType, EntityType>>
where
    TableType: Table,
    EntityType: Entity<TableType> + Components + Serialize + DeserializeOwned,
{
    /// The request that would be sent, for a look at it. The id of the write in it is another one each time.
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<PutItemInput, WriteError> {
        self.0.request_returning(Returns::Old)
    }

    /// Stores the entity.
    ///
    /// # Errors
    /// As for [`Put::send`], and [`WriteError::Item`] when it was stored and what was there before does not decode.
    pub async fn send(self) -> Result<WithOld<Written, EntityType>, WriteError> {
        let (done, told) = self.0.store(Returns::Old).await?;
        Ok(WithOld { done, old: old(&self.0.tenant, told)? })
    }
}

impl<TableType, EntityType> ReturningOld<ConditionalPut<'_, TableType, EntityType>>
where
    TableType: Table,
    EntityType: Entity<TableType> + Components + Serialize + DeserializeOwned,
{
    /// The request that would be sent, for a look at it. The id of the write in it is another one each time.
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<PutItemInput, WriteError> {
        self.0.request_returning(Returns::Old)
    }

    /// Stores the entity if the condition holds.
    ///
    /// # Errors
    /// As for [`ConditionalPut::send`], and [`WriteError::Item`] when it was stored and what was there before does not decode.
    pub async fn send(self) -> Result<Conditional<WithOld<Written, EntityType>, EntityType>, WriteError> {
        let tenant = self.0.put.tenant.clone();
        let outcome =
            self.0.store(Foreign::IsHidden, Returns::Old, Deadline::of_call(tenant.shared())).await?;
        outcome.try_map(|(done, told)| Ok(WithOld { done, old: old(&tenant, told)? }))
    }
}

impl<TableType, Pattern> ReturningOld<Delete<Pattern>>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    Pattern::Entity: DeserializeOwned,
{
    /// The request that would be sent, for a look at it.
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<DeleteItemInput, WriteError> {
        self.0.request_returning(Returns::Old)
    }

    /// Deletes the item. That there is none is no error.
    ///
    /// # Errors
    /// As for [`Delete::send`], and [`WriteError::Item`] when the item was deleted and does not decode.
    pub async fn send(self) -> Result<WithOld<Deleted, Pattern::Entity>, WriteError> {
        let (done, told) = self.0.remove(Returns::Old).await?;
        Ok(WithOld { done, old: old(&self.0.tenant, told)? })
    }
}

impl<TableType, Pattern> ReturningOld<ConditionalDelete<Pattern>>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    Pattern::Entity: DeserializeOwned,
{
    /// The request that would be sent, for a look at it.
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<DeleteItemInput, WriteError> {
        self.0.request_returning(Returns::Old)
    }

    /// Deletes the item if the condition holds.
    ///
    /// # Errors
    /// As for [`ConditionalDelete::send`], and [`WriteError::Item`] when the item was deleted and does not decode.
    pub async fn send(
        self,
    ) -> Result<Conditional<WithOld<Deleted, Pattern::Entity>, Pattern::Entity>, WriteError> {
        let tenant = self.0.delete.tenant.clone();
        let outcome = self.0.remove(Returns::Old).await?;
        outcome.try_map(|(done, told)| Ok(WithOld { done, old: old(&tenant, told)? }))
    }
}

impl<TableType, Pattern, Changes> ReturningOld<Update<Pattern, Changes>>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    Pattern::Entity: DeserializeOwned,
    Changes: declare::Update<Table = TableType, Entity = Pattern::Entity> + GivenValues + Components,
{
    /// The request that would be sent, for a look at it. The id of the write in it is another one each time.
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<UpdateItemInput, WriteError> {
        self.0.request_returning(Returns::Old)
    }

    /// Changes the item, and gives it as it was before. DynamoDB gives the item before or after a change, never both.
    ///
    /// # Errors
    /// As for [`Update::send`]; [`WriteError::Item`] when the item was changed and does not decode as it was.
    pub async fn send(
        self,
    ) -> Result<Conditional<WithOld<Written, Pattern::Entity>, Pattern::Entity>, WriteError> {
        let outcome = self.0.change().await?;
        // It was there, and its time was not over, or the condition would not have held.
        outcome.try_map(|(done, told)| {
            let decoder = Decoder::<TableType>::new(self.0.handle().shared(), self.0.handle().identity());
            let old = match told {
                Told::Item(item) => decoder.of_write().old(&Pattern::Entity::SHAPE, item)?,
                Told::Lost => Old::Lost,
            };
            Ok(WithOld { done, old })
        })
    }
}

/// What an answer told of the item before the write.
fn old<TableType, EntityType>(tenant: &Tenant<TableType>, told: Told) -> Result<Old<EntityType>, WriteError>
where
    TableType: Table,
    EntityType: Entity<TableType> + DeserializeOwned,
{
    let decoder = Decoder::<TableType>::new(tenant.shared(), tenant.identity());
    match told {
        Told::Item(item) => decoder.old(&EntityType::SHAPE, item),
        Told::Lost => Ok(Old::Lost),
    }
}

impl<Write> fmt::Debug for ReturningOld<Write> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ReturningOld(..)")
    }
}
