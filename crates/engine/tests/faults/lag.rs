//! Global indexes that are behind: what a Query or Scan sees is what was there, whole, and only as long ago as the rule says.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use keywright_api::Operation;
use keywright_engine::clock::{Clock, ManualClock, Timestamp};
use keywright_engine::faults::{Fault, Rule, When};
use keywright_engine::files::MemoryFiles;
use keywright_engine::random::SeededRandom;
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

use crate::fixture::{counts, faults};
use crate::support::{call, create_indexed, get, index, merged, put, query, scan};

const LAG: Duration = Duration::from_secs(2);
const MILLISECOND: Duration = Duration::from_millis(1);

fn clock() -> ManualClock {
    ManualClock::new(Timestamp::from_milliseconds(1_700_000_000_000))
}

fn behind() -> Rule {
    Rule::new(Fault::IndexLag(LAG))
}

fn open(files: &MemoryFiles, clock: &ManualClock, rule: Rule) -> Engine {
    let options = Options::files(Arc::new(files.clone())).clock(Arc::new(clock.clone()));
    Engine::open(options.faults(faults([rule]))).unwrap()
}

/// With the global index `by_user` and the local index `by_time`.
fn engine(clock: &ManualClock, rule: Rule) -> Engine {
    let engine = open(&MemoryFiles::new(), clock, rule);
    create_indexed(
        &engine,
        "app",
        &["pk:S", "sk:S"],
        &json!([index("by_time", &["pk", "time"], json!("ALL"))]),
        &json!([index("by_user", &["user", "sk"], json!("ALL"))]),
        &["user:S", "time:S"],
    );
    engine
}

fn item(sk: &str, user: &str) -> Value {
    json!({"pk": {"S": "org"}, "sk": {"S": sk}, "user": {"S": user}, "time": {"S": "now"}})
}

/// The sort keys of a page.
fn names(page: Result<Value, crate::support::Refusal>) -> Vec<String> {
    let page = page.unwrap();
    let items = page["Items"].as_array().unwrap().iter();
    items.map(|item| item["sk"]["S"].as_str().unwrap().to_owned()).collect()
}

fn of_user(engine: &Engine, user: &str) -> Vec<String> {
    let members = json!({"IndexName": "by_user", "ExpressionAttributeNames": {"#user": "user"}});
    names(query(engine, "app", "#user = :user", json!({":user": {"S": user}}), members))
}

/// A client that writes and then reads the index to see what it wrote is right on every emulator, and wrong on the service.
#[test]
fn a_write_is_seen_in_a_global_index_once_the_lag_is_over() {
    let clock = clock();
    let engine = engine(&clock, behind());
    put(&engine, "app", item("a", "ann")).unwrap();
    assert_eq!(of_user(&engine, "ann"), Vec::<String>::new());
    assert_eq!(names(scan(&engine, "app", &json!({"IndexName": "by_user"}))), Vec::<String>::new());
    clock.advance(LAG - MILLISECOND);
    assert_eq!(of_user(&engine, "ann"), Vec::<String>::new());
    clock.advance(MILLISECOND);
    assert_eq!(of_user(&engine, "ann"), ["a"]);
}

#[test]
fn the_table_and_its_local_indexes_are_never_behind() {
    let clock = clock();
    let engine = engine(&clock, behind());
    put(&engine, "app", item("a", "ann")).unwrap();
    let key = json!({"pk": {"S": "org"}, "sk": {"S": "a"}});
    assert_eq!(get(&engine, "app", key).unwrap(), item("a", "ann"));
    assert_eq!(names(scan(&engine, "app", &json!({}))), ["a"]);
    for members in [json!({}), json!({"IndexName": "by_time"})] {
        assert_eq!(names(query(&engine, "app", "pk = :pk", json!({":pk": {"S": "org"}}), members)), ["a"]);
    }
    assert_eq!(counts(&engine), [(0, 0)], "these are no calls of the rule");
}

#[test]
fn what_is_updated_moved_and_deleted_is_seen_as_it_was() {
    let clock = clock();
    let engine = engine(&clock, behind());
    for name in ["a", "b", "c"] {
        put(&engine, "app", item(name, "ann")).unwrap();
    }
    clock.advance(LAG);
    put(&engine, "app", item("a", "bob")).unwrap();
    put(&engine, "app", merged(item("b", "ann"), &json!({"role": {"S": "admin"}}))).unwrap();
    let delete = json!({"TableName": "app", "Key": {"pk": {"S": "org"}, "sk": {"S": "c"}}});
    call(&engine, Operation::DeleteItem, &delete).unwrap();
    assert_eq!(of_user(&engine, "ann"), ["a", "b", "c"]);
    assert_eq!(of_user(&engine, "bob"), Vec::<String>::new());
    let page = scan(&engine, "app", &json!({"IndexName": "by_user"})).unwrap();
    assert!(page["Items"].as_array().unwrap().iter().all(|item| item["role"] == Value::Null), "{page}");
    clock.advance(LAG);
    assert_eq!(of_user(&engine, "ann"), ["b"]);
    assert_eq!(of_user(&engine, "bob"), ["a"]);
}

