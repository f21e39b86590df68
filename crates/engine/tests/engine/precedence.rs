//! Which refusal wins: for every operation on items, requests in which two checks of its list fail at once.
//!
//! The lists of the table operations are proven where their requests are parsed, and that of UpdateTable in `update_table`.

mod batches;
mod reads;
mod transactions;
mod writes;

use crate::support::{call, create, create_indexed, index, memory, put};
use keywright_api::{Check, Operation};
use keywright_engine::Engine;
use serde_json::{Value, json};

/// How to fail one check of a request: the members to set (null takes one away; one that is deeper in the body is named by
/// its JSON pointer), and what the refusal contains.
struct Breach {
    check: Check,
    members: Value,
    refusal: &'static str,
}

/// A valid request, and ways to fail checks of it. Two ways that need the same member cannot be combined; of two ways to fail
/// one check, the first is told.
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
        let accepted = call(&engine(valid), operation, valid);
        assert!(accepted.is_ok(), "{valid}: {accepted:?}");
        for (index, one) in breaches.iter().enumerate() {
            assert_refused(operation, &broken(valid, &[one]), one);
            for other in &breaches[index + 1..] {
                if shares_member(one, other) {
                    continue;
                }
                let first = if place(one.check) <= place(other.check) { one } else { other };
                assert_refused(operation, &broken(valid, &[one, other]), first);
            }
        }
        covered.extend(breaches.iter().map(|breach| breach.check));
    }
    let missing: Vec<&Check> = order.iter().filter(|check| !covered.contains(check)).collect();
    assert!(missing.is_empty(), "no case fails {missing:?} of {operation:?}");
}

/// A table `items` with one item, under the key `a`; the same with the global indexes `by_s`, which has no more than its
/// keys and `t`, and `by_n`; an empty table; and a client request token `used`. A request for the large items finds eleven
/// of them, which are more than 4 MB.
fn engine(body: &Value) -> Engine {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    create(&engine, "others", "pk:S", None);
    let by_s = index("by_s", &["s"], json!(["t"]));
    let by_n = index("by_n", &["n"], json!("KEYS_ONLY"));
    create_indexed(&engine, "indexed", &["pk:S"], &json!([]), &json!([by_s, by_n]), &["s:S", "n:N"]);
    for table in ["items", "indexed"] {
        put(&engine, table, json!({"pk": {"S": "a"}, "s": {"S": "x"}})).unwrap();
    }
    let check = json!({
        "TableName": "items", "Key": {"pk": {"S": "a"}}, "ConditionExpression": "attribute_exists(pk)",
    });
    let used = json!({"ClientRequestToken": "used", "TransactItems": [{"ConditionCheck": check}]});
    call(&engine, Operation::TransactWriteItems, &used).unwrap();
    if body.to_string().contains(r#""large 0""#) {
        for number in 0..11 {
            let item = json!({"pk": {"S": format!("large {number}")}, "data": {"S": "x".repeat(400_000)}});
            put(&engine, "items", item).unwrap();
        }
    }
    engine
}

fn shares_member(one: &Breach, other: &Breach) -> bool {
    one.members.as_object().unwrap().keys().any(|name| other.members.get(name).is_some())
}

fn broken(valid: &Value, breaches: &[&Breach]) -> Value {
    let mut body = valid.clone();
    for (name, value) in breaches.iter().flat_map(|breach| breach.members.as_object().unwrap()) {
        let (parent, name) = name.rsplit_once('/').unwrap_or(("", name));
        let parent = body.pointer_mut(parent).unwrap();
        if let Some(list) = parent.as_array_mut() {
            match name.parse::<usize>() {
                Ok(place) => list[place] = value.clone(),
                // As in a JSON patch, `-` is behind the last.
                Err(_) => list.push(value.clone()),
            }
            continue;
        }
        match (parent[name].as_object_mut(), value.as_object()) {
            // The placeholders of the valid request are still needed.
            (Some(held), Some(more)) if name.starts_with("ExpressionAttribute") => held.extend(more.clone()),
            _ => parent[name] = value.clone(),
        }
    }
    body
}

fn assert_refused(operation: Operation, body: &Value, expected: &Breach) {
    let refusal = call(&engine(body), operation, body).unwrap_err();
    let text = format!("{}: {}", refusal.name, refusal.message);
    let Breach { check, refusal, .. } = expected;
    let body: String = body.to_string().chars().take(1000).collect();
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
