//! Pages of an index: every entry once, whatever ties there are, and start keys that are none.

use serde_json::{Value, json};

use super::{engine, item, query, strings};
use crate::support::{call, merged, put, refused_by};
use keywright_api::Operation;
use keywright_engine::Engine;

fn walk(mut page: impl FnMut(&Value) -> Value, name: &str, limit: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut members = json!({"Limit": limit});
    loop {
        let answer = page(&members);
        found.extend(strings(&answer, name));
        match answer.get("LastEvaluatedKey") {
            Some(key) => members["ExclusiveStartKey"] = key.clone(),
            None => return found,
        }
        assert!(found.len() < 1000, "the pages do not end");
    }
}

fn tied(engine: &Engine, count: usize) {
    for number in 0..count {
        let (pk, sk) = (format!("p{}", number % 3), format!("s{number:02}"));
        put(engine, "items", item(&pk, &sk, &[("g", "g"), ("l", "same")])).unwrap();
    }
}

/// C28. An emulator whose cursor was the index's key alone looped for ever on a tie, or left the rest of it out.
#[test]
fn entries_with_equal_keys_are_each_read_once_across_pages_in_both_directions() {
    let engine = engine();
    tied(&engine, 20);
    let expected: Vec<String> = (0..20).map(|number| format!("s{number:02}")).collect();
    for limit in [1, 3, 7, 20, 21] {
        for forward in [true, false] {
            let page = |members: &Value| {
                let members = merged(members.clone(), &json!({"ScanIndexForward": forward}));
                query(&engine, "by_g", "g = :a AND l = :b", &["g", "same"], members).unwrap()
            };
            let first = page(&json!({"Limit": 1}));
            let mut names: Vec<&String> = first["LastEvaluatedKey"].as_object().unwrap().keys().collect();
            names.sort_unstable();
            assert_eq!(names, ["g", "l", "pk", "sk"]);
            let mut found = walk(page, "sk", limit);
            found.sort_unstable();
            assert_eq!(found, expected, "limit {limit}, forward {forward}");
        }
    }
}

#[test]
fn a_scan_of_an_index_reads_each_entry_once_in_segments_and_pages() {
    let engine = engine();
    for number in 0..40 {
        let (g, sk) = (format!("g{}", number % 7), format!("s{number:02}"));
        put(&engine, "items", item("p", &sk, &[("g", &g), ("l", "l")])).unwrap();
    }
    put(&engine, "items", item("p", "in no index", &[])).unwrap();
    for index in ["by_g", "by_l", "all_by_g"] {
        for segments in [1, 4] {
            let mut found = Vec::new();
            for segment in 0..segments {
                let page = |members: &Value| {
                    let body = json!({
                        "TableName": "items", "IndexName": index, "Segment": segment, "TotalSegments": segments,
                    });
                    call(&engine, Operation::Scan, &merged(body, members)).unwrap()
                };
                found.extend(walk(page, "sk", 3));
            }
            found.sort_unstable();
            let expected: Vec<String> = (0..40).map(|number| format!("s{number:02}")).collect();
            assert_eq!(found, expected, "{index} in {segments} segments");
        }
    }
}

#[test]
fn a_start_key_has_the_attributes_of_both_keys_with_their_types() {
    let engine = engine();
    let key = |attributes: &[(&str, Value)]| -> Value {
        attributes
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let s = |text: &str| json!({"S": text});
    let malformed = "The provided starting key is invalid";
    let mismatched = "The provided key element does not match the schema";
    let refused = format!("{malformed}: {mismatched}");
    let cases: Vec<(Value, &str)> = vec![
        (key(&[]), malformed),
        (key(&[("g", s("g"))]), malformed),
        (key(&[("g", s("g")), ("l", s("l"))]), malformed),
        (key(&[("pk", s("p")), ("sk", s("s")), ("l", s("l")), ("z", s("z"))]), malformed),
        (key(&[("pk", s("p")), ("sk", s("s")), ("g", json!({"N": "1"})), ("l", s("l"))]), mismatched),
        (key(&[("x", s("p")), ("y", s("s")), ("g", s("g")), ("l", s("l"))]), &refused),
        (key(&[("pk", json!({"N": "1"})), ("sk", s("s")), ("g", s("g")), ("l", s("l"))]), &refused),
    ];
    for (start, expected) in cases {
        let members = json!({"ExclusiveStartKey": start});
        let queried = query(&engine, "by_g", "g = :a", &["g"], members.clone());
        assert_eq!(refused_by(queried), expected, "Query after {start}");
        let body = merged(json!({"TableName": "items", "IndexName": "by_g"}), &members);
        assert_eq!(refused_by(call(&engine, Operation::Scan, &body)), expected, "Scan after {start}");
    }
    let outside = key(&[("pk", s("p")), ("sk", s("s")), ("g", s("other")), ("l", s("l"))]);
    assert_eq!(
        refused_by(query(&engine, "by_g", "g = :a", &["g"], json!({"ExclusiveStartKey": outside}))),
        "The provided starting key is outside query boundaries based on provided conditions"
    );
}

/// The page ends by what is fetched, not by the small entries that name it.
#[test]
fn a_page_of_fetched_items_ends_at_one_megabyte() {
    let engine = engine();
    for number in 0..20 {
        let sk = format!("s{number:02}");
        let mut large = item("p", &sk, &[("l", &sk)]);
        large["q"] = json!({"S": "x".repeat(100_000)});
        put(&engine, "items", large).unwrap();
    }
    let all = json!({"Select": "ALL_ATTRIBUTES"});
    let page = query(&engine, "by_l", "pk = :a", &["p"], all.clone()).unwrap();
    let count = page["Count"].as_u64().unwrap();
    assert!((10..=11).contains(&count), "{count}");
    let rest = merged(all, &json!({"ExclusiveStartKey": page["LastEvaluatedKey"]}));
    let rest = query(&engine, "by_l", "pk = :a", &["p"], rest).unwrap();
    assert_eq!(count + rest["Count"].as_u64().unwrap(), 20);
    assert_eq!(
        query(&engine, "by_l", "pk = :a", &["p"], json!({})).unwrap()["Count"],
        20,
        "entries alone fit"
    );
}
