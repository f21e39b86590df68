//! A delete of an item, which gives its reservations back.

use std::fmt;

use keywright_key::Components;
use keywright_key::declare::{Condition, Entity, GivenValues, NamesItem, ReadItems, Reserving, Table};
use serde::de::DeserializeOwned;

use super::outcome::UniqueWrite;
use super::plan::{After, Plan};
use crate::error::WriteError;
use crate::etag::ETagMatch;
use crate::tenant::Tenant;
use crate::transaction::{ActionKind, TransactionError};
use crate::write::{Conditional, Conditions, Delete, Deleted, NO_VERSION, only_key};

/// An item with reservations that is about to be deleted: [`Tenant::delete_unique`], perhaps a condition, then `send`.
///
/// The item is read first, since the reservations that it has are given back. If it changes in between the write is planned anew.
///
/// ```
/// # use applications::directory::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let acme = acme().await?;
/// acme.insert_unique(&user("ada", "ada@example.org")).send().await?;
/// let eve = user("eve", "ada@example.org");
/// assert!(!acme.insert_unique(&eve).send().await?.is_done());
///
/// acme.delete_unique(UserById { user_id: "ada".to_owned() }).send().await?;
/// assert!(acme.insert_unique(&eve).send().await?.is_done()); // the address is nobody's by now
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is deleted before it is sent"]
pub struct DeleteUnique<Pattern: ReadItems> {
    delete: Delete<Pattern>,
    /// What is asked of the item; nothing if it need not be there.
    conditions: Result<Option<Conditions>, WriteError>,
}

impl<TableType, Pattern> DeleteUnique<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    Pattern::Entity: Reserving<TableType> + DeserializeOwned,
{
    /// Only if the item is there.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// acme.insert_unique(&user("ada", "ada@example.org")).send().await?;
    /// let delete = || acme.delete_unique(UserById { user_id: "ada".to_owned() }).if_present();
    /// assert!(delete().send().await?.is_done());
    /// assert!(!delete().send().await?.is_done()); // an outcome now: without this, that there is nothing is done
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_present(self) -> DeleteUnique<Pattern> {
        self.asking(Ok)
    }

    /// Only if the item is in the state that was read: nothing was written in between. Of several states, or any, where that is what a client's
    /// `If-Match` says: see [`ETagMatch`].
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// acme.insert_unique(&user("ada", "ada@example.org")).send().await?;
    /// let ada = || UserById { user_id: "ada".to_owned() };
    /// let read = acme.get(ada()).await?.and_then(|ada| ada.etag()).ok_or("she was just stored")?;
    /// acme.update(ada(), ChangeName { name: "Ada".to_owned() }).send().await?;
    ///
    /// assert!(!acme.delete_unique(ada()).if_match(&read).send().await?.is_done());
    /// assert!(acme.get(UserByEmail { email: "ada@example.org".to_owned() }).await?.is_some()); // and she keeps her address
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_match(self, states: impl Into<ETagMatch>) -> DeleteUnique<Pattern> {
        self.asking(|conditions| conditions.in_state(&Pattern::Entity::SHAPE, &states.into()))
    }

    /// Only if the item has this version.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::Conditional;
    /// # let acme = acme().await?;
    /// acme.insert_unique(&user("ada", "ada@example.org")).send().await?; // version 1
    /// let ada = || UserById { user_id: "ada".to_owned() };
    /// match acme.delete_unique(ada()).if_version(7).send().await? {
    ///     Conditional::Failed { current: Some(ada) } => assert_eq!(ada.version, 1),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// assert!(acme.delete_unique(ada()).if_version(1).send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Of an entity without one it does not compile. (`cargo build` says so, and `cargo check` does not.)
    ///
    /// ```compile_fail,E0080
    /// # use applications::directory::*;
    /// fn write(acme: &keywright::Tenant<App>, project: ProjectById) {
    ///     let _ = acme.delete_unique(project).if_version(7);
    /// }
    /// # fn main() { let _: fn(&keywright::Tenant<App>, ProjectById) = write; }
    /// ```
    pub fn if_version(self, version: u64) -> DeleteUnique<Pattern> {
        const {
            assert!(Pattern::Entity::SHAPE.version.is_some(), "{}", NO_VERSION);
        }
        self.asking(|conditions| Ok(conditions.has_version(&Pattern::Entity::SHAPE, version)))
    }

