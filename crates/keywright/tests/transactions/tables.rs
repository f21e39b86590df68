//! A transaction over two tables.

use keywright::{
    AccessPattern, CursorKey, CursorKeys, Entity, SnapshotError, Store, Table, TransactionError,
};
use serde::{Deserialize, Serialize};

use crate::application::*;
use crate::arm::in_process_alone;
use crate::on_arms_with_transactions;

/// Shared by everybody.
#[derive(Table)]
#[table(entities(Seat), patterns(SeatByNumber))]
struct Hall;

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = Hall, partition_key = "SEAT#{number}", sort_key = "SEAT")]
struct Seat {
    number: u64,
    guest: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = Hall, get_item, returns(Seat), sort_key_equals = "SEAT")]
struct SeatByNumber {
    number: u64,
}

fn seat(guest: &str) -> Seat {
    Seat { number: 7, guest: guest.to_owned() }
}

#[tokio::test]
async fn items_of_two_tables_are_written_at_one_moment() {
    on_arms_with_transactions(|arm| async move {
        let (store, hall) = (arm.store::<App>().await, arm.store::<Hall>().await);
        let (acme, hall) = (tenant(&store, "acme"), hall.items());

        for (guest, is_free) in [("ada", true), ("bob", false)] {
            let mut booked = acme.transaction();
            booked.add(acme.put(&member("acme", "1", guest)));
            booked.add(hall.put(&seat(guest)).if_absent());
            assert_eq!(booked.send().await.unwrap().is_done(), is_free);
        }

        let members = acme.query(TeamWithMembers { team_id: "1".to_owned() }).page().await.unwrap();
        assert_eq!(members.items.len(), 1);
        assert_eq!(hall.get(SeatByNumber { number: 7 }).await.unwrap().unwrap().guest, "ada");
    })
    .await;
}

#[tokio::test]
async fn a_table_that_tenants_do_not_share_lets_one_tenant_in_and_no_second_one() {
    let arm = in_process_alone();
    let (store, hall) = (arm.store::<App>().await, arm.store::<Hall>().await);
    let (acme, globex, hall) = (tenant(&store, "acme"), tenant(&store, "globex"), hall.items());

    let mut both = hall.transaction();
    both.add(hall.put(&seat("ada")));
    both.add(acme.put(&team("acme", "1")));
    both.add(hall.check(SeatByNumber { number: 8 }).if_absent());
    both.add(globex.put(&team("globex", "1")));
    let error = both.send().await.unwrap_err();
    assert!(matches!(&error, TransactionError::AnotherTenant(action) if action.position() == 3), "{error}");

    let mut one = hall.transaction();
    one.add(hall.put(&seat("ada")));
    one.add(acme.put(&team("acme", "1")));
    assert!(one.send().await.unwrap().is_done());
}

/// Two engines have a table of one name. An action on the second one went to the first.
#[tokio::test]
async fn an_action_of_another_client_is_refused_before_anything_is_sent() {
    let (here, there) = (in_process_alone(), in_process_alone());
    let keys = || CursorKeys::new(CursorKey::generate().unwrap());
    let store = here.store::<App>().await;
    let other = Store::<App>::builder(there.client().clone(), keys())
        .table_name(store.table_name())
        .capabilities(there.capabilities())
        .open_unchecked();
    let (acme, elsewhere) = (tenant(&store, "acme"), tenant(&other, "acme"));

    let mut both = acme.transaction();
    both.add(acme.put(&team("acme", "1")));
    both.add(elsewhere.put(&team("acme", "2")));
    let error = both.send().await.unwrap_err();

    assert!(matches!(&error, TransactionError::AnotherClient(action) if action.position() == 1), "{error}");
    assert!(acme.get(TeamById { team_id: "1".to_owned() }).await.unwrap().is_none());
    assert!(acme.get(TeamById { team_id: "2".to_owned() }).await.unwrap().is_none());
}

/// Each user has a part of the table of their own.
#[derive(Table)]
#[table(tenant(user_id: String), entities(Setting), patterns(SettingByName))]
struct Settings;

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = Settings, partition_key = "USER#{user_id}", sort_key = "SETTING#{name}")]
struct Setting {
    user_id: String,
    name: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = Settings, get_item, returns(Setting), sort_key_equals = "SETTING#{name}")]
struct SettingByName {
    name: String,
}

/// The user 42 was taken for the organization 42.
#[tokio::test]
async fn a_user_is_not_the_organization_of_the_same_id() {
    let arm = in_process_alone();
    let (store, settings) = (arm.store::<App>().await, arm.store::<Settings>().await);
    let (organization, user) = (tenant(&store, "42"), settings.tenant(&"42".to_owned()).unwrap());
    let name = || "theme".to_owned();

    let mut both = organization.transaction();
    both.add(organization.put(&team("42", "1")));
    both.add(user.put(&Setting { user_id: "42".to_owned(), name: name() }));
    let error = both.send().await.unwrap_err();
    assert!(matches!(&error, TransactionError::AnotherTenant(action) if action.position() == 1), "{error}");

    let mut both = organization.snapshot();
    both.get(TeamById { team_id: "1".to_owned() });
    both.get_through(&user, SettingByName { name: name() });
    let error = both.send().await.unwrap_err();
    assert!(matches!(&error, SnapshotError::AnotherTenant(read) if read.position() == 1), "{error}");
    assert!(user.get(SettingByName { name: name() }).await.unwrap().is_none(), "nothing was written");
}
