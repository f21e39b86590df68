//! BatchWriteItem: puts and deletes of any number of items of several entities.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Mutex;

use aws_sdk_dynamodb::operation::batch_write_item::BatchWriteItemInput;
use keywright_key::Components;
use keywright_key::declare::{
    Data, Deletable, Entity, KeyOfTenant, NamesItem, ReadItems, Table, Unreserved, WithinTenant,
};
use serde::Serialize;

use super::budget::{BatchBudget, BatchProgress, Settings};
use super::call::{LIMITS, Taken, request, write};
use super::change::Change;
use super::error::{BatchError, LeftMember, Unfinished};
use super::member::{BatchMember, check_keys};
use super::queue::{Left, Queue};
use super::run::run;
use crate::error::WriteError;
use crate::item::KeyAttributes;
use crate::retry::CountedAs;
use crate::tenant::Tenant;
use crate::trace;
use crate::write::WriteId;

/// Puts and deletes that are about to be sent together: any number, of any entities whose keys hold the tenant.
///
/// They happen each on its own and in no order. A put replaces what has its key, whatever that is; for conditions, send single writes.
///
/// ```
/// # use applications::teams::*;
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
/// by such a key could take what is another tenant's.
///
/// ```compile_fail,E0277
/// # use applications::teams::*;
/// fn share(acme: &keywright::Tenant<App>, links: &[ShareToken]) {
///     let _ = acme.batch_put(links);
/// }
/// # fn main() {}
/// ```
///
/// ```compile_fail,E0277
/// # use applications::teams::*;
/// fn unshare(acme: &keywright::Tenant<App>, token: String) {
///     let _ = acme.batch_write().delete(ShareByToken { token });
/// }
/// # fn main() {}
/// ```
#[must_use = "nothing is written before it is sent"]
pub struct BatchWrite<'p, TableType> {
    tenant: Tenant<TableType>,
    changes: Vec<Change>,
    /// The first member that cannot be sent.
    problem: Option<BatchError>,
    settings: Settings<'p>,
}

/// A batch of which everything is written.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let teams: Vec<Team> = (1..=30).map(|number| team(number, "Imported")).collect();
/// let batch = acme.batch_put(&teams);
/// assert_eq!(batch.requests()?.len(), 2); // of 25 and 5
/// let written = batch.send().await?;
/// assert_eq!((written.items, written.calls, written.write_ids.len()), (30, 2, 30));
/// # Ok(())
/// # }
/// ```
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

impl<'p, TableType: Table> BatchWrite<'p, TableType> {
    /// Adds a put of an entity.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let batch = acme.batch_write().put(&team(1, "Analysts")).put(&member(1, "ada")).put(&member(1, "bob"));
    /// assert_eq!(batch.send().await?.calls, 1);
    /// assert_eq!(acme.query(TeamWithMembers { team_id: 1 }).page().await?.items.len(), 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn put<EntityType>(mut self, entity: &EntityType) -> BatchWrite<'p, TableType>
    where
        EntityType: Data<TableType> + Unreserved<TableType> + KeyOfTenant<TableType> + Components + Serialize,
    {
        match Change::put(&self.tenant, entity) {
            Ok(change) => self.changes.push(change),
            Err(error) => self.refuse(EntityType::SHAPE.name, error),
        }
        self
    }

