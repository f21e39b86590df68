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
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::Old;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let first = acme.put(&team(1, "Analysts")).returning_old().send().await?.old;
    /// assert!(first.item().is_none());
    /// let second = acme.put(&team(1, "Testers")).returning_old().send().await?.old;
    /// assert_eq!(second.item().map(|team| team.name.as_str()), Some("Analysts"));
    /// assert!(Old::<Team>::Lost.item().is_none()); // which is not to say that there was none
    /// # Ok(())
    /// # }
    /// ```
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
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use aws_sdk_dynamodb::types::ReturnValue;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let analysts = team(1, "Analysts");
    /// let put = acme.put(&analysts);
    /// assert_eq!(put.request()?.return_values(), None);
    /// assert_eq!(put.returning_old().request()?.return_values(), Some(&ReturnValue::AllOld));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<PutItemInput, WriteError> {
        self.0.request_returning(Returns::Old)
    }

    /// Stores the entity.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&invitation("ada@example.org", 1)).send().await?; // its time was over in 1970
    /// let put = acme.put(&invitation("ada@example.org", 4_102_444_800)).returning_old().send().await?;
    /// assert_eq!(put.old, keywright::Old::Nothing); // though it was still stored
    /// assert!(put.done.write_units.is_some());
    /// # Ok(())
    /// # }
    /// ```
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
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use aws_sdk_dynamodb::types::{ReturnValue, ReturnValuesOnConditionCheckFailure};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let request = acme.put(&team(1, "Analysts")).if_version(1).returning_old().request()?;
    /// // The item comes back either way.
    /// assert_eq!(request.return_values(), Some(&ReturnValue::AllOld));
    /// let on_failure = request.return_values_on_condition_check_failure();
    /// assert_eq!(on_failure, Some(&ReturnValuesOnConditionCheckFailure::AllOld));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<PutItemInput, WriteError> {
        self.0.request_returning(Returns::Old)
    }

    /// Stores the entity if the condition holds.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{Conditional, Old};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let first = acme.put(&team(1, "Analysts")).if_absent().returning_old().send().await?;
    /// assert!(matches!(first, Conditional::Done(put) if put.old == Old::Nothing));
    /// match acme.put(&team(1, "Testers")).if_absent().returning_old().send().await? {
    ///     Conditional::Done(put) => println!("in place of {:?}", put.old), // of one whose time was over, perhaps
    ///     Conditional::Failed { current } => assert_eq!(current.map(|team| team.name.clone()), Some("Analysts".to_owned())),
    /// }
    /// # Ok(())
    /// # }
    /// ```
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
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use aws_sdk_dynamodb::types::ReturnValue;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let request = acme.delete(TeamById { team_id: 1 }).returning_old().request()?;
    /// assert_eq!(request.return_values(), Some(&ReturnValue::AllOld));
    /// assert_eq!(request.key().map(|key| key.len()), Some(2)); // the whole key
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<DeleteItemInput, WriteError> {
        self.0.request_returning(Returns::Old)
    }

    /// Deletes the item. That there is none is no error.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::Old;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { points: 12, ..member(1, "ada") }).send().await?;
    /// let leave = || acme.delete(MemberById { team_id: 1, user_id: "ada".to_owned() }).returning_old();
    /// match leave().send().await?.old {
    ///     Old::Item(ada) => assert_eq!(ada.points, 12), // to be paid out
    ///     Old::Nothing => println!("she left before"),
    ///     Old::Lost => println!("she left, and nobody knows with how many"),
    /// }
    /// assert_eq!(leave().send().await?.old, Old::Nothing);
    /// # Ok(())
    /// # }
    /// ```
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
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use aws_sdk_dynamodb::types::ReturnValue;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let ada = MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// let request = acme.delete(ada).when(&HasPoints { least: 10 }).returning_old().request()?;
    /// assert_eq!(request.return_values(), Some(&ReturnValue::AllOld));
    /// assert_eq!(request.condition_expression(), Some("(attribute_exists(#c_key)) AND (#c0_0 >= :c0_0)"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<DeleteItemInput, WriteError> {
        self.0.request_returning(Returns::Old)
    }

    /// Deletes the item if the condition holds.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::Conditional;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?; // version 1
    /// let delete = |version| acme.delete(TeamById { team_id: 1 }).if_version(version).returning_old().send();
    /// let stale = delete(7).await?;
    /// assert!(matches!(stale, Conditional::Failed { current: Some(team) } if team.version == 1));
    /// let deleted = delete(1).await?.done().ok_or("it is version 1")?;
    /// assert_eq!(deleted.old.item().map(|team| team.name.as_str()), Some("Analysts"));
    /// # Ok(())
    /// # }
    /// ```
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
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use aws_sdk_dynamodb::types::ReturnValue;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let rename = acme.update(TeamById { team_id: 1 }, Rename { name: "Testers".to_owned() });
    /// assert_eq!(rename.request()?.return_values(), Some(&ReturnValue::AllNew)); // by itself, as it is afterwards
    /// assert_eq!(rename.returning_old().request()?.return_values(), Some(&ReturnValue::AllOld));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<UpdateItemInput, WriteError> {
        self.0.request_returning(Returns::Old)
    }

    /// Changes the item, and gives it as it was before. DynamoDB gives the item before or after a change, never both.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { points: 8, ..member(1, "ada") }).send().await?;
    /// let ada = MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// let spent = acme.update(ada.clone(), Spend { points: 3 }).returning_old().send().await?;
    /// let spent = spent.done().ok_or("she is a member")?;
    /// assert_eq!(spent.old.item().map(|before| before.points), Some(8));
    /// let now = acme.get(ada).await?.ok_or("she is a member")?;
    /// assert_eq!((now.points, now.etag()), (5, Some(spent.done.etag()))); // the tag is that of what is there now
    /// # Ok(())
    /// # }
    /// ```
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
