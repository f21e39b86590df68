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
    /// # Errors
    /// [`OpenError`].
    pub async fn with_client(client: Client, cursor_keys: CursorKeys) -> Result<Store<TableType>, OpenError> {
        StoreBuilder::new(client, cursor_keys).open().await
    }

    /// What a store is opened with, to be added to.
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
        /// # Errors
        /// [`OpenError::Design`] when the design breaks a rule.
        pub async fn in_memory(cursor_keys: CursorKeys) -> Result<Store<TableType>, OpenError> {
            Store::on_engine(Options::memory(), cursor_keys).await
        }

        /// The table in this process, durable in one directory, which one process at a time can open. It is created if it does not
        /// exist. A second table in the same directory is opened by [`Store::builder`] with the first store's [`Store::client`].
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
