//! What DynamoDB does not store is refused before anything is sent, with its entity, its key and its path; what it just stores is stored.

use std::collections::BTreeMap;

use keywright::key::component_newtype;
use keywright::{
    AccessPattern, BatchError, Condition, Conditional, Entity, InvalidExpression, KeysInErrors,
    RawExpression, Store, Table, Tenant, TransactionError, Update, WriteError,
};
use serde::{Deserialize, Serialize};

use crate::arm::in_process_alone;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct OrganizationId(String);
component_newtype!(OrganizationId(String));

#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Product),
    patterns(ProductById),
    index(ByPlace, partition_key(organization_id, country), sort_key(region))
)]
struct Shop;

/// Lists in lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Nested(Vec<Nested>);

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = Shop, partition_key = "ORG#{organization_id}", sort_key = "PRODUCT#{product_id}", index(ByPlace))]
struct Product {
    organization_id: OrganizationId,
    product_id: u64,
    weight: Option<f64>,
    sizes: BTreeMap<String, Vec<f64>>,
    parts: Option<Nested>,
    country: Option<String>,
    region: Option<String>,
    text: Option<String>,
}

#[derive(AccessPattern)]
#[access_pattern(table = Shop, get_item, returns(Product), sort_key_equals = "PRODUCT#{product_id}")]
struct ProductById {
    product_id: u64,
}

/// Everything anew.
#[derive(Update)]
#[update(table = Shop, of = Product)]
struct Change {
    weight: Option<f64>,
    sizes: BTreeMap<String, Vec<f64>>,
    parts: Option<Nested>,
    country: Option<String>,
    region: Option<String>,
}

#[derive(Update)]
#[update(table = Shop, of = Product)]
struct Weigh {
    #[update(add)]
    weight: f64,
}

#[derive(Condition)]
#[condition(table = Shop, of = Product, weight < most)]
struct IsLight {
    most: f64,
}

const KEY: &str = "ORG#acme / PRODUCT#00000000000000000001";

fn by_id() -> ProductById {
    ProductById { product_id: 1 }
}

fn product() -> Product {
    Product {
        organization_id: OrganizationId("acme".to_owned()),
        product_id: 1,
        weight: None,
        sizes: BTreeMap::new(),
        parts: None,
        country: None,
        region: None,
        text: None,
    }
}

/// Lists so many levels deep.
fn nested(levels: usize) -> Nested {
    (1..levels).fold(Nested(Vec::new()), |inside, _| Nested(vec![inside]))
}

fn sized(size: f64) -> Product {
    Product { sizes: BTreeMap::from([("box".to_owned(), vec![1.0, size])]), ..product() }
}

fn change(to: &Product) -> Change {
    let Product { weight, sizes, parts, country, region, .. } = to.clone();
    Change { weight, sizes, parts, country, region }
}

/// Products of which DynamoDB stores the first and not the second, and the path of what is wrong with that.
fn limits() -> Vec<(Product, Product, String)> {
    let weighing = |weight| Product { weight: Some(weight), ..product() };
    let of = |levels| Product { parts: Some(nested(levels)), ..product() };
    let from = |country: usize, region: usize| Product {
        country: Some("c".repeat(country)),
        region: Some("r".repeat(region)),
        ..product()
    };
    vec![
        (weighing(0.0), weighing(f64::NAN), "weight".to_owned()),
        (weighing(-1.0), weighing(f64::NEG_INFINITY), "weight".to_owned()),
        (weighing(9.9e125), weighing(1e126), "weight".to_owned()),
        (weighing(-9.9e125), weighing(-1e126), "weight".to_owned()),
        (weighing(1e-130), weighing(9.9e-131), "weight".to_owned()),
        (sized(0.1), sized(f64::INFINITY), "sizes.box[1]".to_owned()),
        (of(32), of(33), format!("parts{}", "[0]".repeat(32))),
        (from(1, 1), from(0, 1), "country".to_owned()),
        (from(1, 1), from(1, 0), "region".to_owned()),
    ]
}

async fn store() -> (Store<Shop>, Tenant<Shop>) {
    let store = in_process_alone().store().await;
    let acme = store.tenant(&OrganizationId("acme".to_owned())).unwrap();
    (store, acme)
}

#[track_caller]
fn assert_named(error: &WriteError, path: &str) {
    let WriteError::Value { entity: "Product", key: Some(key), path: Some(named), .. } = error else {
        panic!("{path}: {error:?}")
    };
    assert_eq!((key.as_str(), named.as_str()), (KEY, path));
    let message = error.to_string();
    assert!(message.contains("`Product`") && message.contains(KEY) && message.contains(path), "{message}");
}