/// Of several writes within the lag, none may show through.
#[test]
fn each_write_is_seen_at_its_own_time() {
    let clock = clock();
    let engine = engine(&clock, behind());
    for user in ["ann", "bob", "cid"] {
        put(&engine, "app", item("a", user)).unwrap();
        clock.advance(LAG / 2);
    }
    // Three seconds after the first write, the second one is two seconds old.
    for expected in ["bob", "cid", "cid"] {
        let seen: Vec<&str> =
            ["ann", "bob", "cid"].into_iter().filter(|user| !of_user(&engine, user).is_empty()).collect();
        assert_eq!(seen, [expected]);
        clock.advance(LAG / 2);
    }
}

#[test]
fn only_the_reads_that_the_rule_befalls_are_behind() {
    let clock = clock();
    let engine =
        engine(&clock, behind().operation(Operation::Query).key_prefix("ann").when(When::Calls(vec![2])));
    put(&engine, "app", item("a", "ann")).unwrap();
    put(&engine, "app", item("b", "bob")).unwrap();
    let seen: Vec<usize> = (0..3).map(|_| of_user(&engine, "ann").len()).collect();
    assert_eq!(seen, [1, 0, 1]);
    assert_eq!(of_user(&engine, "bob"), ["b"]);
    assert_eq!(counts(&engine), [(3, 1)]);
}

/// What was written before a restart is seen after it at once: what entries were is not kept on the disk.
#[test]
fn a_restart_catches_up() {
    let clock = clock();
    let files = MemoryFiles::new();
    let engine = open(&files, &clock, behind());
    create_indexed(
        &engine,
        "app",
        &["pk:S", "sk:S"],
        &json!([]),
        &json!([index("by_user", &["user"], json!("ALL"))]),
        &["user:S"],
    );
    put(&engine, "app", item("a", "ann")).unwrap();
    assert_eq!(of_user(&engine, "ann"), Vec::<String>::new());
    engine.close().unwrap();
    drop(engine);
    let engine = open(&files, &clock, behind());
    assert_eq!(of_user(&engine, "ann"), ["a"]);
}

/// Who created a table again under the old name must not see what the old index was.
#[test]
fn a_new_table_has_no_past() {
    let clock = clock();
    let engine = engine(&clock, behind());
    put(&engine, "app", item("a", "ann")).unwrap();
    clock.advance(LAG);
    call(&engine, Operation::DeleteTable, &json!({"TableName": "app"})).unwrap();
    create_indexed(
        &engine,
        "app",
        &["pk:S", "sk:S"],
        &json!([]),
        &json!([index("by_user", &["user", "sk"], json!("ALL"))]),
        &["user:S"],
    );
    assert_eq!(of_user(&engine, "ann"), Vec::<String>::new());
}

/// The user of each sort key.
type Users = BTreeMap<String, String>;

/// Every entry of the index as pages of `limit` show it, in either direction.
fn paged(engine: &Engine, user: &str, limit: u64, forward: bool) -> Vec<String> {
    let mut seen = Vec::new();
    let mut start = Value::Null;
    loop {
        let mut members = json!({
            "IndexName": "by_user", "Limit": limit, "ScanIndexForward": forward,
            "ExpressionAttributeNames": {"#user": "user"},
        });
        if !start.is_null() {
            members["ExclusiveStartKey"] = start;
        }
        let page = query(engine, "app", "#user = :user", json!({":user": {"S": user}}), members).unwrap();
        start = page["LastEvaluatedKey"].clone();
        seen.extend(names(Ok(page)));
        if start.is_null() {
            return seen;
        }
    }
}

/// After every step the index must be what it was, by its definition over the table as it was then.
#[test]
fn an_index_that_is_behind_is_its_definition_over_the_past() {
    const SEED: u64 = 11;
    let random = SeededRandom::new(SEED);
    let clock = clock();
    let engine = engine(&clock, behind());
    let mut states: Vec<(Timestamp, Users)> = vec![(clock.now(), Users::new())];
    for step in 0..400 {
        let mut users = states.last().unwrap().1.clone();
        let name = format!("{:02}", random.below(12));
        if random.below(4) == 0 {
            let delete = json!({"TableName": "app", "Key": {"pk": {"S": "org"}, "sk": {"S": name}}});
            call(&engine, Operation::DeleteItem, &delete).unwrap();
            users.remove(&name);
        } else {
            let user = ["ann", "bob"][random.below(2) as usize];
            put(&engine, "app", item(&name, user)).unwrap();
            users.insert(name, user.to_owned());
        }
        states.push((clock.now(), users));
        clock.advance(Duration::from_millis(random.below(600)));

        let past = states.iter().rev().find(|(at, _)| at.plus(LAG) <= clock.now()).map(|(_, users)| users);
        let empty = Users::new();
        for user in ["ann", "bob"] {
            let mut expected: Vec<String> = past
                .unwrap_or(&empty)
                .iter()
                .filter(|(_, held)| *held == user)
                .map(|(name, _)| name.clone())
                .collect();
            assert_eq!(paged(&engine, user, 1 + random.below(5), true), expected, "seed {SEED}, step {step}");
            expected.reverse();
            assert_eq!(
                paged(&engine, user, 1 + random.below(5), false),
                expected,
                "seed {SEED}, step {step}"
            );
        }
    }
}
