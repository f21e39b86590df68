//! What reads and writes of indexed tables cost, and what they tell of item collections.

use serde_json::{Value, json};

use super::{item, query};
use crate::support::{call, create_indexed, index, memory, merged, put};
use keywright_api::Operation;
use keywright_engine::Engine;

/// C35's table: a global index that includes `proj`, a local one that has everything.
fn engine() -> Engine {
    let engine = memory();
    let local = json!([index("local", &["pk", "lsk"], json!("ALL"))]);
    let global = json!([index("global", &["gpk"], json!(["proj"]))]);
    create_indexed(&engine, "items", &["pk:S", "sk:S"], &local, &global, &["lsk:S", "gpk:S"]);
    engine
}

fn put_for(engine: &Engine, item: Value) -> Value {
    let body = json!({"TableName": "items", "Item": item, "ReturnConsumedCapacity": "INDEXES"});
    call(engine, Operation::PutItem, &body).unwrap()["ConsumedCapacity"].clone()
}

fn update_for(engine: &Engine, expression: &str) -> Value {
    let mut body = json!({
        "TableName": "items", "Key": item("a", "1", &[]), "UpdateExpression": expression,
        "ReturnConsumedCapacity": "INDEXES",
    });
    if expression.contains(":v") {
        body["ExpressionAttributeValues"] = json!({":v": {"S": "other"}});
    }
    call(engine, Operation::UpdateItem, &body).unwrap()["ConsumedCapacity"].clone()
}

/// Table, global and local index; an index that cost nothing has no arm.
fn arms(table: f64, global: Option<f64>, local: Option<f64>) -> Value {
    let total = table + global.unwrap_or(0.0) + local.unwrap_or(0.0);
    let mut expected =
        json!({"TableName": "items", "CapacityUnits": total, "Table": {"CapacityUnits": table}});
    if let Some(units) = global {
        expected["GlobalSecondaryIndexes"] = json!({"global": {"CapacityUnits": units}});
    }
    if let Some(units) = local {
        expected["LocalSecondaryIndexes"] = json!({"local": {"CapacityUnits": units}});
    }
    expected
}

/// C35. Dynoxide and Ministack charged every index one unit for every write, and Alternator none, so that a design which
/// rewrote unprojected attributes all day looked as dear as one that moved entries, or free.
#[test]
fn a_write_costs_what_it_changes_in_each_index() {
    let engine = engine();
    let whole = || item("a", "1", &[("gpk", "g"), ("lsk", "l"), ("proj", "p"), ("extra", "o")]);
    assert_eq!(put_for(&engine, item("s", "1", &[("extra", "o")])), arms(1.0, None, None), "in no index");
    assert_eq!(put_for(&engine, item("s", "2", &[("gpk", "g")])), arms(1.0, Some(1.0), None));
    assert_eq!(put_for(&engine, item("s", "3", &[("lsk", "l")])), arms(1.0, None, Some(1.0)));
    assert_eq!(put_for(&engine, whole()), arms(1.0, Some(1.0), Some(1.0)), "a first put");
    assert_eq!(put_for(&engine, whole()), arms(1.0, None, None), "the same put again");

    let reset = || put(&engine, "items", whole()).unwrap();
    let cases = [
        ("SET extra = :v", arms(1.0, None, Some(1.0)), "not projected into the global index"),
        ("SET proj = :v", arms(1.0, Some(1.0), Some(1.0)), "projected, in place"),
        ("SET gpk = :v", arms(1.0, Some(2.0), Some(1.0)), "moved: removed and written"),
        ("REMOVE gpk", arms(1.0, Some(1.0), Some(1.0)), "removed"),
        ("SET lsk = :v", arms(1.0, None, Some(2.0)), "moved in the local index"),
    ];
    for (expression, expected, what) in cases {
        reset();
        assert_eq!(update_for(&engine, expression), expected, "{what}");
    }
    reset();
    let delete =
        json!({"TableName": "items", "Key": item("a", "1", &[]), "ReturnConsumedCapacity": "INDEXES"});
    let deleted = call(&engine, Operation::DeleteItem, &delete).unwrap();
    assert_eq!(deleted["ConsumedCapacity"], arms(1.0, Some(1.0), Some(1.0)));
    let again = call(&engine, Operation::DeleteItem, &delete).unwrap();
    assert_eq!(again["ConsumedCapacity"], arms(1.0, None, None), "nothing was there");
}

