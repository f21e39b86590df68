//! PutItem: stores a whole entity.

use aws_sdk_dynamodb::operation::put_item::PutItemInput;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use keywright_key::Components;
use keywright_key::declare::{Condition, Data, Entity, GivenValues, Table};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tracing::Instrument;

use super::attempt::{Attempt, Leaves, Repeat, Target};
use super::condition::Conditions;
use super::mark::WriteMark;
use super::outcome::Conditional;
use super::prepared::{Change, PreparedWrite};
use super::write_id::WriteId;
use crate::error::{ForeignItem, ForeignPlace, WriteError};
use crate::item::{Decoder, KeyAttributes, encode};
use crate::raw::RawExpression;
use crate::stored::ETag;
use crate::tenant::Tenant;
use crate::trace;

/// An entity that is about to be stored, in place of what has its key: [`Tenant::put`], perhaps a condition, then `send`.
///
/// ```
/// # mod application { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data-layer/application.rs")); }
/// # use application::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::Conditional;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
///
/// // An insert: that the key is taken is an outcome, and it says what is there.
/// match acme.put(&team(1, "Another")).if_absent().send().await? {
///     Conditional::Done(written) => println!("stored, tag {}", written.etag()),
///     Conditional::Failed { current: Some(team) } => assert_eq!(team.name, "Analysts"),
///     Conditional::Failed { current: None } => println!("taken, by what may not be shown"),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is stored before it is sent"]
pub struct Put<'e, TableType, EntityType> {
    tenant: Tenant<TableType>,
    entity: &'e EntityType,
    repeat: Repeat,
}

/// An entity that is about to be stored if a condition holds.
#[derive(Debug)]
#[must_use = "nothing is stored before it is sent"]
pub struct ConditionalPut<'e, TableType, EntityType> {
    put: Put<'e, TableType, EntityType>,
    conditions: Result<Conditions, WriteError>,
}

/// A write that had effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The id of the write, which the item holds now.
    pub write_id: WriteId,
    /// The write units that it took; none if the answer was lost and the item told that the write had effect.
    pub write_units: Option<f64>,
}

impl Written {
    /// The entity tag of what was stored.
    #[must_use]
    pub fn etag(&self) -> ETag {
        ETag::of(self.write_id.clone())
    }
}

