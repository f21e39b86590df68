//! Secondary indexes: what is in them, what may be asked of them, and in which order they answer.

mod capacity;
mod keys;
mod lifetime;
mod model;
mod pages;
mod reading;
mod wide;

use serde_json::{Value, json};

use crate::support::{Refusal, call, create_indexed, get, index, memory, merged, put, refused_by, update};
use keywright_api::Operation;
use keywright_engine::Engine;

/// A table with the key `pk`, `sk`, a local index by `l` that has the attribute `p`, and a global one by `g` that has
/// `p` too.
pub(crate) fn engine() -> Engine {
    let engine = memory();
    let local = json!([index("by_l", &["pk", "l"], json!(["p"]))]);
    let global = json!([index("by_g", &["g", "l"], json!(["p"])), index("all_by_g", &["g"], json!("ALL"))]);
    create_indexed(&engine, "items", &["pk:S", "sk:S"], &local, &global, &["l:S", "g:S"]);
    engine
}

/// An item with these strings beside its key.
pub(crate) fn item(pk: &str, sk: &str, attributes: &[(&str, &str)]) -> Value {
    let mut item = json!({"pk": {"S": pk}, "sk": {"S": sk}});
    for (name, value) in attributes {
        item[*name] = json!({"S": value});
    }
    item
}

/// A Query of an index; strings stand for the values `:a`, `:b`, ...
pub(crate) fn query(
    engine: &Engine,
    index: &str,
    condition: &str,
    values: &[&str],
    members: Value,
) -> Result<Value, Refusal> {
    let mut body = json!({
        "TableName": "items", "IndexName": index, "KeyConditionExpression": condition,
        "ExpressionAttributeValues": {},
    });
    for (placeholder, value) in [":a", ":b", ":c", ":d"].iter().zip(values) {
        body["ExpressionAttributeValues"][placeholder] = json!({"S": value});
    }
    call(engine, Operation::Query, &merged(body, &members))
}

/// The values of a string attribute, in the order of the answer.
pub(crate) fn strings(answer: &Value, name: &str) -> Vec<String> {
    let items = answer["Items"].as_array().unwrap().iter();
    items.map(|item| item[name]["S"].as_str().unwrap_or("-").to_owned()).collect()
}

#[test]
fn an_item_is_in_an_index_exactly_as_long_as_it_has_all_attributes_of_its_key() {
    let engine = engine();
    let found =
        |condition: &str| strings(&query(&engine, "by_g", condition, &["g"], json!({})).unwrap(), "sk");
    put(&engine, "items", item("a", "1", &[("g", "g")])).unwrap();
    put(&engine, "items", item("a", "2", &[("l", "l")])).unwrap();
    assert_eq!(found("g = :a"), Vec::<String>::new(), "each lacks one half of the key");
    assert_eq!(
        get(&engine, "items", item("a", "1", &[])).unwrap()["g"]["S"],
        "g",
        "the table has them all the same"
    );

    let set = |name: &str| json!({"UpdateExpression": format!("SET {name} = :v"), "ExpressionAttributeValues": {":v": {"S": "g"}}});
    update(&engine, "items", item("a", "1", &[]), set("l")).unwrap();
    update(&engine, "items", item("a", "2", &[]), set("g")).unwrap();
    assert_eq!(found("g = :a"), ["1", "2"]);

    update(&engine, "items", item("a", "1", &[]), json!({"UpdateExpression": "REMOVE l"})).unwrap();
    assert_eq!(found("g = :a"), ["2"]);
    let delete = json!({"TableName": "items", "Key": item("a", "2", &[])});
    call(&engine, Operation::DeleteItem, &delete).unwrap();
    assert_eq!(found("g = :a"), Vec::<String>::new());
}

