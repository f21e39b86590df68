//! TransactGetItems: several items as they are at one moment.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactGetItems.html>

mod attempt;
mod error;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use aws_sdk_dynamodb::operation::transact_get_items::TransactGetItemsInput;
use keywright_key::Components;
use keywright_key::declare::{NamesItem, ReadItems, Table};
use tracing::Instrument;

pub use error::SnapshotError;

use super::name::{ActionKind, ActionName};
use super::request::{MOST_ACTIONS, same_items};
use crate::expression::Placeholders;
use crate::item::{Attributes, Decoded, Decoder, ItemKey, ItemKeys, KeyAttributes};
use crate::query::projection;
use crate::store::{Capability, Shared};
use crate::stored::Stored;
use crate::tenant::{Identity, Tenant};
use crate::trace;

/// Items that are about to be read as they are at one moment: [`Tenant::snapshot`], [`Snapshot::get`] for each, then [`Snapshot::send`].
///
/// Reads one after the other can see a transaction by half; this sees all of it or nothing. It costs twice the units of consistent reads.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
///
/// let mut snapshot = acme.snapshot();
/// let team = snapshot.get(TeamById { team_id: 1 });
/// let ada = snapshot.get(MemberById { team_id: 1, user_id: "ada".to_owned() });
/// let read = snapshot.send().await?;
/// assert_eq!(read.item(&team)?.map(|team| team.name.clone()), Some("Analysts".to_owned())); // each in its own type
/// assert!(read.item(&ada)?.is_none());
/// # Ok(())
/// # }
/// ```
///
/// What is read has its whole key: a pattern that is a Query does not compile here.
///
/// ```compile_fail,E0277
/// # use applications::teams::*;
/// fn everybody(acme: &keywright::Tenant<App>) {
///     acme.snapshot().get(TeamWithMembers { team_id: 1 });
/// }
/// # fn main() {}
/// ```
#[must_use = "nothing is read before it is sent"]
pub struct Snapshot<TableType> {
    tenant: Tenant<TableType>,
    /// Whose items it reads, as for [`Transaction`](super::Transaction).
    identity: Arc<Identity>,
    mark: Mark,
    added: usize,
    reads: Vec<PreparedRead>,
    /// The first read that cannot be sent.
    problem: Option<SnapshotError>,
}

/// An item of a snapshot, by which it is asked for in what was read.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{SnapshotError, SnapshotItem};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let of = |team_id| TeamById { team_id };
/// let (mut first, mut second) = (acme.snapshot(), acme.snapshot());
/// let one: SnapshotItem<TeamById> = first.get(of(1));
/// let two: SnapshotItem<TeamById> = second.get(of(2));
/// let read = first.send().await?;
/// assert!(read.item(&one)?.is_none()); // there is no such team
/// assert!(matches!(read.item(&two), Err(SnapshotError::AnotherSnapshot))); // and this was not asked here
/// # Ok(())
/// # }
/// ```
pub struct SnapshotItem<Pattern> {
    mark: Mark,
    position: usize,
    pattern: PhantomData<fn() -> Pattern>,
}

/// Items as they were at one moment.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{SnapshotError, SnapshotItem, SnapshotRead};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # acme.put(&team(1, "Analysts")).send().await?;
/// let mut snapshot = acme.snapshot();
/// let team: SnapshotItem<TeamById> = snapshot.get(TeamById { team_id: 1 });
/// // Of another table, through the handle of its store: here of the same one.
/// let ada = snapshot.get_through(&acme, MemberById { team_id: 1, user_id: "ada".to_owned() });
/// let read: Result<SnapshotRead, SnapshotError> = snapshot.send().await;
/// let read = read?;
/// assert!(read.read_units() >= 2.0); // a transaction takes twice the units
/// assert!(read.item(&team)?.is_some() && read.item(&ada)?.is_none());
/// # Ok(())
/// # }
/// ```
pub struct SnapshotRead {
    mark: Mark,
    items: Vec<ReadItem>,
    read_units: f64,
}

/// Tells one snapshot from another.
#[derive(Clone)]
struct Mark(Arc<()>);

/// A read with everything that it needs.
struct PreparedRead {
    name: ActionName,
    shared: Arc<Shared>,
    identity: Arc<Identity>,
    item_key: ItemKey,
    key: KeyAttributes,
    projection: Option<String>,
    placeholders: Placeholders,
}

/// What was read of one item.
struct ReadItem {
    shared: Arc<Shared>,
    identity: Arc<Identity>,
    attributes: Option<Attributes>,
}