impl<'e, TableType, EntityType> Put<'e, TableType, EntityType>
where
    TableType: Table,
    EntityType: Entity<TableType> + Components + Serialize,
{
    /// Only if no item has the key: an insert. An item whose time is over is none.
    pub fn if_absent(self) -> ConditionalPut<'e, TableType, EntityType> {
        ConditionalPut { put: self, conditions: Ok(Conditions::absent()) }
    }

    /// Only if an item has the key, and its time is not over: a replacement.
    pub fn if_present(self) -> ConditionalPut<'e, TableType, EntityType> {
        ConditionalPut { put: self, conditions: Ok(Conditions::there()) }
    }

    /// Only if the item is in the state that was read: nothing was written in between.
    pub fn if_match(self, etag: &ETag) -> ConditionalPut<'e, TableType, EntityType> {
        ConditionalPut { put: self, conditions: Ok(Conditions::none().in_state(etag)) }
    }

    /// Only if the item has this version; what is stored has the next one. The entity has a field with `#[entity(version)]`.
    pub fn if_version(self, version: u64) -> ConditionalPut<'e, TableType, EntityType> {
        let entity = EntityType::SHAPE;
        ConditionalPut { put: self, conditions: Conditions::none().has_version(&entity, version) }
    }

    /// Only if the item is there and this holds for it.
    pub fn when<Asked>(self, asked: &Asked) -> ConditionalPut<'e, TableType, EntityType>
    where
        Asked: Condition<Table = TableType, Entity = EntityType> + GivenValues,
    {
        let conditions = Conditions::none()
            .holds(asked)
            .map_err(|problem| WriteError::given(EntityType::SHAPE.name, &problem));
        ConditionalPut { put: self, conditions }
    }

    /// Only if the item is there and this expression of the caller's own holds for it.
    pub fn when_raw(self, expression: RawExpression) -> ConditionalPut<'e, TableType, EntityType> {
        ConditionalPut { put: self, conditions: Ok(Conditions::none().holds_raw(expression)) }
    }

    /// The put may have effect twice: one whose answer was lost is made again unasked, though what somebody else wrote in between is
    /// replaced then, or what somebody deleted is there again. For items that only this program writes, and for items that never change.
    pub fn may_repeat(mut self) -> Put<'e, TableType, EntityType> {
        self.repeat = Repeat::Harmless;
        self
    }

    /// Stores the entity.
    ///
    /// # Errors
    /// [`WriteError`] when nothing was stored, or when that is not known.
    pub async fn send(self) -> Result<Written, WriteError> {
        match self.attempt(Conditions::none()).await? {
            Attempted { write_id, attempt: Attempt::Done(write_units) } => {
                Ok(Written { write_id, write_units })
            }
            Attempted { write_id, attempt: Attempt::Landed(_) } => {
                Ok(Written { write_id, write_units: None })
            }
            // All that was asked is that nobody else's item is there.
            Attempted { attempt: Attempt::Failed(_), .. } => {
                Err(ForeignItem::new(EntityType::SHAPE.name, ForeignPlace::Replaced).into())
            }
        }
    }

    /// The request that would be sent, for a look at it. The id of the write in it is another one each time.
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<PutItemInput, WriteError> {
        Ok(self.prepare(Conditions::none())?.input())
    }

    fn prepare(&self, conditions: Conditions) -> Result<PreparedPut, WriteError> {
        let shared = self.tenant.shared();
        let repeat = if conditions.names_state() { Repeat::Harmless } else { self.repeat };
        let mut prepared = self.prepare_write(conditions, WriteMark::now(shared))?;
        let on_failure = prepared.on_failure();
        let Change::Put { item, size_bytes } = prepared.change else {
            unreachable!("`prepare_write` prepares a put")
        };
        let builder = shared
            .calls
            .put_item()
            .table_name(&shared.table_name)
            .set_item(Some(item))
            .set_condition_expression(prepared.condition)
            .set_expression_attribute_names(prepared.placeholders.take_names())
            .set_expression_attribute_values(prepared.placeholders.take_values())
            .set_return_values_on_condition_check_failure(on_failure)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        Ok(PreparedPut { builder, key: prepared.key, write_id: prepared.mark.write_id, size_bytes, repeat })
    }

    fn prepare_write(&self, conditions: Conditions, mark: WriteMark) -> Result<PreparedWrite, WriteError> {
        let (table, shape) = (TableType::SHAPE, EntityType::SHAPE);
        let replaced = conditions.version();
        let encoded = encode::<TableType, EntityType>(&self.tenant, self.entity, replaced, &mark)?;
        let conditions = conditions.fenced(&shape, self.tenant.identity());
        let (condition, placeholders) = conditions.write(&table, &shape, mark.seconds());
        Ok(PreparedWrite {
            entity: shape.name,
            key: encoded.key,
            change: Change::Put { item: encoded.attributes, size_bytes: encoded.size_bytes },
            condition,
            placeholders,
            mark,
        })
    }

    pub(crate) const fn handle(&self) -> &Tenant<TableType> {
        &self.tenant
    }

    pub(crate) fn action(self, mark: WriteMark) -> Result<PreparedWrite, WriteError> {
        self.prepare_write(Conditions::none(), mark)
    }

    async fn attempt(&self, conditions: Conditions) -> Result<Attempted, WriteError> {
        let prepared = self.prepare(conditions)?;
        let span = trace::put(self.tenant.shared(), EntityType::SHAPE.name);
        self.make(prepared).instrument(span).await
    }

    async fn make(&self, prepared: PreparedPut) -> Result<Attempted, WriteError> {
        let PreparedPut { builder, key, write_id, size_bytes, repeat } = prepared;
        let target = Target {
            shared: self.tenant.shared(),
            key: &key,
            write_id: &write_id,
            entity: EntityType::SHAPE.name,
            leaves: Leaves::Item,
        };
        let attempt = target.attempt(repeat, || builder.clone().send()).await?;
        let attempt = match attempt {
            Attempt::Done(output) => {
                let units = output.consumed_capacity.and_then(|units| units.capacity_units);
                target.count(units, Some(size_bytes));
                Attempt::Done(units)
            }
            Attempt::Landed(item) => Attempt::Landed(item),
            Attempt::Failed(item) => Attempt::Failed(item),
        };
        Ok(Attempted { write_id, attempt })
    }
}

