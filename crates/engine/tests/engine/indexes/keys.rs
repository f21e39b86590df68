//! What can be the key of an index: of the right type, not empty, not too long.

use serde_json::{Value, json};

use super::{engine, item};
use crate::support::{call, create_indexed, get, index, memory, put, refused_by, update};
use keywright_api::Operation;

fn set(value: Value) -> Value {
    json!({"UpdateExpression": "SET g = :v", "ExpressionAttributeValues": {":v": value}})
}

#[test]
fn a_value_of_another_type_is_refused_by_every_write_and_the_first_index_by_name_is_told() {
    let engine = engine();
    let mut wrong = item("a", "1", &[]);
    wrong["g"] = json!({"N": "1"});
    let text = "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N IndexName: \
                all_by_g";
    assert_eq!(refused_by(put(&engine, "items", wrong.clone())), text);
    let batch = json!({"RequestItems": {"items": [{"PutRequest": {"Item": wrong}}]}});
    assert_eq!(refused_by(call(&engine, Operation::BatchWriteItem, &batch)), text);
    let key = item("a", "1", &[]);
    assert_eq!(refused_by(update(&engine, "items", key.clone(), set(json!({"N": "1"})))), text);
    let add = json!({"UpdateExpression": "ADD g :v", "ExpressionAttributeValues": {":v": {"N": "1"}}});
    assert_eq!(refused_by(update(&engine, "items", key.clone(), add)), text);
    let legacy = json!({"AttributeUpdates": {"g": {"Value": {"N": "1"}}}});
    assert_eq!(refused_by(update(&engine, "items", key.clone(), legacy)), text);
    assert_eq!(get(&engine, "items", key).unwrap(), Value::Null, "nothing was written");
}

#[test]
fn a_type_that_only_the_item_tells_is_refused_by_the_update_that_would_move_it_into_a_key() {
    let engine = engine();
    let mut stored = item("a", "1", &[("g", "g")]);
    stored["n"] = json!({"N": "1"});
    put(&engine, "items", stored.clone()).unwrap();
    let key = item("a", "1", &[]);
    assert_eq!(
        refused_by(update(&engine, "items", key.clone(), json!({"UpdateExpression": "SET g = n"}))),
        "The update expression attempted to update the secondary index key to unsupported type"
    );
    assert_eq!(get(&engine, "items", key).unwrap(), stored);
}

/// C06: dynalite accepted empty keys, and older emulators refused empty strings that were no keys.
#[test]
fn an_empty_value_is_no_key_of_an_index_and_fine_elsewhere() {
    let engine = memory();
    let global = json!([index("by_b", &["b"], json!("ALL")), index("by_s", &["s"], json!("ALL"))]);
    create_indexed(&engine, "items", &["pk:S"], &json!([]), &global, &["b:B", "s:S"]);
    let key = json!({"pk": {"S": "a"}});
    for (name, kind, word) in [("s", "S", "string"), ("b", "B", "binary")] {
        assert_eq!(
            refused_by(put(&engine, "items", json!({"pk": {"S": "a"}, name: {kind: ""}}))),
            format!(
                "One or more parameter values are not valid. A value specified for a secondary index key is not \
                 supported. The AttributeValue for a key attribute cannot contain an empty {word} value. IndexName: \
                 by_{name}, IndexKey: {name}"
            )
        );
        let members = json!({
            "UpdateExpression": format!("SET {name} = :v"), "ExpressionAttributeValues": {":v": {kind: ""}},
        });
        let text = format!(
            "One or more parameter values are not valid. The update expression attempted to update a secondary index key \
             to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty {word} value."
        );
        assert_eq!(refused_by(update(&engine, "items", key.clone(), members.clone())), text);
        let moved = json!({"UpdateExpression": format!("SET {name} = x"), "ConditionExpression": "attribute_exists(pk)"});
        put(&engine, "items", json!({"pk": {"S": "a"}, "x": {kind: ""}})).unwrap();
        assert_eq!(refused_by(update(&engine, "items", key.clone(), moved)), text);
    }
}

/// C06: in a transaction an empty index key refuses the request as such, and a value of another type is the member's reason.
#[test]
fn a_transaction_tells_a_wrong_type_as_a_reason_and_an_empty_value_as_a_refusal() {
    let engine = engine();
    let transact =
        |action: Value| call(&engine, Operation::TransactWriteItems, &json!({"TransactItems": [action]}));
    let put = |value: Value| {
        let mut item = item("a", "1", &[]);
        item["g"] = value;
        json!({"Put": {"TableName": "items", "Item": item}})
    };
    let updated = |value: Value| {
        let mut action = set(value);
        action["TableName"] = json!("items");
        action["Key"] = item("a", "1", &[]);
        json!({"Update": action})
    };
    for action in [put(json!({"N": "1"})), updated(json!({"N": "1"}))] {
        let cancelled = transact(action).unwrap_err();
        assert_eq!(cancelled.name, "TransactionCanceledException");
        assert!(cancelled.message.ends_with("[ValidationError]"), "{}", cancelled.message);
    }
    for action in [put(json!({"S": ""})), updated(json!({"S": ""}))] {
        assert!(refused_by(transact(action)).contains("cannot contain an empty string value"));
    }
}

#[test]
fn the_attributes_of_each_part_of_an_index_key_share_its_length() {
    let engine = memory();
    let wide = json!({
        "IndexName": "wide", "Projection": {"ProjectionType": "KEYS_ONLY"},
        "KeySchema": [
            {"AttributeName": "h1", "KeyType": "HASH"}, {"AttributeName": "h2", "KeyType": "HASH"},
            {"AttributeName": "r1", "KeyType": "RANGE"}, {"AttributeName": "r2", "KeyType": "RANGE"},
        ],
    });
    create_indexed(
        &engine,
        "items",
        &["pk:S"],
        &json!([]),
        &json!([wide]),
        &["h1:S", "h2:S", "r1:S", "r2:S"],
    );
    let sized = |hash: usize, range: usize| {
        let half = |bytes: usize, rest: usize| json!({"S": "x".repeat(bytes / 2 + rest * (bytes % 2))});
        json!({
            "pk": {"S": "a"}, "h1": half(hash, 0), "h2": half(hash, 1), "r1": half(range, 0), "r2": half(range, 1),
        })
    };
    assert!(put(&engine, "items", sized(2048, 1024)).is_ok());
    assert_eq!(
        refused_by(put(&engine, "items", sized(2049, 1024))),
        "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes"
    );
    assert_eq!(
        refused_by(put(&engine, "items", sized(2048, 1025))),
        "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 \
         bytes"
    );
}

#[test]
fn no_expression_goes_into_a_key_of_an_index() {
    let engine = engine();
    let text = |name: &str| {
        format!(
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: {name}"
        )
    };
    let key = item("a", "1", &[]);
    let updated = update(&engine, "items", key.clone(), json!({"UpdateExpression": "SET q = g[1]"}));
    assert_eq!(refused_by(updated), text("g"));
    let read = json!({"TableName": "items", "Key": key, "ProjectionExpression": "l.x"});
    assert_eq!(refused_by(call(&engine, Operation::GetItem, &read)), text("l"));
    let scan = json!({"TableName": "items", "FilterExpression": "attribute_exists(g.x)"});
    assert_eq!(refused_by(call(&engine, Operation::Scan, &scan)), text("g"));
}
