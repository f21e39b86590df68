//! BatchGetItem.

use crate::support::{batch_get, call, create, key, memory, put, refused_by};
use keywright_api::Operation;
use keywright_engine::Engine;
use serde_json::{Value, json};

fn engine() -> Engine {
    let engine = memory();
    create(&engine, "users", "pk:S", None);
    create(&engine, "orders", "pk:N", Some("sk:S"));
    for name in ["a", "b"] {
        put(&engine, "users", json!({"pk": {"S": name}, "age": {"N": "7"}, "city": {"S": "Ulm"}})).unwrap();
    }
    put(&engine, "orders", json!({"pk": {"N": "1"}, "sk": {"S": "x"}})).unwrap();
    engine
}

/// The key of a user, by name.
fn keys(names: &[&str]) -> Vec<Value> {
    names.iter().map(|name| key(name)).collect()
}

#[test]
fn the_items_that_there_are_come_back_by_table_and_the_others_do_not() {
    let request = json!({
        "users": {"Keys": keys(&["b", "missing", "a"]), "ConsistentRead": true, "ProjectionExpression": "pk"},
        "orders": {"Keys": [{"pk": {"N": "2"}, "sk": {"S": "x"}}]},
    });
    let answer = batch_get(&engine(), request).unwrap();
    let expected = json!({
        "Responses": {"users": [key("b"), key("a")], "orders": []},
        "UnprocessedKeys": {},
    });
    assert_eq!(answer, expected);
}

/// The keys are no part of a projection that does not name them, and an item without any of the parts is an empty one.
#[test]
fn each_table_has_its_own_projection() {
    let engine = engine();
    put(&engine, "users", key("plain")).unwrap();
    for projection in [
        json!({"ProjectionExpression": "#a", "ExpressionAttributeNames": {"#a": "age"}}),
        json!({"AttributesToGet": ["age"]}),
    ] {
        let mut users = json!({"Keys": keys(&["a", "plain"])});
        users.as_object_mut().unwrap().extend(projection.as_object().unwrap().clone());
        let orders = json!({"Keys": [{"pk": {"N": "1"}, "sk": {"S": "x"}}]});
        let answer = batch_get(&engine, json!({"users": users, "orders": orders})).unwrap();
        assert_eq!(answer["Responses"]["users"], json!([{"age": {"N": "7"}}, {}]));
        assert_eq!(answer["Responses"]["orders"], json!([{"pk": {"N": "1"}, "sk": {"S": "x"}}]));
    }
}

#[test]
fn a_request_has_1_to_100_keys_over_all_tables() {
    let engine = engine();
    let many = |count: usize| (0..count).map(|number| key(&number.to_string())).collect::<Vec<Value>>();
    let order = json!([{"pk": {"N": "1"}, "sk": {"S": "x"}}]);

    batch_get(&engine, json!({"users": {"Keys": many(100)}})).unwrap();
    assert_eq!(
        refused_by(batch_get(&engine, json!({"users": {"Keys": many(101)}}))),
        "1 validation error detected: Value at 'RequestItems.users.member.Keys' failed to satisfy constraint: Member \
         must have length less than or equal to 100"
    );
    batch_get(&engine, json!({"users": {"Keys": many(99)}, "orders": {"Keys": order}})).unwrap();
    assert_eq!(
        refused_by(batch_get(&engine, json!({"users": {"Keys": many(100)}, "orders": {"Keys": order}}))),
        "Too many items requested for the BatchGetItem call"
    );
    assert_eq!(
        refused_by(batch_get(&engine, json!({}))),
        "The requestItems parameter is required for BatchGetItem"
    );
    assert!(
        refused_by(batch_get(&engine, json!({"users": {"Keys": []}})))
            .contains("Member must have length greater than or equal to 1")
    );
}

#[test]
fn a_key_that_is_there_twice_is_refused_before_the_table_is_looked_up() {
    let twice = json!([
        {"pk": {"N": "1"}, "sk": {"S": "x"}}, {"pk": {"N": "2"}, "sk": {"S": "x"}}, {"sk": {"S": "x"}, "pk": {"N": "1"}}
    ]);
    for table in ["orders", "absent"] {
        let refused = refused_by(batch_get(&engine(), json!({table: {"Keys": twice}})));
        assert_eq!(refused, "Provided list of item keys contains duplicates");
    }
}

/// C04. One emulator compared number keys by their bytes and another one stored 1000 and 1e3 as two items. They are one
/// item. But BatchGetItem of the service compares the keys as they are spelled, does not see that the two are one, and
/// answers with the item twice; BatchWriteItem, which writes it, does see it.
#[test]
fn two_spellings_of_a_number_are_one_item_that_is_read_twice() {
    let engine = engine();
    put(&engine, "orders", json!({"pk": {"N": "1000"}, "sk": {"S": "x"}})).unwrap();
    let spelled = |number: &str| json!({"pk": {"N": number}, "sk": {"S": "x"}});
    let answer = batch_get(&engine, json!({"orders": {"Keys": [spelled("1000"), spelled("1e3")]}})).unwrap();
    assert_eq!(answer["Responses"]["orders"], json!([spelled("1000"), spelled("1000")]));

    let refused =
        refused_by(batch_get(&engine, json!({"orders": {"Keys": [spelled("1e3"), spelled("1e3")]}})));
    assert_eq!(refused, "Provided list of item keys contains duplicates");
}

