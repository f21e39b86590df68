//! Query: order, ranges, pages and start keys, and the reported cases about them.

use crate::support::{create, get, memory, put, query};
use keywright_engine::Engine;
use serde_json::{Value, json};

const BOUNDARIES: &str = "The provided starting key is outside query boundaries based on provided conditions";

fn filled(sort_kind: &str, sort_keys: &[Value]) -> Engine {
    let engine = memory();
    create(&engine, "items", "pk:S", Some(&format!("sk:{sort_kind}")));
    for sort_key in sort_keys {
        put(&engine, "items", json!({"pk": {"S": "a"}, "sk": {sort_kind: sort_key}})).unwrap();
        // Neighbours that must never show up.
        put(&engine, "items", json!({"pk": {"S": "a0"}, "sk": {sort_kind: sort_key}})).unwrap();
    }
    engine
}

fn sort_keys(answer: &Value) -> Vec<Value> {
    let items = answer["Items"].as_array().unwrap();
    items.iter().map(|item| item["sk"].as_object().unwrap().values().next().unwrap().clone()).collect()
}

/// The sort keys of partition `a` under a condition on `sk`; `:p` is the partition, `values` the rest.
fn select(
    engine: &Engine,
    sort_condition: &str,
    values: Value,
    members: Value,
) -> Result<Vec<Value>, crate::support::Refusal> {
    let mut all = json!({":p": {"S": "a"}});
    all.as_object_mut().unwrap().extend(values.as_object().unwrap().clone());
    let condition = match sort_condition {
        "" => "pk = :p".to_owned(),
        sort_condition => format!("pk = :p AND {sort_condition}"),
    };
    query(engine, "items", &condition, all, members).map(|answer| sort_keys(&answer))
}

fn refused(outcome: Result<impl std::fmt::Debug, crate::support::Refusal>) -> String {
    let refused = outcome.unwrap_err();
    assert_eq!(refused.name, "ValidationException", "{}", refused.message);
    refused.message
}

#[test]
fn every_condition_selects_its_range_in_both_directions() {
    let engine = filled("S", &["b", "ba", "bb", "c", "d"].map(Value::from));
    let cases = [
        ("", json!({}), vec!["b", "ba", "bb", "c", "d"]),
        ("sk = :x", json!({":x": {"S": "ba"}}), vec!["ba"]),
        ("sk = :x", json!({":x": {"S": "z"}}), vec![]),
        ("sk < :x", json!({":x": {"S": "bb"}}), vec!["b", "ba"]),
        ("sk <= :x", json!({":x": {"S": "bb"}}), vec!["b", "ba", "bb"]),
        ("sk > :x", json!({":x": {"S": "bb"}}), vec!["c", "d"]),
        ("sk >= :x", json!({":x": {"S": "bb"}}), vec!["bb", "c", "d"]),
        ("sk BETWEEN :x AND :y", json!({":x": {"S": "ba"}, ":y": {"S": "c"}}), vec!["ba", "bb", "c"]),
        ("begins_with(sk, :x)", json!({":x": {"S": "b"}}), vec!["b", "ba", "bb"]),
        ("begins_with(sk, :x)", json!({":x": {"S": "e"}}), vec![]),
    ];
    for (condition, values, expected) in cases {
        let forward = select(&engine, condition, values.clone(), json!({})).unwrap();
        assert_eq!(forward, expected, "{condition} {values}");
        let mut backward =
            select(&engine, condition, values.clone(), json!({"ScanIndexForward": false})).unwrap();
        backward.reverse();
        assert_eq!(backward, expected, "{condition} {values}");
    }
}