#[test]
fn an_entry_has_the_keys_of_table_and_index_and_what_the_index_projects() {
    let engine = engine();
    put(&engine, "items", item("a", "1", &[("l", "l"), ("g", "g"), ("p", "p"), ("q", "q")])).unwrap();
    let of = |index: &str, condition: &str, value: &str, members: Value| {
        query(&engine, index, condition, &[value], members).unwrap()["Items"][0].clone()
    };
    let projected = item("a", "1", &[("l", "l"), ("g", "g"), ("p", "p")]);
    assert_eq!(of("by_g", "g = :a", "g", json!({})), projected);
    assert_eq!(of("by_g", "g = :a", "g", json!({"Select": "ALL_PROJECTED_ATTRIBUTES"})), projected);
    assert_eq!(of("by_l", "pk = :a", "a", json!({})), item("a", "1", &[("l", "l"), ("p", "p")]));
    let whole = item("a", "1", &[("l", "l"), ("g", "g"), ("p", "p"), ("q", "q")]);
    assert_eq!(of("all_by_g", "g = :a", "g", json!({})), whole);
    assert_eq!(of("all_by_g", "g = :a", "g", json!({"Select": "ALL_ATTRIBUTES"})), whole);
}

/// C28. floci read a stale global index where the caller had asked for a consistent read, and toolbox refused the local
/// one, which is as consistent as its table.
#[test]
fn a_global_index_is_never_read_consistently_and_a_local_one_is() {
    let engine = engine();
    put(&engine, "items", item("a", "1", &[("l", "l"), ("g", "g")])).unwrap();
    let consistent = json!({"ConsistentRead": true});
    let refused = "Consistent reads are not supported on global secondary indexes";
    assert_eq!(refused_by(query(&engine, "by_g", "g = :a", &["g"], consistent.clone())), refused);
    let scan = |index: &str| {
        let body = json!({"TableName": "items", "IndexName": index, "ConsistentRead": true});
        call(&engine, Operation::Scan, &body)
    };
    assert_eq!(refused_by(scan("by_g")), refused);
    assert_eq!(query(&engine, "by_l", "pk = :a", &["a"], consistent).unwrap()["Count"], 1);
    assert_eq!(scan("by_l").unwrap()["Count"], 1);
}

/// C28: old moto gave what the index did not have, so that a program worked until it met the service.
#[test]
fn what_a_global_index_does_not_project_is_refused_and_what_a_local_one_does_not_is_fetched() {
    let engine = engine();
    put(&engine, "items", item("a", "1", &[("l", "l"), ("g", "g"), ("p", "p"), ("q", "q"), ("r", "r")]))
        .unwrap();
    let ask = |index: &str, members: Value| {
        let (condition, value) = if index == "by_l" { ("pk = :a", "a") } else { ("g = :a", "g") };
        query(&engine, index, condition, &[value], members)
    };
    let parts = json!({"ProjectionExpression": "p, q.x, r"});
    assert_eq!(
        refused_by(ask("by_g", parts)),
        "One or more parameter values were invalid: Global secondary index by_g does not project [q, r]"
    );
    assert_eq!(
        refused_by(ask("by_g", json!({"Select": "ALL_ATTRIBUTES"}))),
        "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary \
         index by_g because its projection type is not ALL"
    );
    let fetched = ask("by_l", json!({"ProjectionExpression": "p, q"})).unwrap();
    assert_eq!(fetched["Items"], json!([{"p": {"S": "p"}, "q": {"S": "q"}}]));
    let whole = ask("by_l", json!({"Select": "ALL_ATTRIBUTES"})).unwrap();
    assert_eq!(whole["Items"][0]["r"]["S"], "r");
    for index in ["by_g", "by_l"] {
        let filter = json!({
            "FilterExpression": "q = :q AND p = :q AND r = :q",
            "ExpressionAttributeValues": {":a": {"S": if index == "by_l" { "a" } else { "g" }}, ":q": {"S": "q"}},
        });
        assert_eq!(
            refused_by(ask(index, filter)),
            format!(
                "One or more parameter values were invalid: Secondary index {index} does not project one or more filter \
                 attributes: [q, r]"
            )
        );
    }
}

