//! An update of what reservations hold.

use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::{
    self, Condition, Entity, GivenValues, NamesItem, ReadItems, Reserving, Table, UniqueUpdate,
};
use keywright_key::{ChangeAction, Components};
use serde::de::DeserializeOwned;

use super::outcome::UniqueWrite;
use super::plan::{After, Plan};
use crate::error::WriteError;
use crate::etag::ETagMatch;
use crate::expression::given_value;
use crate::item::Attributes;
use crate::tenant::Tenant;
use crate::transaction::{ActionKind, TransactionError};
use crate::write::{Update, Written, only_key};

/// A change of an item and of its reservations that is about to be made: [`Tenant::update_unique`], perhaps conditions, all of which must
/// hold, then `send`.
///
/// The item is read first, since the reservations that it has are given back. If it changes in between the write is planned anew.
///
/// ```
/// # use applications::directory::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::UniqueWrite;
/// # let acme = acme().await?;
/// acme.insert_unique(&user("ada", "ada@example.org")).send().await?;
/// acme.insert_unique(&user("bob", "bob@example.org")).send().await?;
/// let of_ada = ChangeEmail { email: "ada@example.org".to_owned() };
/// let bob = UserById { user_id: "bob".to_owned() };
/// match acme.update_unique(bob, of_ada).send().await? {
///     UniqueWrite::Done(written) => println!("changed, tag {}", written.etag()),
///     UniqueWrite::Taken { reservations } => assert_eq!(reservations, ["UserEmail"]),
///     UniqueWrite::Failed { current } => println!("there is no bob: {current:?}"),
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is changed before it is sent"]
pub struct UpdateUnique<Pattern: ReadItems, Changes> {
    update: Update<Pattern, Changes>,
}

