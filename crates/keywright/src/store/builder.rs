//! How a store is opened.

use std::marker::PhantomData;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_smithy_types::retry::RetryConfig;
use aws_smithy_types::timeout::TimeoutConfig;
use keywright_key::declare::Table;

use super::{Capabilities, KeysInErrors, Shared, Store};
use crate::cursor::{CursorKeys, VALID_FOR};
use crate::retry::{Retries, RetryPolicy};
use crate::time::{Clock, sleep_of};
use crate::usage::Counters;

/// How far two clocks may be apart if nothing is said: machines that are kept in time are apart by milliseconds.
const CLOCK_ERROR: Duration = Duration::from_secs(1);

/// What a store is opened with: [`Store::builder`], then what differs from the defaults, then [`StoreBuilder::open`].
///
/// ```
/// # use applications::teams::App;
/// use aws_sdk_dynamodb::Client;
/// use keywright::{CursorKeys, KeysInErrors, OpenError, Store};
///
/// async fn open(client: Client, keys: CursorKeys) -> Result<Store<App>, OpenError> {
///     Store::builder(client, keys).table_name("app-production").keys_in_errors(KeysInErrors::Redacted).open().await
/// }
/// ```
#[derive(Debug)]
pub struct StoreBuilder<TableType> {
    pub(super) client: Client,
    pub(super) table_name: String,
    keys_in_errors: KeysInErrors,
    cursor_keys: CursorKeys,
    cursors_valid_for: Duration,
    retries: RetryPolicy,
    pub(super) capabilities: Capabilities,
    clock_error: Duration,
    table: PhantomData<fn() -> TableType>,
}

impl<TableType: Table> StoreBuilder<TableType> {
    /// A store behind this client. Its table has the name of the table type until another is given.
    ///
    /// The client's retry settings say how often a call is tried, its sleep implementation lets tries wait (tokio's if it has none and the
    /// SDK's feature `rt-tokio` is on), and its time source is the clock by which items expire. Without anything to sleep by, a try is made
    /// again at once, and no try has a time of its own.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{CursorKey, CursorKeys, StoreBuilder};
    /// # let first = store().await?;
    ///
    /// let keys = CursorKeys::new(CursorKey::generate()?);
    /// let store = StoreBuilder::<App>::new(first.client().clone(), keys).open_unchecked();
    /// acme(&store)?.put(&team(1, "Analysts")).send().await?;
    /// assert!(acme(&first)?.get(TeamById { team_id: 1 }).await?.is_some()); // it is the same table
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn new(client: Client, cursor_keys: CursorKeys) -> StoreBuilder<TableType> {
        StoreBuilder {
            retries: RetryPolicy::of(&client),
            client,
            table_name: TableType::SHAPE.name.to_owned(),
            keys_in_errors: KeysInErrors::default(),
            cursor_keys,
            cursors_valid_for: VALID_FOR,
            capabilities: Capabilities::AMAZON_DYNAMODB,
            clock_error: CLOCK_ERROR,
            table: PhantomData,
        }
    }

