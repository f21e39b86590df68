//! Which calls a rule looks at: by operation, table, index and key prefix; never those that are refused anyway.

use keywright_api::Operation;
use keywright_engine::Engine;
use keywright_engine::faults::{Fault, Moment, Rule};
use serde_json::{Value, json};

use crate::fixture::{counts, engine, indexed};
use crate::support::{batch_write, call, create, get, key, put, query, scan, transact, update};

const ERROR: Fault = Fault::InternalServerError(Moment::BeforeCommit);

/// The calls that a rule of this scope befalls, out of one of each kind.
fn befallen(scope: impl FnOnce(Rule) -> Rule) -> Vec<&'static str> {
    let engine = indexed([scope(Rule::new(ERROR))]);
    let item = json!({"pk": {"S": "ORG#1"}, "sk": {"S": "a"}, "user": {"S": "ann"}});
    let key = json!({"pk": {"S": "ORG#1"}, "sk": {"S": "a"}});
    let other = json!({"pk": {"S": "ORG#10"}, "sk": {"S": "a"}});
    let by_key = |index: Option<&str>, attribute: &str, value: &str| {
        let members = index.map_or(json!({}), |index| json!({"IndexName": index}));
        let members =
            crate::support::merged(members, &json!({"ExpressionAttributeNames": {"#key": attribute}}));
        query(&engine, "app", "#key = :value", json!({":value": {"S": value}}), members)
    };
    let body = json!({"TableName": "app"});
    let outcomes = [
        ("put", put(&engine, "app", item.clone())),
        ("put other", put(&engine, "app", other.clone())),
        ("get", get(&engine, "app", key.clone())),
        ("update", update(&engine, "app", key.clone(), json!({}))),
        ("delete", call(&engine, Operation::DeleteItem, &json!({"TableName": "app", "Key": key}))),
        ("query", by_key(None, "pk", "ORG#1")),
        ("query other", by_key(None, "pk", "ORG#10")),
        ("query index", by_key(Some("by_user"), "user", "ann")),
        ("scan", scan(&engine, "app", &json!({}))),
        ("scan index", scan(&engine, "app", &json!({"IndexName": "by_user"}))),
        (
            "batch write",
            batch_write(
                &engine,
                json!({"app": [{"DeleteRequest": {"Key": other}}, {"DeleteRequest": {"Key": key}}]}),
            ),
        ),
        (
            "batch get",
            call(&engine, Operation::BatchGetItem, &json!({"RequestItems": {"app": {"Keys": [key]}}})),
        ),
        ("transact write", transact(&engine, json!([{"Put": {"TableName": "app", "Item": item}}]))),
        (
            "transact get",
            call(
                &engine,
                Operation::TransactGetItems,
                &json!({"TransactItems": [{"Get": {"TableName": "app", "Key": key}}]}),
            ),
        ),
        ("describe", call(&engine, Operation::DescribeTable, &body)),
        ("list", call(&engine, Operation::ListTables, &json!({}))),
    ];
    let befallen: Vec<&str> = outcomes
        .into_iter()
        .filter_map(|(name, outcome)| {
            outcome.is_err_and(|refusal| refusal.name == "InternalServerError").then_some(name)
        })
        .collect();
    let [(_, fired)] = counts(&engine)[..] else { panic!("one rule") };
    assert_eq!(fired as usize, befallen.len());
    befallen
}

#[test]
fn a_rule_looks_at_its_operations() {
    assert_eq!(befallen(|rule| rule.operation(Operation::PutItem)), ["put", "put other"]);
    assert_eq!(
        befallen(|rule| rule.operation(Operation::Scan).operation(Operation::ListTables)),
        ["scan", "scan index", "list"]
    );
}

#[test]
fn a_rule_looks_at_its_table() {
    assert_eq!(befallen(|rule| rule.table("other")), Vec::<&str>::new());
    let of_app =
        befallen(|rule| rule.operation(Operation::PutItem).operation(Operation::DescribeTable).table("app"));
    assert_eq!(of_app, ["put", "put other", "describe"]);
}

/// Writes to a table can be throttled for its index, whose capacity they use.
#[test]
fn a_rule_looks_at_reads_of_its_index_and_at_writes_to_its_table() {
    assert_eq!(
        befallen(|rule| rule.index("by_user")),
        [
            "put",
            "put other",
            "update",
            "delete",
            "query index",
            "scan index",
            "batch write",
            "transact write"
        ]
    );
    assert_eq!(befallen(|rule| rule.index("by_nobody")), Vec::<&str>::new());
}

#[test]
fn a_rule_looks_at_partition_keys_that_begin_so() {
    assert_eq!(befallen(|rule| rule.key_prefix("ORG#10")), ["put other", "query other", "batch write"]);
    assert_eq!(befallen(|rule| rule.key_prefix("ann")), ["query index"]);
    assert_eq!(befallen(|rule| rule.key_prefix("ORG#1").operation(Operation::GetItem)), ["get"]);
}

#[test]
fn numbers_and_binary_begin_as_they_are_written() {
    let rule = |prefix| Rule::new(ERROR).operation(Operation::PutItem).key_prefix(prefix);
    let engine = crate::fixture::empty([rule("12"), rule("ab")]);
    create(&engine, "numbers", "pk:N", None);
    create(&engine, "bytes", "pk:B", None);
    let fails = |table, value: Value| put(&engine, table, json!({"pk": value})).is_err();
    assert!(fails("numbers", json!({"N": "12.50"})) && !fails("numbers", json!({"N": "1.2"})));
    // "abc" and "bcd".
    assert!(fails("bytes", json!({"B": "YWJj"})) && !fails("bytes", json!({"B": "YmNk"})));
}

/// A client that counts its calls would be off by the ones that the service refuses before it looks at any capacity.
#[test]
fn a_call_that_is_refused_anyway_is_not_seen() {
    let engine = engine([Rule::new(ERROR).operation(Operation::PutItem)]);
    let refused = |engine: &Engine, table: &str, item| put(engine, table, item).unwrap_err().name;
    assert_eq!(refused(&engine, "app", json!({"other": {"S": "a"}})), "ValidationException");
    assert_eq!(refused(&engine, "nowhere", key("a")), "ResourceNotFoundException");
    assert_eq!(counts(&engine), [(0, 0)]);
    assert_eq!(refused(&engine, "app", key("a")), "InternalServerError");
    assert_eq!(counts(&engine), [(1, 1)]);
}
