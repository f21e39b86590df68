//! One write of an item and its reservations: read, planned, sent, and planned anew if the item changed in between.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};
use keywright_key::EntityShape;
use keywright_key::declare::{Reserving, Table};
use serde::de::DeserializeOwned;

use super::held::{Held, Reserved, reserved};
use super::outcome::UniqueWrite;
use crate::error::WriteError;
use crate::item::{Attributes, Decoder, KeyAttributes};
use crate::retry::{self, CountedAs, Deadline};
use crate::stored::Stored;
use crate::tenant::Tenant;
use crate::transaction::{ActionKind, Canceled, Cause, Committed, Transacted, Transaction, TransactionError};
use crate::write::{PreparedWrite, WriteMark};

/// How often a write is planned anew because the item changed between the read and the write.
const MOST_ROUNDS: usize = 8;

/// The item as it was read, with what its reservations are made of.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// None if there is none, if its time is over, or if it is somebody else's.
    pub(super) attributes: Option<Attributes>,
    reserved: Reserved,
}

/// What an item is to be.
pub(super) enum After {
    /// This; its reservations are all taken once more, in case that they are not there.
    Whole(Attributes),
    /// This, of which only what differs from before matters.
    Changed(Attributes),
    /// Gone.
    Absent,
}

/// Which of the reservations that an item will have are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    All,
    /// Those that it does not have as they will be.
    Changed,
}

/// A write of an item with reservations.
pub(super) struct Plan<'a, TableType, EntityType> {
    tenant: &'a Tenant<TableType>,
    key: KeyAttributes,
    kind: ActionKind,
    /// The keys of the reservations that turned out to be somebody else's, though the item has what they hold.
    not_own: Vec<KeyAttributes>,
    entity: PhantomData<fn() -> EntityType>,
}

/// What one round came to.
enum Round<EntityType> {
    Done(Committed),
    Failed(Option<Stored<EntityType>>),
    Taken(Vec<&'static str>),
    /// What was read is not what is there any more, or a reservation is not the item's.
    Again,
}

/// A reservation that a transaction writes, and at which position.
struct Position<'p> {
    action: usize,
    kind: ActionKind,
    held: &'p Held,
}

