//! Filters of Query and Scan: what they let through, and that they change nothing else about a page.

use crate::support::{create, memory, put, query, refused_by, scan};
use keywright_engine::Engine;
use serde_json::{Value, json};

/// Items `1` to `count` of one partition; `n` is their number.
fn filled(count: u32) -> Engine {
    let engine = memory();
    create(&engine, "items", "pk:S", Some("sk:N"));
    for number in 1..=count {
        let number = number.to_string();
        put(
            &engine,
            "items",
            json!({"pk": {"S": "a"}, "sk": {"N": number}, "n": {"N": number}, "tag": {"S": "x"}}),
        )
        .unwrap();
    }
    engine
}

fn values(more: Value) -> Value {
    let mut values = json!({":p": {"S": "a"}});
    values.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    values
}

fn counts(page: &Value) -> (u64, u64) {
    (page["Count"].as_u64().unwrap(), page["ScannedCount"].as_u64().unwrap())
}

/// C21. Engines filtered before they counted to the limit, or left out the key where a page had no match: their users' loops
/// ended early, and on AWS they met empty pages.
#[test]
fn a_limit_counts_the_items_that_are_read() {
    let engine = filled(5);
    let filter = json!({"FilterExpression": "n = :three", "Limit": 1});
    let mut members = filter.clone();
    let mut pages = Vec::new();
    loop {
        let page = query(&engine, "items", "pk = :p", values(json!({":three": {"N": "3"}})), members.clone())
            .unwrap();
        assert!(page["ScannedCount"].as_u64().unwrap() <= 1);
        pages.push((counts(&page), page.get("LastEvaluatedKey").is_some()));
        match page.get("LastEvaluatedKey") {
            Some(key) => members["ExclusiveStartKey"] = key.clone(),
            None => break,
        }
    }
    let item = |count| ((count, 1), true);
    assert_eq!(pages, [item(0), item(0), item(1), item(0), item(0), ((0, 0), false)]);
    // A Scan counts in the same way.
    let mut members = json!({"FilterExpression": "n = :three", "ExpressionAttributeValues": {":three": {"N": "3"}}, "Limit": 2});
    let (mut found, mut read) = (0, 0);
    loop {
        let page = scan(&engine, "items", &members).unwrap();
        found += page["Count"].as_u64().unwrap();
        read += page["ScannedCount"].as_u64().unwrap();
        match page.get("LastEvaluatedKey") {
            Some(key) => members["ExclusiveStartKey"] = key.clone(),
            None => break,
        }
    }
    assert_eq!((found, read), (1, 5));
}

/// C23. A filter that lets nothing through, and a projection of one small attribute, end the page where the whole items end it,
/// and cost what the whole items cost.
#[test]
fn filter_and_projection_change_neither_the_end_of_a_page_nor_its_price() {
    let engine = memory();
    create(&engine, "items", "pk:S", Some("sk:N"));
    for number in 0..20 {
        let item =
            json!({"pk": {"S": "a"}, "sk": {"N": number.to_string()}, "data": {"S": "x".repeat(60_000)}});
        put(&engine, "items", item).unwrap();
    }
    let total = json!({"ReturnConsumedCapacity": "TOTAL"});
    let page = |members: Value, with_value: bool| {
        let more = if with_value { json!({":v": {"S": "x"}}) } else { json!({}) };
        let members = crate::support::merged(total.clone(), &members);
        query(&engine, "items", "pk = :p", values(more), members).unwrap()
    };
    let whole = page(json!({}), false);
    assert!(whole["Count"].as_u64().unwrap() < 20);
    let filtered = page(json!({"FilterExpression": "nowhere = :v"}), true);
    assert_eq!(counts(&filtered), (0, whole["Count"].as_u64().unwrap()));
    let projected = page(json!({"ProjectionExpression": "sk"}), false);
    assert_eq!(projected["Items"][1], json!({"sk": {"N": "1"}}));
    for other in [&filtered, &projected] {
        assert_eq!(other["LastEvaluatedKey"], whole["LastEvaluatedKey"]);
        assert_eq!(other["ConsumedCapacity"], whole["ConsumedCapacity"]);
        assert_eq!(other["ScannedCount"], whole["ScannedCount"]);
    }
    let limited = page(json!({"FilterExpression": "nowhere = :v", "Limit": 5}), true);
    assert_eq!(counts(&limited), (0, 5));
    assert!(limited.get("LastEvaluatedKey").is_some());
    // A Scan of the same items behaves as the Query.
    let scanned = scan(&engine, "items", &json!({"ReturnConsumedCapacity": "TOTAL"})).unwrap();
    let members = json!({
        "FilterExpression": "nowhere = :v", "ExpressionAttributeValues": {":v": {"S": "x"}},
        "ReturnConsumedCapacity": "TOTAL", "ProjectionExpression": "sk",
    });
    let filtered = scan(&engine, "items", &members).unwrap();
    assert_eq!(filtered["LastEvaluatedKey"], scanned["LastEvaluatedKey"]);
    assert_eq!(filtered["ConsumedCapacity"], scanned["ConsumedCapacity"]);
}