#[test]
fn every_key_must_be_one_of_its_table() {
    let engine = engine();
    for wrong in [json!({}), json!({"pk": {"N": "1"}}), json!({"pk": {"S": "a"}, "age": {"N": "7"}})] {
        let refused = refused_by(batch_get(&engine, json!({"users": {"Keys": [key("a"), wrong]}})));
        assert_eq!(refused, "The provided key element does not match the schema");
    }
    let refused =
        batch_get(&engine, json!({"users": {"Keys": [{}]}, "absent": {"Keys": [key("a")]}})).unwrap_err();
    assert_eq!(refused.name, "ResourceNotFoundException");
    let refused = refused_by(batch_get(&engine, json!({"users": {"Keys": [key("")]}})));
    assert!(refused.ends_with("cannot contain an empty string value. Key: pk"), "{refused}");
}

/// A table that is named in two ways would have two lists of items in one answer.
#[test]
fn a_table_is_named_by_its_name_or_by_its_arn_and_once() {
    let engine = engine();
    let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/users";
    let answer =
        batch_get(&engine, json!({arn: {"Keys": keys(&["a"]), "ProjectionExpression": "pk"}})).unwrap();
    assert_eq!(answer["Responses"], json!({"users": [key("a")]}));
    let refused =
        refused_by(batch_get(&engine, json!({arn: {"Keys": keys(&["a"])}, "users": {"Keys": keys(&["b"])}})));
    assert_eq!(refused, "The request names the table users twice");
}

/// C34. One emulator charged nothing for keys without an item, another one two units. Each costs the least that a read
/// costs.
#[test]
fn each_item_is_charged_by_itself_and_a_missing_one_the_least() {
    let engine = engine();
    put(&engine, "users", json!({"pk": {"S": "large"}, "data": {"S": "x".repeat(4100)}})).unwrap();
    let capacity = |consistent: bool, detail: &str| {
        let body = json!({
            "RequestItems": {
                "users": {"Keys": keys(&["a", "large", "missing"]), "ConsistentRead": consistent},
                "orders": {"Keys": [{"pk": {"N": "9"}, "sk": {"S": "x"}}], "ConsistentRead": consistent},
            },
            "ReturnConsumedCapacity": detail,
        });
        call(&engine, Operation::BatchGetItem, &body).unwrap()["ConsumedCapacity"].clone()
    };
    let expected = json!([
        {"TableName": "users", "CapacityUnits": 2.0},
        {"TableName": "orders", "CapacityUnits": 0.5},
    ]);
    let by_name = |mut capacity: Value| {
        capacity
            .as_array_mut()
            .unwrap()
            .sort_by_key(|table| std::cmp::Reverse(table["TableName"].to_string()));
        capacity
    };
    assert_eq!(by_name(capacity(false, "TOTAL")), expected);
    let expected = json!([
        {"TableName": "users", "CapacityUnits": 4.0, "Table": {"CapacityUnits": 4.0}},
        {"TableName": "orders", "CapacityUnits": 1.0, "Table": {"CapacityUnits": 1.0}},
    ]);
    assert_eq!(by_name(capacity(true, "INDEXES")), expected);
    assert_eq!(capacity(true, "NONE"), Value::Null);
}

/// Whoever takes the answer for the whole loses the rest: what does not fit in 16 MB comes back as keys, with everything
/// that a next request needs, and is not paid for.
#[test]
fn what_is_beyond_16_mb_comes_back_unprocessed_and_can_be_sent_again() {
    let engine = engine();
    let name = |number: usize| format!("large-{number:02}");
    for number in 0..50 {
        // Name, key and data: 400 KB.
        let data = "x".repeat(400 * 1024 - "pk".len() - name(number).len() - "data".len());
        put(&engine, "users", json!({"pk": {"S": name(number)}, "data": {"S": data}})).unwrap();
    }
    let names: Vec<String> = (0..50).map(name).collect();
    let body = json!({
        "RequestItems": {"users": {
            "Keys": names.iter().map(|name| key(name)).collect::<Vec<Value>>(), "ConsistentRead": true,
            "ProjectionExpression": "#p", "ExpressionAttributeNames": {"#p": "pk"},
        }},
        "ReturnConsumedCapacity": "TOTAL",
    });
    let answer = call(&engine, Operation::BatchGetItem, &body).unwrap();
    // 40 of 400 KB are 16,000 KB; the projection does not count.
    let items = answer["Responses"]["users"].as_array().unwrap();
    assert_eq!(items.len(), 40);
    assert_eq!(answer["ConsumedCapacity"][0]["CapacityUnits"], 4000.0);
    let unprocessed = &answer["UnprocessedKeys"]["users"];
    assert_eq!(unprocessed["Keys"].as_array().unwrap().len(), 10);
    assert_eq!(unprocessed["ConsistentRead"], true);
    assert_eq!(unprocessed["ProjectionExpression"], "#p");

    let rest = batch_get(&engine, answer["UnprocessedKeys"].clone()).unwrap();
    let mut all: Vec<String> = items
        .iter()
        .chain(rest["Responses"]["users"].as_array().unwrap())
        .map(|item| item["pk"]["S"].as_str().unwrap().to_owned())
        .collect();
    all.sort();
    assert_eq!(all, names);
    assert_eq!(rest["UnprocessedKeys"], json!({}));
}
