//! An insert of an item with its reservations: one transaction, without a read.

use keywright_key::Components;
use keywright_key::declare::{Reserving, Table};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::held::{Reserved, reserved};
use super::outcome::UniqueWrite;
use crate::error::WriteError;
use crate::item::encode;
use crate::tenant::Tenant;
use crate::transaction::{
    ActionKind, ActionOf, Reason, ReasonError, Transacted, Transaction, TransactionError,
};
use crate::write::{Put, WriteMark, Written};

/// An entity with reservations that is about to be stored if no item has its key: [`Tenant::insert_unique`], then `send`, or
/// [`Transaction::add_unique`] where more belongs to it.
///
/// ```
/// # use applications::directory::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::UniqueWrite;
/// # let acme = acme().await?;
/// assert!(acme.insert_unique(&user("ada", "ada@example.org")).send().await?.is_done());
/// // The key is the user's own, and the address what nobody else may have: two outcomes.
/// match acme.insert_unique(&user("ada", "countess@example.org")).send().await? {
///     UniqueWrite::Failed { current: Some(ada) } => assert_eq!(ada.email, "ada@example.org"),
///     other => return Err(format!("{other:?}").into()),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is stored before it is sent"]
pub struct InsertUnique<'e, TableType, EntityType> {
    tenant: Tenant<TableType>,
    entity: &'e EntityType,
}

impl<TableType, EntityType> InsertUnique<'_, TableType, EntityType>
where
    TableType: Table,
    EntityType: Reserving<TableType> + Components + Serialize + DeserializeOwned,
{
    /// Stores the entity and takes its reservations.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::UniqueWrite;
    /// # let acme = acme().await?;
    /// let written = acme.insert_unique(&user("ada", "ada@example.org")).send().await?.done().ok_or("she is the first")?;
    /// let ada = acme.get(UserById { user_id: "ada".to_owned() }).await?.ok_or("she was just stored")?;
    /// assert_eq!(ada.etag(), Some(written.etag()));
    ///
    /// let taken = acme.insert_unique(&user("eve", "ada@example.org")).send().await?;
    /// assert_eq!(taken, UniqueWrite::Taken { reservations: vec!["UserEmail"] });
    /// assert!(acme.get(UserById { user_id: "eve".to_owned() }).await?.is_none()); // nothing was stored
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TransactionError`] when nothing was stored, or when that is not known. That the key or a reservation is taken is no error.
    pub async fn send(self) -> Result<UniqueWrite<Written, EntityType>, TransactionError> {
        let mut transaction = self.tenant.transaction();
        let insert = transaction.add_unique(self);
        let canceled = match transaction.send().await? {
            Transacted::Done(committed) => {
                return Ok(UniqueWrite::Done(committed.written_at(insert.position())));
            }
            Transacted::Canceled(canceled) => canceled,
        };
        match canceled.reason(&insert) {
            Ok(Reason::ConditionFailed { current }) => Ok(UniqueWrite::Failed { current }),
            Ok(_) => match canceled.taken() {
                reservations if reservations.is_empty() => Err(TransactionError::Canceled(canceled)),
                reservations => Ok(UniqueWrite::Taken { reservations }),
            },
            Err(ReasonError::Current(error)) => Err(TransactionError::Current(error)),
            Err(ReasonError::AnotherTransaction) => unreachable!("it was added to this transaction"),
        }
    }
}

impl Transaction {
    /// Adds an insert of an entity with its reservations: an action for it and one for each of them, which
    /// [`Canceled::taken`](crate::Canceled::taken) names if another item has them.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// let mut both = acme.transaction();
    /// both.add_unique(acme.insert_unique(&user("ada", "ada@example.org")));
    /// both.add_unique(acme.insert_unique(&user("bob", "bob@example.org")));
    /// assert!(both.send().await?.is_done());
    ///
    /// let mut third = acme.transaction();
    /// third.add_unique(acme.insert_unique(&user("eve", "bob@example.org")));
    /// let canceled = third.send().await?.canceled().ok_or("bob has the address")?;
    /// assert_eq!(canceled.taken(), ["UserEmail"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_unique<TableType, EntityType>(
        &mut self,
        insert: InsertUnique<'_, TableType, EntityType>,
    ) -> ActionOf<TableType, EntityType>
    where
        TableType: Table,
        EntityType: Reserving<TableType> + Components + Serialize,
    {
        let InsertUnique { tenant, entity } = insert;
        let action = self.add(Put::new(tenant.clone(), entity).if_absent());
        match held_by(&tenant, entity) {
            Ok(reserved) => {
                let table = TableType::SHAPE;
                for held in reserved.held.iter().flatten() {
                    let name = held.entity.name;
                    self.add_prepared(&tenant, ActionKind::Put, name, |mark| Ok(held.taken(&table, mark)));
                }
            }
            Err(error) => self.refuse(TransactionError::of_action(
                action.position(),
                ActionKind::Put,
                EntityType::SHAPE.name,
                error,
            )),
        }
        action
    }
}

fn held_by<TableType, EntityType>(
    tenant: &Tenant<TableType>,
    entity: &EntityType,
) -> Result<Reserved, WriteError>
where
    TableType: Table,
    EntityType: Reserving<TableType> + Components + Serialize,
{
    let mark = WriteMark::now(tenant.shared());
    let encoded = encode::<TableType, EntityType>(tenant, entity, None, &mark)?;
    reserved::<TableType, EntityType>(tenant, &encoded.attributes)
}

impl<TableType: Table> Tenant<TableType> {
    /// Stores an entity of this tenant with its reservations, if no item has its key and no other item has what is to be unique. One
    /// transaction; nothing is read.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// acme.insert_unique(&user("ada", "ada@example.org")).send().await?;
    /// let reservation = acme.get(UserByEmail { email: "ada@example.org".to_owned() }).await?.ok_or("it was stored with her")?;
    /// assert_eq!(reservation.user_id, "ada");
    /// # Ok(())
    /// # }
    /// ```
    pub fn insert_unique<'e, EntityType>(
        &self,
        entity: &'e EntityType,
    ) -> InsertUnique<'e, TableType, EntityType>
    where
        EntityType: Reserving<TableType> + Components + Serialize,
    {
        InsertUnique { tenant: self.clone(), entity }
    }
}