impl<'a, TableType, EntityType> Plan<'a, TableType, EntityType>
where
    TableType: Table,
    EntityType: Reserving<TableType> + DeserializeOwned,
{
    pub(super) fn new(
        tenant: &'a Tenant<TableType>,
        key: KeyAttributes,
        kind: ActionKind,
    ) -> Plan<'a, TableType, EntityType> {
        Plan { tenant, key, kind, not_own: Vec::new(), entity: PhantomData }
    }

    /// Makes the write: `after` says what the item is to be, `write` is the write of the item itself if what was read is still there.
    ///
    /// # Errors
    /// When nothing was written, or when that is not known.
    pub(super) async fn carry_out(
        mut self,
        after: impl Fn(&Before) -> Result<Option<After>, WriteError>,
        write: impl Fn(&Before, WriteMark) -> Result<PreparedWrite, WriteError>,
    ) -> Result<UniqueWrite<Committed, EntityType>, TransactionError> {
        let deadline = Deadline::of_call(self.tenant.shared());
        for _ in 0..MOST_ROUNDS {
            let before = self.read(deadline).await?;
            let Some(after) = after(&before).map_err(|error| self.unsendable(error))? else {
                return Ok(UniqueWrite::Failed { current: None });
            };
            match self.round(&before, after, &write, deadline).await? {
                Round::Done(committed) => return Ok(UniqueWrite::Done(committed)),
                Round::Failed(current) => return Ok(UniqueWrite::Failed { current }),
                Round::Taken(reservations) => return Ok(UniqueWrite::Taken { reservations }),
                Round::Again => {}
            }
        }
        Err(TransactionError::Contended { entity: EntityType::SHAPE.name })
    }

    /// The item as it is stored now.
    async fn read(&self, deadline: Deadline) -> Result<Before, TransactionError> {
        let (shared, entity) = (self.tenant.shared(), EntityType::SHAPE);
        let request = shared
            .calls
            .get_item()
            .table_name(&shared.table_name)
            .set_key(Some(self.key.clone()))
            .consistent_read(true)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let send = || request.clone().send();
        let output = retry::read(shared, CountedAs::Write(entity.name), deadline, send).await?;
        let units = output.consumed_capacity.and_then(|units| units.capacity_units).unwrap_or(0.0);
        shared.count_key(&self.key, units);
        let items_read = u64::from(output.item.is_some());
        shared.counters.read(entity.name, |usage| {
            usage.requests += 1;
            usage.units += units;
            usage.items_read += items_read;
            usage.items_given += items_read;
        });
        let decoder = Decoder::<TableType>::new(shared, self.tenant.identity());
        let Some(attributes) = output.item.filter(|item| is_own(&decoder, &entity, item)) else {
            return Ok(Before::default());
        };
        // What cannot be written was never reserved.
        let reserved = reserved::<TableType, EntityType>(self.tenant, &attributes).unwrap_or_default();
        Ok(Before { attributes: Some(attributes), reserved })
    }

    async fn round(
        &mut self,
        before: &Before,
        after: After,
        write: impl Fn(&Before, WriteMark) -> Result<PreparedWrite, WriteError>,
        deadline: Deadline,
    ) -> Result<Round<EntityType>, TransactionError> {
        let mut transaction = self.tenant.transaction();
        let item = transaction
            .add_prepared(self.tenant, self.kind, EntityType::SHAPE.name, |mark| write(before, mark));
        let (new, takes) = match after {
            After::Whole(attributes) => (self.reserved(&attributes)?, Takes::All),
            After::Changed(attributes) => (self.reserved(&attributes)?, Takes::Changed),
            After::Absent => (Reserved::default(), Takes::Changed),
        };
        let positions = self.add_reservations(&mut transaction, before, &new, takes);
        match transaction.send_until(deadline).await? {
            Transacted::Done(committed) => Ok(Round::Done(committed)),
            Transacted::Canceled(canceled) => self.judge(before, canceled, item, &positions),
        }
    }

    /// Takes what the item will have, and gives back what it will not.
    fn add_reservations<'p>(
        &self,
        transaction: &mut Transaction,
        before: &'p Before,
        new: &'p Reserved,
        takes: Takes,
    ) -> Vec<Position<'p>> {
        let table = TableType::SHAPE;
        let mut positions = Vec::new();
        for reservation in 0..before.reserved.held.len().max(new.held.len()) {
            let old = before.reserved.held.get(reservation).and_then(Option::as_ref);
            let new = new.held.get(reservation).and_then(Option::as_ref);
            if let Some(new) = new
                && (takes == Takes::All || !old.is_some_and(|old| old.is_same(new)))
            {
                let (kind, name) = (ActionKind::Put, new.entity.name);
                let taken = |mark| Ok(new.taken(&table, mark));
                let action = transaction.add_prepared(self.tenant, kind, name, taken);
                positions.push(Position { action, kind, held: new });
            }
            if let Some(old) = old
                && !new.is_some_and(|new| new.key == old.key)
                && !self.not_own.contains(&old.key)
            {
                let (kind, name) = (ActionKind::Delete, old.entity.name);
                let given_back = |mark| Ok(old.given_back(&table, mark));
                let action = transaction.add_prepared(self.tenant, kind, name, given_back);
                positions.push(Position { action, kind, held: old });
            }
        }
        positions
    }

    fn reserved(&self, attributes: &Attributes) -> Result<Reserved, TransactionError> {
        reserved::<TableType, EntityType>(self.tenant, attributes).map_err(|error| self.unsendable(error))
    }

    /// What a cancellation means.
    fn judge(
        &mut self,
        before: &Before,
        canceled: Canceled,
        item: usize,
        positions: &[Position<'_>],
    ) -> Result<Round<EntityType>, TransactionError> {
        let failed: Vec<usize> = canceled
            .to_blame()
            .filter(|(_, cause)| *cause == Cause::ConditionFailed)
            .map(|(action, _)| action.position())
            .collect();
        if failed.contains(&item) {
            let decoder = Decoder::<TableType>::new(self.tenant.shared(), self.tenant.identity());
            let current = canceled.item(item).filter(|item| is_own(&decoder, &EntityType::SHAPE, item));
            if before.is_changed(current) {
                return Ok(Round::Again);
            }
            return match decoder.current::<EntityType>(&EntityType::SHAPE, current.cloned()) {
                Ok(current) => Ok(Round::Failed(current)),
                Err(WriteError::Current(error)) => Err(TransactionError::Current(error)),
                Err(_) => unreachable!("`current` gives no other error"),
            };
        }
        let of_kind = |kind| positions.iter().filter(move |position| position.kind == kind);
        let taken: Vec<&'static str> = of_kind(ActionKind::Put)
            .filter(|position| failed.contains(&position.action))
            .map(|position| position.held.entity.name)
            .collect();
        if !taken.is_empty() {
            return Ok(Round::Taken(taken));
        }
        let not_own: Vec<KeyAttributes> = of_kind(ActionKind::Delete)
            .filter(|position| failed.contains(&position.action))
            .map(|position| position.held.key.clone())
            .collect();
        if not_own.is_empty() {
            return Err(TransactionError::Canceled(canceled));
        }
        self.not_own.extend(not_own);
        Ok(Round::Again)
    }

    fn unsendable(&self, error: WriteError) -> TransactionError {
        TransactionError::of_action(0, self.kind, EntityType::SHAPE.name, error)
    }
}

impl Before {
    /// What of the item decides about its reservations.
    pub(super) const fn made_of(&self) -> &BTreeMap<&'static str, Option<AttributeValue>> {
        &self.reserved.made_of
    }

    /// Whether another item is there now, or one with other reservations.
    fn is_changed(&self, current: Option<&Attributes>) -> bool {
        match (&self.attributes, current) {
            (None, None) => false,
            (Some(_), Some(current)) => {
                self.made_of().iter().any(|(name, value)| current.get(*name) != value.as_ref())
            }
            (None, Some(_)) | (Some(_), None) => true,
        }
    }
}

/// Whether an item is there for the tenant: it is not somebody else's, and its time is not over.
fn is_own<TableType: Table>(
    decoder: &Decoder<'_, TableType>,
    entity: &EntityShape<'static>,
    item: &Attributes,
) -> bool {
    !decoder.is_foreign(item) && !decoder.is_expired(entity, item)
}
