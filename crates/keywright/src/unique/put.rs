//! A put of an item with its reservations, in place of what has its key.

use keywright_key::Components;
use keywright_key::declare::{Condition, GivenValues, Reserving, Table};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::outcome::UniqueWrite;
use super::plan::{After, Plan};
use crate::error::WriteError;
use crate::etag::ETagMatch;
use crate::item::encode;
use crate::tenant::Tenant;
use crate::transaction::{ActionKind, TransactionError};
use crate::write::{Conditions, NO_VERSION, Put, WriteMark, Written, only_key};

/// An entity with reservations that is about to be stored, in place of what has its key: [`Tenant::put_unique`], perhaps a condition, then
/// `send`.
///
/// The item is read first, since the reservations that it has are given back. If it changes in between the write is planned anew.
///
/// ```
/// # use applications::directory::*;
/// use keywright::{DeleteUnique, InsertUnique, PutUnique, Tenant, UpdateUnique};
///
/// /// The four writes of an entity with reservations, each of them ready to be sent.
/// fn writes<'e>(
///     acme: &Tenant<App>,
///     ada: &'e User,
///     change: ChangeEmail,
/// ) -> (
///     InsertUnique<'e, App, User>,
///     PutUnique<'e, App, User>,
///     UpdateUnique<UserById, ChangeEmail>,
///     DeleteUnique<UserById>,
/// ) {
///     let by_id = || UserById { user_id: "ada".to_owned() };
///     (
///         acme.insert_unique(ada),
///         acme.put_unique(ada).if_present(),
///         acme.update_unique(by_id(), change),
///         acme.delete_unique(by_id()),
///     )
/// }
/// # fn main() { let _ = writes; }
/// ```
#[derive(Debug)]
#[must_use = "nothing is stored before it is sent"]
pub struct PutUnique<'e, TableType, EntityType> {
    tenant: Tenant<TableType>,
    entity: &'e EntityType,
    /// What is asked of the item that is there; nothing if it need not be there.
    conditions: Result<Option<Conditions>, WriteError>,
}

