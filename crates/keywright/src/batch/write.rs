//! BatchWriteItem: puts and deletes of any number of items of several entities.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use aws_sdk_dynamodb::operation::batch_write_item::BatchWriteItemInput;
use aws_sdk_dynamodb::operation::batch_write_item::builders::BatchWriteItemFluentBuilder;
use aws_sdk_dynamodb::types::{DeleteRequest, PutRequest, ReturnConsumedCapacity, WriteRequest};
use keywright_key::declare::{Data, Entity, NamesItem, ReadItems, Table, WithinTenant};
use keywright_key::{Components, KeyPlace, Tenancy};
use serde::Serialize;

use super::budget::{BatchBudget, BatchProgress, Settings};
use super::error::{BatchError, Fate, LeftMember, Unfinished};
use super::member::{BatchMember, places};
use super::queue::{ChunkLimits, Left, Queue};
use super::run::run;
use super::wire::{REQUEST_BYTES, member_bytes};
use crate::error::{ServiceError, WriteError};
use crate::item::{Attributes, ItemKey, encode};
use crate::retry::CountedAs;
use crate::store::Shared;
use crate::tenant::Tenant;
use crate::trace;
use crate::write::{WriteId, WriteMark};

/// The members of one BatchWriteItem.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html>
const LIMITS: ChunkLimits = ChunkLimits { members: 25, bytes: REQUEST_BYTES };

/// Puts and deletes that are about to be sent together: any number, of any entities whose keys hold the tenant.
///
/// They happen each on its own and in no order. A put replaces what has its key, whatever that is; for conditions, send single writes.
///
/// ```
/// # mod application { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data-layer/application.rs")); }
/// # use application::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let members: Vec<Member> = (0..60).map(|number| member(1, &format!("user-{number}"))).collect();
/// let written = acme.batch_write().put(&team(1, "Analysts")).put_all(&members).send().await?;
/// assert_eq!((written.items, written.calls), (61, 3));
///
/// let gone = members.iter().map(|member| MemberById { team_id: 1, user_id: member.user_id.clone() });
/// acme.batch_write().delete_all(gone).put(&team(2, "Testers")).send().await?;
/// # Ok(())
/// # }
/// ```
///
/// An entity whose key does not hold the tenant does not compile here. BatchWriteItem knows no conditions, and without one a put or a delete
/// by such a key could take what is another tenant's. (For a put `cargo build` says so, and `cargo check` does not.)
///
/// ```compile_fail,E0277
/// # mod application { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data-layer/application.rs")); }
/// # use application::*;
/// fn unshare(acme: &keywright::Tenant<App>, token: String) {
///     let _ = acme.batch_write().delete(ShareByToken { token });
/// }
/// # fn main() {}
/// ```
#[must_use = "nothing is written before it is sent"]
pub struct BatchWrite<'p, TableType> {
    tenant: Tenant<TableType>,
    members: Vec<Member>,
    /// The first member that cannot be sent.
    problem: Option<BatchError>,
    settings: Settings<'p>,
}

/// A batch of which everything is written.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BatchWritten {
    /// How many items were put or deleted.
    pub items: usize,
    /// How many calls that took.
    pub calls: u64,
    /// The write units that it took, as far as answers said so.
    pub write_units: f64,
    /// The id of each put's write, in the order of the batch; none for a delete. What was sent again had the same id.
    pub write_ids: Vec<Option<WriteId>>,
}

/// A put or a delete.
struct Member {
    entity: &'static str,
    key: ItemKey,
    change: Change,
}

/// What a member does.
enum Change {
    Put { item: Attributes, write_id: WriteId, size_bytes: usize },
    Delete { key: Attributes },
}

impl<'p, TableType: Table> BatchWrite<'p, TableType> {
    /// Adds a put of an entity.
    pub fn put<EntityType>(mut self, entity: &EntityType) -> BatchWrite<'p, TableType>
    where
        EntityType: Data<TableType> + Components + Serialize,
    {
        const {
            assert!(
                matches!(TableType::SHAPE.tenancy, Tenancy::None)
                    || EntityType::SHAPE.deviation(KeyPlace::Table).is_none(),
                "the key of this entity does not hold the tenant, and a batch has no conditions that would keep other tenants' items: \
                 put each with `tenant.put(..)`"
            );
        }
        let entity_name = EntityType::SHAPE.name;
        match self.encode(entity) {
            Ok((key, change)) => self.members.push(Member { entity: entity_name, key, change }),
            Err(error) => self.refuse(entity_name, error),
        }
        self
    }