/// A put with everything that it needs.
struct PreparedPut {
    builder: PutItemFluentBuilder,
    key: KeyAttributes,
    write_id: WriteId,
    size_bytes: usize,
    repeat: Repeat,
}

impl PreparedPut {
    fn input(&self) -> PutItemInput {
        match self.builder.as_input().clone().build() {
            Ok(input) => input,
            Err(_) => unreachable!("`prepare` gives what PutItem needs"),
        }
    }
}

/// What an item of somebody else is, where a condition did not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    /// As if there were none: the condition did not hold, and that is all.
    IsHidden,
    /// An error, as for a put without a condition.
    IsError,
}

/// What became of a put, and the id that it carried.
struct Attempted {
    write_id: WriteId,
    attempt: Attempt<Option<f64>>,
}

impl<TableType, EntityType> ConditionalPut<'_, TableType, EntityType>
where
    TableType: Table,
    EntityType: Entity<TableType> + Components + Serialize,
{
    pub(crate) const fn handle(&self) -> &Tenant<TableType> {
        &self.put.tenant
    }

    pub(crate) fn action(self, mark: WriteMark) -> Result<PreparedWrite, WriteError> {
        self.put.prepare_write(self.conditions?, mark)
    }
}

impl<TableType, EntityType> ConditionalPut<'_, TableType, EntityType>
where
    TableType: Table,
    EntityType: Entity<TableType> + Components + Serialize + DeserializeOwned,
{
    /// The request that would be sent, for a look at it. The id of the write in it is another one each time.
    ///
    /// # Errors
    /// [`WriteError`] when nothing would be sent.
    pub fn request(&self) -> Result<PutItemInput, WriteError> {
        Ok(self.put.prepare(self.conditions.clone()?)?.input())
    }

    /// Stores the entity if the condition holds.
    ///
    /// # Errors
    /// [`WriteError`] when nothing was stored, or when that is not known. That the condition does not hold is no error.
    pub async fn send(self) -> Result<Conditional<Written, EntityType>, WriteError> {
        self.send_over(Foreign::IsHidden).await
    }

    pub(super) async fn send_over(
        self,
        foreign: Foreign,
    ) -> Result<Conditional<Written, EntityType>, WriteError> {
        let attempted = self.put.attempt(self.conditions?).await?;
        let write_id = attempted.write_id;
        match attempted.attempt {
            Attempt::Done(write_units) => Ok(Conditional::Done(Written { write_id, write_units })),
            Attempt::Landed(_) => Ok(Conditional::Done(Written { write_id, write_units: None })),
            Attempt::Failed(current) => {
                let tenant = &self.put.tenant;
                let decoder = Decoder::<TableType>::new(tenant.shared(), tenant.identity());
                if foreign == Foreign::IsError
                    && current.as_ref().is_some_and(|item| decoder.is_foreign(item))
                {
                    return Err(ForeignItem::new(EntityType::SHAPE.name, ForeignPlace::Replaced).into());
                }
                let current = decoder.current(&EntityType::SHAPE, current)?;
                Ok(Conditional::Failed { current })
            }
        }
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// Stores an entity of this tenant, in place of what has its key. What is `None` is not stored, and attributes that the type does not have are
    /// gone: change items by [`Tenant::update`] where other programs write them too.
    ///
    /// What has a purpose is stored by the call that is for it:
    ///
    /// ```compile_fail,E0277
    /// # mod application { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data-layer/application.rs")); }
    /// # use application::*;
    /// fn overwrite(acme: &keywright::Tenant<App>, lock: &JobLock) {
    ///     acme.put(lock); // whoever holds it would hold it no more, and its fencing tokens would begin again
    /// }
    /// # fn main() {}
    /// ```
    pub fn put<'e, EntityType>(&self, entity: &'e EntityType) -> Put<'e, TableType, EntityType>
    where
        EntityType: Data<TableType> + Components + Serialize,
    {
        Put { tenant: self.clone(), entity, repeat: Repeat::Harmful }
    }
}
