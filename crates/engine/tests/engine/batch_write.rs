//! BatchWriteItem.

use crate::support::{batch_write, call, create, get, key, memory, put, refused_by, scan};
use keywright_api::Operation;
use keywright_engine::Engine;
use serde_json::{Value, json};

fn engine() -> Engine {
    let engine = memory();
    create(&engine, "users", "pk:S", None);
    create(&engine, "orders", "pk:N", Some("sk:S"));
    engine
}

fn put_request(item: Value) -> Value {
    json!({"PutRequest": {"Item": item}})
}

fn delete_request(key: Value) -> Value {
    json!({"DeleteRequest": {"Key": key}})
}

fn puts(count: usize) -> Vec<Value> {
    (0..count).map(|number| put_request(key(&number.to_string()))).collect()
}

fn count(engine: &Engine, table: &str) -> u64 {
    scan(engine, table, &json!({"Select": "COUNT"})).unwrap()["Count"].as_u64().unwrap()
}

#[test]
fn puts_and_deletes_of_several_tables_are_written() {
    let engine = engine();
    put(&engine, "users", json!({"pk": {"S": "old"}})).unwrap();
    put(&engine, "users", json!({"pk": {"S": "a"}, "age": {"N": "6"}})).unwrap();
    let order = json!({"pk": {"N": "1"}, "sk": {"S": "x"}});
    let request = json!({
        "users": [
            put_request(json!({"pk": {"S": "a"}, "city": {"S": "Ulm"}})),
            delete_request(key("old")),
            delete_request(key("never there")),
        ],
        "orders": [put_request(order.clone())],
    });
    assert_eq!(batch_write(&engine, request).unwrap(), json!({"UnprocessedItems": {}}));
    assert_eq!(get(&engine, "users", key("a")).unwrap(), json!({"pk": {"S": "a"}, "city": {"S": "Ulm"}}));
    assert_eq!(get(&engine, "users", key("old")).unwrap(), Value::Null);
    assert_eq!(get(&engine, "orders", order.clone()).unwrap(), order);
}

#[test]
fn a_request_has_1_to_25_writes_over_all_tables() {
    let engine = engine();
    let order = [put_request(json!({"pk": {"N": "1"}, "sk": {"S": "x"}}))];
    batch_write(&engine, json!({"users": puts(25)})).unwrap();
    assert_eq!(count(&engine, "users"), 25);

    let lengths = "' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have \
                   length less than or equal to 25, Member must have length greater than or equal to 1]";
    for wrong in [puts(26), puts(0)] {
        let refused = refused_by(batch_write(&engine, json!({"users": wrong})));
        assert!(refused.starts_with("1 validation error detected: Value '{users=["), "{refused}");
        assert!(refused.ends_with(lengths), "{refused}");
    }
    assert_eq!(
        refused_by(batch_write(&engine, json!({"users": puts(25), "orders": order}))),
        "Too many items requested for the BatchWriteItem call"
    );
    assert_eq!(
        refused_by(batch_write(&engine, json!({}))),
        "The requestItems parameter is required for BatchWriteItem"
    );
    let refused = refused_by(batch_write(&engine, json!({"bad!name": puts(1)})));
    assert_eq!(
        refused,
        "1 validation error detected: Value '{bad!name=[WriteRequest]}' at 'requestItems' failed to satisfy constraint: \
         Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length \
         greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"
    );
}

/// C04. Numbers are compared by value: a batch that puts 1000 and 1e3 writes one item twice.
#[test]
fn two_writes_of_one_item_are_refused() {
    let engine = engine();
    let order = |number: &str| json!({"pk": {"N": number}, "sk": {"S": "x"}});
    let twice = [
        json!({"users": [put_request(json!({"pk": {"S": "a"}, "age": {"N": "7"}})), delete_request(key("a"))]}),
        json!({"users": [delete_request(key("a")), delete_request(key("a"))]}),
        json!({"orders": [put_request(order("1000")), put_request(order("1e3"))]}),
    ];
    for request in twice {
        assert_eq!(
            refused_by(batch_write(&engine, request)),
            "Provided list of item keys contains duplicates"
        );
    }
    let absent = json!({"absent": [put_request(key("a")), put_request(key("a"))]});
    assert_eq!(batch_write(&engine, absent).unwrap_err().name, "ResourceNotFoundException");
}

