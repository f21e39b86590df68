//! The reported cases about reading, on indexes: what counts to a limit, where a page ends, what a start key is, and what a
//! segment holds.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{engine, item, query, strings};
use crate::support::{call, create_indexed, index, memory, merged, put, refused_by};
use keywright_api::Operation;
use keywright_engine::Engine;

/// Items `1` to `count` of partition `a`, all of them in each index under the same partition, in this order.
fn filled(count: usize) -> Engine {
    let engine = engine();
    for number in 1..=count {
        let text = number.to_string();
        put(&engine, "items", item("a", &text, &[("l", &text), ("g", "g"), ("p", &text)])).unwrap();
        // Neighbours that must never show up.
        put(&engine, "items", item("a0", &text, &[("l", &text), ("g", "g0"), ("p", &text)])).unwrap();
    }
    engine
}

/// The same Query of the local or of the global index.
fn page(engine: &Engine, name: &str, members: Value) -> Value {
    let (condition, value) = if name == "by_l" { ("pk = :a", "a") } else { ("g = :a", "g") };
    query(engine, name, condition, &[value], members).unwrap()
}

fn start(sort_key: &str) -> Value {
    json!({"pk": {"S": "a"}, "sk": {"S": sort_key}, "l": {"S": sort_key}})
}

fn start_of(name: &str, sort_key: &str) -> Value {
    let key = start(sort_key);
    if name == "by_l" { key } else { merged(key, &json!({"g": {"S": "g"}})) }
}

/// C21. On an index too, emulators filtered before they counted to the limit, so that a loop which ends at an empty page
/// worked there, and lost the third item on AWS.
#[test]
fn a_limit_counts_the_entries_that_are_read() {
    let engine = filled(5);
    for name in ["by_l", "by_g"] {
        let mut values = json!({":a": {"S": if name == "by_l" { "a" } else { "g" }}});
        values[":three"] = json!({"S": "3"});
        let mut members =
            json!({"FilterExpression": "p = :three", "Limit": 1, "ExpressionAttributeValues": values});
        let mut counts = Vec::new();
        loop {
            let page = page(&engine, name, members.clone());
            counts.push((page["Count"].as_u64().unwrap(), page["ScannedCount"].as_u64().unwrap()));
            match page.get("LastEvaluatedKey") {
                Some(key) => members["ExclusiveStartKey"] = key.clone(),
                None => break,
            }
        }
        assert_eq!(counts, [(0, 1), (0, 1), (1, 1), (0, 1), (0, 1), (0, 0)], "{name}");
    }
}

/// C22. Users of global indexes report it of AWS, and floci and Ministack left the key out: a page that its limit ended
/// carries a key although nothing follows.
#[test]
fn a_page_ended_by_its_limit_has_a_key_and_the_page_behind_it_is_empty() {
    let engine = filled(3);
    for name in ["by_l", "by_g"] {
        let first = page(&engine, name, json!({"Limit": 3}));
        assert_eq!(
            (&first["Count"], &first["LastEvaluatedKey"]),
            (&json!(3), &start_of(name, "3")),
            "{name}"
        );
        let rest = json!({"Limit": 3, "ExclusiveStartKey": first["LastEvaluatedKey"]});
        let second = page(&engine, name, rest);
        assert_eq!((&second["Count"], second.get("LastEvaluatedKey")), (&json!(0), None), "{name}");
        assert_eq!(page(&engine, name, json!({"Limit": 4})).get("LastEvaluatedKey"), None, "{name}");
    }
}

/// C23. Pages of an index end at 1 MB of entries, be they filtered or projected, and cost the same. Whether the entry that
/// crosses 1 MB is in the page is open between sources, so nothing is asserted about it.
#[test]
fn a_page_ends_at_one_megabyte_of_entries() {
    let engine = engine();
    for number in 0..20 {
        let mut large = item("a", &format!("{number:02}"), &[("g", "g")]);
        large["data"] = json!({"S": "x".repeat(60_000)});
        put(&engine, "items", large).unwrap();
    }
    let page = |members: Value| {
        let members = merged(json!({"ReturnConsumedCapacity": "INDEXES"}), &members);
        query(&engine, "all_by_g", "g = :a", &["g"], members).unwrap()
    };
    let whole = page(json!({}));
    let count = whole["Count"].as_u64().unwrap();
    assert!(count < 20, "{count}");
    let others = [
        page(json!({"ProjectionExpression": "sk"})),
        page(json!({
            "FilterExpression": "nowhere = :v",
            "ExpressionAttributeValues": {":a": {"S": "g"}, ":v": {"S": "x"}},
        })),
    ];
    for other in others {
        for member in ["ScannedCount", "LastEvaluatedKey", "ConsumedCapacity"] {
            assert_eq!(other[member], whole[member]);
        }
    }
    let rest = page(json!({"ExclusiveStartKey": whole["LastEvaluatedKey"]}));
    assert_eq!(count + rest["Count"].as_u64().unwrap(), 20);
    let limited = page(json!({"Limit": 5}));
    assert_eq!((&limited["Count"], limited.get("LastEvaluatedKey").is_some()), (&json!(5), true));
}

