//! Transactions and snapshots are counted by partition key, too: a key that is hot by them alone is seen.

use keywright::{HotKey, Store};

use crate::application::*;
use crate::arm::in_process_alone;
use crate::unique::{Directory, person};

fn units<TableType: keywright::key::declare::Table>(store: &Store<TableType>, key: &str) -> f64 {
    let of_key = |hot: &&HotKey| hot.key == store.key_hash(key);
    store.take_hot_keys().iter().filter(of_key).map(|hot| hot.units).sum()
}

/// They were in no hot keys at all, though the documentation says that every key with more than a 64th of the units is there.
#[tokio::test]
async fn what_a_transaction_takes_is_counted_for_its_keys() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let mut transaction = acme.transaction();
    transaction.add(acme.put(&team("acme", "1")));
    transaction.add(acme.put(&document("acme", 1)));
    transaction.add(acme.put(&share_token("acme", "t1", u64::MAX >> 20)));
    let committed = transaction.send().await.unwrap().done().unwrap();
    assert_eq!(committed.write_units(), Some(6.0));
    let hot = store.take_hot_keys();
    let of = |key: &str| {
        let hash = store.key_hash(key);
        hot.iter().filter(|hot| hot.key == hash).map(|hot| hot.units).sum::<f64>()
    };
    assert_eq!((of("ORG#acme"), of("SHARE#t1")), (4.0, 2.0));

    let mut snapshot = acme.snapshot();
    let _team = snapshot.get(TeamById { team_id: "1".to_owned() });
    snapshot.send().await.unwrap();
    assert_eq!(units(&store, "ORG#acme"), 2.0);
}

#[tokio::test]
async fn what_a_write_of_an_item_with_reservations_takes_is_counted_for_its_keys() {
    let store = in_process_alone().store::<Directory>().await;
    let acme = store.tenant(&OrganizationId("acme".to_owned())).unwrap();
    let ada = person("acme", "ada", "ada@example.com");
    assert!(acme.put_unique(&ada).send().await.unwrap().is_done());
    // A read of the item, and two items in a transaction.
    assert_eq!(units(&store, "ORG#acme"), 1.0 + 4.0);
}