/// C16. Engines that compared binary as signed bytes or as base64 text, and strings as UTF-16, sorted these wrongly.
#[test]
fn binary_and_strings_sort_by_their_unsigned_bytes() {
    let binary = ["fw==", "gA==", "AQA=", "Af8=", "Ag=="].map(Value::from);
    let engine = filled("B", &binary);
    assert_eq!(select(&engine, "", json!({}), json!({})).unwrap(), ["AQA=", "Af8=", "Ag==", "fw==", "gA=="]);
    let range = json!({":x": {"B": "AQA="}, ":y": {"B": "Af8="}});
    assert_eq!(select(&engine, "sk BETWEEN :x AND :y", range, json!({})).unwrap(), ["AQA=", "Af8="]);

    // In UTF-16 the second of these sorts first.
    let engine = filled("S", &["\u{10002}", "\u{FF61}"].map(Value::from));
    assert_eq!(select(&engine, "", json!({}), json!({})).unwrap(), ["\u{FF61}", "\u{10002}"]);
}

/// C17. Negative numbers came out by their text or their absolute value.
#[test]
fn numbers_sort_by_their_value_across_the_sign() {
    let engine = filled("N", &["-0.6", "-0.7", "0", "2", "10"].map(Value::from));
    assert_eq!(select(&engine, "", json!({}), json!({})).unwrap(), ["-0.7", "-0.6", "0", "2", "10"]);
    let backward = select(&engine, "", json!({}), json!({"ScanIndexForward": false})).unwrap();
    assert_eq!(backward, ["10", "2", "0", "-0.6", "-0.7"]);
    assert_eq!(select(&engine, "sk < :x", json!({":x": {"N": "0"}}), json!({})).unwrap(), ["-0.7", "-0.6"]);
}

#[test]
fn a_binary_prefix_of_all_ones_ends_with_its_partition() {
    let engine = filled("B", &["/w==", "//8=", "/wA="].map(Value::from));
    let found = select(&engine, "begins_with(sk, :x)", json!({":x": {"B": "/w=="}}), json!({})).unwrap();
    assert_eq!(found, ["/w==", "/wA=", "//8="]);
    let found = select(&engine, "sk > :x", json!({":x": {"B": "/wA="}}), json!({})).unwrap();
    assert_eq!(found, ["//8="]);
}

/// C22. A page that its limit ended carries a key although nothing follows; without one the client would have to guess.
#[test]
fn a_page_ended_by_its_limit_has_a_key_and_the_page_behind_it_is_empty() {
    let engine = filled("S", &["b", "c", "d"].map(Value::from));
    let values = json!({":p": {"S": "a"}});
    let first = query(&engine, "items", "pk = :p", values.clone(), json!({"Limit": 3})).unwrap();
    assert_eq!((first["Count"].as_u64(), first["ScannedCount"].as_u64()), (Some(3), Some(3)));
    assert_eq!(first["LastEvaluatedKey"], json!({"pk": {"S": "a"}, "sk": {"S": "d"}}));
    let rest = json!({"Limit": 3, "ExclusiveStartKey": first["LastEvaluatedKey"]});
    let second = query(&engine, "items", "pk = :p", values.clone(), rest).unwrap();
    assert_eq!((second["Count"].as_u64(), second.get("LastEvaluatedKey")), (Some(0), None));
    let whole = query(&engine, "items", "pk = :p", values, json!({"Limit": 4})).unwrap();
    assert_eq!((whole["Count"].as_u64(), whole.get("LastEvaluatedKey")), (Some(3), None));
}

#[test]
fn pages_in_both_directions_hold_every_item_once() {
    let keys: Vec<Value> = (0..23).map(|number| Value::from(format!("{number:02}"))).collect();
    let engine = filled("S", &keys);
    for forward in [true, false] {
        for limit in [1, 5, 22, 23, 24] {
            let mut read = Vec::new();
            let mut members = json!({"Limit": limit, "ScanIndexForward": forward});
            loop {
                let page =
                    query(&engine, "items", "pk = :p", json!({":p": {"S": "a"}}), members.clone()).unwrap();
                read.extend(sort_keys(&page));
                match page.get("LastEvaluatedKey") {
                    Some(key) => members["ExclusiveStartKey"] = key.clone(),
                    None => break,
                }
            }
            if !forward {
                read.reverse();
            }
            assert_eq!(read, keys, "limit {limit}, forward {forward}");
        }
    }
}

