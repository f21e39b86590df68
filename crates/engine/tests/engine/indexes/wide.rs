//! Keys of several attributes: all partition attributes by equality, sort attributes from left to right.
//!
//! The items, conditions and texts are those that were observed on the service in October 2026.

use serde_json::{Value, json};

use super::{query, strings};
use crate::support::{call, create_indexed, memory, put, refused_by};
use keywright_api::Operation;
use keywright_engine::Engine;

fn engine() -> Engine {
    let engine = memory();
    let key = |attributes: &[(&str, &str)]| -> Value {
        attributes.iter().map(|(name, role)| json!({"AttributeName": name, "KeyType": role})).collect()
    };
    let global = json!([
        {
            "IndexName": "by_four", "Projection": {"ProjectionType": "ALL"},
            "KeySchema": key(&[("h", "HASH"), ("a", "RANGE"), ("b", "RANGE"), ("c", "RANGE"), ("d", "RANGE")]),
        },
        {
            "IndexName": "by_two_and_one", "Projection": {"ProjectionType": "KEYS_ONLY"},
            "KeySchema": key(&[("h", "HASH"), ("a", "HASH"), ("d", "RANGE")]),
        },
    ]);
    create_indexed(&engine, "items", &["pk:S"], &json!([]), &global, &["h:S", "a:S", "b:S", "c:S", "d:S"]);
    for [pk, a, b, c, d] in [
        ["p1", "T", "live", "b", "r1"],
        ["p2", "T", "live", "a", "r2"],
        ["p3", "T", "live", "a", "r1"],
        ["p4", "T", "draft", "c", "r1"],
        ["p5", "F", "live", "a", "r0"],
    ] {
        let item = json!({
            "pk": {"S": pk}, "h": {"S": "o1"}, "a": {"S": a}, "b": {"S": b}, "c": {"S": c}, "d": {"S": d},
        });
        put(&engine, "items", item).unwrap();
    }
    let without_c = json!({
        "pk": {"S": "p6"}, "h": {"S": "o1"}, "a": {"S": "T"}, "b": {"S": "live"}, "d": {"S": "r1"},
    });
    put(&engine, "items", without_c).unwrap();
    engine
}

fn ask(engine: &Engine, condition: &str, members: Value) -> Result<Value, crate::support::Refusal> {
    let all = json!({
        ":h": {"S": "o1"}, ":a": {"S": "T"}, ":b": {"S": "live"}, ":c": {"S": "a"}, ":d": {"S": "r"}, ":x": {"S": "r1"},
    });
    let used: serde_json::Map<String, Value> = all
        .as_object()
        .unwrap()
        .iter()
        .filter(|(placeholder, _)| condition.contains(placeholder.as_str()))
        .map(|(placeholder, value)| (placeholder.clone(), value.clone()))
        .collect();
    let members = crate::support::merged(json!({"ExpressionAttributeValues": used}), &members);
    query(engine, "by_four", condition, &[], members)
}

#[test]
fn entries_order_by_the_sort_attributes_one_after_another_and_conditions_narrow_them_from_the_left() {
    let engine = engine();
    let cases: [(&str, &[&str]); 10] = [
        ("h = :h", &["p5", "p4", "p3", "p2", "p1"]),
        ("h = :h AND a = :a", &["p4", "p3", "p2", "p1"]),
        ("h = :h AND a = :a AND b = :b", &["p3", "p2", "p1"]),
        ("h = :h AND a = :a AND b = :b AND c = :c", &["p3", "p2"]),
        ("h = :h AND a = :a AND b = :b AND c > :c", &["p1"]),
        ("h = :h AND a = :a AND b = :b AND c = :c AND begins_with(d, :d)", &["p3", "p2"]),
        ("h = :h AND a = :a AND b = :b AND c = :c AND d BETWEEN :x AND :x", &["p3"]),
        ("h = :h AND a = :a AND b < :b", &["p4"]),
        ("h = :h AND a = :a AND b <= :b", &["p4", "p3", "p2", "p1"]),
        ("b = :b AND h = :h AND a = :a", &["p3", "p2", "p1"]),
    ];
    for (condition, expected) in cases {
        assert_eq!(strings(&ask(&engine, condition, json!({})).unwrap(), "pk"), expected, "{condition}");
        let backward = ask(&engine, condition, json!({"ScanIndexForward": false})).unwrap();
        let reversed: Vec<&str> = expected.iter().rev().copied().collect();
        assert_eq!(strings(&backward, "pk"), reversed, "{condition}, backward");
    }
}