    /// The name of the table in its account and region: `app-production`. By default it is the name of the type.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright::{CursorKey, CursorKeys};
    /// use keywright::Store;
    /// # let first = store().await?;
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// # Store::<App>::builder(first.client().clone(), keys.clone()).table_name("app-test").create_table().await?;
    /// // Two stages of an application are two tables.
    /// let builder = Store::<App>::builder(first.client().clone(), keys).table_name("app-test");
    /// let test = builder.open_unchecked();
    /// acme(&test)?.put(&team(1, "Testers")).send().await?;
    /// assert!(acme(&first)?.get(TeamById { team_id: 1 }).await?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn table_name(mut self, name: impl Into<String>) -> StoreBuilder<TableType> {
        self.table_name = name.into();
        self
    }

    /// Whether errors and events name keys. By default they do.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright::{CursorKey, CursorKeys};
    /// use keywright::{KeysInErrors, Store, WriteError};
    /// # let first = store().await?;
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// let builder = Store::<App>::builder(first.client().clone(), keys).keys_in_errors(KeysInErrors::Redacted);
    /// let store = builder.open_unchecked();
    ///
    /// let too_large = team(1, &"A long name. ".repeat(40_000));
    /// let refused = acme(&store)?.put(&too_large).send().await;
    /// assert!(matches!(refused, Err(WriteError::TooLarge { key: None, .. })));
    /// let refused = acme(&first)?.put(&too_large).send().await;
    /// assert!(matches!(refused, Err(WriteError::TooLarge { key: Some(_), .. })));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn keys_in_errors(mut self, keys_in_errors: KeysInErrors) -> StoreBuilder<TableType> {
        self.keys_in_errors = keys_in_errors;
        self
    }

    /// What the engine behind the client can do, where that is not everything: by default [`Capabilities::AMAZON_DYNAMODB`].
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright::{CursorKey, CursorKeys};
    /// use keywright::{Capabilities, Capability, OpenError, Store};
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// # let first = Store::<App>::in_memory(keys.clone()).await?;
    ///
    /// // An engine without transactions, and a design with addresses that are one user's only.
    /// let older = Capabilities { transactions: Capability::Absent, ..Capabilities::EMBEDDED };
    /// let opened = Store::<App>::builder(first.client().clone(), keys).capabilities(older).open().await;
    /// let Err(OpenError::Lacks(lacking)) = opened else { return Err("nothing would hold the addresses".into()) };
    /// assert_eq!(lacking, ["transactions, by which reservations are held"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn capabilities(mut self, capabilities: Capabilities) -> StoreBuilder<TableType> {
        self.capabilities = capabilities;
        self
    }

    /// How long a cursor is good for, in whole seconds; a day by default. A longer time keeps a key longer that is being replaced.
    ///
    /// ```
    /// # use applications::teams::*;
    /// use std::time::Duration;
    ///
    /// use keywright::{CursorKeys, Store};
    ///
    /// fn briefly(client: aws_sdk_dynamodb::Client, keys: CursorKeys) -> Store<App> {
    ///     Store::builder(client, keys).cursors_valid_for(Duration::from_secs(15 * 60)).open_unchecked()
    /// }
    /// # fn main() { let _ = briefly; }
    /// ```
    #[must_use]
    pub const fn cursors_valid_for(mut self, duration: Duration) -> StoreBuilder<TableType> {
        self.cursors_valid_for = duration;
        self
    }

    /// How calls are made again, in place of what the client says.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use aws_sdk_dynamodb::Client;
    /// # use keywright::{CursorKey, CursorKeys};
    /// use std::num::NonZeroU32;
    ///
    /// use keywright::{ReadError, RetryPolicy, ServiceProblem, Store};
    /// # let first = store().await?;
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// # let settings = first.client().config().to_builder().endpoint_url("http://127.0.0.1:1"); // nobody listens there
    /// # let client = Client::from_conf(settings.http_client(aws_smithy_http_client::Builder::new().build_http()).build());
    /// const TWICE: NonZeroU32 = NonZeroU32::new(2).unwrap();
    /// let policy = RetryPolicy { tries: TWICE, ..RetryPolicy::default() };
    /// let store = Store::<App>::builder(client, keys).retries(policy).open_unchecked();
    ///
    /// let read = acme(&store)?.get(TeamById { team_id: 1 }).await; // while nobody answers
    /// assert!(matches!(read, Err(ReadError::Service(error)) if error.problem() == ServiceProblem::Unanswered));
    /// assert_eq!(store.usage().reads.get("TeamById").map(|read| read.tries.retries), Some(1));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn retries(mut self, policy: RetryPolicy) -> StoreBuilder<TableType> {
        self.retries = policy;
        self
    }

    /// How far the clocks of two processes that use the table may be apart; a second by default. Leases of claims and locks end by the
    /// clock of whoever holds them, and are taken over so much later by the clock of whoever wants them.
    ///
    /// ```
    /// # use applications::teams::*;
    /// use std::time::Duration;
    ///
    /// use keywright::{CursorKeys, Store};
    ///
    /// /// Machines whose clocks are set by hand.
    /// fn loosely(client: aws_sdk_dynamodb::Client, keys: CursorKeys) -> Store<App> {
    ///     Store::builder(client, keys).clock_error(Duration::from_secs(30)).open_unchecked()
    /// }
    /// # fn main() { let _ = loosely; }
    /// ```
    #[must_use]
    pub const fn clock_error(mut self, at_most: Duration) -> StoreBuilder<TableType> {
        self.clock_error = at_most;
        self
    }

    /// The store, without a look at the design or the table: for programs that start more often than tables change. Nothing is sent.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright::{CursorKey, CursorKeys};
    /// use keywright::{ReadError, Store};
    /// # let first = store().await?;
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// // No table has this name, and that is found out by the first call.
    /// let store = Store::<App>::builder(first.client().clone(), keys).table_name("misspelt").open_unchecked();
    /// match acme(&store)?.get(TeamById { team_id: 1 }).await {
    ///     Err(ReadError::Service(error)) => assert_eq!(error.code(), Some("ResourceNotFoundException")),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn open_unchecked(self) -> Store<TableType> {
        let mut calls = self.client.config().to_builder().retry_config(RetryConfig::disabled());
        // A time for each try is measured by sleeping, and a client panics that is to measure it and cannot sleep.
        if let Some(sleep) = sleep_of(&self.client) {
            let timeouts = self.client.config().timeout_config();
            let timeouts = timeouts.map_or_else(TimeoutConfig::builder, TimeoutConfig::to_builder);
            let timeouts = timeouts.operation_attempt_timeout(self.retries.attempt_timeout).build();
            calls = calls.sleep_impl(sleep).timeout_config(timeouts);
        }
        Store::new(Shared {
            calls: Client::from_conf(calls.build()),
            retries: Retries::new(self.retries),
            clock: Clock::of(&self.client),
            clock_error: self.clock_error,
            client: self.client,
            table_name: self.table_name,
            partition_key: TableType::SHAPE.partition_key.name,
            keys_in_errors: self.keys_in_errors,
            cursor_keys: self.cursor_keys,
            cursors_valid_for: self.cursors_valid_for,
            counters: Counters::default(),
            capabilities: self.capabilities,
        })
    }
}