    /// Adds a put of each of these entities.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let teams = [team(1, "Analysts"), team(2, "Testers")];
    /// let members = [member(1, "ada"), member(2, "bob"), member(2, "eve")];
    /// let written = acme.batch_write().put_all(&teams).put_all(&members).send().await?;
    /// assert_eq!((written.items, written.calls), (5, 1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn put_all<'e, EntityType>(
        self,
        entities: impl IntoIterator<Item = &'e EntityType>,
    ) -> BatchWrite<'p, TableType>
    where
        EntityType:
            Data<TableType> + Unreserved<TableType> + KeyOfTenant<TableType> + Components + Serialize + 'e,
    {
        entities.into_iter().fold(self, BatchWrite::put)
    }

    /// Adds a delete of the item that a pattern names. That there is none is no error.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// let written = acme.batch_write().delete(TeamById { team_id: 1 }).delete(TeamById { team_id: 2 }).send().await?;
    /// assert_eq!(written.items, 2); // that there was no second team is no error
    /// assert!(acme.get(TeamById { team_id: 1 }).await?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn delete<Pattern>(mut self, pattern: Pattern) -> BatchWrite<'p, TableType>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + WithinTenant + Components,
        Pattern::Entity: Deletable<TableType> + Unreserved<TableType>,
    {
        match Change::delete(&self.tenant, &pattern) {
            Ok(change) => self.changes.push(change),
            Err(error) => self.refuse(Pattern::Entity::SHAPE.name, error),
        }
        self
    }

    /// Adds a delete of each of the items that these patterns name.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.batch_put(&[member(1, "ada"), member(1, "bob")]).send().await?;
    /// let left = ["ada", "bob"].map(|user_id| MemberById { team_id: 1, user_id: user_id.to_owned() });
    /// let written = acme.batch_write().delete_all(left).send().await?;
    /// assert_eq!((written.items, written.write_ids), (2, vec![None, None])); // a delete leaves no id behind
    /// assert!(acme.query(TeamWithMembers { team_id: 1 }).page().await?.items.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn delete_all<Pattern>(self, patterns: impl IntoIterator<Item = Pattern>) -> BatchWrite<'p, TableType>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + WithinTenant + Components,
        Pattern::Entity: Deletable<TableType> + Unreserved<TableType>,
    {
        patterns.into_iter().fold(self, BatchWrite::delete)
    }

    /// Adds a delete of the item with this key, which is known to hold the tenant.
    pub(crate) fn delete_key(
        mut self,
        entity: &'static str,
        key: KeyAttributes,
    ) -> BatchWrite<'p, TableType> {
        self.changes.push(Change::delete_key::<TableType>(entity, key));
        self
    }

    /// How long it is tried. By default as [`BatchBudget::default`] says.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::BatchWriteItem;
    /// # use keywright_api::ThrottlingLimit;
    /// # use keywright_embedded::engine::faults::{Fault, Rule};
    /// use std::num::NonZeroU32;
    /// use std::time::Duration;
    ///
    /// use keywright::{BatchBudget, BatchError};
    /// # let rule = Rule::new(Fault::Throttle(ThrottlingLimit::AccountLimit)).operation(BatchWriteItem);
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// let hasty = BatchBudget { tries: NonZeroU32::MIN.saturating_add(2), overall: Duration::from_secs(5) };
    /// match acme.batch_put(&[team(1, "Analysts")]).budget(hasty).send().await {
    ///     Err(BatchError::Unfinished(unfinished)) => assert_eq!((unfinished.calls(), unfinished.left().len()), (3, 1)),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub const fn budget(mut self, budget: BatchBudget) -> BatchWrite<'p, TableType> {
        self.settings.budget = budget;
        self
    }

    /// How many calls are made at once; four by default.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::num::NonZeroUsize;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let teams: Vec<Team> = (1..=60).map(|number| team(number, "Imported")).collect();
    /// let mut done = Vec::new();
    /// let batch = acme.batch_put(&teams).calls_in_flight(NonZeroUsize::MIN); // one after the other
    /// batch.on_progress(|progress| done.push(progress.done)).send().await?;
    /// assert_eq!(done, [25, 50, 60]);
    /// # Ok(())
    /// # }
    /// ```
    pub const fn calls_in_flight(mut self, calls: NonZeroUsize) -> BatchWrite<'p, TableType> {
        self.settings.in_flight = calls;
        self
    }

    /// Tells how far it is, after every call.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::BatchWriteItem;
    /// # use keywright_embedded::engine::faults::{Fault, Rule, When};
    /// # let rule = Rule::new(Fault::Unprocessed { share: 0.01 }).operation(BatchWriteItem).when(When::First(2));
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// let teams: Vec<Team> = (1..=30).map(|number| team(number, "Imported")).collect();
    /// let mut told = None;
    /// acme.batch_put(&teams).on_progress(|progress| told = Some(progress)).send().await?;
    /// let last = told.ok_or("it is told after every call")?;
    /// assert_eq!((last.done, last.total), (30, 30));
    /// assert_eq!(last.sent_again, 2); // each of two calls gave a team back
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_progress(mut self, tell: impl FnMut(BatchProgress) + Send + 'p) -> BatchWrite<'p, TableType> {
        self.settings.on_progress = Some(Mutex::new(Box::new(tell)));
        self
    }

    /// The requests that would be sent first, for a look at them: what comes back is sent again, in others. Where a design lists earlier
    /// numbers of shards, it is looked first where the items lie, and the requests follow from that.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let teams: Vec<Team> = (1..=30).map(|number| team(number, "Imported")).collect();
    /// let requests = acme.batch_put(&teams).requests()?;
    /// let writes = requests.iter().flat_map(|request| request.request_items()).flatten();
    /// assert_eq!(writes.map(|(_, of_table)| of_table.len()).collect::<Vec<_>>(), [25, 5]);
    /// assert!(acme.get(TeamById { team_id: 1 }).await?.is_none()); // they were not sent
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`BatchError`] when nothing would be sent.
    pub fn requests(&self) -> Result<Vec<BatchWriteItemInput>, BatchError> {
        self.check()?;
        let shared = self.tenant.shared();
        let mut queue = Queue::new(self.changes.iter().map(Change::wire_bytes), self.settings.budget);
        let chunks = std::iter::from_fn(|| queue.take(LIMITS));
        Ok(chunks
            .map(|chunk| {
                let changes = chunk.members.iter().filter_map(|member| self.changes.get(member.position));
                match request(shared, changes.map(Change::request).collect()).as_input().clone().build() {
                    Ok(input) => input,
                    Err(_) => unreachable!("`request` gives what BatchWriteItem needs"),
                }
            })
            .collect())
    }

    /// Writes everything.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::BatchError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let batch = acme.batch_write().put(&team(1, "Analysts")).put(&member(1, "")); // the second lacks its user
    /// assert!(matches!(batch.send().await, Err(BatchError::Member { .. })));
    /// assert!(acme.get(TeamById { team_id: 1 }).await?.is_none()); // nothing was sent, the first neither
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`BatchError`] when nothing was sent, and, with what is left and the count of what is done, when not everything was written.
    pub async fn send(mut self) -> Result<BatchWritten, BatchError> {
        self.check()?;
        let settings = std::mem::take(&mut self.settings);
        let shared = self.tenant.shared();
        let taken = Taken::default();
        let send = async |positions: Vec<usize>| {
            let changes: Vec<(usize, &Change)> = positions
                .iter()
                .filter_map(|position| Some((*position, self.changes.get(*position)?)))
                .collect();
            write::<TableType>(shared, &changes, &taken).await
        };
        let span = trace::batch(shared, "write", self.changes.len());
        let sizes = self.changes.iter().map(Change::wire_bytes);
        let counted_as =
            |position: usize| CountedAs::Write(self.changes.get(position).map_or("", |change| change.entity));
        let queue = run(shared, settings, LIMITS, span, sizes, counted_as, send).await;
        let (more_calls, write_units) = taken.so_far();
        if !queue.left.is_empty() {
            return Err(BatchError::Unfinished(self.unfinished(queue, more_calls)));
        }
        let write_ids = self.changes.iter().map(Change::write_id).collect();
        Ok(BatchWritten { items: queue.done, calls: queue.calls + more_calls, write_units, write_ids })
    }

    /// Keeps why nothing will be sent. Later members are not looked at for more.
    fn refuse(&mut self, entity: &'static str, source: WriteError) {
        let member = BatchMember::new(self.changes.len(), entity, None);
        self.problem.get_or_insert(BatchError::Member { member, source: Box::new(source) });
    }

    /// Everything that can be known before anything is sent.
    fn check(&self) -> Result<(), BatchError> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        check_keys(self.changes.iter().map(Change::key), |position| self.name(position))
    }

    fn name(&self, position: usize) -> BatchMember {
        match self.changes.get(position) {
            Some(change) => change.name(position, self.tenant.shared().keys_in_errors),
            None => unreachable!("places are those of members"),
        }
    }

    fn unfinished(&self, queue: Queue, more_calls: u64) -> Unfinished {
        let left = |left: &Left| LeftMember { member: self.name(left.position), fate: left.fate() };
        Unfinished {
            done: queue.done,
            calls: queue.calls + more_calls,
            reason: queue.reason(),
            left: queue.left.iter().map(left).collect(),
            source: queue.last_error,
        }
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// A batch of puts and deletes, empty yet.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let written = acme.batch_write().send().await?;
    /// assert_eq!((written.items, written.calls), (0, 0)); // nothing is in it, and nothing is sent
    /// let written = acme.batch_write().put(&team(1, "Analysts")).delete(TeamById { team_id: 2 }).send().await?;
    /// assert_eq!((written.items, written.calls), (2, 1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn batch_write<'p>(&self) -> BatchWrite<'p, TableType> {
        BatchWrite { tenant: self.clone(), changes: Vec::new(), problem: None, settings: Settings::default() }
    }

    /// Puts of entities of this tenant, any number.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let members = [member(1, "ada"), member(1, "bob")];
    /// let written = acme.batch_put(&members).send().await?;
    /// let ada = acme.get(MemberById { team_id: 1, user_id: "ada".to_owned() }).await?.ok_or("it was stored")?;
    /// assert_eq!(written.write_ids[0].as_ref(), ada.write_id());
    /// # Ok(())
    /// # }
    /// ```
    pub fn batch_put<'p, 'e, EntityType>(
        &self,
        entities: impl IntoIterator<Item = &'e EntityType>,
    ) -> BatchWrite<'p, TableType>
    where
        EntityType:
            Data<TableType> + Unreserved<TableType> + KeyOfTenant<TableType> + Components + Serialize + 'e,
    {
        self.batch_write().put_all(entities)
    }
}

impl<TableType> fmt::Debug for BatchWrite<'_, TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("BatchWrite")
            .field("members", &self.changes.len())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