impl<TableType: Table> Snapshot<TableType> {
    /// Adds the item that a pattern names.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&member(1, "ada")).send().await?;
    /// let mut snapshot = acme.snapshot();
    /// let [ada, bob] = ["ada", "bob"].map(|user_id| snapshot.get(MemberById { team_id: 1, user_id: user_id.to_owned() }));
    /// let read = snapshot.send().await?;
    /// assert!(read.item(&ada)?.is_some() && read.item(&bob)?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn get<Pattern>(&mut self, pattern: Pattern) -> SnapshotItem<Pattern>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    {
        self.get_through(&self.tenant.clone(), pattern)
    }

    /// Adds an item of another table, through a handle of the same tenant or of a table that tenants do not share. The store of
    /// that table was opened with [`Store::client`](crate::Store::client) of this one.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{Capabilities, CursorKey, CursorKeys, Store};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// let builder = Store::<App>::builder(store.client().clone(), keys).table_name("archive");
    /// let builder = builder.capabilities(Capabilities::EMBEDDED);
    /// # builder.create_table().await?;
    /// let archive = builder.open().await?.tenant(&OrganizationId("acme".to_owned()))?;
    /// archive.put(&team(1, "Analysts")).send().await?; // and `acme` has none
    ///
    /// let mut snapshot = acme.snapshot();
    /// let present = snapshot.get(TeamById { team_id: 1 });
    /// let archived = snapshot.get_through(&archive, TeamById { team_id: 1 });
    /// let read = snapshot.send().await?;
    /// assert!(read.item(&present)?.is_none() && read.item(&archived)?.is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn get_through<Pattern>(
        &mut self,
        tenant: &Tenant<Pattern::Table>,
        pattern: Pattern,
    ) -> SnapshotItem<Pattern>
    where
        Pattern: ReadItems + NamesItem + Components,
    {
        let position = self.added;
        self.added += 1;
        if let Err(problem) = self.take(position, tenant, &pattern) {
            self.problem.get_or_insert(problem);
        }
        SnapshotItem { mark: self.mark.clone(), position, pattern: PhantomData }
    }

    /// Reads all of them. A snapshot of nothing is read, and nothing is sent.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::SnapshotError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let snapshot_of = |teams: u64| {
    ///     let mut snapshot = acme.snapshot();
    ///     for team_id in 1..=teams {
    ///         snapshot.get(TeamById { team_id });
    ///     }
    ///     snapshot.send()
    /// };
    /// assert!(snapshot_of(100).await.is_ok());
    /// assert!(matches!(snapshot_of(101).await, Err(SnapshotError::TooMany { items: 101, .. })));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`SnapshotError`] when nothing was read.
    pub async fn send(self) -> Result<SnapshotRead, SnapshotError> {
        self.check()?;
        let span = trace::transaction(self.tenant.shared(), "read", self.reads.len());
        self.read_all().instrument(span).await
    }

    /// The request that would be sent, for a look at it.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut snapshot = acme.snapshot();
    /// snapshot.get(TeamById { team_id: 1 });
    /// snapshot.get(MemberById { team_id: 1, user_id: "ada".to_owned() });
    /// let request = snapshot.request()?;
    /// let gets: Vec<_> = request.transact_items().iter().filter_map(|item| item.get()).collect();
    /// assert_eq!(gets.len(), 2);
    /// assert!(gets.iter().all(|get| get.table_name() == store.table_name()));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`SnapshotError`] when nothing would be sent.
    pub fn request(&self) -> Result<TransactGetItemsInput, SnapshotError> {
        self.check()?;
        match self.builder().as_input().clone().build() {
            Ok(input) => Ok(input),
            Err(_) => unreachable!("`builder` gives what TransactGetItems needs"),
        }
    }

    fn take<Pattern>(
        &mut self,
        position: usize,
        tenant: &Tenant<Pattern::Table>,
        pattern: &Pattern,
    ) -> Result<(), SnapshotError>
    where
        Pattern: ReadItems + NamesItem + Components,
    {
        let (table, shape) = (<Pattern::Table as Table>::SHAPE, Pattern::SHAPE);
        let named = |key| ActionName::new(position, ActionKind::Get, shape.name, key);
        if matches!(*self.identity, Identity::Unshared) {
            self.identity = Arc::clone(tenant.identity_handle());
        } else if !self.identity.is_or_unshared(tenant.identity()) {
            return Err(SnapshotError::AnotherTenant(named(None)));
        }
        if !self.tenant.shared().has_client_of(tenant.shared()) {
            return Err(SnapshotError::AnotherClient(named(None)));
        }
        let ItemKeys { now: key, earlier } = tenant
            .named_keys(pattern)
            .map_err(|source| SnapshotError::Key { read: named(None), source: Box::new(source) })?;
        if !earlier.is_empty() {
            return Err(SnapshotError::SeveralKeys(named(None)));
        }
        let Some(item_key) = ItemKey::of(&table, &key) else {
            unreachable!("a rendered key is whole, and of texts")
        };
        let mut placeholders = Placeholders::default();
        let projection = projection(&table, &shape, &mut placeholders);
        self.reads.push(PreparedRead {
            name: named(item_key.text(tenant.shared().keys_in_errors)),
            shared: Arc::clone(tenant.shared_handle()),
            identity: Arc::clone(tenant.identity_handle()),
            item_key,
            key,
            projection,
            placeholders,
        });
        Ok(())
    }

    /// Everything that can be known before anything is sent.
    fn check(&self) -> Result<(), SnapshotError> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        if let Some(beyond) = self.reads.get(MOST_ACTIONS) {
            let first_beyond = beyond.name.clone();
            return Err(SnapshotError::TooMany { items: self.reads.len(), first_beyond });
        }
        let twice = same_items(self.reads.iter().map(|read| (&*read.shared, &read.item_key, &read.name)));
        if twice.is_empty() { Ok(()) } else { Err(SnapshotError::SameItem(twice)) }
    }
}