#[test]
fn a_filter_looks_into_items_and_may_be_counted_only() {
    let engine = memory();
    create(&engine, "items", "pk:S", Some("sk:S"));
    for (sort_key, nested, tags) in [("1", "deep", vec!["admin", "user"]), ("2", "other", vec!["user"])] {
        let item = json!({
            "pk": {"S": "a"}, "sk": {"S": sort_key}, "m": {"M": {"nested": {"S": nested}}}, "tags": {"SS": tags},
            "l": {"L": [{"S": "first"}]},
        });
        put(&engine, "items", item).unwrap();
    }
    let found = |filter: &str, more: Value| {
        let members = json!({"FilterExpression": filter});
        let page = query(&engine, "items", "pk = :p", values(more), members).unwrap();
        let items = page["Items"].as_array().unwrap();
        items.iter().map(|item| item["sk"]["S"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("m.nested = :v", json!({":v": {"S": "deep"}})), ["1"]);
    assert_eq!(found("l[0] = :v", json!({":v": {"S": "first"}})), ["1", "2"]);
    assert_eq!(found("contains(tags, :v)", json!({":v": {"S": "admin"}})), ["1"]);
    assert_eq!(
        found(
            "NOT contains(tags, :v) OR size(tags) > :one",
            json!({":v": {"S": "user"}, ":one": {"N": "1"}})
        ),
        ["1"]
    );
    let counted = json!({"FilterExpression": "contains(tags, :v)", "Select": "COUNT"});
    let page = query(&engine, "items", "pk = :p", values(json!({":v": {"S": "admin"}})), counted).unwrap();
    assert_eq!((counts(&page), page.get("Items")), ((1, 2), None));
}

#[test]
fn the_legacy_filters_let_the_same_items_through() {
    let engine = filled(5);
    let condition = json!({"n": {"ComparisonOperator": "GT", "AttributeValueList": [{"N": "3"}]}});
    let body = json!({
        "TableName": "items", "QueryFilter": condition,
        "KeyConditions": {
            "pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]},
            "sk": {"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"N": "2"}, {"N": "4"}]},
        },
        "AttributesToGet": ["n"],
    });
    let page = crate::support::call(&engine, keywright_api::Operation::Query, &body).unwrap();
    assert_eq!((counts(&page), &page["Items"]), ((1, 3), &json!([{"n": {"N": "4"}}])));
    let scanned = scan(&engine, "items", &json!({"ScanFilter": condition})).unwrap();
    assert_eq!(counts(&scanned), (2, 5));
    let either = json!({
        "ScanFilter": {
            "n": {"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "3"}]},
            "tag": {"ComparisonOperator": "NULL"},
        },
        "ConditionalOperator": "OR",
    });
    assert_eq!(counts(&scan(&engine, "items", &either).unwrap()), (1, 5));
}

/// A filter on a key attribute of a Query is refused, since the key condition is the place for it; a Scan has no key condition,
/// and filters by key. An emulator that filtered both hid this until its users' code met AWS.
#[test]
fn a_query_does_not_filter_by_its_key_and_a_scan_does() {
    let engine = filled(5);
    let value = json!({":v": {"N": "3"}});
    for (filter, name) in [("sk = :v", "sk"), ("tag = :v AND pk = :v", "pk"), ("sk.x = :v", "sk")] {
        let outcome =
            query(&engine, "items", "pk = :p", values(value.clone()), json!({"FilterExpression": filter}));
        assert_eq!(
            refused_by(outcome),
            format!(
                "Filter Expression can only contain non-primary key attributes: Primary key attribute: {name}"
            )
        );
    }
    let legacy = json!({
        "TableName": "items", "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}},
        "QueryFilter": {"sk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "3"}]}},
    });
    assert_eq!(
        refused_by(crate::support::call(&engine, keywright_api::Operation::Query, &legacy)),
        "QueryFilter can only contain non-primary key attributes: Primary key attribute: sk"
    );
    let members = json!({"FilterExpression": "sk = :v", "ExpressionAttributeValues": value});
    assert_eq!(counts(&scan(&engine, "items", &members).unwrap()), (1, 5));
    let into = json!({"FilterExpression": "attribute_exists(sk.x)"});
    assert_eq!(
        refused_by(scan(&engine, "items", &into)),
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: sk"
    );
}

/// C13. A filter that names a placeholder which stands for nothing was accepted, and the filter ignored.
#[test]
fn an_undefined_placeholder_is_refused_before_the_table_is_looked_up() {
    let engine = memory();
    let outcome = query(
        &engine,
        "absent",
        "pk = :p",
        values(json!({":v": {"S": "x"}})),
        json!({"FilterExpression": "#m = :v"}),
    );
    assert_eq!(
        refused_by(outcome),
        "Invalid FilterExpression: An expression attribute name used in the document path is not defined; attribute name: #m"
    );
}
