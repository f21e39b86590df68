//! PutItem, GetItem and DeleteItem: keys, images, capacity, and the reported cases about them.

use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Waker};

use crate::support::{call, create, get, memory, put, refused_by as validation};
use keywright_api::Operation;
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

fn delete(
    engine: &Engine,
    table: &str,
    key: Value,
    members: Value,
) -> Result<Value, crate::support::Refusal> {
    let mut body = json!({"TableName": table, "Key": key});
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    call(engine, Operation::DeleteItem, &body)
}

fn put_counted(engine: &Engine, item: &Value) -> f64 {
    let body = json!({"TableName": "items", "Item": item, "ReturnConsumedCapacity": "TOTAL"});
    call(engine, Operation::PutItem, &body).unwrap()["ConsumedCapacity"]["CapacityUnits"].as_f64().unwrap()
}

fn get_counted(engine: &Engine, consistent: bool) -> f64 {
    let body = json!({
        "TableName": "items",
        "Key": {"pk": {"S": "a"}},
        "ConsistentRead": consistent,
        "ReturnConsumedCapacity": "TOTAL",
    });
    call(engine, Operation::GetItem, &body).unwrap()["ConsumedCapacity"]["CapacityUnits"].as_f64().unwrap()
}

/// An item of exactly this size under the key `a`.
fn item_of(size_bytes: usize) -> Value {
    let names_and_key = "pk".len() + "a".len() + "data".len();
    json!({"pk": {"S": "a"}, "data": {"S": "x".repeat(size_bytes - names_and_key)}})
}

#[test]
fn an_item_of_every_type_comes_back_as_it_was_put() {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    let item = json!({
        "pk": {"S": "a"},
        "string": {"S": "line\n\"quoted\" \u{1F600}"},
        "empty": {"S": ""},
        "number": {"N": "-12.5"},
        "binary": {"B": "AAEC/w=="},
        "true": {"BOOL": true},
        "null": {"NULL": true},
        "list": {"L": [{"S": "x"}, {"L": []}, {"M": {}}]},
        "map": {"M": {"nested": {"M": {"deep": {"N": "1"}}}}},
        "strings": {"SS": ["a", "b"]},
        "numbers": {"NS": ["1", "2.5"]},
        "binaries": {"BS": ["AA==", "AQ=="]},
    });
    put(&engine, "items", item.clone()).unwrap();
    assert_eq!(get(&engine, "items", json!({"pk": {"S": "a"}})).unwrap(), item);
}

#[test]
fn a_put_takes_the_place_of_the_whole_item() {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    put(&engine, "items", json!({"pk": {"S": "a"}, "first": {"S": "1"}})).unwrap();
    let body = json!({
        "TableName": "items",
        "Item": {"pk": {"S": "a"}, "second": {"S": "2"}},
        "ReturnValues": "ALL_OLD",
    });
    let answer = call(&engine, Operation::PutItem, &body).unwrap();
    assert_eq!(answer, json!({"Attributes": {"pk": {"S": "a"}, "first": {"S": "1"}}}));
    let now = get(&engine, "items", json!({"pk": {"S": "a"}})).unwrap();
    assert_eq!(now, json!({"pk": {"S": "a"}, "second": {"S": "2"}}));
}

#[test]
fn a_delete_answers_the_old_item_and_a_second_one_changes_nothing() {
    let engine = memory();
    create(&engine, "items", "pk:S", Some("sk:S"));
    let item = json!({"pk": {"S": "a"}, "sk": {"S": "b"}, "n": {"N": "1"}});
    let key = json!({"pk": {"S": "a"}, "sk": {"S": "b"}});
    put(&engine, "items", item.clone()).unwrap();
    let all_old = json!({"ReturnValues": "ALL_OLD"});
    assert_eq!(delete(&engine, "items", key.clone(), all_old.clone()).unwrap(), json!({"Attributes": item}));
    assert_eq!(delete(&engine, "items", key.clone(), all_old).unwrap(), json!({}));
    assert_eq!(get(&engine, "items", key).unwrap(), Value::Null);
}

