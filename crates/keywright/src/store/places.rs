//! Where a table can be: in this process, or behind a client.

use aws_sdk_dynamodb::Client;
use aws_types::SdkConfig;
use keywright_key::declare::Table;

use super::open::OpenError;
use super::{Store, StoreBuilder};
use crate::cursor::CursorKeys;

impl<TableType: Table> Store<TableType> {
    /// The table in Amazon DynamoDB, or whatever the settings point to, called as the type is. It must exist, and is compared with the design.
    ///
    /// ```
    /// # use applications::teams::*;
    /// use keywright::{CursorKeys, OpenError, Store};
    ///
    /// /// `config` is what `aws_config::load_from_env` gives.
    /// async fn open(config: &aws_types::SdkConfig, keys: CursorKeys) -> Result<Store<App>, OpenError> {
    ///     Store::aws(config, keys).await
    /// }
    /// # fn main() { let _ = open; }
    /// ```
    ///
    /// # Errors
    /// [`OpenError`].
    pub async fn aws(config: &SdkConfig, cursor_keys: CursorKeys) -> Result<Store<TableType>, OpenError> {
        Store::with_client(Client::new(config), cursor_keys).await
    }

    /// The table behind this client, called as the type is. It must exist, and is compared with the design.
    ///
    /// ```
    /// # use applications::feed::Feed;
    /// # use keywright::{CursorKey, CursorKeys};
    /// use keywright::{Difference, OpenError, Store};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let client = applications::teams::store().await?.client().clone();
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// // Behind this client is the table of another application.
    /// let opened = Store::<Feed>::with_client(client, keys).await;
    /// let Err(OpenError::Differs(differences)) = opened else { return Err("nobody created a table `Feed`".into()) };
    /// assert_eq!(differences, [Difference::NoTable { table: "Feed".to_owned() }]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`OpenError`].
    pub async fn with_client(client: Client, cursor_keys: CursorKeys) -> Result<Store<TableType>, OpenError> {
        StoreBuilder::new(client, cursor_keys).open().await
    }

    /// What a store is opened with, to be added to.
    ///
    /// ```
    /// # use applications::{feed::Feed, teams::App};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright::{CursorKey, CursorKeys};
    /// use keywright::{Capabilities, Store};
    ///
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// let app = Store::<App>::in_memory(keys.clone()).await?;
    /// // The second table of an application goes through the client of the first.
    /// let builder = Store::<Feed>::builder(app.client().clone(), keys).capabilities(Capabilities::EMBEDDED);
    /// builder.create_table().await?;
    /// assert_eq!(builder.open().await?.table_name(), "Feed");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn builder(client: Client, cursor_keys: CursorKeys) -> StoreBuilder<TableType> {
        StoreBuilder::new(client, cursor_keys)
    }
}

#[cfg(feature = "embedded")]
mod in_process {
    use std::path::PathBuf;

    use keywright_embedded::engine::{Engine, Options};
    use keywright_key::declare::Table;

    use super::{CursorKeys, OpenError, Store, StoreBuilder};
    use crate::store::Capabilities;

    impl<TableType: Table> Store<TableType> {
        /// The table in this process, in memory: it is created, and gone with the last clone of the store and its client.
        ///
        /// ```
        /// # use applications::teams::*;
        /// # #[tokio::main(flavor = "current_thread")]
        /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
        /// use keywright::{CursorKey, CursorKeys, Store};
        ///
        /// let keys = CursorKeys::new(CursorKey::generate()?);
        /// let store = Store::<App>::in_memory(keys.clone()).await?;
        /// acme(&store)?.put(&team(1, "Analysts")).send().await?;
        /// assert!(acme(&store)?.get(TeamById { team_id: 1 }).await?.is_some());
        ///
        /// let another = Store::<App>::in_memory(keys).await?; // an engine of its own: a test shares nothing with the next
        /// assert!(acme(&another)?.get(TeamById { team_id: 1 }).await?.is_none());
        /// # Ok(())
        /// # }
        /// ```
        ///
        /// # Errors
        /// [`OpenError::Design`] when the design breaks a rule.
        pub async fn in_memory(cursor_keys: CursorKeys) -> Result<Store<TableType>, OpenError> {
            Store::on_engine(Options::memory(), cursor_keys).await
        }

        /// The table in this process, durable in one directory, which one process at a time can open. It is created if it does not
        /// exist. A second table in the same directory is opened by [`Store::builder`] with the first store's [`Store::client`] and
        /// [`Capabilities::EMBEDDED`].
        ///
        /// ```
        /// # use applications::teams::*;
        /// # #[tokio::main(flavor = "current_thread")]
        /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
        /// # use keywright::{CursorKey, CursorKeys};
        /// use keywright::Store;
        /// # let keys = CursorKeys::new(CursorKey::generate()?);
        /// # let kept = tempfile::tempdir()?;
        /// # let directory = kept.path().join("app");
        ///
        /// let store = Store::<App>::embedded(&directory, keys.clone()).await?;
        /// acme(&store)?.put(&team(1, "Analysts")).send().await?;
        /// drop(store); // the program ends, and begins again
        ///
        /// let store = Store::<App>::embedded(&directory, keys).await?;
        /// assert!(acme(&store)?.get(TeamById { team_id: 1 }).await?.is_some());
        /// # Ok(())
        /// # }
        /// ```
        ///
        /// # Errors
        /// [`OpenError`].
        pub async fn embedded(
            directory: impl Into<PathBuf>,
            cursor_keys: CursorKeys,
        ) -> Result<Store<TableType>, OpenError> {
            Store::on_engine(Options::directory(directory), cursor_keys).await
        }

        async fn on_engine(options: Options, cursor_keys: CursorKeys) -> Result<Store<TableType>, OpenError> {
            let engine = Engine::open(options).map_err(|error| OpenError::Engine(Box::new(error)))?;
            let builder = StoreBuilder::new(keywright_embedded::client(&engine), cursor_keys)
                .capabilities(Capabilities::EMBEDDED);
            builder.create_table().await?;
            builder.open().await
        }
    }
}
