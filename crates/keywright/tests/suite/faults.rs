//! Writes whose answers are lost, refused or throttled: nothing is doubled, and nothing is lost silently.
//!
//! Every outcome is compared with what is stored. `Done` had effect once, `Failed` and a refusal had none, `Unknown` had one
//! or none and is said only where nothing tells. Each run has a seed, which a failure prints.

mod counters;
mod lost;
mod outcomes;
mod pages;
mod retries;
mod throttles;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_api::Operation::{DeleteItem, GetItem, PutItem, UpdateItem};
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};
use std::collections::BTreeMap;

use crate::arm::Arm;

/// What can befall a write, each with this share of the calls.
fn faults(seed: u64, share: f64) -> Faults {
    let befall = [
        Fault::InternalServerError(Moment::BeforeCommit),
        Fault::InternalServerError(Moment::AfterCommit),
        Fault::CutConnection(Moment::BeforeCommit),
        Fault::CutConnection(Moment::AfterCommit),
        Fault::Throttle(KeyRangeThroughput),
        Fault::TransactionConflict,
    ];
    befall.into_iter().fold(Faults::new(seed), |faults, fault| {
        let rule = Rule::new(fault).operation(PutItem).operation(UpdateItem).operation(DeleteItem);
        faults.rule(rule.when(When::Share(share))).unwrap()
    })
}

/// The same, and reads that are not answered: then the item cannot be asked what became of a write.
fn faults_of_reads_too(seed: u64, share: f64) -> Faults {
    let unanswered = Fault::CutConnection(Moment::BeforeCommit);
    let rule = Rule::new(unanswered).operation(GetItem).when(When::Share(0.7));
    faults(seed, share).rule(rule).unwrap()
}

/// An item as it is stored, in the order of its attributes.
type StoredItem = BTreeMap<String, AttributeValue>;

/// The one item with this sort key, read past every fault.
async fn stored(arm: &Arm, table: &str, sort_key: &str) -> Option<StoredItem> {
    let query = arm.client().query().table_name(table).key_condition_expression("pk = :pk AND sk = :sk");
    let query = query.expression_attribute_values(":pk", AttributeValue::S("ORG#acme".to_owned()));
    let query = query.expression_attribute_values(":sk", AttributeValue::S(sort_key.to_owned()));
    let items = query.consistent_read(true).send().await.unwrap().items.unwrap();
    items.into_iter().next().map(|item| item.into_iter().collect())
}

fn text<'i>(item: &'i StoredItem, attribute: &str) -> &'i str {
    item[attribute].as_s().unwrap()
}

fn number(item: &StoredItem, attribute: &str) -> i64 {
    item[attribute].as_n().unwrap().parse().unwrap()
}

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)) % count
    }
}

/// How many seeds are tried.
fn seeds() -> std::ops::Range<u64> {
    if std::env::var_os("KEYWRIGHT_LONG").is_some() { 0..5_000 } else { 0..150 }
}
