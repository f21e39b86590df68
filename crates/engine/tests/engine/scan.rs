//! Scan: every item once, in pages and in segments, and the reported cases about it.

use std::collections::BTreeSet;

use crate::support::{call, create, memory, put, refused_by, scan};
use keywright_api::Operation;
use keywright_engine::Engine;
use serde_json::{Value, json};

fn filled(count: usize) -> Engine {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    // Neighbours that must never show up.
    create(&engine, "others", "pk:S", None);
    for number in 0..count {
        put(&engine, "items", json!({"pk": {"S": format!("item {number}")}, "n": {"N": number.to_string()}}))
            .unwrap();
        put(&engine, "others", json!({"pk": {"S": format!("other {number}")}})).unwrap();
    }
    engine
}

fn keys(page: &Value) -> Vec<String> {
    page["Items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["pk"]["S"].as_str().unwrap().to_owned())
        .collect()
}

/// All pages of a Scan.
fn all(engine: &Engine, members: &Value) -> Vec<String> {
    let mut members = members.clone();
    let mut read = Vec::new();
    loop {
        let page = scan(engine, "items", &members).unwrap();
        read.extend(keys(&page));
        match page.get("LastEvaluatedKey") {
            Some(key) => members["ExclusiveStartKey"] = key.clone(),
            None => return read,
        }
    }
}

fn expected(count: usize) -> BTreeSet<String> {
    (0..count).map(|number| format!("item {number}")).collect()
}

#[test]
fn pages_of_any_limit_hold_every_item_once() {
    let engine = filled(37);
    let whole = all(&engine, &json!({}));
    assert_eq!(whole.len(), 37);
    assert_eq!(whole.iter().cloned().collect::<BTreeSet<_>>(), expected(37));
    for limit in [1, 5, 36, 37, 38] {
        assert_eq!(all(&engine, &json!({"Limit": limit})), whole, "limit {limit}");
    }
    assert!(all(&memory_with_empty_table(), &json!({})).is_empty());
}

fn memory_with_empty_table() -> Engine {
    filled(0)
}

/// C22, for Scan: a page that its limit ended has a key although nothing follows.
#[test]
fn a_page_ended_by_its_limit_has_a_key_and_the_page_behind_it_is_empty() {
    let engine = filled(3);
    let first = scan(&engine, "items", &json!({"Limit": 3})).unwrap();
    let rest = json!({"Limit": 3, "ExclusiveStartKey": first["LastEvaluatedKey"]});
    let second = scan(&engine, "items", &rest).unwrap();
    assert_eq!((second["Count"].as_u64(), second.get("LastEvaluatedKey")), (Some(0), None));
    assert_eq!(scan(&engine, "items", &json!({"Limit": 4})).unwrap().get("LastEvaluatedKey"), None);
}

/// C26. Several emulators gave every segment the whole table, and one cut segments by position, so that deleting what one
/// segment had read moved items between the segments that were still to be read.
#[test]
fn segments_hold_every_item_once_whatever_is_deleted_meanwhile() {
    for total in [1, 2, 3, 8, 64, 1_000_000] {
        let engine = filled(100);
        let mut read = Vec::new();
        // Of a million segments, only those are read that can hold something: a page of each is as good as the whole.
        let segments: Vec<u32> = if total > 64 { vec![0, 1, 500_000, 999_999] } else { (0..total).collect() };
        for segment in segments {
            let members = json!({"TotalSegments": total, "Segment": segment, "Limit": 7});
            let items = all(&engine, &members);
            for item in &items {
                call(
                    &engine,
                    Operation::DeleteItem,
                    &json!({"TableName": "items", "Key": {"pk": {"S": item}}}),
                )
                .unwrap();
            }
            read.extend(items);
        }
        if total <= 64 {
            assert_eq!(read.len(), 100, "{total} segments");
            assert_eq!(read.into_iter().collect::<BTreeSet<_>>(), expected(100));
        } else {
            assert!(read.len() < 100, "a millionth of the table is not all of it");
        }
    }
}

#[test]
fn an_item_stays_in_its_segment_and_collections_stay_together() {
    let engine = memory();
    create(&engine, "items", "pk:S", Some("sk:N"));
    for partition in 0..20 {
        for sort in 0..5 {
            put(
                &engine,
                "items",
                json!({"pk": {"S": format!("p{partition}")}, "sk": {"N": sort.to_string()}}),
            )
            .unwrap();
        }
    }
    let segment_of = |segment: u32| all(&engine, &json!({"TotalSegments": 4, "Segment": segment}));
    let segments: Vec<Vec<String>> = (0..4).map(segment_of).collect();
    for segment in &segments {
        let partitions: BTreeSet<&String> = segment.iter().collect();
        assert_eq!(segment.len(), partitions.len() * 5, "all items of a collection are in one segment");
    }
    let whole = all(&engine, &json!({}));
    assert_eq!(segments.concat(), whole, "segments are consecutive parts of the whole scan");
}

#[test]
fn a_start_key_is_a_position_within_its_segment() {
    let engine = filled(40);
    let in_segment =
        |segment: u32| scan(&engine, "items", &json!({"TotalSegments": 2, "Segment": segment})).unwrap();
    let other = in_segment(1)["Items"][0]["pk"].clone();
    let members = json!({"TotalSegments": 2, "Segment": 0, "ExclusiveStartKey": {"pk": other}});
    assert_eq!(
        refused_by(scan(&engine, "items", &members)),
        "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct \
         Segment. TotalSegments: 2 Segment: 0"
    );
    // Without segments, and in its own, the key is a position, though its item be gone.
    let whole = all(&engine, &json!({}));
    let third = &whole[2];
    call(&engine, Operation::DeleteItem, &json!({"TableName": "items", "Key": {"pk": {"S": third}}}))
        .unwrap();
    let rest = all(&engine, &json!({"ExclusiveStartKey": {"pk": {"S": third}}}));
    assert_eq!(rest, whole[3..]);
}

/// C25, for Scan: one text for every key that is not one of the table.
#[test]
fn a_start_key_that_is_no_key_of_the_table_is_refused() {
    let engine = filled(1);
    let mismatch = "The provided starting key is invalid: The provided key element does not match the schema";
    for malformed in [
        json!({}),
        json!({"b": {"S": "a"}}),
        json!({"pk": {"S": "a"}, "b": {"S": "a"}}),
        json!({"pk": {"N": "1"}}),
        json!({"pk": {"M": {}}}),
    ] {
        let members = json!({"ExclusiveStartKey": malformed, "FilterExpression": "attribute_exists(pk.b.c)"});
        assert_eq!(refused_by(scan(&engine, "items", &members)), mismatch, "{malformed}");
        let absent = scan(&engine, "absent", &members).unwrap_err();
        assert_eq!(absent.name, "ResourceNotFoundException");
    }
}

/// C23, for Scan: 1 MB of items ends a page, and the pages together hold everything.
#[test]
fn a_page_ends_at_one_megabyte() {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    for number in 0..20 {
        put(
            &engine,
            "items",
            json!({"pk": {"S": format!("item {number}")}, "data": {"S": "x".repeat(60_000)}}),
        )
        .unwrap();
    }
    let first = scan(&engine, "items", &json!({"ReturnConsumedCapacity": "TOTAL"})).unwrap();
    assert!(first["Count"].as_u64().unwrap() < 20);
    let units = first["ConsumedCapacity"]["CapacityUnits"].as_f64().unwrap();
    let bytes = first["Count"].as_f64().unwrap() * 60_012.0;
    assert!((units - bytes / 4096.0 / 2.0).abs() <= 1.0, "{units} for about {bytes} bytes");
    let strong =
        scan(&engine, "items", &json!({"ReturnConsumedCapacity": "TOTAL", "ConsistentRead": true})).unwrap();
    assert!((strong["ConsumedCapacity"]["CapacityUnits"].as_f64().unwrap() - 2.0 * units).abs() <= 1.0);
    assert_eq!(all(&engine, &json!({})).into_iter().collect::<BTreeSet<_>>(), expected(20));
    assert_eq!(scan(&engine, "items", &json!({"Limit": 5})).unwrap()["Count"], 5);
}

#[test]
fn an_empty_scan_costs_its_least() {
    let engine = filled(0);
    let page = scan(&engine, "items", &json!({"ReturnConsumedCapacity": "INDEXES"})).unwrap();
    assert_eq!(
        page,
        json!({
            "Items": [], "Count": 0, "ScannedCount": 0,
            "ConsumedCapacity": {"TableName": "items", "CapacityUnits": 0.5, "Table": {"CapacityUnits": 0.5}},
        })
    );
}

/// Readers of all segments at once, while writers replace items: every item is seen exactly once by each full read.
#[test]
fn parallel_segments_read_everything_while_items_are_rewritten() {
    let engine = filled(200);
    std::thread::scope(|scope| {
        let segments: Vec<_> = (0..4u32)
            .map(|segment| {
                let engine = &engine;
                scope.spawn(move || all(engine, &json!({"TotalSegments": 4, "Segment": segment, "Limit": 9})))
            })
            .collect();
        for number in 0..200 {
            put(&engine, "items", json!({"pk": {"S": format!("item {number}")}, "again": {"BOOL": true}}))
                .unwrap();
        }
        let read: Vec<String> = segments.into_iter().flat_map(|segment| segment.join().unwrap()).collect();
        assert_eq!(read.len(), 200);
        assert_eq!(read.into_iter().collect::<BTreeSet<_>>(), expected(200));
    });
}
