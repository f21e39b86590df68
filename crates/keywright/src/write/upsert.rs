//! Upserts: an update of what is there, or a first item where nothing is.

use keywright_key::Components;
use keywright_key::declare::{self, Entity, GivenValues, NamesItem, ReadItems, Table, Unreserved};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::mark::WriteMark;
use super::outcome::Conditional;
use super::place::MOST_ROUNDS;
use super::put::{Foreign, Written};
use super::update::{Update, Updated};
use super::with_old::Returns;
use crate::error::WriteError;
use crate::item::encode;
use crate::retry::Deadline;

/// Why an item is not the first one of what a pattern names.
const ANOTHER: &str = "the first item is another one than the pattern names: what is stored where nothing is has the key that was looked for";

/// What an upsert did.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::Upserted;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let ada = || MemberById { team_id: 1, user_id: "ada".to_owned() };
/// let upserted = acme.update(ada(), Award { points: 3 }).or_insert(&Member { points: 3, ..member(1, "ada") }).await?;
/// match upserted.done().ok_or("nothing was asked")? {
///     Upserted::Inserted(written) => println!("her first points, tag {}", written.etag()),
///     Upserted::Updated(updated) => println!("{} points", updated.item.points),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Upserted<Item> {
    /// The item was there, and was changed.
    Updated(Updated<Item>),
    /// No item was there, or its time was over: the first one is there now.
    Inserted(Written),
}

impl<TableType, Pattern, Changes> Update<Pattern, Changes>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    Pattern::Entity:
        declare::Data<TableType> + Unreserved<TableType> + DeserializeOwned + Serialize + Components,
    Changes: declare::Update<Table = TableType, Entity = Pattern::Entity> + GivenValues + Components,
{
    /// Changes the item, or stores `first` if there is none: one request if it is there, two if not. An item whose time is over is
    /// none, and nothing of it is left in the first one.
    ///
    /// `first` is the item as it is after the change: a counter that begins has its first count. It is the item that the pattern names;
    /// another one is refused before anything is sent.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{Conditional, Upserted};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let ada = || MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// let first = Member { points: 3, ..member(1, "ada") };
    /// let begun = acme.update(ada(), Award { points: 3 }).or_insert(&first).await?;
    /// assert!(matches!(begun, Conditional::Done(Upserted::Inserted(_))));
    /// let further = acme.update(ada(), Award { points: 3 }).or_insert(&first).await?;
    /// assert!(matches!(further, Conditional::Done(Upserted::Updated(updated)) if updated.item.points == 6));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError::Value`] if `first` is another item than the pattern names; [`WriteError`] when nothing was written, or when that is not
    /// known. A condition of the update that does not hold for an item that is there is no error.
    pub async fn or_insert(
        self,
        first: &Pattern::Entity,
    ) -> Result<Conditional<Upserted<Pattern::Entity>, Pattern::Entity>, WriteError> {
        self.is_of(first)?;
        let deadline = Deadline::of_call(self.handle().shared());
        for _ in 0..MOST_ROUNDS {
            match self.attempt(deadline).await? {
                Conditional::Done(updated) => return Ok(Conditional::Done(Upserted::Updated(updated))),
                Conditional::Failed { current: Some(current) } => {
                    return Ok(Conditional::Failed { current: Some(current) });
                }
                Conditional::Failed { current: None } => {}
            }
            let put = self.handle().put(first).if_absent();
            let put = put.store(Foreign::IsError, Returns::Nothing, deadline);
            if let Conditional::Done((written, _)) = put.await? {
                return Ok(Conditional::Done(Upserted::Inserted(written)));
            }
        }
        Err(WriteError::Contended { entity: Pattern::Entity::SHAPE.name })
    }

    /// Whether this is the item that the pattern names.
    ///
    /// # Errors
    /// If it is another one, or none of the tenant's.
    fn is_of(&self, first: &Pattern::Entity) -> Result<(), WriteError> {
        let (table, entity, tenant) = (TableType::SHAPE, Pattern::Entity::SHAPE, self.handle());
        // Its key is made of the handle's id, whoever it says that it belongs to: that is refused here.
        let mark = WriteMark::now(tenant.shared());
        let of_first = encode::<TableType, Pattern::Entity>(tenant, first, None, &mark)?.keys.now;
        let named = tenant.named_keys(self.pattern())?.now;
        let parts = [Some(table.partition_key), table.sort_key].into_iter().flatten();
        let Some(differs) = parts.map(|part| part.name).find(|name| named.get(*name) != of_first.get(*name))
        else {
            return Ok(());
        };
        let (path, reason) = (Some(differs.to_owned()), ANOTHER.to_owned());
        Err(WriteError::Value { entity: entity.name, key: None, path, reason }
            .of_item(tenant.shared(), &of_first))
    }
}
