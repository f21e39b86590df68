//! Items that were there before anything was reserved, and reservations that are not the item's.

use keywright::UniqueWrite;

use super::*;
use crate::arm::{Arm, in_process_alone};

/// Stores a person as a program would that knows no reservations.
async fn store_alone(arm: &Arm, table: &str, acme: &Tenant<Directory>, person: &Person) {
    let mut insert = acme.transaction();
    insert.add_unique(acme.insert_unique(person));
    let request = insert.request().unwrap();
    let item = request.transact_items()[0].put().unwrap().item().clone();
    arm.client().put_item().table_name(table).set_item(Some(item)).send().await.unwrap();
}

#[tokio::test]
async fn a_put_of_what_was_there_before_takes_its_reservations_and_says_which_are_shared() {
    let arm = in_process_alone();
    let store = arm.store::<Directory>().await;
    let acme = tenant(&store, "acme");
    let (ada, eve) = (person("acme", "ada", "a@example.org"), person("acme", "eve", "a@example.org"));
    for person in [&ada, &eve] {
        store_alone(&arm, store.table_name(), &acme, person).await;
    }

    assert!(acme.put_unique(&ada).if_present().send().await.unwrap().is_done());
    let shared = acme.put_unique(&eve).if_present().send().await.unwrap();
    assert!(matches!(shared, UniqueWrite::Taken { reservations } if reservations == ["PersonEmail"]));
    let holder = acme.get(PersonByEmail { email: "a@example.org".to_owned() }).await.unwrap().unwrap();
    assert_eq!(holder.person_id, "ada");
}

/// The second of two items with one value was changed, and the reservation went, which was the first one's: a third got the value.
#[tokio::test]
async fn a_reservation_of_another_item_is_left_to_it() {
    let arm = in_process_alone();
    let store = arm.store::<Directory>().await;
    let acme = tenant(&store, "acme");
    let ada = person("acme", "ada", "a@example.org");
    acme.insert_unique(&ada).send().await.unwrap().done().unwrap();
    for person_id in ["eve", "joe"] {
        store_alone(&arm, store.table_name(), &acme, &person("acme", person_id, "a@example.org")).await;
    }

    let change = ChangeEmail { email: "e@example.org".to_owned() };
    assert!(acme.update_unique(by_id("eve"), change).send().await.unwrap().is_done());
    assert!(acme.delete_unique(by_id("joe")).if_present().send().await.unwrap().is_done());

    assert_held(&arm, store.table_name(), "at the end").await;
    let holder = acme.get(PersonByEmail { email: "a@example.org".to_owned() }).await.unwrap().unwrap();
    assert_eq!(holder.person_id, "ada");
}

/// That a reservation was not the item's was remembered by its kind: when the item got another value in between, and with it a
/// reservation of its own, the delete left that behind, and nobody could ever have the value again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delete_gives_back_what_the_item_got_while_it_was_deleted() {
    let arm = in_process_alone();
    let store = arm.store::<Directory>().await;
    let acme = tenant(&store, "acme");
    acme.insert_unique(&person("acme", "ada", "a@example.org")).send().await.unwrap().done().unwrap();
    for _ in 0..60 {
        store_alone(&arm, store.table_name(), &acme, &person("acme", "eve", "a@example.org")).await;
        let change = acme.update_unique(by_id("eve"), ChangeEmail { email: "e@example.org".to_owned() });
        let changed = tokio::spawn(async move { change.send().await.unwrap().is_done() });
        let delete = acme.delete_unique(by_id("eve")).send();
        let deleted = tokio::spawn(async move { delete.await.unwrap().is_done() });
        changed.await.unwrap();
        assert!(deleted.await.unwrap());
        assert_held(&arm, store.table_name(), "after both").await;
    }
}
