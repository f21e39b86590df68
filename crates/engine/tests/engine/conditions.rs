//! Conditions of PutItem, DeleteItem and UpdateItem, decided on the item as every earlier write left it.

use crate::support::{Refusal, call, create, get, key, memory, merged, put, update};
use keywright_api::Operation;
use keywright_engine::Engine;
use serde_json::{Value, json};

fn table() -> Engine {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    engine
}

const WRITES: [Operation; 3] = [Operation::UpdateItem, Operation::PutItem, Operation::DeleteItem];

/// A write to the item `a`, with these members as well.
fn write(engine: &Engine, operation: Operation, members: &Value) -> Result<Value, Refusal> {
    let body = match operation {
        Operation::PutItem => json!({"TableName": "items", "Item": {"pk": {"S": "a"}, "by": {"S": "put"}}}),
        _ => json!({"TableName": "items", "Key": key("a")}),
    };
    call(engine, operation, &merged(body, members))
}

/// A write of each kind, one after another.
fn writes(engine: &Engine, members: &Value) -> [Result<Value, Refusal>; 3] {
    WRITES.map(|operation| write(engine, operation, members))
}

fn failed(outcome: &Result<Value, Refusal>) {
    let refusal = outcome.as_ref().unwrap_err();
    assert_eq!(refusal.name, "ConditionalCheckFailedException", "{}", refusal.message);
    assert_eq!(refusal.message, "The conditional request failed");
}

#[test]
fn a_write_whose_condition_holds_is_carried_out() {
    for members in [
        json!({"ConditionExpression": "attribute_exists(pk)"}),
        json!({
            "ConditionExpression": "#s = :active AND score > :min", "ExpressionAttributeNames": {"#s": "status"},
            "ExpressionAttributeValues": {":active": {"S": "active"}, ":min": {"N": "5"}},
        }),
        json!({"Expected": {"status": {"Value": {"S": "active"}}}}),
        json!({
            "Expected": {"score": {"ComparisonOperator": "GT", "AttributeValueList": [{"N": "5"}]}, "x": {"Exists": false}},
            "ConditionalOperator": "AND",
        }),
    ] {
        for operation in WRITES {
            let engine = table();
            put(&engine, "items", json!({"pk": {"S": "a"}, "status": {"S": "active"}, "score": {"N": "10"}}))
                .unwrap();
            let outcome = write(&engine, operation, &members);
            assert!(outcome.is_ok(), "{members}: {outcome:?}");
        }
    }
}

#[test]
fn a_write_whose_condition_fails_changes_nothing() {
    let engine = table();
    let item = json!({"pk": {"S": "a"}, "status": {"S": "locked"}});
    put(&engine, "items", item.clone()).unwrap();
    for members in [
        json!({"ConditionExpression": "attribute_not_exists(pk)"}),
        json!({"ConditionExpression": "score > :min", "ExpressionAttributeValues": {":min": {"N": "5"}}}),
        json!({"Expected": {"pk": {"Exists": false}}}),
        json!({"Expected": {"status": {"Value": {"S": "active"}}}}),
    ] {
        for outcome in writes(&engine, &members) {
            failed(&outcome);
        }
    }
    assert_eq!(get(&engine, "items", key("a")).unwrap(), item);
}

/// A counter that must exist was created by a condition that an emulator evaluated after the upsert.
#[test]
fn a_condition_on_an_item_that_is_not_there_creates_nothing() {
    let engine = table();
    let value = json!({":v": {"S": "x"}});
    for condition in
        ["attribute_exists(pk)", "pk = :v", "attribute_exists(pk) AND x = :v", "x > :v", "NOT x <> :v"]
    {
        let mut members = json!({"ConditionExpression": condition});
        if condition.contains(":v") {
            members["ExpressionAttributeValues"] = value.clone();
        }
        for outcome in writes(&engine, &members) {
            failed(&outcome);
        }
        assert_eq!(get(&engine, "items", key("a")).unwrap(), Value::Null, "{condition}");
    }
    let members = json!({
        "UpdateExpression": "SET v = :v", "ConditionExpression": "attribute_not_exists(pk)",
        "ExpressionAttributeValues": value, "ReturnValues": "ALL_NEW",
    });
    let created = update(&engine, "items", key("a"), members).unwrap();
    assert_eq!(created["Attributes"], json!({"pk": {"S": "a"}, "v": {"S": "x"}}));
}