/// C25. dynalite repeated an entry when it read backwards, and floci began again from the first page. A start key is a
/// position: the entry that it names may have been deleted or moved since.
#[test]
fn a_start_key_is_a_position_whether_or_not_its_entry_is_still_there() {
    let engine = filled(5);
    let delete = json!({"TableName": "items", "Key": item("a", "2", &[])});
    call(&engine, Operation::DeleteItem, &delete).unwrap();
    put(&engine, "items", item("a", "4", &[("l", "9"), ("g", "g")])).unwrap();
    for name in ["by_l", "by_g"] {
        let after = |sort_key: &str, forward: bool| {
            let members = json!({"ExclusiveStartKey": start_of(name, sort_key), "ScanIndexForward": forward});
            strings(&page(&engine, name, members), "sk")
        };
        assert_eq!(after("3", true), ["5", "4"], "{name}");
        assert_eq!(after("3", false), ["1"], "{name}: strictly before");
        assert_eq!(after("2", true), ["3", "5", "4"], "{name}: deleted");
        assert_eq!(after("2", false), ["1"], "{name}: deleted");
        assert_eq!(after("4", true), ["5", "4"], "{name}: moved behind the position");
        assert_eq!(after("4", false), ["3", "1"], "{name}: moved behind the position");
    }
}

/// C25. A start key that the conditions rule out is refused, of an index as of a table.
#[test]
fn a_start_key_outside_the_conditions_is_refused() {
    let engine = filled(3);
    for (name, condition, value) in [("by_l", "pk = :a AND l < :b", "a"), ("by_g", "g = :a AND l < :b", "g")]
    {
        let from =
            |key: Value| query(&engine, name, condition, &[value, "2"], json!({"ExclusiveStartKey": key}));
        assert_eq!(from(start_of(name, "1")).unwrap()["Count"], 0, "{name}");
        assert!(refused_by(from(start_of(name, "3"))).starts_with("The provided starting key"), "{name}");
        let foreign = if name == "by_l" { json!({"pk": {"S": "b"}}) } else { json!({"g": {"S": "b"}}) };
        let foreign = merged(start_of(name, "1"), &foreign);
        assert!(from(foreign).is_err(), "{name}: another partition");
    }
}

/// C26. floci cut segments by position, so that deleting what one segment had read moved entries between the others.
#[test]
fn segments_of_an_index_hold_every_entry_once_whatever_is_deleted_meanwhile() {
    for total in [1, 3, 8, 64] {
        let engine = memory();
        let global = json!([index("by_g", &["g"], json!("KEYS_ONLY"))]);
        create_indexed(&engine, "items", &["pk:S"], &json!([]), &global, &["g:S"]);
        for number in 0..100 {
            let text = number.to_string();
            put(&engine, "items", json!({"pk": {"S": text}, "g": {"S": (number % 40).to_string()}})).unwrap();
        }
        let mut read = Vec::new();
        for segment in 0..total {
            let mut body = json!({
                "TableName": "items", "IndexName": "by_g", "TotalSegments": total, "Segment": segment, "Limit": 7,
            });
            loop {
                let page = call(&engine, Operation::Scan, &body).unwrap();
                for pk in strings(&page, "pk") {
                    let delete = json!({"TableName": "items", "Key": {"pk": {"S": pk}}});
                    call(&engine, Operation::DeleteItem, &delete).unwrap();
                    read.push(pk);
                }
                match page.get("LastEvaluatedKey") {
                    Some(key) => body["ExclusiveStartKey"] = key.clone(),
                    None => break,
                }
            }
        }
        assert_eq!(read.len(), 100, "{total} segments");
        assert_eq!(read.into_iter().collect::<BTreeSet<_>>().len(), 100, "{total} segments");
    }
}

/// C04. One emulator compared the keys of numbers by their bytes: of an index too, two spellings are one partition.
#[test]
fn two_spellings_of_a_number_are_one_partition_of_an_index() {
    let engine = memory();
    let global = json!([index("by_n", &["n"], json!("KEYS_ONLY"))]);
    create_indexed(&engine, "items", &["pk:S"], &json!([]), &global, &["n:N"]);
    for (pk, number) in [("a", "1000"), ("b", "1e3"), ("c", "1000.0"), ("d", "1001")] {
        put(&engine, "items", json!({"pk": {"S": pk}, "n": {"N": number}})).unwrap();
    }
    let body = json!({
        "TableName": "items", "IndexName": "by_n", "KeyConditionExpression": "n = :n",
        "ExpressionAttributeValues": {":n": {"N": "10e2"}},
    });
    let mut found = strings(&call(&engine, Operation::Query, &body).unwrap(), "pk");
    found.sort_unstable();
    assert_eq!(found, ["a", "b", "c"]);
}