/// A batch is many writes, but a request: what is wrong with one of them refuses all of them.
#[test]
fn a_batch_with_one_wrong_write_writes_nothing() {
    let engine = engine();
    let mismatch = "The provided key element does not match the schema";
    let empty = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an \
                 empty string value. Key: pk";
    let cases = [
        (put_request(json!({"other": {"S": "a"}})), mismatch),
        (put_request(json!({"pk": {"N": "1"}})), mismatch),
        (put_request(json!({"pk": {"L": []}})), mismatch),
        (delete_request(json!({"pk": {"S": "a"}, "age": {"N": "7"}})), mismatch),
        (put_request(key("")), empty),
        (delete_request(key("")), empty),
        (
            put_request(json!({"pk": {"S": "a"}, "data": {"S": "x".repeat(400 * 1024 - 6)}})),
            "Item size has exceeded the maximum allowed size",
        ),
        (
            put_request(json!({"pk": {"S": "a"}, "age": {"N": ""}})),
            "The parameter cannot be converted to a numeric value",
        ),
        (
            json!({}),
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
        ),
    ];
    for (wrong, expected) in cases {
        let refused = refused_by(batch_write(&engine, json!({"users": [put_request(key("first")), wrong]})));
        assert_eq!(refused, expected);
        assert_eq!(count(&engine, "users"), 0);
    }
    let refused = batch_write(&engine, json!({"users": puts(1), "absent": puts(1)})).unwrap_err();
    assert_eq!(refused.name, "ResourceNotFoundException");
    assert_eq!(count(&engine, "users"), 0);
}

/// An item of exactly 400 KB is written, and 25 of them are 10 MB in one request.
#[test]
fn a_batch_holds_25_of_the_largest_items() {
    let engine = engine();
    let large = |number: usize| {
        let data = "x".repeat(400 * 1024 - "pk".len() - 2 - "data".len());
        put_request(json!({"pk": {"S": format!("{number:02}")}, "data": {"S": data}}))
    };
    batch_write(&engine, json!({"users": (0..25).map(large).collect::<Vec<Value>>()})).unwrap();
    assert!(get(&engine, "users", key("24")).unwrap().is_object());
}

/// C34. DynamoDB Local charged two units for the delete of a missing item; it costs the least that a write costs.
#[test]
fn each_write_is_charged_by_itself() {
    let engine = engine();
    let large = json!({"pk": {"S": "large"}, "data": {"S": "x".repeat(1030)}});
    let order = json!({"pk": {"N": "1"}, "sk": {"S": "x"}});
    let body =
        |detail: &str, writes: Value| json!({"RequestItems": writes, "ReturnConsumedCapacity": detail});
    let writes =
        json!({"users": [put_request(large.clone()), put_request(key("a"))], "orders": [put_request(order)]});
    let answer = call(&engine, Operation::BatchWriteItem, &body("INDEXES", writes)).unwrap();
    let capacity = answer["ConsumedCapacity"].as_array().unwrap();
    assert_eq!(capacity.len(), 2);
    assert!(
        capacity
            .contains(&json!({"TableName": "users", "CapacityUnits": 3.0, "Table": {"CapacityUnits": 3.0}}))
    );
    assert!(
        capacity
            .contains(&json!({"TableName": "orders", "CapacityUnits": 1.0, "Table": {"CapacityUnits": 1.0}}))
    );

    // A delete is charged by what it removes, and at least a unit.
    let deletes = json!({"users": [delete_request(key("large")), delete_request(key("missing"))]});
    let answer = call(&engine, Operation::BatchWriteItem, &body("TOTAL", deletes)).unwrap();
    assert_eq!(answer["ConsumedCapacity"], json!([{"TableName": "users", "CapacityUnits": 3.0}]));
}

/// C60. Some regions refuse an empty batch in one sentence, others as a violated constraint; all refuse it, and name the
/// member.
#[test]
fn an_empty_batch_is_refused_by_naming_its_member() {
    let engine = engine();
    for body in [json!({}), json!({"RequestItems": {}}), json!({"RequestItems": null})] {
        for operation in [Operation::BatchWriteItem, Operation::BatchGetItem] {
            assert!(refused_by(call(&engine, operation, &body)).contains("requestItems"));
        }
    }
}