/// C35: the table pays for the larger image, and so does an index for its own, smaller ones.
#[test]
fn each_index_pays_for_the_larger_image_of_its_own_entry() {
    let engine = engine();
    let sized = |bytes: usize| {
        let mut item = item("a", "1", &[("gpk", "g"), ("lsk", "l")]);
        item["extra"] = json!({"S": "x".repeat(bytes)});
        item
    };
    assert_eq!(put_for(&engine, sized(2500)), arms(3.0, Some(1.0), Some(3.0)));
    assert_eq!(put_for(&engine, sized(100)), arms(3.0, None, Some(3.0)));
    assert_eq!(put_for(&engine, sized(1500)), arms(2.0, None, Some(2.0)));
}

#[test]
fn total_capacity_has_the_indexes_in_it_and_no_arms() {
    let engine = engine();
    let body = json!({
        "TableName": "items", "Item": item("a", "1", &[("gpk", "g")]), "ReturnConsumedCapacity": "TOTAL",
    });
    let answer = call(&engine, Operation::PutItem, &body).unwrap();
    assert_eq!(answer["ConsumedCapacity"], json!({"TableName": "items", "CapacityUnits": 2.0}));
}

/// C34 and C35 for many items at once: a batch adds up; a transaction costs its table twice, and its indexes no more than
/// alone (observed on AWS: nubo-db/dynoxide#188).
#[test]
fn batches_add_up_the_arms_of_their_items_and_transactions_double_the_one_of_the_table() {
    let engine = engine();
    let batch = json!({
        "RequestItems": {"items": [
            {"PutRequest": {"Item": item("a", "1", &[("gpk", "g"), ("proj", "p")])}},
            {"PutRequest": {"Item": item("a", "2", &[("extra", "o")])}},
        ]},
        "ReturnConsumedCapacity": "INDEXES",
    });
    let answer = call(&engine, Operation::BatchWriteItem, &batch).unwrap();
    assert_eq!(answer["ConsumedCapacity"], json!([arms(2.0, Some(1.0), None)]));

    let transaction = json!({
        "TransactItems": [{"Put": {"TableName": "items", "Item": item("a", "3", &[("gpk", "g")])}}],
        "ReturnConsumedCapacity": "INDEXES",
    });
    let answer = call(&engine, Operation::TransactWriteItems, &transaction).unwrap();
    let units = |units: f64| json!({"CapacityUnits": units, "WriteCapacityUnits": units});
    assert_eq!(answer["ConsumedCapacity"][0]["Table"], units(2.0));
    assert_eq!(answer["ConsumedCapacity"][0]["GlobalSecondaryIndexes"]["global"], units(1.0));
    assert_eq!(answer["ConsumedCapacity"][0]["CapacityUnits"], 3.0);
}

fn query_for(engine: &Engine, index: &str, condition: &str, value: &str, members: Value) -> Value {
    let members = merged(json!({"ReturnConsumedCapacity": "INDEXES"}), &members);
    query(engine, index, condition, &[value], members).unwrap()["ConsumedCapacity"].clone()
}

#[test]
fn a_read_of_an_index_costs_what_its_entries_weigh_and_nothing_of_the_table() {
    let engine = engine();
    for sk in ["1", "2", "3"] {
        let mut item = item("a", sk, &[("gpk", "g"), ("lsk", sk)]);
        item["extra"] = json!({"S": "x".repeat(5000)});
        put(&engine, "items", item).unwrap();
    }
    // Three small entries together, eventually consistent.
    assert_eq!(query_for(&engine, "global", "gpk = :a", "g", json!({})), arms(0.0, Some(0.5), None));
    // Three entries of 5 KB: 15 KB are four steps.
    assert_eq!(query_for(&engine, "local", "pk = :a", "a", json!({})), arms(0.0, None, Some(2.0)));
    let consistent = json!({"ConsistentRead": true});
    assert_eq!(query_for(&engine, "local", "pk = :a", "a", consistent), arms(0.0, None, Some(4.0)));
    let scan = json!({"TableName": "items", "IndexName": "global", "ReturnConsumedCapacity": "INDEXES"});
    let scanned = call(&engine, Operation::Scan, &scan).unwrap();
    assert_eq!(scanned["ConsumedCapacity"], arms(0.0, Some(0.5), None));
    let nothing = query_for(&engine, "global", "gpk = :a", "nobody", json!({}));
    assert_eq!(nothing, arms(0.0, Some(0.5), None), "the least that a query costs");
}

