//! What fails before the commit has not happened; what fails after it has.

use keywright_api::{Error, Operation, Request};
use keywright_engine::ConnectionCut;
use keywright_engine::faults::{Fault, Moment, Rule, When};
use serde_json::{Value, json};

use crate::fixture::{counts, engine, put_outcome};
use crate::support::{call, create, get, key, put, transact, update};

fn first(fault: Fault) -> Rule {
    Rule::new(fault).operation(Operation::UpdateItem).when(When::First(1))
}

fn count_up(engine: &keywright_engine::Engine) -> Result<Value, crate::support::Refusal> {
    let step = json!({"UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}});
    update(engine, "app", key("a"), step)
}

fn counter(engine: &keywright_engine::Engine) -> Value {
    get(engine, "app", key("a")).unwrap()["n"]["N"].clone()
}

/// A client that counts again after a 500 counts twice, or not: only the commit knows.
#[test]
fn an_error_before_the_commit_has_not_happened_and_one_after_it_has() {
    for (moment, at_once, after_retry) in
        [(Moment::BeforeCommit, Value::Null, json!("1")), (Moment::AfterCommit, json!("1"), json!("2"))]
    {
        let engine = engine([first(Fault::InternalServerError(moment))]);
        let refused = count_up(&engine).unwrap_err();
        assert_eq!(refused.name, "InternalServerError");
        assert!(refused.message.contains("rule 1 of the faults"), "{}", refused.message);
        assert_eq!(counter(&engine), at_once, "{moment}");
        count_up(&engine).unwrap();
        assert_eq!(counter(&engine), after_retry, "{moment}");
    }
}

#[test]
fn a_cut_before_the_commit_has_not_happened_and_one_after_it_has() {
    for (moment, at_once) in [(Moment::BeforeCommit, Value::Null), (Moment::AfterCommit, json!("1"))] {
        let engine = engine([first(Fault::CutConnection(moment))]);
        let body = json!({
            "TableName": "app", "Key": key("a"), "UpdateExpression": "ADD n :one",
            "ExpressionAttributeValues": {":one": {"N": "1"}},
        });
        let request = Request::parse(Operation::UpdateItem, body.to_string().as_bytes()).unwrap();
        let delivered = pollster::block_on(engine.call(request).delivery());
        assert_eq!(delivered, Err(ConnectionCut));
        assert_eq!(counter(&engine), at_once, "{moment}");
        assert_eq!(counts(&engine), [(1, 1)]);
    }
}

/// Who calls the engine without a connection is told what would have happened to it.
#[test]
fn a_cut_is_an_internal_server_error_to_who_has_no_connection() {
    let engine = engine([first(Fault::CutConnection(Moment::AfterCommit))]);
    let refused = count_up(&engine).unwrap_err();
    assert_eq!(refused.name, "InternalServerError");
    assert!(refused.message.contains("the connection was closed"), "{}", refused.message);
}

/// A client cannot tell a lost refusal from a lost success.
#[test]
fn a_refusal_is_lost_as_well() {
    let engine = engine([Rule::new(Fault::InternalServerError(Moment::AfterCommit))
        .operation(Operation::PutItem)
        .when(When::First(1))]);
    let body = json!({"TableName": "app", "Item": key("a"), "ConditionExpression": "attribute_exists(pk)"});
    let put = || call(&engine, Operation::PutItem, &body).unwrap_err().name;
    assert_eq!(put(), "InternalServerError");
    assert_eq!(put(), "ConditionalCheckFailedException");
}

/// C30: what a token is for. The answer is lost, the client sends the same transaction again, and it happens once.
#[test]
fn a_transaction_whose_answer_was_lost_happens_once_with_its_token() {
    let rule = Rule::new(Fault::CutConnection(Moment::AfterCommit)).operation(Operation::TransactWriteItems);
    let engine = engine([rule.when(When::First(1))]);
    let add = json!({"Update": {
        "TableName": "app", "Key": key("a"), "UpdateExpression": "ADD n :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    }});
    let body = json!({"ClientRequestToken": "token", "TransactItems": [add]});
    assert!(call(&engine, Operation::TransactWriteItems, &body).is_err());
    call(&engine, Operation::TransactWriteItems, &body).unwrap();
    assert_eq!(counter(&engine), json!("1"));
    transact(&engine, json!([add])).unwrap();
    assert_eq!(counter(&engine), json!("2"));
}

#[test]
fn tables_can_be_created_without_anybody_being_told() {
    let rule = Rule::new(Fault::InternalServerError(Moment::AfterCommit)).operation(Operation::CreateTable);
    let engine = crate::fixture::empty([rule.when(When::First(1))]);
    let body = json!({
        "TableName": "app",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    assert_eq!(call(&engine, Operation::CreateTable, &body).unwrap_err().name, "InternalServerError");
    put(&engine, "app", key("a")).unwrap();
    create(&engine, "other", "pk:S", None);
}

#[test]
fn of_several_rules_the_first_refuses_and_all_count() {
    let rules = [
        Rule::new(Fault::TransactionConflict).operation(Operation::PutItem).when(When::Every(2)),
        Rule::new(Fault::InternalServerError(Moment::BeforeCommit)).operation(Operation::PutItem),
        Rule::new(Fault::CutConnection(Moment::AfterCommit)).operation(Operation::PutItem),
    ];
    let engine = engine(rules);
    assert_eq!(put_outcome(&engine, "a"), "InternalServerError");
    assert_eq!(put_outcome(&engine, "b"), "TransactionConflictException");
    assert_eq!(counts(&engine), [(2, 1), (2, 2), (2, 2)]);
}

#[test]
fn reads_fail_too() {
    let engine =
        engine([Rule::new(Fault::InternalServerError(Moment::AfterCommit)).operation(Operation::GetItem)]);
    put(&engine, "app", key("a")).unwrap();
    let request = Request::parse(
        Operation::GetItem,
        json!({"TableName": "app", "Key": key("a")}).to_string().as_bytes(),
    );
    let error = engine.call(request.unwrap()).wait().unwrap_err();
    assert!(matches!(error, Error::InternalServerError { .. }), "{error}");
}
