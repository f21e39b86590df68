//! TransactWriteItems and TransactGetItems.

mod cancelled;
mod capacity;
mod limits;
mod reads;

use crate::support::{create, get, key, memory, put, transact};
use keywright_engine::Engine;
use serde_json::{Value, json};

fn engine() -> Engine {
    let engine = memory();
    create(&engine, "users", "pk:S", None);
    create(&engine, "orders", "pk:S", Some("sk:S"));
    engine
}

/// An action on the table `users`, with more members.
fn action(kind: &str, members: Value) -> Value {
    let mut content = json!({"TableName": "users"});
    content.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    json!({kind: content})
}

fn put_action(item: Value) -> Value {
    action("Put", json!({"Item": item}))
}

/// Sets the attribute `n` of a user.
fn set(name: &str, number: u32) -> Value {
    action(
        "Update",
        json!({
            "Key": key(name), "UpdateExpression": "SET n = :n",
            "ExpressionAttributeValues": {":n": {"N": number.to_string()}},
        }),
    )
}

#[test]
fn puts_updates_deletes_and_checks_of_several_tables_take_effect_together() {
    let engine = engine();
    put(&engine, "users", json!({"pk": {"S": "edited"}, "n": {"N": "1"}})).unwrap();
    put(&engine, "users", key("deleted")).unwrap();
    put(&engine, "users", json!({"pk": {"S": "checked"}, "state": {"S": "active"}})).unwrap();
    let order = json!({"pk": {"S": "o"}, "sk": {"S": "1"}});
    let actions = json!([
        put_action(json!({"pk": {"S": "new"}, "n": {"N": "7"}})),
        set("edited", 2),
        set("created", 3),
        action("Delete", json!({"Key": key("deleted")})),
        action(
            "ConditionCheck",
            json!({
                "Key": key("checked"), "ConditionExpression": "#s = :a",
                "ExpressionAttributeNames": {"#s": "state"}, "ExpressionAttributeValues": {":a": {"S": "active"}},
            }),
        ),
        {"Put": {"TableName": "orders", "Item": order}},
    ]);
    assert_eq!(transact(&engine, actions).unwrap(), json!({}));
    let user = |name: &str| get(&engine, "users", key(name)).unwrap();
    assert_eq!(user("new")["n"], json!({"N": "7"}));
    assert_eq!(user("edited")["n"], json!({"N": "2"}));
    assert_eq!(user("created")["n"], json!({"N": "3"}));
    assert_eq!(user("deleted"), Value::Null);
    assert_eq!(user("checked")["state"], json!({"S": "active"}));
    assert_eq!(get(&engine, "orders", order.clone()).unwrap(), order);
}

/// Every condition is decided on the items as they were before: none of them sees what the others write.
#[test]
fn no_action_sees_another_one() {
    let engine = engine();
    put(&engine, "users", json!({"pk": {"S": "a"}, "n": {"N": "1"}})).unwrap();
    let absent = json!({"ConditionExpression": "attribute_not_exists(pk)"});
    let mut create_b = put_action(key("b"));
    create_b["Put"].as_object_mut().unwrap().extend(absent.as_object().unwrap().clone());
    let actions = json!([create_b, set("a", 5)]);
    transact(&engine, actions.clone()).unwrap();
    let refused = transact(&engine, actions).unwrap_err();
    assert_eq!(refused.name, "TransactionCanceledException");
}

/// C32. An emulator joined a key's parts with `#` and took two items for one; of another one the actions ahead of a bad
/// one took effect.
#[test]
fn keys_are_compared_part_by_part_and_one_item_is_written_once() {
    let engine = engine();
    let order = |pk: &str, sk: &str| json!({"Put": {"TableName": "orders", "Item": {"pk": {"S": pk}, "sk": {"S": sk}}}});
    transact(&engine, json!([order("A#", "B"), order("A", "#B")])).unwrap();

    let checked =
        action("ConditionCheck", json!({"Key": key("a"), "ConditionExpression": "attribute_not_exists(pk)"}));
    for twice in [json!([put_action(key("a")), set("a", 1)]), json!([checked, put_action(key("a"))])] {
        let refused = transact(&engine, twice).unwrap_err();
        assert_eq!(refused.name, "ValidationException");
        assert_eq!(refused.message, "Transaction request cannot include multiple operations on one item");
        assert_eq!(get(&engine, "users", key("a")).unwrap(), Value::Null);
    }
}

/// C30. The parts of a transaction are seen together also after the process came back.
#[test]
fn a_transaction_is_there_after_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let open = || Engine::open(keywright_engine::Options::directory(directory.path())).unwrap();
    let engine = open();
    create(&engine, "users", "pk:S", None);
    transact(&engine, json!([set("a", 1), set("b", 2)])).unwrap();
    drop(engine);
    let engine = open();
    assert_eq!(get(&engine, "users", key("a")).unwrap()["n"], json!({"N": "1"}));
    assert_eq!(get(&engine, "users", key("b")).unwrap()["n"], json!({"N": "2"}));
}