impl<'e, TableType, EntityType> PutUnique<'e, TableType, EntityType>
where
    TableType: Table,
    EntityType: Reserving<TableType> + Components + Serialize + DeserializeOwned,
{
    /// Only if an item has the key, and its time is not over: a replacement.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::UniqueWrite;
    /// # let acme = acme().await?;
    /// let nobody = acme.put_unique(&user("ada", "ada@example.org")).if_present().send().await?;
    /// assert_eq!(nobody, UniqueWrite::Failed { current: None });
    /// // Nor has anybody the address.
    /// assert!(acme.get(UserByEmail { email: "ada@example.org".to_owned() }).await?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_present(self) -> PutUnique<'e, TableType, EntityType> {
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
    /// let written = acme.insert_unique(&user("ada", "ada@example.org")).send().await?.done().ok_or("she is the first")?;
    /// let tag = written.etag();
    /// let moved = acme.put_unique(&user("ada", "ada@example.com")).if_match(&tag).send().await?;
    /// assert!(moved.is_done());
    /// assert!(!acme.put_unique(&user("ada", "ada@example.net")).if_match(&tag).send().await?.is_done()); // written since
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_match(self, states: impl Into<ETagMatch>) -> PutUnique<'e, TableType, EntityType> {
        self.asking(|conditions| conditions.in_state(&EntityType::SHAPE, &states.into()))
    }

    /// Only if the item has this version; what is stored has the next one.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// acme.insert_unique(&user("ada", "ada@example.org")).send().await?; // version 1
    /// let ada = user("ada", "ada@example.com");
    /// assert!(!acme.put_unique(&ada).if_version(7).send().await?.is_done());
    /// assert!(acme.put_unique(&ada).if_version(1).send().await?.is_done());
    /// let stored = acme.get(UserById { user_id: "ada".to_owned() }).await?.ok_or("she is there")?;
    /// assert_eq!((stored.email.as_str(), stored.version), ("ada@example.com", 2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Of an entity without one it does not compile. (`cargo build` says so, and `cargo check` does not.)
    ///
    /// ```compile_fail,E0080
    /// # use applications::directory::*;
    /// fn write(acme: &keywright::Tenant<App>, project: &Project) {
    ///     let _ = acme.put_unique(project).if_version(7);
    /// }
    /// # fn main() { let _: fn(&keywright::Tenant<App>, &Project) = write; }
    /// ```
    pub fn if_version(self, version: u64) -> PutUnique<'e, TableType, EntityType> {
        const {
            assert!(EntityType::SHAPE.version.is_some(), "{}", NO_VERSION);
        }
        self.asking(|conditions| Ok(conditions.has_version(&EntityType::SHAPE, version)))
    }

    /// Only if the item is there and this holds for it.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::UniqueWrite;
    /// # let acme = acme().await?;
    /// acme.insert_unique(&user("ada", "ada@example.org")).send().await?;
    /// // She was asked to confirm that she leaves an address, and has left it already.
    /// let left = HasEmail { email: "ada@example.net".to_owned() };
    /// match acme.put_unique(&user("ada", "ada@example.com")).when(&left).send().await? {
    ///     UniqueWrite::Failed { current: Some(ada) } => assert_eq!(ada.email, "ada@example.org"),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn when<Asked>(self, asked: &Asked) -> PutUnique<'e, TableType, EntityType>
    where
        Asked: Condition<Table = TableType, Entity = EntityType> + GivenValues,
    {
        self.asking(|conditions| {
            conditions.holds(asked).map_err(|problem| WriteError::given(EntityType::SHAPE.name, problem))
        })
    }

    /// Stores the entity, takes its reservations, and gives back those of the item that was there.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::UniqueWrite;
    /// # let acme = acme().await?;
    /// acme.put_unique(&user("ada", "ada@example.org")).send().await?;
    /// acme.put_unique(&user("bob", "bob@example.org")).send().await?;
    /// let taken = acme.put_unique(&user("bob", "ada@example.org")).send().await?;
    /// assert_eq!(taken, UniqueWrite::Taken { reservations: vec!["UserEmail"] });
    /// let bob = acme.get(UserById { user_id: "bob".to_owned() }).await?.ok_or("he is there")?;
    /// assert_eq!(bob.email, "bob@example.org"); // as he was
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TransactionError`] when nothing was stored, or when that is not known. That a reservation is taken is no error.
    pub async fn send(self) -> Result<UniqueWrite<Written, EntityType>, TransactionError> {
        let PutUnique { tenant, entity, conditions } = self;
        let name = EntityType::SHAPE.name;
        let unsendable = |error| TransactionError::of_action(0, ActionKind::Put, name, error);
        let conditions = conditions.map_err(unsendable)?;
        let mark = WriteMark::now(tenant.shared());
        let replaced = conditions.as_ref().and_then(Conditions::version);
        let encoded =
            encode::<TableType, EntityType>(&tenant, entity, replaced, &mark).map_err(unsendable)?;
        let key = only_key(encoded.keys, name).map_err(unsendable)?;
        let put = Put::new(tenant.clone(), entity);
        let plan = Plan::<TableType, EntityType>::new(&tenant, key, ActionKind::Put);
        let outcome = plan.carry_out(
            |before| {
                let is_asked_for_nothing = conditions.is_some() && before.attributes.is_none();
                Ok((!is_asked_for_nothing).then(|| After::Whole(encoded.attributes.clone())))
            },
            |before, mark| {
                let conditions = match (&before.attributes, conditions.clone()) {
                    (None, _) => Conditions::absent(),
                    (Some(_), conditions) => {
                        conditions.unwrap_or_else(Conditions::none).unchanged(before.made_of())
                    }
                };
                put.prepare_write(conditions, mark)
            },
        );
        Ok(outcome.await?.map_done(|committed| committed.written_at(0)))
    }

    fn asking(
        mut self,
        ask: impl FnOnce(Conditions) -> Result<Conditions, WriteError>,
    ) -> PutUnique<'e, TableType, EntityType> {
        self.conditions = self
            .conditions
            .and_then(|conditions| ask(conditions.unwrap_or_else(Conditions::there)).map(Some));
        self
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// Stores an entity of this tenant with its reservations, in place of what has its key, if no other item has what is to be unique. One
    /// read and one transaction.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// assert!(acme.put_unique(&user("ada", "ada@example.org")).send().await?.is_done()); // she is new
    /// assert!(acme.put_unique(&user("ada", "ada@example.com")).send().await?.is_done()); // and is replaced
    /// // The address that she had is free, and the one that she has is hers.
    /// assert!(acme.get(UserByEmail { email: "ada@example.org".to_owned() }).await?.is_none());
    /// assert!(acme.get(UserByEmail { email: "ada@example.com".to_owned() }).await?.is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn put_unique<'e, EntityType>(&self, entity: &'e EntityType) -> PutUnique<'e, TableType, EntityType>
    where
        EntityType: Reserving<TableType> + Components + Serialize,
    {
        PutUnique { tenant: self.clone(), entity, conditions: Ok(None) }
    }
}
