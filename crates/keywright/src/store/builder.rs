//! How a store is opened.

use std::marker::PhantomData;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_smithy_types::retry::RetryConfig;
use keywright_key::declare::Table;

use super::{Capabilities, KeysInErrors, Shared, Store};
use crate::cursor::{CursorKeys, VALID_FOR};
use crate::time::Clock;
use crate::usage::Counters;

/// What a store is opened with.
#[derive(Debug)]
pub struct StoreBuilder<TableType> {
    pub(super) client: Client,
    pub(super) table_name: String,
    keys_in_errors: KeysInErrors,
    cursor_keys: CursorKeys,
    cursors_valid_for: Duration,
    pub(super) capabilities: Capabilities,
    table: PhantomData<fn() -> TableType>,
}

impl<TableType: Table> StoreBuilder<TableType> {
    /// A store behind this client. Its table has the name of the table type until another is given.
    #[must_use]
    pub fn new(client: Client, cursor_keys: CursorKeys) -> StoreBuilder<TableType> {
        StoreBuilder {
            client,
            table_name: TableType::SHAPE.name.to_owned(),
            keys_in_errors: KeysInErrors::default(),
            cursor_keys,
            cursors_valid_for: VALID_FOR,
            capabilities: Capabilities::AMAZON_DYNAMODB,
            table: PhantomData,
        }
    }

    /// The name of the table in its account and region: `app-production`.
    #[must_use]
    pub fn table_name(mut self, name: impl Into<String>) -> StoreBuilder<TableType> {
        self.table_name = name.into();
        self
    }

    /// Whether errors and events name keys.
    #[must_use]
    pub fn keys_in_errors(mut self, keys_in_errors: KeysInErrors) -> StoreBuilder<TableType> {
        self.keys_in_errors = keys_in_errors;
        self
    }

    /// What the engine behind the client can do, where that is not everything.
    #[must_use]
    pub const fn capabilities(mut self, capabilities: Capabilities) -> StoreBuilder<TableType> {
        self.capabilities = capabilities;
        self
    }

    /// How long a cursor is good for; a day by default.
    #[must_use]
    pub const fn cursors_valid_for(mut self, duration: Duration) -> StoreBuilder<TableType> {
        self.cursors_valid_for = duration;
        self
    }

    /// The store, without a look at the table.
    #[must_use]
    pub fn open_unchecked(self) -> Store<TableType> {
        let retry = self.client.config().retry_config().cloned().unwrap_or_else(RetryConfig::standard);
        let without_retries = self.client.config().to_builder().retry_config(RetryConfig::disabled()).build();
        Store::new(Shared {
            writes: Client::from_conf(without_retries),
            retry,
            clock: Clock::of(&self.client),
            client: self.client,
            table_name: self.table_name,
            keys_in_errors: self.keys_in_errors,
            cursor_keys: self.cursor_keys,
            cursors_valid_for: self.cursors_valid_for,
            counters: Counters::default(),
            capabilities: self.capabilities,
        })
    }
}