#[test]
fn a_filter_on_an_index_looks_at_the_key_of_the_table_but_not_at_its_own() {
    let engine = engine();
    for sk in ["1", "2"] {
        put(&engine, "items", item("a", sk, &[("l", "l"), ("g", "g")])).unwrap();
    }
    let filtered = |filter: &str| {
        let members = json!({"FilterExpression": filter, "ExpressionAttributeValues": {":a": {"S": "g"}, ":b": {"S": "2"}}});
        query(&engine, "by_g", "g = :a", &["g"], members)
    };
    assert_eq!(strings(&filtered("sk = :b").unwrap(), "sk"), ["2"]);
    assert_eq!(
        refused_by(filtered("l = :b")),
        "Filter Expression can only contain non-primary key attributes: Primary key attribute: l"
    );
}

/// C17: moto ordered numbers as text, and fakecloud gave the arms of both signs exchanged.
#[test]
fn numbers_in_an_index_order_by_value_in_both_directions() {
    let engine = memory();
    let global = json!([index("by_n", &["g", "n"], json!("KEYS_ONLY"))]);
    create_indexed(&engine, "items", &["pk:S"], &json!([]), &global, &["g:S", "n:N"]);
    for number in ["2", "-0.6", "10", "0", "-0.7"] {
        put(&engine, "items", json!({"pk": {"S": number}, "g": {"S": "g"}, "n": {"N": number}})).unwrap();
    }
    let ordered = |members: Value| strings(&query(&engine, "by_n", "g = :a", &["g"], members).unwrap(), "pk");
    assert_eq!(ordered(json!({})), ["-0.7", "-0.6", "0", "2", "10"]);
    assert_eq!(ordered(json!({"ScanIndexForward": false})), ["10", "2", "0", "-0.6", "-0.7"]);
    let below = json!({
        "KeyConditionExpression": "g = :a AND n < :n",
        "ExpressionAttributeValues": {":a": {"S": "g"}, ":n": {"N": "0"}},
    });
    assert_eq!(ordered(below), ["-0.7", "-0.6"]);
}

#[test]
fn an_index_of_another_table_is_unknown() {
    let engine = engine();
    let refused = "The table does not have the specified index: whatever";
    assert_eq!(refused_by(query(&engine, "whatever", "g = :a", &["g"], json!({}))), refused);
    let scan = json!({"TableName": "items", "IndexName": "whatever"});
    assert_eq!(refused_by(call(&engine, Operation::Scan, &scan)), refused);
}

/// C59 for indexes: counts are those of hours ago, and a new table is described as it will be.
#[test]
fn indexes_are_described_from_the_first_answer_and_their_figures_come_late() {
    let engine = engine();
    put(&engine, "items", item("a", "1", &[("l", "l"), ("g", "g")])).unwrap();
    let body = json!({"TableName": "items"});
    let described = call(&engine, Operation::DescribeTable, &body).unwrap()["Table"].clone();
    let first = &described["GlobalSecondaryIndexes"][0];
    assert_eq!((&first["IndexStatus"], &first["ItemCount"]), (&json!("ACTIVE"), &json!(0)));
    assert_eq!(first["IndexArn"], format!("{}/index/by_g", described["TableArn"].as_str().unwrap()));
    assert_eq!(described["LocalSecondaryIndexes"][0]["IndexName"], "by_l");
    assert_eq!(described["LocalSecondaryIndexes"][0].get("IndexStatus"), None);
    let created = create_indexed(
        &engine,
        "other",
        &["pk:S"],
        &json!([]),
        &json!([index("by_g", &["g"], json!("ALL"))]),
        &["g:S"],
    );
    assert_eq!(created["TableDescription"]["GlobalSecondaryIndexes"][0]["IndexStatus"], "CREATING");
}