/// C04. Two spellings of one number are one key: an engine that compared the text of a partition key kept two items.
#[test]
fn two_spellings_of_a_number_are_one_key() {
    let engine = memory();
    create(&engine, "items", "pk:N", None);
    put(&engine, "items", json!({"pk": {"N": "1000"}, "by": {"S": "first"}})).unwrap();
    let found = get(&engine, "items", json!({"pk": {"N": "1e3"}})).unwrap();
    assert_eq!(found, json!({"pk": {"N": "1000"}, "by": {"S": "first"}}));
    put(&engine, "items", json!({"pk": {"N": "1000.0"}, "by": {"S": "second"}})).unwrap();
    let found = get(&engine, "items", json!({"pk": {"N": "1000"}})).unwrap();
    assert_eq!(found["by"]["S"], "second");
}

/// C06. Empty strings are values like any other, but not in a key: other engines refused the first or took the second.
#[test]
fn empty_values_are_fine_off_the_key_and_refused_in_it() {
    let engine = memory();
    create(&engine, "items", "pk:S", Some("sk:B"));
    let item =
        json!({"pk": {"S": "a"}, "sk": {"B": "AA=="}, "s": {"S": ""}, "b": {"B": ""}, "ss": {"SS": [""]}});
    put(&engine, "items", item).unwrap();
    let empty = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty";
    let message = validation(put(&engine, "items", json!({"pk": {"S": ""}, "sk": {"B": "AA=="}})));
    assert_eq!(message, format!("{empty} string value. Key: pk"));
    let message = validation(put(&engine, "items", json!({"pk": {"S": "a"}, "sk": {"B": ""}})));
    assert_eq!(message, format!("{empty} binary value. Key: sk"));
    let message = validation(get(&engine, "items", json!({"pk": {"S": ""}, "sk": {"B": "AA=="}})));
    assert_eq!(message, format!("{empty} string value. Key: pk"));
    let message = validation(delete(&engine, "items", json!({"pk": {"S": "a"}, "sk": {"B": ""}}), json!({})));
    assert_eq!(message, format!("{empty} binary value. Key: sk"));
}

#[test]
fn an_item_without_the_tables_key_is_refused_with_the_attributes_name() {
    let engine = memory();
    create(&engine, "items", "pk:S", Some("sk:N"));
    let cases = [
        (
            json!({"sk": {"N": "1"}}),
            "One or more parameter values were invalid: Missing the key pk in the item",
        ),
        (
            json!({"pk": {"S": "a"}}),
            "One or more parameter values were invalid: Missing the key sk in the item",
        ),
        (
            json!({"pk": {"N": "1"}, "sk": {"N": "1"}}),
            "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N",
        ),
        (
            json!({"pk": {"S": "a"}, "sk": {"NS": ["1"]}}),
            "One or more parameter values were invalid: Type mismatch for key sk expected: N actual: NS",
        ),
    ];
    for (item, message) in cases {
        assert_eq!(validation(put(&engine, "items", item)), message);
    }
}

#[test]
fn a_key_is_exactly_the_attributes_of_the_schema() {
    let engine = memory();
    create(&engine, "items", "pk:S", Some("sk:N"));
    let wrong = [
        json!({"pk": {"S": "a"}}),
        json!({"sk": {"N": "1"}}),
        json!({"pk": {"S": "a"}, "other": {"N": "1"}}),
        json!({"pk": {"S": "a"}, "sk": {"S": "1"}}),
        json!({"pk": {"S": "a"}, "sk": {"N": "1"}, "more": {"S": "x"}}),
    ];
    for key in wrong {
        let message = "The provided key element does not match the schema";
        assert_eq!(validation(get(&engine, "items", key.clone())), message, "{key}");
        assert_eq!(validation(delete(&engine, "items", key.clone(), json!({}))), message, "{key}");
    }
}

