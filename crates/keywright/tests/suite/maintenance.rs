//! Maintenance: whole tables are read once, tenants are exported and erased whole and alone, and what is wrong is found.

mod erase;
mod export;
mod integrity;
mod scan;
mod tenants;

use std::num::{NonZeroU32, NonZeroU64};

use keywright::{Store, Tenant};

use crate::application::*;

/// More than any table here has.
const MOST: NonZeroU64 = NonZeroU64::new(100_000).unwrap();

fn rows(rows: u64) -> NonZeroU64 {
    NonZeroU64::new(rows).unwrap()
}

fn number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap()
}

/// One item of each kind, the share token under a key that holds no tenant. Five.
async fn one_of_each(tenant: &Tenant<App>, organization: &str, token: &str, expires_at: u64) {
    tenant.put(&team(organization, "1")).send().await.unwrap();
    tenant.put(&member(organization, "1", "ada")).send().await.unwrap();
    tenant.put(&share_token(organization, token, expires_at)).send().await.unwrap();
    tenant.put(&document(organization, 1)).send().await.unwrap();
    tenant.put(&invitation(organization, 1, "ada@example.com", expires_at)).send().await.unwrap();
}

/// Documents of an organization.
async fn documents(store: &Store<App>, organization: &str, count: u64) {
    let documents: Vec<Document> = (0..count).map(|id| document(organization, id)).collect();
    tenant(store, organization).batch_put(&documents).send().await.unwrap();
}
