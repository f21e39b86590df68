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
use crate::write::{Conditional, Conditions, Delete, Deleted, only_key};

/// An item with reservations that is about to be deleted: [`Tenant::delete_unique`], perhaps a condition, then `send`.
///
/// The item is read first, since the reservations that it has are given back. If it changes in between the write is planned anew.
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
    pub fn if_present(self) -> DeleteUnique<Pattern> {
        self.asking(Ok)
    }

    /// Only if the item is in the state that was read: nothing was written in between. Of several states, or any, where that is what a client's
    /// `If-Match` says: see [`ETagMatch`].
    pub fn if_match(self, states: impl Into<ETagMatch>) -> DeleteUnique<Pattern> {
        self.asking(|conditions| conditions.in_state(&Pattern::Entity::SHAPE, &states.into()))
    }

    /// Only if the item has this version.
    pub fn if_version(self, version: u64) -> DeleteUnique<Pattern> {
        self.asking(|conditions| conditions.has_version(&Pattern::Entity::SHAPE, version))
    }

    /// Only if the item is there and this holds for it.
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