/// C23. Pages end at 1 MB of items read, however the request limits them. Whether the item that crosses 1 MB is in the page
/// is open between sources, so nothing is asserted about it.
#[test]
fn a_page_ends_at_one_megabyte() {
    let engine = memory();
    create(&engine, "items", "pk:S", Some("sk:N"));
    for number in 0..20 {
        let sort_key = number.to_string();
        let item = json!({"pk": {"S": "a"}, "sk": {"N": sort_key}, "data": {"S": "x".repeat(60_000)}});
        put(&engine, "items", item).unwrap();
    }
    let values = json!({":p": {"S": "a"}});
    let total = json!({"ReturnConsumedCapacity": "TOTAL"});
    let first = query(&engine, "items", "pk = :p", values.clone(), total).unwrap();
    let first_count = first["Count"].as_u64().unwrap();
    assert!(first_count < 20);
    let last_key = &first["LastEvaluatedKey"];
    assert_eq!(last_key, &json!({"pk": {"S": "a"}, "sk": {"N": (first_count - 1).to_string()}}));
    // Two names, the partition key, the text, and a number that takes two bytes unless it is 0. Units follow from the page's
    // sum, in half units for each started 4 KB.
    let page_bytes: u64 = (0..first_count).map(|number| 60_009 + if number == 0 { 1 } else { 2 }).sum();
    let half_units = page_bytes.div_ceil(4096);
    assert_eq!(first["ConsumedCapacity"]["CapacityUnits"], half_units as f64 / 2.0, "{page_bytes} bytes");

    let second =
        query(&engine, "items", "pk = :p", values.clone(), json!({"ExclusiveStartKey": last_key})).unwrap();
    assert_eq!(first_count + second["Count"].as_u64().unwrap(), 20);
    assert_eq!(second.get("LastEvaluatedKey"), None);
    let limited = query(&engine, "items", "pk = :p", values.clone(), json!({"Limit": 5})).unwrap();
    assert_eq!(limited["Count"], 5);
    assert!(limited.get("LastEvaluatedKey").is_some());
    let counted = query(&engine, "items", "pk = :p", values, json!({"Select": "COUNT"})).unwrap();
    assert_eq!((counted["Count"].as_u64(), counted.get("Items")), (Some(first_count), None));
    assert_eq!(&counted["LastEvaluatedKey"], last_key);
}

/// C25. Engines restarted from the first page, repeated an item when reading backwards, or took any key. The text for a key outside
/// the sort key's range is the one that clients of the service reported (aws-sdk-js#3283, aws-sdk-ruby#2456).
#[test]
fn a_start_key_is_a_position_within_the_query_and_nothing_else() {
    let engine = filled("N", &["1", "2", "3", "4"].map(Value::from));
    let from = |key: Value, more: Value| {
        let mut members = json!({"ExclusiveStartKey": key});
        members.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        members
    };
    let key = |sort_key: &str| json!({"pk": {"S": "a"}, "sk": {"N": sort_key}});

    assert_eq!(select(&engine, "", json!({}), from(key("2"), json!({}))).unwrap(), ["3", "4"]);
    let backward = from(key("3"), json!({"ScanIndexForward": false}));
    assert_eq!(select(&engine, "", json!({}), backward).unwrap(), ["2", "1"]);
    // No item has this key; it is a position all the same.
    assert_eq!(select(&engine, "", json!({}), from(key("2.5"), json!({}))).unwrap(), ["3", "4"]);

    let foreign = json!({"pk": {"S": "b"}, "sk": {"N": "1"}});
    assert_eq!(refused(select(&engine, "", json!({}), from(foreign, json!({})))), BOUNDARIES);
    let foreign_with_range = json!({"pk": {"S": "b"}, "sk": {"N": "1"}});
    let below = json!({":x": {"N": "3"}});
    let message = refused(select(&engine, "sk < :x", below.clone(), from(key("3"), json!({}))));
    assert_eq!(message, "The provided starting key does not match the range key predicate");
    let message = refused(select(&engine, "sk < :x", below, from(foreign_with_range, json!({}))));
    assert_eq!(message, "The query can return at most one row and cannot be restarted");

    for malformed in [
        json!({}),
        json!({"pk": {"S": "a"}}),
        json!({"pk": {"S": "a"}, "sk": {"N": "1"}, "more": {"S": "x"}}),
        json!({"pk": {"S": "a"}, "other": {"N": "1"}}),
    ] {
        let message = refused(select(&engine, "", json!({}), from(malformed.clone(), json!({}))));
        assert_eq!(message, "The provided starting key is invalid", "{malformed}");
    }
    let wrong_type = json!({"pk": {"S": "a"}, "sk": {"S": "1"}});
    let message = refused(select(&engine, "", json!({}), from(wrong_type, json!({}))));
    assert_eq!(message, "The provided key element does not match the schema");
}

