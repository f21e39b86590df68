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
use crate::write::{Conditions, Put, WriteMark, Written, only_key};

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
    pub fn if_present(self) -> PutUnique<'e, TableType, EntityType> {
        self.asking(Ok)
    }

    /// Only if the item is in the state that was read: nothing was written in between. Of several states, or any, where that is what a client's
    /// `If-Match` says: see [`ETagMatch`].
    pub fn if_match(self, states: impl Into<ETagMatch>) -> PutUnique<'e, TableType, EntityType> {
        self.asking(|conditions| conditions.in_state(&EntityType::SHAPE, &states.into()))
    }

    /// Only if the item has this version; what is stored has the next one.
    pub fn if_version(self, version: u64) -> PutUnique<'e, TableType, EntityType> {
        self.asking(|conditions| conditions.has_version(&EntityType::SHAPE, version))
    }

    /// Only if the item is there and this holds for it.
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
    /// # Errors
    /// [`TransactionError`] when nothing was stored, or when that is not known. That a reservation is taken is no error.
    pub async fn send(self) -> Result<UniqueWrite<Written, EntityType>, TransactionError> {
        let PutUnique { tenant, entity, conditions } = self;
        let name = EntityType::SHAPE.name;
        let unsendable = |error| TransactionError::of_action(0, ActionKind::Put, name, error);
        let conditions = conditions.map_err(unsendable)?;
        let mark = WriteMark::now(tenant.shared());
        let encoded = encode::<TableType, EntityType>(&tenant, entity, None, &mark).map_err(unsendable)?;
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
    pub fn put_unique<'e, EntityType>(&self, entity: &'e EntityType) -> PutUnique<'e, TableType, EntityType>
    where
        EntityType: Reserving<TableType> + Components + Serialize,
    {
        PutUnique { tenant: self.clone(), entity, conditions: Ok(None) }
    }
}
