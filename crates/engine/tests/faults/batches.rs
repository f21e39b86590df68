//! Members of batches that are not processed.

use keywright_api::{Operation, ThrottlingLimit};
use keywright_engine::Engine;
use keywright_engine::faults::{Fault, Rule, When};
use serde_json::{Value, json};

use crate::fixture::{counts, engine};
use crate::support::{batch_get, batch_write, create, get, key, put, scan};

fn puts(keys: impl IntoIterator<Item = String>) -> Vec<Value> {
    keys.into_iter().map(|name| json!({"PutRequest": {"Item": key(&name)}})).collect()
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("item {number}")).collect()
}

fn count(engine: &Engine, table: &str) -> usize {
    scan(engine, table, &json!({})).unwrap()["Count"].as_u64().unwrap() as usize
}

/// C20: a loop that takes a batch without an error for a batch that was written loses what came back.
#[test]
fn the_share_of_a_batch_write_comes_back_and_is_not_written() {
    let engine = engine([Rule::new(Fault::Unprocessed { share: 0.5 }).operation(Operation::BatchWriteItem)]);
    let sent = puts(names(25));
    let answer = batch_write(&engine, json!({"app": sent})).unwrap();
    let unprocessed = answer["UnprocessedItems"]["app"].as_array().unwrap();
    assert_eq!(unprocessed.len(), 13);
    assert_eq!(count(&engine, "app"), 12);
    for write in unprocessed {
        assert!(sent.contains(write), "{write}");
        assert_eq!(get(&engine, "app", write["PutRequest"]["Item"].clone()).unwrap(), Value::Null);
    }
    // What came back is sent again, until nothing comes back: the last member of a batch is a batch of its own.
    let mut left = unprocessed.clone();
    for _ in 0..10 {
        let [.., _] = left[..] else { break };
        match batch_write(&engine, json!({"app": left})) {
            Ok(answer) => left = answer["UnprocessedItems"]["app"].as_array().cloned().unwrap_or_default(),
            Err(refusal) => assert_eq!((refusal.name.as_str(), left.len()), ("ThrottlingException", 1)),
        }
    }
    assert_eq!((left.len(), count(&engine, "app")), (1, 24));
}

#[test]
fn the_share_of_a_batch_get_comes_back_with_how_it_is_to_be_read() {
    let engine = engine([Rule::new(Fault::Unprocessed { share: 0.25 }).operation(Operation::BatchGetItem)]);
    batch_write(&engine, json!({"app": puts(names(8))})).unwrap();
    let keys: Vec<Value> = names(8).iter().map(|name| key(name)).collect();
    let request = json!({"app": {"Keys": keys, "ConsistentRead": true, "ProjectionExpression": "pk"}});
    let answer = batch_get(&engine, request).unwrap();
    let unprocessed = &answer["UnprocessedKeys"]["app"];
    assert_eq!(unprocessed["Keys"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&unprocessed["ConsistentRead"], &unprocessed["ProjectionExpression"]),
        (&json!(true), &json!("pk"))
    );
    assert_eq!(answer["Responses"]["app"].as_array().unwrap().len(), 6);
}

#[test]
fn capacity_is_consumed_by_what_is_processed() {
    let engine = engine([Rule::new(Fault::Unprocessed { share: 0.5 })]);
    let body = json!({"RequestItems": {"app": puts(names(4))}, "ReturnConsumedCapacity": "TOTAL"});
    let answer = crate::support::call(&engine, Operation::BatchWriteItem, &body).unwrap();
    assert_eq!(answer["ConsumedCapacity"][0]["CapacityUnits"], 2.0);
}

/// The service refuses a batch only if it can do nothing of it.
#[test]
fn a_batch_of_which_nothing_is_left_is_throttled() {
    let hot = |prefix| Rule::new(Fault::Throttle(ThrottlingLimit::KeyRangeThroughput)).key_prefix(prefix);
    let engine = engine([hot("HOT#")]);
    let answer =
        batch_write(&engine, json!({"app": puts(["HOT#1".into(), "cold".into(), "HOT#2".into()])})).unwrap();
    assert_eq!(answer["UnprocessedItems"]["app"], json!(puts(["HOT#1".into(), "HOT#2".into()])));
    assert_eq!(count(&engine, "app"), 1);
    let refused = batch_write(&engine, json!({"app": puts(["HOT#1".into(), "HOT#2".into()])})).unwrap_err();
    assert_eq!(refused.name, "ThrottlingException");
    let refused = batch_get(&engine, json!({"app": {"Keys": [key("HOT#1")]}})).unwrap_err();
    assert_eq!(refused.name, "ThrottlingException");
    assert_eq!(counts(&engine), [(3, 3)]);
}

#[test]
fn only_the_members_of_the_rule_s_table_come_back() {
    let engine = engine([Rule::new(Fault::Unprocessed { share: 1.0 }).table("other").when(When::First(2))]);
    create(&engine, "other", "pk:S", None);
    let answer = batch_write(&engine, json!({"app": puts(names(2)), "other": puts(names(3))})).unwrap();
    assert_eq!(answer["UnprocessedItems"], json!({"other": puts(names(3))}));
    assert_eq!((count(&engine, "app"), count(&engine, "other")), (2, 0));
    put(&engine, "other", key("item 0")).unwrap();
    let keys = json!({"Keys": [key("item 0")]});
    let answer = batch_get(&engine, json!({"app": keys, "other": keys})).unwrap();
    assert_eq!(answer["Responses"], json!({"app": [key("item 0")], "other": []}));
    assert_eq!(answer["UnprocessedKeys"], json!({"other": keys}));
    let answer = batch_get(&engine, json!({"app": keys, "other": keys})).unwrap();
    assert_eq!(answer["UnprocessedKeys"], json!({}), "the rule is over");
}