impl<TableType, Pattern, Changes> UpdateUnique<Pattern, Changes>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    Pattern::Entity: Reserving<TableType> + DeserializeOwned,
    Changes: declare::Update<Table = TableType, Entity = Pattern::Entity> + GivenValues + Components,
{
    /// Only if the item is in the state that was read: nothing was written in between. Of several states, or any, where that is what a client's
    /// `If-Match` says: see [`ETagMatch`].
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// let written = acme.insert_unique(&user("ada", "ada@example.org")).send().await?.done().ok_or("she is the first")?;
    /// let ada = || UserById { user_id: "ada".to_owned() };
    /// acme.update(ada(), ChangeName { name: "Ada".to_owned() }).send().await?;
    /// let change = ChangeEmail { email: "ada@example.com".to_owned() };
    /// assert!(!acme.update_unique(ada(), change).if_match(&written.etag()).send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_match(self, states: impl Into<ETagMatch>) -> UpdateUnique<Pattern, Changes> {
        UpdateUnique { update: self.update.if_match(states) }
    }

    /// Only if the item has this version.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// acme.insert_unique(&user("ada", "ada@example.org")).send().await?; // version 1
    /// let change = |email: &str| {
    ///     let (ada, email) = (UserById { user_id: "ada".to_owned() }, email.to_owned());
    ///     acme.update_unique(ada, ChangeEmail { email }).if_version(1).send()
    /// };
    /// assert!(change("ada@example.com").await?.is_done());
    /// assert!(!change("ada@example.net").await?.is_done()); // version 2 by now
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_version(self, version: u64) -> UpdateUnique<Pattern, Changes> {
        UpdateUnique { update: self.update.if_version(version) }
    }

    /// Only if this holds for the item.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// acme.insert_unique(&user("ada", "ada@example.org")).send().await?;
    /// let ada = || UserById { user_id: "ada".to_owned() };
    /// let change = ChangeEmail { email: "ada@example.com".to_owned() };
    /// // The link that she opens was sent to the address that she had then.
    /// let sent_to = HasEmail { email: "ada@example.org".to_owned() };
    /// assert!(acme.update_unique(ada(), change.clone()).when(&sent_to).send().await?.is_done());
    /// assert!(!acme.update_unique(ada(), change).when(&sent_to).send().await?.is_done()); // opened once more
    /// # Ok(())
    /// # }
    /// ```
    pub fn when<Asked>(self, asked: &Asked) -> UpdateUnique<Pattern, Changes>
    where
        Asked: Condition<Table = TableType, Entity = Pattern::Entity> + GivenValues,
    {
        UpdateUnique { update: self.update.when(asked) }
    }

    /// Changes the item, takes the reservations that it has afterwards, and gives back those that it had. The item must be there.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// let ada = || UserById { user_id: "ada".to_owned() };
    /// let change = ChangeEmail { email: "ada@example.com".to_owned() };
    /// assert!(!acme.update_unique(ada(), change.clone()).send().await?.is_done()); // there is no ada, and none is made
    ///
    /// acme.insert_unique(&user("ada", "ada@example.org")).send().await?;
    /// let written = acme.update_unique(ada(), change).send().await?.done().ok_or("the address is free")?;
    /// assert_eq!(written.write_units, Some(6.0)); // three items, and twice the units
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TransactionError`] when nothing was changed, or when that is not known. That a reservation is taken is no error.
    pub async fn send(self) -> Result<UniqueWrite<Written, Pattern::Entity>, TransactionError> {
        let update = self.update;
        let tenant = update.handle().clone();
        let name = Pattern::Entity::SHAPE.name;
        let unsendable = |error| TransactionError::of_action(0, ActionKind::Update, name, error);
        let keys = tenant.named_keys(update.pattern()).map_err(|error| unsendable(error.into()))?;
        let key = only_key(keys, name).map_err(unsendable)?;
        let plan = Plan::<TableType, Pattern::Entity>::new(&tenant, key, ActionKind::Update);
        let outcome = plan.carry_out(
            |before| match before.attributes.clone() {
                None => Ok(None),
                Some(attributes) => {
                    changed(attributes, update.changes()).map(|after| Some(After::Changed(after)))
                }
            },
            |before, mark| update.action_of_unchanged(before.made_of(), mark),
        );
        Ok(outcome.await?.map_done(|committed| committed.written_at(0)))
    }
}

/// The attributes after what is set and removed. What is added to and the like is no reservation's, which the compiler holds.
fn changed<Changes>(mut attributes: Attributes, changes: &Changes) -> Result<Attributes, WriteError>
where
    Changes: declare::Update + GivenValues,
{
    for change in Changes::SHAPE.changes {
        let value = match change.action {
            ChangeAction::Set => Some(
                given_value(changes, change.given)
                    .map_err(|problem| WriteError::given(Changes::Entity::SHAPE.name, problem))?,
            ),
            ChangeAction::Remove => None,
            _ => continue,
        };
        match value {
            Some(AttributeValue::Null(_)) | None => attributes.remove(change.attribute),
            Some(value) => attributes.insert(change.attribute.to_owned(), value),
        };
    }
    Ok(attributes)
}

impl<TableType: Table> Tenant<TableType> {
    /// Changes the item that a pattern names, and its reservations with it, if no other item has what is to be unique. One read and one
    /// transaction. What leaves reservations as they are is sent by [`Tenant::update`].
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// acme.insert_unique(&user("ada", "ada@example.org")).send().await?;
    /// let ada = UserById { user_id: "ada".to_owned() };
    /// assert!(acme.update_unique(ada, ChangeEmail { email: "ada@example.com".to_owned() }).send().await?.is_done());
    ///
    /// let holder = acme.get(UserByEmail { email: "ada@example.com".to_owned() }).await?.ok_or("she has it")?;
    /// assert_eq!(holder.user_id, "ada");
    /// assert!(acme.get(UserByEmail { email: "ada@example.org".to_owned() }).await?.is_none()); // and no more the old one
    /// # Ok(())
    /// # }
    /// ```
    pub fn update_unique<Pattern, Changes>(
        &self,
        pattern: Pattern,
        changes: Changes,
    ) -> UpdateUnique<Pattern, Changes>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
        Pattern::Entity: Reserving<TableType>,
        Changes: UniqueUpdate<Table = TableType, Entity = Pattern::Entity>,
    {
        UpdateUnique { update: Update::new(self.clone(), pattern, changes) }
    }
}

impl<Pattern: ReadItems, Changes> fmt::Debug for UpdateUnique<Pattern, Changes> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.update.fmt(formatter)
    }
}