#[test]
fn a_gap_in_the_sort_attributes_is_refused_with_the_attributes_that_lack_an_equality() {
    let engine = engine();
    let text = |names: &str, present: &str| {
        format!(
            "RANGE key attributes {names} must have equality conditions specified in the query because a condition is \
             present on key attribute {present}"
        )
    };
    for (condition, names, present) in [
        ("h = :h AND a = :a AND c = :c", "b", "c"),
        ("h = :h AND a = :a AND b > :b AND c = :c", "b", "c"),
        ("h = :h AND b = :b", "a", "b"),
    ] {
        assert_eq!(refused_by(ask(&engine, condition, json!({}))), text(names, present), "{condition}");
    }
}

#[test]
fn every_partition_attribute_has_an_equality() {
    let engine = engine();
    let found = query(&engine, "by_two_and_one", "h = :a AND a = :b", &["o1", "T"], json!({})).unwrap();
    assert_eq!(strings(&found, "d"), ["r1", "r1", "r1", "r1", "r2"], "p6 lacks c, which is not of this key");
    let refused = query(&engine, "by_two_and_one", "h = :a", &["o1"], json!({}));
    assert!(refused_by(refused).starts_with("HASH key attributes a must have equality conditions"));
}

#[test]
fn a_page_names_the_key_of_the_table_and_every_attribute_of_the_index_s() {
    let engine = engine();
    let page = ask(&engine, "h = :h AND a = :a", json!({"Limit": 2})).unwrap();
    assert_eq!(strings(&page, "pk"), ["p4", "p3"]);
    let key = page["LastEvaluatedKey"].as_object().unwrap();
    let mut names: Vec<&str> = key.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["a", "b", "c", "d", "h", "pk"]);
    let rest = ask(&engine, "h = :h AND a = :a", json!({"ExclusiveStartKey": key})).unwrap();
    assert_eq!(strings(&rest, "pk"), ["p2", "p1"]);
}

#[test]
fn legacy_key_conditions_reach_every_attribute_too() {
    let engine = engine();
    let equal = |value: &str| json!({"ComparisonOperator": "EQ", "AttributeValueList": [{"S": value}]});
    let body = json!({
        "TableName": "items", "IndexName": "by_four",
        "KeyConditions": {
            "h": equal("o1"), "a": equal("T"), "b": equal("live"),
            "c": {"ComparisonOperator": "GT", "AttributeValueList": [{"S": "a"}]},
        },
    });
    assert_eq!(strings(&call(&engine, Operation::Query, &body).unwrap(), "pk"), ["p1"]);
}

/// A zero byte within a value must not make it look as if the value ended there.
#[test]
fn values_with_zero_bytes_order_and_match_as_any_others() {
    let engine = memory();
    let wide = json!([{
        "IndexName": "wide", "Projection": {"ProjectionType": "KEYS_ONLY"},
        "KeySchema": [
            {"AttributeName": "h", "KeyType": "HASH"}, {"AttributeName": "a", "KeyType": "RANGE"},
            {"AttributeName": "b", "KeyType": "RANGE"},
        ],
    }]);
    create_indexed(&engine, "items", &["pk:S"], &json!([]), &wide, &["h:S", "a:S", "b:S"]);
    let pairs = [("x", "z"), ("x\0", "a"), ("x\0\0", "a"), ("x\0\u{1}", "a"), ("x\u{1}", "a"), ("xa", "")];
    for (place, (a, b)) in pairs.iter().enumerate() {
        let b = if b.is_empty() { "0" } else { b };
        let item = json!({"pk": {"S": place.to_string()}, "h": {"S": "h"}, "a": {"S": a}, "b": {"S": b}});
        put(&engine, "items", item).unwrap();
    }
    let found = |condition: &str, values: &[&str]| {
        strings(&query(&engine, "wide", condition, values, json!({})).unwrap(), "pk")
    };
    assert_eq!(found("h = :a", &["h"]), ["0", "1", "2", "3", "4", "5"]);
    assert_eq!(found("h = :a AND a = :b", &["h", "x"]), ["0"]);
    assert_eq!(found("h = :a AND a > :b", &["h", "x\0"]), ["2", "3", "4", "5"]);
    assert_eq!(found("h = :a AND begins_with(a, :b)", &["h", "x\0"]), ["1", "2", "3"]);
    assert_eq!(found("h = :a AND a = :b AND b = :c", &["h", "x\0", "a"]), ["1"]);
}