    /// Adds a put of each of these entities.
    pub fn put_all<'e, EntityType>(
        self,
        entities: impl IntoIterator<Item = &'e EntityType>,
    ) -> BatchWrite<'p, TableType>
    where
        EntityType: Data<TableType> + Components + Serialize + 'e,
    {
        entities.into_iter().fold(self, BatchWrite::put)
    }

    /// Adds a delete of the item that a pattern names. That there is none is no error.
    pub fn delete<Pattern>(mut self, pattern: Pattern) -> BatchWrite<'p, TableType>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + WithinTenant + Components,
    {
        let entity = Pattern::Entity::SHAPE.name;
        match self.tenant.named_key(&pattern) {
            Ok(key) => self.members.push(Member {
                entity,
                key: item_key::<TableType>(&key),
                change: Change::Delete { key },
            }),
            Err(error) => self.refuse(entity, error.into()),
        }
        self
    }

    /// Adds a delete of each of the items that these patterns name.
    pub fn delete_all<Pattern>(self, patterns: impl IntoIterator<Item = Pattern>) -> BatchWrite<'p, TableType>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + WithinTenant + Components,
    {
        patterns.into_iter().fold(self, BatchWrite::delete)
    }

    /// How long it is tried. By default as [`BatchBudget::default`] says.
    pub const fn budget(mut self, budget: BatchBudget) -> BatchWrite<'p, TableType> {
        self.settings.budget = budget;
        self
    }

    /// How many calls are made at once; four by default.
    pub const fn calls_in_flight(mut self, calls: NonZeroUsize) -> BatchWrite<'p, TableType> {
        self.settings.in_flight = calls;
        self
    }

    /// Tells how far it is, after every call.
    pub fn on_progress(mut self, tell: impl FnMut(BatchProgress) + Send + 'p) -> BatchWrite<'p, TableType> {
        self.settings.on_progress = Some(Mutex::new(Box::new(tell)));
        self
    }

    /// The requests that would be sent first, for a look at them: what comes back is sent again, in others.
    ///
    /// # Errors
    /// [`BatchError`] when nothing would be sent.
    pub fn requests(&self) -> Result<Vec<BatchWriteItemInput>, BatchError> {
        self.check()?;
        let shared = self.tenant.shared();
        let mut queue = Queue::new(self.members.iter().map(Member::wire_bytes), self.settings.budget);
        let chunks = std::iter::from_fn(|| queue.take(LIMITS));
        Ok(chunks
            .map(|chunk| {
                let members = chunk.members.iter().filter_map(|member| self.members.get(member.position));
                match request(shared, members).as_input().clone().build() {
                    Ok(input) => input,
                    Err(_) => unreachable!("`request` gives what BatchWriteItem needs"),
                }
            })
            .collect())
    }

    /// Writes everything.
    ///
    /// # Errors
    /// [`BatchError`] when nothing was sent, and, with what is left and the count of what is done, when not everything was written.
    pub async fn send(mut self) -> Result<BatchWritten, BatchError> {
        let settings = std::mem::take(&mut self.settings);
        let (shared, places) = (self.tenant.shared(), self.check()?);
        let units = Mutex::new(0.0);
        let send = async |positions: Vec<usize>| {
            let members: Vec<&Member> =
                positions.iter().filter_map(|position| self.members.get(*position)).collect();
            let answer = request(shared, members.iter().copied()).send().await.map_err(ServiceError::new)?;
            let taken = answer
                .consumed_capacity
                .iter()
                .flatten()
                .filter_map(|consumed| consumed.capacity_units)
                .sum::<f64>();
            *units.lock().unwrap_or_else(PoisonError::into_inner) += taken;
            let unprocessed: Vec<WriteRequest> =
                answer.unprocessed_items.unwrap_or_default().into_values().flatten().collect();
            let left = left::<TableType>(&unprocessed, &places).unwrap_or_else(|| positions.clone());
            let processed = positions.iter().zip(&members).filter(|(position, _)| !left.contains(position));
            count(shared, processed.map(|(_, member)| *member), taken);
            Ok(left)
        };
        let span = trace::batch(shared, "write", self.members.len());
        let sizes = self.members.iter().map(Member::wire_bytes);
        let counted_as =
            |position: usize| CountedAs::Write(self.members.get(position).map_or("", |member| member.entity));
        let queue = run(shared, settings, LIMITS, span, sizes, counted_as, send).await;
        if !queue.left.is_empty() {
            return Err(BatchError::Unfinished(self.unfinished(queue)));
        }
        let write_ids = self.members.iter().map(Member::write_id).collect();
        let write_units = units.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(BatchWritten { items: queue.done, calls: queue.calls, write_units, write_ids })
    }

    fn encode<EntityType>(&self, entity: &EntityType) -> Result<(ItemKey, Change), WriteError>
    where
        EntityType: Entity<TableType> + Components + Serialize,
    {
        let encoded = encode::<TableType, EntityType>(
            &self.tenant,
            entity,
            None,
            &WriteMark::now(self.tenant.shared()),
        )?;
        let key = item_key::<TableType>(&encoded.key);
        let change = Change::Put {
            item: encoded.attributes,
            write_id: encoded.write_id,
            size_bytes: encoded.size_bytes,
        };
        Ok((key, change))
    }

    /// Keeps why nothing will be sent. Later members are not looked at for more.
    fn refuse(&mut self, entity: &'static str, source: WriteError) {
        let member = BatchMember::new(self.members.len(), entity, None);
        self.problem.get_or_insert(BatchError::Member { member, source: Box::new(source) });
    }

    /// Everything that can be known before anything is sent.
    fn check(&self) -> Result<HashMap<&ItemKey, usize>, BatchError> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        let keys = self.members.iter().map(|member| &member.key);
        places(keys, |position| self.name(position))
    }

    fn name(&self, position: usize) -> BatchMember {
        let keys_in_errors = self.tenant.shared().keys_in_errors;
        match self.members.get(position) {
            Some(member) => BatchMember::new(position, member.entity, member.key.text(keys_in_errors)),
            None => unreachable!("places are those of members"),
        }
    }

    fn unfinished(&self, queue: Queue) -> Unfinished {
        let fate = |left: &Left| if left.was_lost { Fate::Unknown } else { Fate::NoEffect };
        let left = |left: &Left| LeftMember { member: self.name(left.position), fate: fate(left) };
        Unfinished {
            done: queue.done,
            calls: queue.calls,
            reason: queue.reason(),
            left: queue.left.iter().map(left).collect(),
            source: queue.last_error,
        }
    }
}

