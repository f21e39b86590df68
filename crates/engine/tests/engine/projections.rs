//! Projections of GetItem, Query and Scan.

use crate::support::{call, create, key, memory, put, query, refused_by, scan};
use keywright_api::Operation;
use keywright_engine::Engine;
use serde_json::{Value, json};

fn filled() -> Engine {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    let item = json!({
        "pk": {"S": "a"}, "name": {"S": "x"}, "n": {"N": "1"},
        "m": {"M": {"k": {"S": "v"}, "other": {"S": "w"}}}, "l": {"L": [{"N": "0"}, {"N": "1"}, {"N": "2"}]},
    });
    put(&engine, "items", item).unwrap();
    engine
}

fn projected(engine: &Engine, members: Value) -> Result<Value, crate::support::Refusal> {
    let body = json!({"TableName": "items", "Key": key("a")});
    call(engine, Operation::GetItem, &crate::support::merged(body, &members))
}

#[test]
fn a_read_returns_what_it_names_and_no_key_beside_it() {
    let engine = filled();
    let cases = [
        (json!({"ProjectionExpression": "n"}), json!({"n": {"N": "1"}})),
        (json!({"ProjectionExpression": "n, absent"}), json!({"n": {"N": "1"}})),
        (json!({"ProjectionExpression": "m.k"}), json!({"m": {"M": {"k": {"S": "v"}}}})),
        (json!({"ProjectionExpression": "l[2], l[0]"}), json!({"l": {"L": [{"N": "0"}, {"N": "2"}]}})),
        (
            json!({"ProjectionExpression": "#n, pk", "ExpressionAttributeNames": {"#n": "name"}}),
            json!({"pk": {"S": "a"}, "name": {"S": "x"}}),
        ),
        (json!({"AttributesToGet": ["name"]}), json!({"name": {"S": "x"}})),
        (json!({"AttributesToGet": ["absent"]}), json!({})),
    ];
    for (members, expected) in cases {
        assert_eq!(projected(&engine, members.clone()).unwrap(), json!({"Item": expected}), "{members}");
        let page = scan(&engine, "items", &members).unwrap();
        assert_eq!((&page["Items"], &page["Count"]), (&json!([expected]), &json!(1)), "{members}");
    }
    let absent = call(
        &engine,
        Operation::GetItem,
        &json!({"TableName": "items", "Key": key("b"), "ProjectionExpression": "n"}),
    );
    assert_eq!(absent.unwrap(), json!({}));
}

#[test]
fn a_projection_costs_what_the_whole_item_costs() {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    put(&engine, "items", json!({"pk": {"S": "a"}, "n": {"N": "1"}, "data": {"S": "x".repeat(9000)}}))
        .unwrap();
    let members =
        json!({"ProjectionExpression": "n", "ReturnConsumedCapacity": "TOTAL", "ConsistentRead": true});
    let answer = projected(&engine, members).unwrap();
    assert_eq!(answer["ConsumedCapacity"]["CapacityUnits"], 3.0);
}

#[test]
fn a_projection_into_a_key_attribute_is_refused() {
    let engine = filled();
    let expected =
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk";
    for projection in ["pk.b.c", "pk[0]", "n, pk.x"] {
        let members = json!({"ProjectionExpression": projection});
        assert_eq!(refused_by(projected(&engine, members.clone())), expected);
        assert_eq!(refused_by(scan(&engine, "items", &members)), expected);
        assert_eq!(
            refused_by(query(&engine, "items", "pk = :p", json!({":p": {"S": "a"}}), members)),
            expected
        );
    }
}