#[test]
fn keys_of_the_longest_length_are_stored_and_one_byte_more_is_refused() {
    let engine = memory();
    create(&engine, "items", "pk:S", Some("sk:S"));
    let key = |partition: usize, sort: usize| json!({"pk": {"S": "p".repeat(partition)}, "sk": {"S": "s".repeat(sort)}});
    put(&engine, "items", key(2048, 1024)).unwrap();
    assert_eq!(get(&engine, "items", key(2048, 1024)).unwrap(), key(2048, 1024));

    let partition = "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes";
    let sort = "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes";
    assert_eq!(validation(put(&engine, "items", key(2049, 1))), partition);
    assert_eq!(validation(put(&engine, "items", key(1, 1025))), sort);
    assert_eq!(validation(get(&engine, "items", key(2049, 1))), partition);
    assert_eq!(validation(get(&engine, "items", key(1, 1025))), sort);
}

#[test]
fn an_item_of_400_kb_is_stored_and_one_byte_more_is_refused() {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    put(&engine, "items", item_of(400 * 1024)).unwrap();
    let message = validation(put(&engine, "items", item_of(400 * 1024 + 1)));
    assert_eq!(message, "Item size has exceeded the maximum allowed size");
    assert_eq!(get(&engine, "items", json!({"pk": {"S": "a"}})).unwrap(), item_of(400 * 1024));
}

/// Source of the figures: the "item sizes" and "capacity unit" rules of the developer guide: a write costs a unit for each
/// started KB of the larger image, a strong read one for each started 4 KB, an eventual one half of that.
#[test]
fn capacity_follows_the_sizes_on_both_sides_of_each_step() {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    for (size_bytes, writes, strong) in [
        (100, 1.0, 1.0),
        (1024, 1.0, 1.0),
        (1025, 2.0, 1.0),
        (4096, 4.0, 1.0),
        (4097, 5.0, 2.0),
        (409_600, 400.0, 100.0),
    ] {
        let key = json!({"pk": {"S": "a"}});
        delete(&engine, "items", key, json!({})).unwrap();
        assert_eq!(put_counted(&engine, &item_of(size_bytes)), writes, "{size_bytes}");
        assert_eq!(get_counted(&engine, true), strong, "{size_bytes}");
        assert_eq!(get_counted(&engine, false), strong / 2.0, "{size_bytes}");
    }
    // The larger of the two images counts, so replacing or deleting the large item costs what it weighed.
    assert_eq!(put_counted(&engine, &item_of(100)), 400.0);
    put(&engine, "items", item_of(3000)).unwrap();
    let total = json!({"ReturnConsumedCapacity": "TOTAL"});
    let deleted = delete(&engine, "items", json!({"pk": {"S": "a"}}), total.clone()).unwrap();
    assert_eq!(deleted["ConsumedCapacity"], json!({"TableName": "items", "CapacityUnits": 3.0}));
    // Nothing there: a read and a write still cost their least.
    let missing = delete(&engine, "items", json!({"pk": {"S": "a"}}), total).unwrap();
    assert_eq!(missing["ConsumedCapacity"]["CapacityUnits"], 1.0);
    assert_eq!(get_counted(&engine, true), 1.0);
    assert_eq!(get_counted(&engine, false), 0.5);
}

#[test]
fn a_table_that_does_not_exist_is_not_found() {
    let engine = memory();
    let key = json!({"pk": {"S": "a"}});
    for outcome in [
        put(&engine, "absent", key.clone()),
        get(&engine, "absent", key.clone()),
        delete(&engine, "absent", key, json!({})),
    ] {
        let refused = outcome.unwrap_err();
        assert_eq!(refused.name, "ResourceNotFoundException");
        assert_eq!(refused.message, "Requested resource not found");
    }
}

/// To wake a thread for each write took longer than to decide it.
#[test]
fn a_write_in_memory_is_decided_by_whoever_makes_it() {
    let engine = Engine::open(Options::memory()).unwrap();
    create(&engine, "items", "pk:S", None);
    let body = json!({"TableName": "items", "Item": {"pk": {"S": "a"}}}).to_string();
    for _ in 0..3 {
        let mut reply = engine.call_wire(Operation::PutItem, body.as_bytes());
        let mut context = Context::from_waker(Waker::noop());
        assert!(Pin::new(&mut reply).poll(&mut context).is_ready(), "it waits for nobody");
    }
    engine.close().unwrap();
    assert!(engine.call_wire(Operation::PutItem, body.as_bytes()).wait().is_err());
}
