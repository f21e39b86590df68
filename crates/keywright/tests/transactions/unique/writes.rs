//! Inserts, puts, updates and deletes with their reservations.

use keywright::{Capability, Conditional, OpenError, Transacted, TransactionError, UniqueWrite, WriteError};

use super::*;
use crate::arm::in_process_alone;
use crate::on_arms_with_transactions;

fn taken<Done: std::fmt::Debug>(outcome: UniqueWrite<Done, Person>) -> Vec<&'static str> {
    match outcome {
        UniqueWrite::Taken { reservations } => reservations,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_one_item_has_no_second_one_gets_and_the_outcome_names_it() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<Directory>().await;
        let acme = tenant(&store, "acme");
        let ada = with_handle("acme", "ada", "ada@example.org", "ada");
        let written = acme.insert_unique(&ada).send().await.unwrap().done().unwrap();
        let stored = acme.get(by_id("ada")).await.unwrap().unwrap();
        assert_eq!((stored.version, stored.etag().unwrap()), (1, written.etag()));

        let same_email = person("acme", "bob", "ada@example.org");
        assert_eq!(taken(acme.insert_unique(&same_email).send().await.unwrap()), ["PersonEmail"]);
        let both = with_handle("acme", "bob", "ada@example.org", "ada");
        assert_eq!(taken(acme.insert_unique(&both).send().await.unwrap()), ["PersonEmail", "PersonHandle"]);
        assert!(acme.get(by_id("bob")).await.unwrap().is_none());
        let bob = with_handle("acme", "bob", "bob@example.org", "bob");
        assert!(acme.insert_unique(&bob).send().await.unwrap().is_done());

        // The address is another organization's, too; the handle is one person's everywhere.
        let globex = tenant(&store, "globex");
        let same = with_handle("globex", "ada", "ada@example.org", "ada");
        let refused = globex.insert_unique(&same).send().await.unwrap();
        assert!(!format!("{refused:?}").contains("acme"));
        assert_eq!(taken(refused), ["PersonHandle"]);
        assert!(
            globex.insert_unique(&person("globex", "ada", "ada@example.org")).send().await.unwrap().is_done()
        );

        let again = acme.insert_unique(&ada).send().await.unwrap();
        assert!(
            matches!(again, UniqueWrite::Failed { current: Some(current) } if current.email == ada.email)
        );
        assert_held(&arm, store.table_name(), "after inserts").await;
    })
    .await;
}

#[tokio::test]
async fn an_update_gives_the_old_one_back_and_takes_the_new_one() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<Directory>().await;
        let acme = tenant(&store, "acme");
        acme.insert_unique(&person("acme", "ada", "ada@example.org")).send().await.unwrap().done().unwrap();
        acme.insert_unique(&person("acme", "bob", "bob@example.org")).send().await.unwrap().done().unwrap();
        let to = |email: &str| ChangeEmail { email: email.to_owned() };
        let handle = |handle: Option<&str>| ChangeHandle { handle: handle.map(str::to_owned) };
        let held = async |place: &str| assert_held(&arm, store.table_name(), place).await;

        assert_eq!(
            taken(acme.update_unique(by_id("ada"), to("bob@example.org")).send().await.unwrap()),
            ["PersonEmail"]
        );
        held("taken").await;
        assert!(acme.update_unique(by_id("ada"), to("ada@example.com")).send().await.unwrap().is_done());
        held("changed").await;
        assert!(acme.update_unique(by_id("bob"), to("ada@example.org")).send().await.unwrap().is_done());
        held("given on").await;
        // To what it is already: nothing moves, and the write counts.
        assert!(acme.update_unique(by_id("bob"), to("ada@example.org")).send().await.unwrap().is_done());
        held("the same").await;
        assert_eq!(acme.get(by_id("bob")).await.unwrap().unwrap().version, 3);

        // What was not there comes, changes and goes.
        for name in [Some("b"), Some("bob"), None] {
            let update = acme.update_unique(by_id("bob"), handle(name));
            assert!(update.send().await.unwrap().is_done());
            held("a handle").await;
        }
        assert!(
            acme.update(by_id("bob"), ChangeName { name: "Bob".to_owned() }).send().await.unwrap().is_done()
        );
        held("a name").await;

        let version = acme.get(by_id("bob")).await.unwrap().unwrap().version;
        let stale = acme.update_unique(by_id("bob"), to("new@example.org")).if_version(version - 1);
        assert!(matches!(stale.send().await.unwrap(), UniqueWrite::Failed { current: Some(_) }));
        let current = acme.update_unique(by_id("bob"), to("new@example.org")).if_version(version);
        assert!(current.send().await.unwrap().is_done());
        let asked = acme.update_unique(by_id("bob"), to("other@example.org"));
        let asked = asked.when(&IsCalled { name: "Eve".to_owned() }).send().await.unwrap();
        assert!(matches!(asked, UniqueWrite::Failed { current: Some(_) }));
        let nobody = acme.update_unique(by_id("eve"), to("eve@example.org")).send().await.unwrap();
        assert!(matches!(nobody, UniqueWrite::Failed { current: None }));
        held("at the end").await;
    })
    .await;
}

