//! A table, opened.

mod builder;
mod capability;
mod compare;
mod create;
mod difference;
mod open;
mod places;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use keywright_key::declare::Table;

use crate::cursor::CursorKeys;
use crate::item::KeyAttributes;
use crate::retry::Retries;
use crate::time::{Clock, Moment, milliseconds};
use crate::usage::{Counters, HotKey, KeyHash, Usage};

pub use builder::StoreBuilder;
pub use capability::{Capabilities, Capability};
pub use difference::Difference;
pub use open::OpenError;

/// One table behind the official client.
///
/// It is opened once, when a program starts, and is cheap to clone: clones share the client, the counters and the keys of cursors. What is in it
/// is reached through [`Store::tenant`], or [`Store::items`] where tenants do not share the table.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{CursorKey, CursorKeys, Store};
///
/// let keys = CursorKeys::new(CursorKey::generate()?);
/// let store = Store::<App>::in_memory(keys).await?;
/// assert_eq!(store.table_name(), "App");
///
/// let acme = store.tenant(&OrganizationId("acme".to_owned()))?;
/// acme.put(&team(1, "Analysts")).send().await?;
/// # Ok(())
/// # }
/// ```
pub struct Store<TableType> {
    shared: Arc<Shared>,
    table: PhantomData<fn() -> TableType>,
}

/// What every handle of a store shares.
#[derive(Debug)]
pub(crate) struct Shared {
    /// As it was given.
    client: Client,
    /// The same client without retries of its own: every call on items goes through it.
    pub(crate) calls: Client,
    /// How calls are made again.
    pub(crate) retries: Retries,
    pub(crate) table_name: String,
    /// The attribute of the table's partition key.
    pub(crate) partition_key: &'static str,
    pub(crate) clock: Clock,
    /// How far the clocks of two processes may be apart.
    pub(crate) clock_error: Duration,
    pub(crate) keys_in_errors: KeysInErrors,
    pub(crate) cursor_keys: CursorKeys,
    pub(crate) cursors_valid_for: Duration,
    pub(crate) counters: Counters,
    pub(crate) capabilities: Capabilities,
}

impl Shared {
    /// Whether calls of both go through one client: clones of a client share their settings, and other clients have settings of their own.
    pub(crate) fn has_client_of(&self, other: &Shared) -> bool {
        std::ptr::eq(self.client.config(), other.client.config())
    }
}

/// Whether errors and events name keys of items. Values of other attributes are in neither, whatever is chosen here.
///
/// ```
/// # use applications::teams::*;
/// use keywright::{CursorKeys, KeysInErrors, Store};
///
/// fn discreet(client: aws_sdk_dynamodb::Client, keys: CursorKeys) -> Store<App> {
///     Store::builder(client, keys).keys_in_errors(KeysInErrors::Redacted).open_unchecked()
/// }
/// # fn main() { let _ = discreet; }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeysInErrors {
    /// As they are stored.
    #[default]
    Shown,
    /// Not at all: where keys hold what must not be in logs.
    Redacted,
}

impl Shared {
    /// Counts what the partition key of an item took.
    pub(crate) fn count_key(&self, key: &KeyAttributes, units: f64) {
        let partition_key = key.get(self.partition_key).and_then(|value| value.as_s().ok());
        // Rendered keys are texts.
        let hash = self.counters.hash(&[partition_key.map_or("", String::as_str)]);
        self.counters.key(None, hash, units);
    }

    /// Now, for leases.
    pub(crate) fn moment(&self) -> Moment {
        let now = milliseconds(self.clock.since_epoch());
        Moment { now, clock_error: milliseconds(self.clock_error) }
    }
}

impl<TableType: Table> Store<TableType> {
    pub(crate) fn new(shared: Shared) -> Store<TableType> {
        Store { shared: Arc::new(shared), table: PhantomData }
    }

    /// The client through which every call goes: for the second table of an application, and for what this crate does not do. What is
    /// sent through it directly is behind no tenant's fence.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use aws_sdk_dynamodb::types::TableStatus;
    /// # let store = store().await?;
    ///
    /// // What this crate does not do: a probe of whether the table can be used.
    /// let described = store.client().describe_table().table_name(store.table_name()).send().await?;
    /// let status = described.table.and_then(|table| table.table_status);
    /// assert_eq!(status, Some(TableStatus::Active));
    /// # Ok(())
    /// # }
    /// ```
    pub fn client(&self) -> &Client {
        &self.shared.client
    }

    /// What its calls cost so far, by access pattern and by entity, since the store was opened.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// acme.get(TeamById { team_id: 1 }).await?;
    ///
    /// let usage = store.usage();
    /// assert_eq!(usage.reads.get("TeamById").map(|read| read.units), Some(0.5));
    /// assert_eq!(usage.writes.get("Team").map(|written| written.units), Some(1.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn usage(&self) -> Usage {
        self.shared.counters.snapshot()
    }

    /// The partition keys that took the most units since this was called last, the hottest first; counting begins again. Called once a
    /// minute, it says what is hot now.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// for number in 0..10 {
    ///     acme.put(&member(1, &format!("user-{number}"))).send().await?;
    /// }
    /// let hottest = store.take_hot_keys().into_iter().next().ok_or("something was written")?;
    /// assert_eq!(hottest.key, store.key_hash("ORG#acme"));
    /// assert!(hottest.units >= 10.0 && store.usage().hot_keys.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn take_hot_keys(&self) -> Vec<HotKey> {
        self.shared.counters.take_hot_keys()
    }

    /// The hash by which [`HotKey`] names a partition key, as it is stored: to find out whether it is one that is suspected.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    ///
    /// let hottest = store.usage().hot_keys.into_iter().next().ok_or("something was written")?;
    /// assert_eq!(hottest.key, store.key_hash("ORG#acme"));
    /// assert_ne!(hottest.key, store.key_hash("ORG#globex"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn key_hash(&self, partition_key: &str) -> KeyHash {
        self.shared.counters.hash(&[partition_key])
    }

    /// The name of the table in its account and region.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright::{CursorKey, CursorKeys};
    /// use keywright::Store;
    /// # let store = store().await?;
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// assert_eq!(store.table_name(), "App"); // of the type, unless the store was told another one
    /// let production = Store::<App>::builder(store.client().clone(), keys).table_name("app-production").open_unchecked();
    /// assert_eq!(production.table_name(), "app-production");
    /// # Ok(())
    /// # }
    /// ```
    pub fn table_name(&self) -> &str {
        &self.shared.table_name
    }
}

impl<TableType> Store<TableType> {
    pub(crate) const fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }
}

impl<TableType> Clone for Store<TableType> {
    fn clone(&self) -> Store<TableType> {
        Store { shared: Arc::clone(&self.shared), table: PhantomData }
    }
}

impl<TableType> fmt::Debug for Store<TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Store").field("table", &self.shared.table_name).finish_non_exhaustive()
    }
}