#[test]
fn a_failed_condition_returns_the_item_to_those_who_asked() {
    let engine = table();
    let item = json!({"pk": {"S": "a"}, "status": {"S": "locked"}});
    put(&engine, "items", item.clone()).unwrap();
    let never = |on_failure: Value| {
        json!({
            "ConditionExpression": "attribute_not_exists(pk)",
            "ReturnValuesOnConditionCheckFailure": on_failure, "ReturnValues": "ALL_OLD",
        })
    };
    for outcome in writes(&engine, &never(json!("ALL_OLD"))) {
        failed(&outcome);
        assert_eq!(outcome.unwrap_err().item, Some(item.clone()));
    }
    for on_failure in [json!("NONE"), json!(null)] {
        for outcome in writes(&engine, &never(on_failure)) {
            assert_eq!(outcome.unwrap_err().item, None);
        }
    }
    // Nothing there: nothing to return.
    let absent = json!({
        "TableName": "items", "Key": key("absent"), "ConditionExpression": "attribute_exists(pk)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    });
    assert_eq!(call(&engine, Operation::DeleteItem, &absent).unwrap_err().item, None);
}

/// C18. Items may have any name, but an expression names a reserved word by an alias only.
#[test]
fn reserved_words_are_names_of_attributes_but_not_of_expressions() {
    let engine = table();
    put(&engine, "items", json!({"pk": {"S": "a"}, "name": {"S": "x"}, "scope": {"S": "y"}})).unwrap();
    let value = json!({":v": {"S": "x"}});
    for condition in ["name = :v", "info.NAME = :v", "Name = :v"] {
        let members = json!({"ConditionExpression": condition, "ExpressionAttributeValues": value});
        for outcome in writes(&engine, &members) {
            let message = outcome.unwrap_err().message;
            assert!(
                message.starts_with(
                    "Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: "
                ),
                "{message}"
            );
        }
    }
    let projected = call(
        &engine,
        Operation::GetItem,
        &json!({"TableName": "items", "Key": key("a"), "ProjectionExpression": "scope"}),
    );
    assert_eq!(
        projected.unwrap_err().message,
        "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: scope"
    );
    let aliased = json!({
        "ConditionExpression": "#n = :v", "ExpressionAttributeNames": {"#n": "name"}, "ExpressionAttributeValues": value,
    });
    writes(&engine, &aliased)[0].as_ref().unwrap();
}

/// C34, the part about single items: a condition that passes adds nothing to what a write costs.
#[test]
fn a_condition_costs_nothing() {
    let engine = table();
    put(&engine, "items", json!({"pk": {"S": "a"}})).unwrap();
    let members = json!({"ConditionExpression": "attribute_exists(pk)", "ReturnConsumedCapacity": "TOTAL"});
    for outcome in writes(&engine, &members) {
        assert_eq!(outcome.unwrap()["ConsumedCapacity"]["CapacityUnits"], 1.0);
    }
}

/// Claims: of all who try to create one item at once, one wins, and the others are told so. The losers' refusals may rest on a
/// write of the same group, so that they are known only after its commit.
#[test]
fn one_of_many_concurrent_claims_wins() {
    let engine = table();
    for round in 0..20 {
        let winners: Vec<u32> = std::thread::scope(|scope| {
            let claims: Vec<_> = (0..8u32)
                .map(|claimant| {
                    let engine = &engine;
                    scope.spawn(move || {
                        let body = json!({
                            "TableName": "items", "Item": {"pk": {"S": format!("claim {round}")}, "by": {"N": claimant.to_string()}},
                            "ConditionExpression": "attribute_not_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                        });
                        match call(engine, Operation::PutItem, &body) {
                            Ok(_) => Some(claimant),
                            Err(refusal) => {
                                assert_eq!(refusal.name, "ConditionalCheckFailedException");
                                assert!(refusal.item.is_some(), "the loser is told who won");
                                None
                            }
                        }
                    })
                })
                .collect();
            claims.into_iter().filter_map(|claim| claim.join().unwrap()).collect()
        });
        let held = get(&engine, "items", key(&format!("claim {round}"))).unwrap();
        assert_eq!(winners.len(), 1, "round {round}");
        assert_eq!(held["by"]["N"], winners[0].to_string());
    }
}

/// Optimistic concurrency: each writer reads a version and writes the next one on condition; no increment is lost.
#[test]
fn versions_checked_by_a_condition_lose_no_update() {
    let engine = table();
    put(&engine, "items", json!({"pk": {"S": "a"}, "version": {"N": "0"}})).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut done = 0;
                while done < 25 {
                    let version: u32 = get(&engine, "items", key("a")).unwrap()["version"]["N"].as_str().unwrap().parse().unwrap();
                    let members = json!({
                        "UpdateExpression": "SET version = :next", "ConditionExpression": "version = :read",
                        "ExpressionAttributeValues": {":read": {"N": version.to_string()}, ":next": {"N": (version + 1).to_string()}},
                    });
                    done += u32::from(update(&engine, "items", key("a"), members).is_ok());
                }
            });
        }
    });
    assert_eq!(get(&engine, "items", key("a")).unwrap()["version"], json!({"N": "100"}));
}