/// A weight was NaN, since it was computed from nothing. The service refused the put without saying which of its forty attributes it
/// was.
#[tokio::test]
async fn what_dynamodb_does_not_store_is_refused_by_its_path_however_it_is_written() {
    for (_, refused, path) in limits() {
        let (store, acme) = store().await;

        let puts = [
            acme.put(&refused).send().await.map(drop),
            acme.put(&refused).if_absent().send().await.map(drop),
            acme.put(&refused).when(&IsLight { most: 1.0 }).send().await.map(drop),
            acme.update(by_id(), change(&refused)).send().await.map(drop),
            acme.update(by_id(), change(&product())).or_insert(&refused).await.map(drop),
        ];
        for error in puts {
            assert_named(&error.unwrap_err(), &path);
        }

        let batch = acme.batch_put([&product(), &refused]).send().await;
        let Err(BatchError::Member { member, source }) = batch else { panic!("{batch:?}") };
        assert_eq!(member.position(), 1);
        assert_named(&source, &path);

        let mut transaction = acme.transaction();
        transaction.add(acme.update(by_id(), change(&refused)));
        let transaction = transaction.send().await;
        let Err(TransactionError::Action { source, .. }) = transaction else { panic!("{transaction:?}") };
        assert_named(&source, &path);
        let sent = store.usage().writes.get("Product").map_or(0, |usage| usage.requests);
        assert_eq!(sent, 0, "something of it was sent");
    }
}

#[tokio::test]
async fn what_dynamodb_just_stores_is_stored_and_read_back() {
    for (stored, _, path) in limits() {
        let (_, acme) = store().await;

        acme.put(&product()).send().await.unwrap();
        let updated = acme.update(by_id(), change(&stored)).send().await.unwrap();
        let Conditional::Done(updated) = updated else { panic!("{path}: {updated:?}") };
        assert_eq!(*updated.item, stored, "{path}");
        acme.put(&stored).send().await.unwrap();
        assert_eq!(*acme.get(by_id()).await.unwrap().unwrap(), stored, "{path}");
    }
}

/// All attributes of an index's partition key together, the tenant's among them, and all of its sort key.
#[tokio::test]
async fn the_key_in_an_index_has_its_limits_too() {
    let from = |country: usize, region: Option<usize>| Product {
        country: Some("c".repeat(country)),
        region: region.map(|region| "r".repeat(region)),
        ..product()
    };
    let in_partition = 2048 - "acme".len();
    let (_, acme) = store().await;
    for stored in [from(in_partition, Some(1024)), from(in_partition, None)] {
        acme.put(&stored).send().await.unwrap();
    }
    for (refused, path) in [(from(in_partition + 1, Some(1)), "country"), (from(1, Some(1025)), "region")] {
        assert_named(&acme.put(&refused).send().await.unwrap_err(), path);
    }
}

#[tokio::test]
async fn a_value_of_a_condition_or_of_a_change_is_checked_like_one_that_is_stored() {
    let (store, acme) = store().await;
    let light = IsLight { most: f64::NAN };
    let weigh = || acme.update(by_id(), Weigh { weight: 1.0 });

    assert_named(&weigh().when(&light).send().await.unwrap_err(), "most");
    assert_named(&acme.put(&product()).when(&light).send().await.unwrap_err(), "most");
    assert_named(&acme.delete(by_id()).when(&light).send().await.unwrap_err(), "most");
    assert_named(&acme.update(by_id(), Weigh { weight: 1e126 }).send().await.unwrap_err(), "weight");
    let mut transaction = acme.transaction();
    transaction.add(acme.check(by_id()).when(&light));
    let Err(TransactionError::Action { source, .. }) = transaction.send().await else {
        panic!("it was sent")
    };
    assert_named(&source, "most");
    let raw = RawExpression::new("#w IN (:some)").unwrap().name("w", "weight").value("some", &[f64::NAN]);
    assert!(
        matches!(&raw, Err(InvalidExpression::Value { placeholder, .. }) if placeholder == "some[0]"),
        "{raw:?}"
    );
    assert!(store.usage().writes.is_empty());
}

/// One is named of several, and always the same one.
#[tokio::test]
async fn of_several_values_that_are_refused_the_first_by_its_path_is_named() {
    let (_, acme) = store().await;
    for _ in 0..8 {
        let refused = Product { weight: Some(f64::NAN), region: Some(String::new()), ..sized(f64::NAN) };
        assert_named(&acme.put(&refused).send().await.unwrap_err(), "region");
    }
}

/// Who keeps keys out of logs has none in any error of a write.
#[tokio::test]
async fn errors_of_writes_name_the_key_unless_the_store_keeps_keys_out() {
    for keys_in_errors in [KeysInErrors::Shown, KeysInErrors::Redacted] {
        let builder = in_process_alone().builder::<Shop>().keys_in_errors(keys_in_errors);
        builder.create_table().await.unwrap();
        let store = builder.open().await.unwrap();
        let acme = store.tenant(&OrganizationId("acme".to_owned())).unwrap();
        let large = Product { text: Some("x".repeat(409_600)), ..product() };
        // There is no such function, which only the service knows.
        let wrong = RawExpression::new("is_nice(#w)").unwrap().name("w", "weight");

        let errors = [
            acme.put(&sized(f64::NAN)).send().await.unwrap_err(),
            acme.put(&large).send().await.unwrap_err(),
            acme.put(&product()).when_raw(wrong).send().await.unwrap_err(),
        ];

        assert!(matches!(errors[0], WriteError::Value { .. }), "{:?}", errors[0]);
        assert!(matches!(errors[1], WriteError::TooLarge { .. }), "{:?}", errors[1]);
        assert!(matches!(errors[2], WriteError::Service(_)), "{:?}", errors[2]);
        for error in errors {
            let message = error.to_string();
            assert!(message.contains("`Product`"), "{message}");
            let names_key = format!("{message} {error:?}").contains("PRODUCT#");
            assert_eq!(names_key, keys_in_errors == KeysInErrors::Shown, "{message}");
        }
    }
}