    /// Only if the item is there and this holds for it.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// acme.insert_unique(&user("ada", "ada@example.org")).send().await?;
    /// let ada = || UserById { user_id: "ada".to_owned() };
    /// // Accounts of an address that bounced go, and not of the one that was given since.
    /// let bounced = HasEmail { email: "ada@example.com".to_owned() };
    /// assert!(!acme.delete_unique(ada()).when(&bounced).send().await?.is_done());
    /// assert!(acme.get(ada()).await?.is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn when<Asked>(self, asked: &Asked) -> DeleteUnique<Pattern>
    where
        Asked: Condition<Table = TableType, Entity = Pattern::Entity> + GivenValues,
    {
        self.asking(|conditions| {
            conditions.holds(asked).map_err(|problem| WriteError::given(Pattern::Entity::SHAPE.name, problem))
        })
    }

    /// Deletes the item and gives its reservations back. Without a condition, that there is none is no error, and nothing is sent but the read.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// let ada = || UserById { user_id: "ada".to_owned() };
    /// let nothing = acme.delete_unique(ada()).send().await?.done().ok_or("nothing was asked")?;
    /// assert_eq!(nothing.write_units, None); // there was nothing to delete, and only the read was sent
    ///
    /// acme.insert_unique(&user("ada", "ada@example.org")).send().await?;
    /// let deleted = acme.delete_unique(ada()).send().await?.done().ok_or("nothing was asked")?;
    /// assert_eq!(deleted.write_units, Some(4.0)); // two items, and twice the units
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TransactionError`] when nothing was deleted, or when that is not known.
    pub async fn send(self) -> Result<Conditional<Deleted, Pattern::Entity>, TransactionError> {
        let DeleteUnique { delete, conditions } = self;
        let tenant = delete.handle().clone();
        let name = Pattern::Entity::SHAPE.name;
        let unsendable = |error| TransactionError::of_action(0, ActionKind::Delete, name, error);
        let conditions = conditions.map_err(unsendable)?;
        let keys = tenant.named_keys(delete.pattern()).map_err(|error| unsendable(error.into()))?;
        let key = only_key(keys, name).map_err(unsendable)?;
        let plan = Plan::<TableType, Pattern::Entity>::new(&tenant, key, ActionKind::Delete);
        let outcome = plan.carry_out(
            |before| Ok(before.attributes.is_some().then_some(After::Absent)),
            |before, mark| {
                let asked = conditions.clone().unwrap_or_else(Conditions::none);
                delete.prepare_write(asked.unchanged(before.made_of()), mark)
            },
        );
        Ok(match outcome.await? {
            UniqueWrite::Done(committed) => {
                Conditional::Done(Deleted { write_units: committed.write_units() })
            }
            UniqueWrite::Failed { current: None } if conditions.is_none() => {
                Conditional::Done(Deleted { write_units: None })
            }
            UniqueWrite::Failed { current } => Conditional::Failed { current },
            UniqueWrite::Taken { .. } => unreachable!("a delete takes no reservation"),
        })
    }

    fn asking(
        mut self,
        ask: impl FnOnce(Conditions) -> Result<Conditions, WriteError>,
    ) -> DeleteUnique<Pattern> {
        self.conditions = self
            .conditions
            .and_then(|conditions| ask(conditions.unwrap_or_else(Conditions::there)).map(Some));
        self
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// Deletes the item that a pattern names, and gives its reservations back. One read and one transaction.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// acme.insert_unique(&user("ada", "ada@example.org")).send().await?;
    /// acme.delete_unique(UserById { user_id: "ada".to_owned() }).send().await?;
    /// assert!(acme.get(UserById { user_id: "ada".to_owned() }).await?.is_none());
    /// assert!(acme.get(UserByEmail { email: "ada@example.org".to_owned() }).await?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn delete_unique<Pattern>(&self, pattern: Pattern) -> DeleteUnique<Pattern>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
        Pattern::Entity: Reserving<TableType>,
    {
        DeleteUnique { delete: Delete::new(self.clone(), pattern), conditions: Ok(None) }
    }
}

impl<Pattern: ReadItems> fmt::Debug for DeleteUnique<Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.delete.fmt(formatter)
    }
}