/// The documentation's rule, with figures that were observed: the entries are weighed together, each fetched item for
/// itself.
#[test]
fn items_that_are_fetched_for_a_local_index_are_each_read_from_the_table() {
    let engine = memory();
    let local = json!([index("local", &["pk", "lsk"], json!(["kept"]))]);
    create_indexed(&engine, "items", &["pk:S", "sk:S"], &local, &json!([]), &["lsk:S"]);
    for sk in ["1", "2", "3"] {
        let mut item = item("a", sk, &[("lsk", sk), ("kept", "k")]);
        item["extra"] = json!({"S": "x".repeat(4000)});
        put(&engine, "items", item).unwrap();
    }
    let consistent = |members: &Value| merged(json!({"ConsistentRead": true}), members);
    let read = |members: Value| query_for(&engine, "local", "pk = :a", "a", consistent(&members));
    assert_eq!(read(json!({})), arms(0.0, None, Some(1.0)));
    assert_eq!(read(json!({"ProjectionExpression": "kept"})), arms(0.0, None, Some(1.0)));
    assert_eq!(read(json!({"Select": "COUNT"})), arms(0.0, None, Some(1.0)));
    assert_eq!(read(json!({"Select": "ALL_ATTRIBUTES"})), arms(3.0, None, Some(1.0)));
    assert_eq!(read(json!({"ProjectionExpression": "extra"})), arms(3.0, None, Some(1.0)));
    let eventual = query_for(&engine, "local", "pk = :a", "a", json!({"Select": "ALL_ATTRIBUTES"}));
    assert_eq!(eventual, arms(1.5, None, Some(0.5)));
}

/// C35: DynamoDB Local, LocalStack and dynalite answer no metrics, so that nobody sees a collection grow towards its limit.
#[test]
fn a_write_tells_the_size_of_its_collection_where_the_table_has_local_indexes() {
    let engine = engine();
    let size = json!({"ReturnItemCollectionMetrics": "SIZE"});
    let metrics = json!({"ItemCollectionKey": {"pk": {"S": "a"}}, "SizeEstimateRangeGB": [0.0, 1.0]});
    let with = |body: Value| merged(body, &size);
    let put = with(json!({"TableName": "items", "Item": item("a", "1", &[])}));
    assert_eq!(call(&engine, Operation::PutItem, &put).unwrap()["ItemCollectionMetrics"], metrics);
    let update = with(json!({
        "TableName": "items", "Key": item("a", "1", &[]), "UpdateExpression": "REMOVE x",
    }));
    assert_eq!(call(&engine, Operation::UpdateItem, &update).unwrap()["ItemCollectionMetrics"], metrics);
    let delete = with(json!({"TableName": "items", "Key": item("a", "1", &[])}));
    assert_eq!(call(&engine, Operation::DeleteItem, &delete).unwrap()["ItemCollectionMetrics"], metrics);
    let requests = ["1", "2"].map(|sk| json!({"PutRequest": {"Item": item("a", sk, &[])}}));
    let batch = with(json!({"RequestItems": {"items": requests}}));
    let answer = call(&engine, Operation::BatchWriteItem, &batch).unwrap();
    assert_eq!(answer["ItemCollectionMetrics"], json!({"items": [metrics]}), "one collection, told once");

    let quiet =
        json!({"TableName": "items", "Item": item("a", "1", &[]), "ReturnItemCollectionMetrics": "NONE"});
    assert_eq!(call(&engine, Operation::PutItem, &quiet).unwrap(), json!({}));
    crate::support::create(&engine, "plain", "pk:S", None);
    let plain = with(json!({"TableName": "plain", "Item": {"pk": {"S": "a"}}}));
    assert_eq!(call(&engine, Operation::PutItem, &plain).unwrap(), json!({}), "without a local index");
}
