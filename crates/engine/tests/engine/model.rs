//! The engine against a model: random writes with and without conditions, updates, queries and scans of one table answer as a
//! sorted map would, across restarts; and concurrent writers lose nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::support::{call, create, get, merged, put, query, scan, update};
use keywright_api::Operation;
use keywright_engine::files::MemoryFiles;
use keywright_engine::{Engine, Options};
use proptest::prelude::*;
use serde_json::{Value, json};

type Model = BTreeMap<(u8, i16), u64>;

#[derive(Clone, Debug)]
enum Step {
    Put { partition: u8, sort: i16, value: u32 },
    PutIfAbsent { partition: u8, sort: i16, value: u32 },
    Delete { partition: u8, sort: i16 },
    DeleteIfBelow { partition: u8, sort: i16, bound: u32 },
    Add { partition: u8, sort: i16, value: u32 },
    SetIfThere { partition: u8, sort: i16, value: u32 },
    Scan { segments: u32, limit: usize, above: u32 },
    Get { partition: u8, sort: i16 },
    Query { partition: u8, low: i16, high: i16, forward: bool, limit: usize },
    Restart,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let key = || (0u8..3, -6i16..6);
    let step = prop_oneof![
        6 => (key(), any::<u32>()).prop_map(|((partition, sort), value)| Step::Put { partition, sort, value }),
        2 => (key(), any::<u32>())
            .prop_map(|((partition, sort), value)| Step::PutIfAbsent { partition, sort, value }),
        2 => key().prop_map(|(partition, sort)| Step::Delete { partition, sort }),
        2 => (key(), any::<u32>())
            .prop_map(|((partition, sort), bound)| Step::DeleteIfBelow { partition, sort, bound }),
        3 => (key(), any::<u32>()).prop_map(|((partition, sort), value)| Step::Add { partition, sort, value }),
        2 => (key(), any::<u32>())
            .prop_map(|((partition, sort), value)| Step::SetIfThere { partition, sort, value }),
        2 => (1u32..6, 1usize..8, any::<u32>())
            .prop_map(|(segments, limit, above)| Step::Scan { segments, limit, above }),
        2 => key().prop_map(|(partition, sort)| Step::Get { partition, sort }),
        3 => (key(), 0i16..8, any::<bool>(), 1usize..6).prop_map(|((partition, low), width, forward, limit)| {
            Step::Query { partition, low, high: low + width, forward, limit }
        }),
        1 => Just(Step::Restart),
    ];
    prop::collection::vec(step, 1..60)
}

fn key_of(partition: u8, sort: i16) -> Value {
    // Tenths, so that decimals and both signs are in the order.
    json!({"pk": {"S": format!("p{partition}")}, "sk": {"N": tenths(sort)}})
}

fn tenths(sort: i16) -> String {
    let sign = if sort < 0 { "-" } else { "" };
    format!("{sign}{}.{}", sort.unsigned_abs() / 10, sort.unsigned_abs() % 10)
}

fn item_of(partition: u8, sort: i16, value: u32) -> Value {
    let mut item = key_of(partition, sort);
    item["v"] = json!({"N": value.to_string()});
    item
}

fn values_of(items: &Value) -> Vec<u64> {
    let items = items.as_array().unwrap();
    items.iter().map(|item| item["v"]["N"].as_str().unwrap().parse().unwrap()).collect()
}

/// All pages of a query, each no longer than the limit.
fn query_all(engine: &Engine, partition: u8, low: i16, high: i16, forward: bool, limit: usize) -> Vec<u64> {
    let values = json!({
        ":p": {"S": format!("p{partition}")},
        ":low": {"N": tenths(low)},
        ":high": {"N": tenths(high)},
    });
    let mut members = json!({"Limit": limit, "ScanIndexForward": forward});
    let mut read = Vec::new();
    loop {
        let page =
            query(engine, "items", "pk = :p AND sk BETWEEN :low AND :high", values.clone(), members.clone())
                .unwrap();
        assert!(page["Count"].as_u64().unwrap() <= limit as u64);
        read.extend(values_of(&page["Items"]));
        match page.get("LastEvaluatedKey") {
            Some(key) => members["ExclusiveStartKey"] = key.clone(),
            None => return read,
        }
    }
}

