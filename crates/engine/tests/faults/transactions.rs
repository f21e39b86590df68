//! Conflicts, transactions in progress, and transactions that are throttled.

use keywright_api::{Operation, ThrottlingLimit};
use keywright_engine::faults::{Fault, Rule, When};
use serde_json::{Value, json};

use crate::fixture::{counts, engine, put_outcome};
use crate::support::{call, get, key, transact, transact_get};

fn puts(names: &[&str]) -> Value {
    names.iter().map(|name| json!({"Put": {"TableName": "app", "Item": key(name)}})).collect()
}

fn codes(reasons: &Option<Value>) -> Vec<String> {
    let reasons = reasons.as_ref().unwrap().as_array().unwrap();
    reasons.iter().map(|reason| reason["Code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_conflict_cancels_a_transaction_and_names_the_member() {
    let engine = engine([Rule::new(Fault::TransactionConflict).key_prefix("b").when(When::First(2))]);
    let refused = transact(&engine, puts(&["a", "b", "c"])).unwrap_err();
    assert_eq!(refused.name, "TransactionCanceledException");
    assert_eq!(codes(&refused.reasons), ["None", "TransactionConflict", "None"]);
    assert_eq!(get(&engine, "app", key("a")).unwrap(), Value::Null);
    let refused = transact_get(&engine, "app", &[key("b"), key("c")]).unwrap_err();
    assert_eq!(codes(&refused.reasons), ["TransactionConflict", "None"]);
    transact(&engine, puts(&["a", "b", "c"])).unwrap();
    assert_eq!(get(&engine, "app", key("c")).unwrap(), key("c"));
    assert_eq!(counts(&engine), [(3, 2)]);
}

/// C31: a write of its own meets another refusal than a transaction, and few clients know it.
#[test]
fn a_conflict_refuses_a_write_of_its_own() {
    let engine = engine([Rule::new(Fault::TransactionConflict)
        .operation(Operation::PutItem)
        .when(When::Calls(vec![2]))]);
    assert_eq!(put_outcome(&engine, "a"), "ok");
    assert_eq!(put_outcome(&engine, "b"), "TransactionConflictException");
    assert_eq!(get(&engine, "app", key("b")).unwrap(), Value::Null);
}

#[test]
fn a_transaction_in_progress_is_one_with_a_token() {
    let engine = engine([Rule::new(Fault::TransactionInProgress)]);
    let body = json!({"TransactItems": puts(&["a"]), "ClientRequestToken": "token"});
    let refused = call(&engine, Operation::TransactWriteItems, &body).unwrap_err();
    assert_eq!(refused.name, "TransactionInProgressException");
    assert_eq!(get(&engine, "app", key("a")).unwrap(), Value::Null);
    transact(&engine, puts(&["a"])).unwrap();
    assert_eq!(counts(&engine), [(1, 1)]);
}

#[test]
fn a_transaction_is_cancelled_by_the_members_that_are_throttled() {
    let hot = Rule::new(Fault::Throttle(ThrottlingLimit::KeyRangeThroughput)).key_prefix("hot");
    let engine = engine([hot]);
    let refused = transact(&engine, puts(&["hot", "cold"])).unwrap_err();
    assert_eq!(codes(&refused.reasons), ["ThrottlingError", "None"]);
    assert_eq!(get(&engine, "app", key("cold")).unwrap(), Value::Null);
    transact(&engine, puts(&["cold"])).unwrap();
}
