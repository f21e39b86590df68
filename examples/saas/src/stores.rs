//! The four tables, open, and one organization's doors to them.

mod sent;

use std::error::Error;
use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use keywright::key::declare;
use keywright::{Capabilities, CursorKeys, InvalidTenant, RetryPolicy, Store, Tenant};

use crate::app::App;
use crate::audit::Audit;
use crate::billing::Billing;
use crate::id::OrganizationId;
use crate::live::Live;
use sent::Sent;

const EIGHT: NonZeroU32 = NonZeroU32::new(8).unwrap();

/// The four tables. Each is a store of its own; all have one client, so that a transaction can be of several.
#[derive(Clone, Debug)]
pub struct Stores {
    /// What people enter.
    pub app: Store<App>,
    /// What expires by itself.
    pub live: Store<Live>,
    /// Money.
    pub billing: Store<Billing>,
    /// What must never change.
    pub audit: Store<Audit>,
    sent: Sent,
}

/// One organization's handles, the only doors to its items.
#[derive(Clone, Debug)]
pub struct Doors {
    /// Whose.
    pub id: OrganizationId,
    /// To what people entered.
    pub app: Tenant<App>,
    /// To what expires by itself.
    pub live: Tenant<Live>,
    /// To its money.
    pub billing: Tenant<Billing>,
    /// To what was done.
    pub audit: Tenant<Audit>,
}

impl Stores {
    /// In this process, in memory.
    ///
    /// # Errors
    /// When a table cannot be created or opened.
    pub async fn in_memory(keys: CursorKeys) -> Result<Stores, Box<dyn Error>> {
        let engine = Store::<App>::in_memory(keys.clone()).await?;
        Stores::behind(engine.client(), keys).await
    }

    /// In this process, durable in one directory.
    ///
    /// # Errors
    /// When a table cannot be created or opened.
    pub async fn in_directory(directory: &Path, keys: CursorKeys) -> Result<Stores, Box<dyn Error>> {
        let engine = Store::<App>::embedded(directory, keys.clone()).await?;
        Stores::behind(engine.client(), keys).await
    }

    /// Behind a client: `keywright serve`, or whatever else speaks the protocol.
    ///
    /// # Errors
    /// When a table cannot be created or opened.
    pub async fn behind(client: &Client, keys: CursorKeys) -> Result<Stores, Box<dyn Error>> {
        let sent = Sent::default();
        let client = sent.counting(client);
        Ok(Stores {
            app: created(&client, &keys).await?,
            live: created(&client, &keys).await?,
            billing: created(&client, &keys).await?,
            audit: created(&client, &keys).await?,
            sent,
        })
    }

    /// How many requests were sent so far.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.sent.count()
    }

    /// An organization's doors.
    ///
    /// # Errors
    /// When the id is empty.
    pub fn of(&self, id: &OrganizationId) -> Result<Doors, InvalidTenant> {
        Ok(Doors {
            id: id.clone(),
            app: self.app.tenant(id)?,
            live: self.live.tenant(id)?,
            billing: self.billing.tenant(id)?,
            audit: self.audit.tenant(id)?,
        })
    }
}

/// The table behind a client. It is created if it is not there, as in development; in production the deployment creates it.
async fn created<TableType: declare::Table>(
    client: &Client,
    keys: &CursorKeys,
) -> Result<Store<TableType>, Box<dyn Error>> {
    // All who hold leases here are in this process, with one clock; machines have clocks that differ, and keep the default of a second.
    let clocks_differ = Duration::from_millis(1);
    // A day's work, and nobody who waits for a page: what is throttled is made again more often than the three times of the default.
    let patient = RetryPolicy { tries: EIGHT, ..RetryPolicy::default() };
    let builder = Store::builder(client.clone(), keys.clone())
        .capabilities(Capabilities::EMBEDDED)
        .retries(patient)
        .clock_error(clocks_differ);
    builder.create_table().await?;
    Ok(builder.open().await?)
}