impl SnapshotRead {
    /// An item as it was at that moment; none if it was not there, or if its time was over.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&invitation("ada@example.org", 1)).send().await?; // its time was over in 1970
    /// acme.put(&invitation("bob@example.org", 4_102_444_800)).send().await?;
    /// let mut snapshot = acme.snapshot();
    /// let ada = snapshot.get(InvitationById { email: "ada@example.org".to_owned() });
    /// let bob = snapshot.get(InvitationById { email: "bob@example.org".to_owned() });
    /// let read = snapshot.send().await?;
    /// assert!(read.item(&ada)?.is_none()); // though it is still stored
    /// let bob = read.item(&bob)?.ok_or("he is invited")?;
    /// assert_eq!((bob.role.as_str(), bob.etag().is_some()), ("guest", true));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`SnapshotError::Item`] if it is not what it should be, or not the tenant's; [`SnapshotError::AnotherSnapshot`] for an item of
    /// another snapshot.
    pub fn item<Pattern: ReadItems>(
        &self,
        item: &SnapshotItem<Pattern>,
    ) -> Result<Option<Stored<Pattern::Item>>, SnapshotError> {
        let read = self.items.get(item.position).filter(|_| self.mark.is(&item.mark));
        let read = read.ok_or(SnapshotError::AnotherSnapshot)?;
        let Some(attributes) = read.attributes.clone() else { return Ok(None) };
        let decoder =
            Decoder::<Pattern::Table>::new(&read.shared, &read.identity).of_pattern(&Pattern::SHAPE);
        let decoded =
            decoder.decode(attributes, |discriminator, source| Pattern::read(discriminator, source));
        Ok(decoded.map(Decoded::live)?)
    }

    /// The read units that it took: twice those of consistent reads.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// acme.put(&team(2, "Testers")).send().await?;
    /// let mut snapshot = acme.snapshot();
    /// snapshot.get(TeamById { team_id: 1 });
    /// snapshot.get(TeamById { team_id: 2 });
    /// // For each up to 4 KB: half a unit by `get`, one by a consistent read, two here.
    /// assert_eq!(snapshot.send().await?.read_units(), 4.0);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn read_units(&self) -> f64 {
        self.read_units
    }
}

impl Mark {
    fn is(&self, other: &Mark) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// Items that are to be read as they are at one moment, none yet.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let nothing = acme.snapshot().send().await?;
    /// assert_eq!(nothing.read_units(), 0.0); // nothing was sent
    ///
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// let mut snapshot = acme.snapshot();
    /// let team = snapshot.get(TeamById { team_id: 1 });
    /// assert!(snapshot.send().await?.item(&team)?.is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn snapshot(&self) -> Snapshot<TableType> {
        let is_lacking = self.shared().capabilities.transactions == Capability::Absent;
        Snapshot {
            tenant: self.clone(),
            identity: Arc::clone(self.identity_handle()),
            mark: Mark(Arc::new(())),
            added: 0,
            reads: Vec::new(),
            problem: is_lacking.then_some(SnapshotError::Lacking),
        }
    }
}

impl<TableType> fmt::Debug for Snapshot<TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Snapshot").field("items", &self.added).finish_non_exhaustive()
    }
}

impl<Pattern> fmt::Debug for SnapshotItem<Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SnapshotItem").field("position", &self.position).finish_non_exhaustive()
    }
}

impl fmt::Debug for SnapshotRead {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The items in it may be somebody else's.
        formatter
            .debug_struct("SnapshotRead")
            .field("items", &self.items.len())
            .field("read_units", &self.read_units)
            .finish_non_exhaustive()
    }
}