#[test]
fn the_last_key_of_a_range_starts_an_empty_page() {
    let engine = filled("N", &["1", "2", "3"].map(Value::from));
    let values = json!({":x": {"N": "1"}, ":y": {"N": "2"}});
    for (start, forward) in [("2", true), ("1", false)] {
        let members =
            json!({"ExclusiveStartKey": {"pk": {"S": "a"}, "sk": {"N": start}}, "ScanIndexForward": forward});
        let found = select(&engine, "sk BETWEEN :x AND :y", values.clone(), members).unwrap();
        assert_eq!(found, Vec::<Value>::new(), "after {start}");
    }
}

#[test]
fn a_key_condition_that_does_not_fit_the_table_is_refused() {
    let engine = filled("S", &[]);
    let run = |condition: &str, values: Value| refused(query(&engine, "items", condition, values, json!({})));
    assert_eq!(run("color = :x", json!({":x": {"S": "a"}})), "Query condition missed key schema element: pk");
    assert_eq!(
        run("pk = :x AND color = :x", json!({":x": {"S": "a"}})),
        "Query condition missed key schema element: sk"
    );
    assert_eq!(run("pk > :x", json!({":x": {"S": "a"}})), "Query key condition not supported");
    assert_eq!(
        run("pk = :x", json!({":x": {"N": "1"}})),
        "One or more parameter values were invalid: Condition parameter type does not match schema type"
    );
}

/// C45, the engine's side of it: a prefix of team 1 is a prefix of team 10 too. The engine does what DynamoDB does; keeping the
/// two apart is the key template's work.
#[test]
fn begins_with_is_a_plain_byte_prefix() {
    let engine = filled("S", &["TEAM#1", "TEAM#1#MEMBER#x", "TEAM#10"].map(Value::from));
    let found = select(&engine, "begins_with(sk, :x)", json!({":x": {"S": "TEAM#1"}}), json!({})).unwrap();
    assert_eq!(found, ["TEAM#1", "TEAM#1#MEMBER#x", "TEAM#10"]);
}

#[test]
fn a_table_without_a_sort_key_is_queried_by_its_partition_key() {
    let engine = memory();
    create(&engine, "items", "pk:N", None);
    put(&engine, "items", json!({"pk": {"N": "7"}, "x": {"S": "y"}})).unwrap();
    let found = query(&engine, "items", "pk = :p", json!({":p": {"N": "7.0"}}), json!({})).unwrap();
    assert_eq!(found["Items"], json!([{"pk": {"N": "7"}, "x": {"S": "y"}}]));
    assert_eq!(get(&engine, "items", json!({"pk": {"N": "8"}})).unwrap(), Value::Null);
    let two = json!({":p": {"N": "7"}, ":q": {"N": "1"}});
    let message = refused(query(&engine, "items", "pk = :p AND x = :q", two, json!({})));
    assert_eq!(message, "Query key condition not supported");
}
