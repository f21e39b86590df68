//! Counters: sums, limits, shards, time to live, and what is counted once.

mod expiring_shards;
mod expiry;
mod isolation;
mod limits;
mod once;
mod shards;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::Store;

use crate::application::Live;
use crate::arm::Arm;

/// The items whose partition key begins so, as they are stored.
async fn stored(arm: &Arm, store: &Store<Live>, beginning: &str) -> Vec<(String, String)> {
    let scan = arm.client().scan().table_name(store.table_name()).consistent_read(true).send().await.unwrap();
    let text = |value: &AttributeValue| value.as_s().unwrap().clone();
    scan.items()
        .iter()
        .map(|item| (text(&item["pk"]), text(&item["sk"])))
        .filter(|(partition_key, _)| partition_key.starts_with(beginning))
        .collect()
}