/// The values above a bound, from all pages of all segments.
fn scan_all(engine: &Engine, segments: u32, limit: usize, above: u32) -> Vec<u64> {
    let mut read = Vec::new();
    for segment in 0..segments {
        let mut members = json!({
            "Segment": segment, "TotalSegments": segments, "Limit": limit, "FilterExpression": "v > :above",
            "ExpressionAttributeValues": {":above": {"N": above.to_string()}}, "ProjectionExpression": "v",
        });
        loop {
            let page = scan(engine, "items", &members).unwrap();
            read.extend(values_of(&page["Items"]));
            match page.get("LastEvaluatedKey") {
                Some(key) => members = merged(members, &json!({"ExclusiveStartKey": key})),
                None => break,
            }
        }
    }
    read
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn random_requests_answer_as_a_sorted_map_would(steps in steps()) {
        let files = Arc::new(MemoryFiles::new());
        let open = || Engine::open(Options::files(files.clone())).unwrap();
        let mut engine = open();
        create(&engine, "items", "pk:S", Some("sk:N"));
        let mut model = Model::new();
        for step in steps {
            match step {
                Step::Put { partition, sort, value } => {
                    put(&engine, "items", item_of(partition, sort, value)).unwrap();
                    model.insert((partition, sort), u64::from(value));
                }
                Step::PutIfAbsent { partition, sort, value } => {
                    let body = json!({
                        "TableName": "items", "Item": item_of(partition, sort, value),
                        "ConditionExpression": "attribute_not_exists(pk)",
                    });
                    let written = call(&engine, Operation::PutItem, &body).is_ok();
                    prop_assert_eq!(written, !model.contains_key(&(partition, sort)));
                    model.entry((partition, sort)).or_insert(u64::from(value));
                }
                Step::Add { partition, sort, value } => {
                    let members = json!({
                        "UpdateExpression": "ADD v :v", "ReturnValues": "UPDATED_NEW",
                        "ExpressionAttributeValues": {":v": {"N": value.to_string()}},
                    });
                    let answer = update(&engine, "items", key_of(partition, sort), members).unwrap();
                    let sum = model.entry((partition, sort)).or_default();
                    *sum += u64::from(value);
                    prop_assert_eq!(&answer["Attributes"]["v"]["N"], &json!(sum.to_string()));
                }
                Step::SetIfThere { partition, sort, value } => {
                    let members = json!({
                        "UpdateExpression": "SET v = :v", "ReturnValues": "UPDATED_OLD",
                        "ConditionExpression": "attribute_exists(v)",
                        "ExpressionAttributeValues": {":v": {"N": value.to_string()}},
                    });
                    let answer = update(&engine, "items", key_of(partition, sort), members).ok();
                    let old = answer.map(|answer| answer["Attributes"]["v"]["N"].as_str().unwrap().to_owned());
                    prop_assert_eq!(old, model.get(&(partition, sort)).map(ToString::to_string));
                    model.entry((partition, sort)).and_modify(|held| *held = u64::from(value));
                }
                Step::DeleteIfBelow { partition, sort, bound } => {
                    let body = json!({
                        "TableName": "items", "Key": key_of(partition, sort), "ConditionExpression": "v < :bound",
                        "ExpressionAttributeValues": {":bound": {"N": bound.to_string()}},
                    });
                    let deleted = call(&engine, Operation::DeleteItem, &body).is_ok();
                    let below = model.get(&(partition, sort)).is_some_and(|held| *held < u64::from(bound));
                    prop_assert_eq!(deleted, below);
                    if below {
                        model.remove(&(partition, sort));
                    }
                }
                Step::Scan { segments, limit, above } => {
                    let mut found = scan_all(&engine, segments, limit, above);
                    found.sort_unstable();
                    let mut expected: Vec<u64> =
                        model.values().copied().filter(|value| *value > u64::from(above)).collect();
                    expected.sort_unstable();
                    prop_assert_eq!(found, expected);
                }
                Step::Delete { partition, sort } => {
                    let body =
                        json!({"TableName": "items", "Key": key_of(partition, sort), "ReturnValues": "ALL_OLD"});
                    let answer = call(&engine, Operation::DeleteItem, &body).unwrap();
                    let old = model.remove(&(partition, sort));
                    prop_assert_eq!(answer.get("Attributes").is_some(), old.is_some());
                }
                Step::Get { partition, sort } => {
                    let found = get(&engine, "items", key_of(partition, sort)).unwrap();
                    let expected = model.get(&(partition, sort)).map(|value| value.to_string());
                    prop_assert_eq!(found["v"]["N"].as_str(), expected.as_deref());
                }
                Step::Query { partition, low, high, forward, limit } => {
                    let mut expected: Vec<u64> =
                        model.range((partition, low)..=(partition, high)).map(|(_, value)| *value).collect();
                    if !forward {
                        expected.reverse();
                    }
                    prop_assert_eq!(query_all(&engine, partition, low, high, forward, limit), expected);
                }
                Step::Restart => {
                    engine.close().unwrap();
                    drop(engine);
                    engine = open();
                }
            }
        }
    }
}

#[test]
fn concurrent_writers_lose_nothing_and_read_their_own_writes() {
    let engine = crate::support::memory();
    create(&engine, "items", "pk:S", Some("sk:N"));
    std::thread::scope(|scope| {
        for writer in 0..8u8 {
            let engine = &engine;
            scope.spawn(move || {
                for sort in 0..100 {
                    put(engine, "items", item_of(writer, sort, u32::from(writer))).unwrap();
                    let found = get(engine, "items", key_of(writer, sort)).unwrap();
                    assert_eq!(found["v"]["N"], writer.to_string());
                }
            });
        }
    });
    for writer in 0..8 {
        assert_eq!(query_all(&engine, writer, 0, 99, true, 1000).len(), 100);
    }
}

/// Writers of one key: every put returns the item that it replaced, so the answers form one chain without a fork.
#[test]
fn writers_of_one_key_are_put_in_one_order() {
    let engine = crate::support::memory();
    create(&engine, "items", "pk:S", Some("sk:N"));
    let replaced: Vec<Option<u32>> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..8u32)
            .map(|writer| {
                let engine = &engine;
                scope.spawn(move || {
                    let write = |number| {
                        let item = item_of(0, 0, writer * 1000 + number);
                        let body = json!({"TableName": "items", "Item": item, "ReturnValues": "ALL_OLD"});
                        let answer = call(engine, Operation::PutItem, &body).unwrap();
                        answer.get("Attributes").map(|old| old["v"]["N"].as_str().unwrap().parse().unwrap())
                    };
                    (0..50).map(write).collect::<Vec<_>>()
                })
            })
            .collect();
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    let last: u32 = get(&engine, "items", key_of(0, 0)).unwrap()["v"]["N"].as_str().unwrap().parse().unwrap();
    let mut seen: Vec<u32> = replaced.iter().flatten().copied().chain([last]).collect();
    seen.sort_unstable();
    let mut written: Vec<u32> =
        (0..8).flat_map(|writer| (0..50).map(move |number| writer * 1000 + number)).collect();
    written.sort_unstable();
    assert_eq!(seen, written, "each written value was replaced once, or is the last");
    assert_eq!(replaced.iter().filter(|old| old.is_none()).count(), 1);
}
