//! Which refusal wins: for every operation on items, requests in which two checks of its list fail at once.
//!
//! The lists of the table operations are proven where their requests are parsed.

mod reads;
mod writes;

use crate::support::{call, create, memory, put};
use keywright_api::{Check, Operation};
use keywright_engine::Engine;
use serde_json::{Value, json};

/// How to fail one check of a request: the members to set (null takes one away), and what the refusal contains.
struct Breach {
    check: Check,
    members: Value,
    refusal: &'static str,
}

/// A valid request, and ways to fail checks of it. Two ways that need the same member cannot be combined.
struct Case {
    valid: Value,
    breaches: Vec<Breach>,
}

/// Fails the checks one by one, then two by two, and expects the refusal that stands first in the operation's list.
fn prove(operation: Operation, cases: &[Case]) {
    let order = operation.order_of_refusal();
    let place = |check: Check| order.iter().position(|listed| *listed == check).unwrap();
    let mut covered = vec![Check::Json];
    for Case { valid, breaches } in cases {
        let accepted = call(&engine(), operation, valid);
        assert!(accepted.is_ok(), "{valid}: {accepted:?}");
        for (index, one) in breaches.iter().enumerate() {
            assert_refused(operation, &broken(valid, &[one]), one);
            for other in &breaches[index + 1..] {
                if shares_member(one, other) {
                    continue;
                }
                let first = if place(one.check) < place(other.check) { one } else { other };
                assert_refused(operation, &broken(valid, &[one, other]), first);
            }
        }
        covered.extend(breaches.iter().map(|breach| breach.check));
    }
    let missing: Vec<&Check> = order.iter().filter(|check| !covered.contains(check)).collect();
    assert!(missing.is_empty(), "no case fails {missing:?} of {operation:?}");
}

/// A table `items` with one item, under the key `a`.
fn engine() -> Engine {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    put(&engine, "items", json!({"pk": {"S": "a"}, "s": {"S": "x"}})).unwrap();
    engine
}

fn shares_member(one: &Breach, other: &Breach) -> bool {
    one.members.as_object().unwrap().keys().any(|name| other.members.get(name).is_some())
}

fn broken(valid: &Value, breaches: &[&Breach]) -> Value {
    let mut body = valid.clone();
    for (name, value) in breaches.iter().flat_map(|breach| breach.members.as_object().unwrap()) {
        match (body[name].as_object_mut(), value.as_object()) {
            // The placeholders of the valid request are still needed.
            (Some(held), Some(more)) if name.starts_with("ExpressionAttribute") => held.extend(more.clone()),
            _ => body[name] = value.clone(),
        }
    }
    body
}

fn assert_refused(operation: Operation, body: &Value, expected: &Breach) {
    let refusal = call(&engine(), operation, body).unwrap_err();
    let text = format!("{}: {}", refusal.name, refusal.message);
    let Breach { check, refusal, .. } = expected;
    assert!(text.contains(refusal), "{check:?} of {body}\n expected: {refusal}\n found: {text}");
}

fn breach(check: Check, members: Value, refusal: &'static str) -> Breach {
    Breach { check, members, refusal }
}

fn constraints() -> Breach {
    let members = json!({"ReturnConsumedCapacity": "all"});
    breach(Check::Constraints, members, "'returnConsumedCapacity' failed to satisfy constraint")
}

fn mixture(members: Value) -> Breach {
    breach(Check::Mixture, members, "Can not use both expression and non-expression parameters")
}

fn values(members: Value) -> Breach {
    breach(Check::Values, members, "Supplied AttributeValue is empty")
}

fn placeholders() -> Breach {
    let members = json!({"ExpressionAttributeValues": {"v": {"S": "x"}}});
    breach(Check::Placeholders, members, "ExpressionAttributeValues contains invalid key")
}

fn unused() -> Breach {
    let members = json!({"ExpressionAttributeNames": {"#unused": "x"}});
    breach(
        Check::UnusedPlaceholders,
        members,
        "ExpressionAttributeNames unused in expressions: keys: {#unused}",
    )
}

fn table() -> Breach {
    let members = json!({"TableName": "absent"});
    breach(Check::Table, members, "ResourceNotFoundException: Requested resource not found")
}

fn operator(member: &str) -> Breach {
    let one = json!({member: {"s": {"ComparisonOperator": "NOT_NULL"}}});
    breach(Check::ConditionalOperator, one, "Filter or Expected has two or more elements")
}