#[tokio::test]
async fn a_delete_gives_everything_back() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<Directory>().await;
        let acme = tenant(&store, "acme");
        let ada = with_handle("acme", "ada", "ada@example.org", "ada");
        acme.insert_unique(&ada).send().await.unwrap().done().unwrap();

        let kept = acme.delete_unique(by_id("ada")).if_version(7).send().await.unwrap();
        assert!(matches!(kept, Conditional::Failed { current: Some(_) }));
        assert_held(&arm, store.table_name(), "kept").await;
        let deleted = acme.delete_unique(by_id("ada")).when(&IsCalled { name: "Plain".to_owned() });
        assert!(deleted.send().await.unwrap().is_done());
        assert!(stored(&arm, store.table_name()).await.is_empty());
        assert!(acme.delete_unique(by_id("ada")).send().await.unwrap().is_done());
        let none = acme.delete_unique(by_id("ada")).if_present().send().await.unwrap();
        assert!(matches!(none, Conditional::Failed { current: None }));

        let bob = with_handle("acme", "bob", "ada@example.org", "ada");
        assert!(acme.insert_unique(&bob).send().await.unwrap().is_done());
    })
    .await;
}

#[tokio::test]
async fn a_put_gives_back_what_the_item_before_had() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<Directory>().await;
        let acme = tenant(&store, "acme");
        let held = async |place: &str| assert_held(&arm, store.table_name(), place).await;
        let first = with_handle("acme", "ada", "ada@example.org", "ada");

        let absent = acme.put_unique(&first).if_present().send().await.unwrap();
        assert!(matches!(absent, UniqueWrite::Failed { current: None }));
        assert!(acme.put_unique(&first).send().await.unwrap().is_done());
        held("put").await;
        let other = person("acme", "ada", "ada@example.com");
        let written = acme.put_unique(&other).send().await.unwrap().done().unwrap();
        held("replaced").await;
        assert!(acme.put_unique(&first).if_match(&written.etag()).send().await.unwrap().is_done());
        held("replaced again").await;
        let stale = acme.put_unique(&other).if_match(&written.etag()).send().await.unwrap();
        assert!(matches!(stale, UniqueWrite::Failed { current: Some(_) }));
        assert!(acme.put_unique(&person("acme", "bob", "bob@example.org")).send().await.unwrap().is_done());
        let in_the_way = acme.put_unique(&person("acme", "bob", "ada@example.org")).send().await.unwrap();
        assert_eq!(taken(in_the_way), ["PersonEmail"]);
        held("at the end").await;
    })
    .await;
}

#[tokio::test]
async fn an_insert_can_belong_to_a_larger_transaction() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<Directory>().await;
        let acme = tenant(&store, "acme");
        let (ada, bob) = (person("acme", "ada", "ada@example.org"), person("acme", "bob", "bob@example.org"));

        let mut both = acme.transaction();
        both.add_unique(acme.insert_unique(&ada));
        let second = both.add_unique(acme.insert_unique(&bob));
        assert_eq!(both.request().unwrap().transact_items().len(), 4);
        let Transacted::Done(done) = both.send().await.unwrap() else { panic!("both are new") };
        assert_eq!(done.etag(&second), acme.get(by_id("bob")).await.unwrap().unwrap().etag());

        // Two of one transaction want one address: that is known before it is sent.
        let mut same = acme.transaction();
        let (eve, joe) = (person("acme", "eve", "e@example.org"), person("acme", "joe", "e@example.org"));
        same.add_unique(acme.insert_unique(&eve));
        same.add_unique(acme.insert_unique(&joe));
        let error = same.send().await.unwrap_err();
        let TransactionError::SameItem(pairs) = &error else { panic!("{error}") };
        assert_eq!((pairs[0].0.entity(), pairs[0].1.position()), ("PersonEmail", 3));

        let mut third = acme.transaction();
        third.add_unique(acme.insert_unique(&person("acme", "eve", "ada@example.org")));
        let canceled = third.send().await.unwrap().canceled().unwrap();
        assert_eq!(canceled.taken(), ["PersonEmail"]);
        assert_held(&arm, store.table_name(), "at the end").await;
    })
    .await;
}