impl Member {
    fn wire_bytes(&self) -> usize {
        match &self.change {
            Change::Put { item, .. } => member_bytes(item),
            Change::Delete { key } => member_bytes(key),
        }
    }

    fn write_id(&self) -> Option<WriteId> {
        match &self.change {
            Change::Put { write_id, .. } => Some(write_id.clone()),
            Change::Delete { .. } => None,
        }
    }

    /// About how many units it takes: what a batch took is shared out by that.
    fn kilobytes(&self) -> f64 {
        match &self.change {
            Change::Put { size_bytes, .. } => {
                f64::from(u32::try_from(size_bytes.div_ceil(1024)).unwrap_or(u32::MAX)).max(1.0)
            }
            Change::Delete { .. } => 1.0,
        }
    }

    fn request(&self) -> WriteRequest {
        let request = WriteRequest::builder();
        match &self.change {
            Change::Put { item, .. } => match PutRequest::builder().set_item(Some(item.clone())).build() {
                Ok(put) => request.put_request(put).build(),
                Err(_) => unreachable!("it has an item"),
            },
            Change::Delete { key } => match DeleteRequest::builder().set_key(Some(key.clone())).build() {
                Ok(delete) => request.delete_request(delete).build(),
                Err(_) => unreachable!("it has a key"),
            },
        }
    }
}

fn item_key<TableType: Table>(key: &Attributes) -> ItemKey {
    match ItemKey::of(&TableType::SHAPE, key) {
        Some(key) => key,
        None => unreachable!("a rendered key is whole, and of texts"),
    }
}

fn request<'m>(shared: &Shared, members: impl Iterator<Item = &'m Member>) -> BatchWriteItemFluentBuilder {
    shared
        .calls
        .batch_write_item()
        .request_items(&shared.table_name, members.map(Member::request).collect())
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
}

/// The places of what came back; none if something came back that was not sent, for then nobody knows what was processed.
fn left<TableType: Table>(
    unprocessed: &[WriteRequest],
    places: &HashMap<&ItemKey, usize>,
) -> Option<Vec<usize>> {
    let attributes = |request: &WriteRequest| {
        let put = request.put_request().and_then(|put| ItemKey::of(&TableType::SHAPE, put.item()));
        put.or_else(|| {
            request.delete_request().and_then(|delete| ItemKey::of(&TableType::SHAPE, delete.key()))
        })
    };
    unprocessed.iter().map(|request| places.get(&attributes(request)?).copied()).collect()
}

/// Counts what a call processed, by entity. Its units are shared out by size, since the service says them of the call as a whole.
fn count<'m>(shared: &Shared, processed: impl Iterator<Item = &'m Member>, units: f64) {
    let mut by_entity: BTreeMap<&'static str, Vec<&Member>> = BTreeMap::new();
    for member in processed {
        by_entity.entry(member.entity).or_default().push(member);
    }
    let kilobytes = |members: &[&Member]| members.iter().map(|member| member.kilobytes()).sum::<f64>();
    let all: f64 = by_entity.values().map(|members| kilobytes(members)).sum();
    for (entity, members) in by_entity {
        shared.counters.write(entity, |usage| {
            usage.requests += 1;
            usage.units += units * kilobytes(&members) / all;
            for member in members {
                if let Change::Put { size_bytes, .. } = &member.change {
                    usage.put(*size_bytes as u64);
                }
            }
        });
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// A batch of puts and deletes, empty yet.
    pub fn batch_write<'p>(&self) -> BatchWrite<'p, TableType> {
        BatchWrite { tenant: self.clone(), members: Vec::new(), problem: None, settings: Settings::default() }
    }

    /// Puts of entities of this tenant, any number.
    pub fn batch_put<'p, 'e, EntityType>(
        &self,
        entities: impl IntoIterator<Item = &'e EntityType>,
    ) -> BatchWrite<'p, TableType>
    where
        EntityType: Data<TableType> + Components + Serialize + 'e,
    {
        self.batch_write().put_all(entities)
    }
}

impl<TableType> fmt::Debug for BatchWrite<'_, TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("BatchWrite")
            .field("members", &self.members.len())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