#[tokio::test]
async fn each_write_is_the_requests_that_it_says() {
    let store = in_process_alone().store::<Directory>().await;
    let acme = tenant(&store, "acme");
    let requests = || {
        let usage = store.usage();
        (usage.reads.get("Person").map_or(0, |read| read.requests), usage.writes["Person"].requests)
    };
    let ada = person("acme", "ada", "ada@example.org");
    let written = acme.insert_unique(&ada).send().await.unwrap().done().unwrap();
    assert_eq!((requests(), written.write_units), ((0, 1), Some(4.0)));
    let change = ChangeEmail { email: "ada@example.com".to_owned() };
    let written = acme.update_unique(by_id("ada"), change).send().await.unwrap().done().unwrap();
    assert_eq!((requests(), written.write_units), ((1, 2), Some(6.0)));
    acme.put_unique(&ada).send().await.unwrap().done().unwrap();
    assert_eq!(requests(), (2, 3));
    acme.delete_unique(by_id("ada")).send().await.unwrap().done().unwrap();
    assert_eq!(requests(), (3, 4));
}

#[tokio::test]
async fn a_value_that_no_key_can_hold_is_refused_before_anything_is_sent() {
    let arm = in_process_alone();
    let store = arm.store::<Directory>().await;
    let acme = tenant(&store, "acme");
    let too_long = "x".repeat(1100);
    for email in ["", too_long.as_str()] {
        let error = acme.insert_unique(&person("acme", "ada", email)).send().await.unwrap_err();
        let TransactionError::Action { source, .. } = &error else { panic!("{error}") };
        assert!(matches!(**source, WriteError::Key(_)), "{error}");
    }
    acme.insert_unique(&person("acme", "ada", "ada@example.org")).send().await.unwrap().done().unwrap();
    let change = ChangeEmail { email: String::new() };
    assert!(matches!(
        acme.update_unique(by_id("ada"), change).send().await.unwrap_err(),
        TransactionError::Action { .. }
    ));
    assert_held(&arm, store.table_name(), "as it was").await;
}

#[tokio::test]
async fn a_design_with_reservations_does_not_open_on_an_engine_without_transactions() {
    let arm = in_process_alone();
    let mut capabilities = arm.capabilities();
    capabilities.transactions = Capability::Absent;
    let builder = arm.builder::<Directory>().capabilities(capabilities);
    builder.create_table().await.unwrap();
    let opened = builder.open().await;
    assert!(matches!(opened, Err(OpenError::Lacks(_))), "{:?}", opened.map(|_| ()));
}

mod parcels {
    use keywright::{Entity, Table};
    use serde::{Deserialize, Serialize};

    #[derive(Table)]
    #[table(tenant = "organization_id", entities(Parcel, ParcelLabel))]
    pub(super) struct Parcels;

    #[derive(Clone, Debug, Entity, Serialize, Deserialize)]
    #[entity(
        table = Parcels,
        partition_key = "ORG#{organization_id}",
        sort_key = "PARCEL#{parcel_id}",
        unique(ParcelLabel)
    )]
    pub(super) struct Parcel {
        pub(super) organization_id: String,
        pub(super) parcel_id: u64,
        pub(super) label: String,
        pub(super) weight: f64,
    }

    /// Holds the weight in whole units.
    #[derive(Clone, Debug, Entity, Serialize, Deserialize)]
    #[entity(
        table = Parcels,
        partition_key = "ORG#{organization_id}",
        sort_key = "LABEL#{label}",
        reservation_of = Parcel
    )]
    pub(super) struct ParcelLabel {
        pub(super) organization_id: String,
        pub(super) label: String,
        pub(super) parcel_id: u64,
        #[serde(deserialize_with = "whole")]
        pub(super) weight: f64,
    }

    fn whole<'de, Source: serde::Deserializer<'de>>(source: Source) -> Result<f64, Source::Error> {
        u8::deserialize(source).map(f64::from)
    }
}

/// The error of a value that a reservation does not take held the value.
#[tokio::test]
async fn a_value_that_a_reservation_does_not_take_is_named_and_not_shown() {
    let store = in_process_alone().store::<parcels::Parcels>().await;
    let acme = store.tenant(&"acme".to_owned()).unwrap();
    let parcel = parcels::Parcel {
        organization_id: "acme".to_owned(),
        parcel_id: 1,
        label: "a".to_owned(),
        weight: 4711.5,
    };

    let error = acme.insert_unique(&parcel).send().await.unwrap_err();

    let told = format!("{error} {error:?}");
    assert!(told.contains("`weight`: `u8` was expected, and the stored number is none"), "{told}");
    assert!(!told.contains("4711"), "{told}");
}
