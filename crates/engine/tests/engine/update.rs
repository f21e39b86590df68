//! UpdateItem: what it changes, what it answers, what it costs, and the reported cases about it.

use crate::support::{call, create, get, key, memory, put, refused_by, update};
use keywright_api::Operation;
use keywright_engine::Engine;
use serde_json::{Value, json};

const INVALID_PATH: &str = "The document path provided in the update expression is invalid for update";
const MISSING: &str = "The provided expression refers to an attribute that does not exist in the item";

/// A table with this item under the key `a`; `attributes` are those beside the key.
fn holding(attributes: Value) -> Engine {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    let mut item = key("a");
    item.as_object_mut().unwrap().extend(attributes.as_object().unwrap().clone());
    put(&engine, "items", item).unwrap();
    engine
}

/// The item under the key `a`, without its key.
fn attributes(engine: &Engine) -> Value {
    let mut item = get(engine, "items", key("a")).unwrap();
    item.as_object_mut().unwrap().remove("pk");
    item
}

fn set(engine: &Engine, expression: &str, values: Value) -> Result<Value, crate::support::Refusal> {
    let mut members = json!({"UpdateExpression": expression});
    if values != json!({}) {
        members["ExpressionAttributeValues"] = values;
    }
    update(engine, "items", key("a"), members)
}

#[test]
fn an_update_creates_the_item_that_is_not_there() {
    let engine = memory();
    create(&engine, "items", "pk:S", Some("sk:N"));
    let key = json!({"pk": {"S": "a"}, "sk": {"N": "1.0"}});
    let members = json!({"UpdateExpression": "SET v = :v", "ExpressionAttributeValues": {":v": {"S": "x"}}});
    assert_eq!(update(&engine, "items", key.clone(), members).unwrap(), json!({}));
    let found = get(&engine, "items", key).unwrap();
    assert_eq!(found, json!({"pk": {"S": "a"}, "sk": {"N": "1"}, "v": {"S": "x"}}));
    // Without any update at all, the key is the item.
    let other = json!({"pk": {"S": "b"}, "sk": {"N": "2"}});
    update(&engine, "items", other.clone(), json!({})).unwrap();
    assert_eq!(get(&engine, "items", other.clone()).unwrap(), other);
}

#[test]
fn each_clause_changes_what_it_names_and_nothing_else() {
    let engine = holding(json!({
        "keep": {"S": "k"}, "drop": {"S": "d"}, "n": {"N": "10"}, "tags": {"SS": ["a", "b", "c"]}, "m": {"M": {"x": {"N": "1"}}},
    }));
    let values = json!({":one": {"N": "1"}, ":add": {"SS": ["d"]}, ":x": {"N": "2"}, ":gone": {"NS": ["1"]}});
    let expression = "SET m.x = :x, fresh = n + :one REMOVE #d ADD n :one, #t :add DELETE nothing :gone";
    let members = json!({
        "UpdateExpression": expression, "ExpressionAttributeValues": values,
        "ExpressionAttributeNames": {"#d": "drop", "#t": "tags"},
    });
    update(&engine, "items", key("a"), members).unwrap();
    assert_eq!(
        attributes(&engine),
        json!({
            "keep": {"S": "k"}, "n": {"N": "11"}, "fresh": {"N": "11"}, "tags": {"SS": ["a", "b", "c", "d"]},
            "m": {"M": {"x": {"N": "2"}}},
        })
    );
    // A set that loses its last member is gone, since there are no empty sets.
    set(&engine, "DELETE tags :all", json!({":all": {"SS": ["a", "b", "c", "d", "e"]}})).unwrap();
    assert_eq!(attributes(&engine)["tags"], Value::Null);
}

/// C07. An emulator built the parents of a path that does not exist, and its users' code failed on AWS.
#[test]
fn a_path_through_what_does_not_exist_is_refused_and_creates_nothing() {
    let engine = holding(json!({"a": {"M": {}}}));
    let value = json!({":v": {"S": "x"}});
    for expression in ["SET absent.child = :v", "SET a.b.c = :v", "SET a[0] = :v"] {
        assert_eq!(refused_by(set(&engine, expression, value.clone())), INVALID_PATH, "{expression}");
        assert_eq!(attributes(&engine), json!({"a": {"M": {}}}));
    }
    set(&engine, "SET a.b = :v", value).unwrap();
    assert_eq!(attributes(&engine), json!({"a": {"M": {"b": {"S": "x"}}}}));
    // A path into nothing is no reason to create the item either.
    let absent = update(
        &engine,
        "items",
        key("absent"),
        json!({"UpdateExpression": "SET b.c = :v", "ExpressionAttributeValues": {":v": {"S": "x"}}}),
    );
    assert_eq!(refused_by(absent), INVALID_PATH);
    assert_eq!(get(&engine, "items", key("absent")).unwrap(), Value::Null);
}

/// C09. Two emulators read the new value on the right side, so that a swap lost one of both values.
#[test]
fn the_right_sides_read_the_item_before_the_update() {
    let engine = holding(json!({"a": {"S": "old"}, "b": {"S": "x"}, "c": {"N": "10"}}));
    set(&engine, "SET a = :new, b = a", json!({":new": {"S": "new"}})).unwrap();
    assert_eq!(
        (&attributes(&engine)["a"], &attributes(&engine)["b"]),
        (&json!({"S": "new"}), &json!({"S": "old"}))
    );
    set(&engine, "SET a = b, b = a", json!({})).unwrap();
    assert_eq!(
        (&attributes(&engine)["a"], &attributes(&engine)["b"]),
        (&json!({"S": "old"}), &json!({"S": "new"}))
    );
    set(&engine, "SET c = (c - :three)", json!({":three": {"N": "3"}})).unwrap();
    assert_eq!(attributes(&engine)["c"], json!({"N": "7"}));
}

/// C10. An emulator appended to a list that does not exist; on AWS that needs if_not_exists.
#[test]
fn lists_are_appended_to_at_either_end_where_they_exist() {
    let engine = holding(json!({}));
    let one = json!({":n": {"L": [{"S": "n"}]}});
    assert_eq!(refused_by(set(&engine, "SET l = list_append(l, :n)", one.clone())), MISSING);
    let with_empty = json!({":n": {"L": [{"S": "n"}]}, ":empty": {"L": []}});
    set(&engine, "SET l = list_append(if_not_exists(l, :empty), :n)", with_empty).unwrap();
    assert_eq!(attributes(&engine), json!({"l": {"L": [{"S": "n"}]}}));

    set(&engine, "SET l = :one", json!({":one": {"L": [{"N": "1"}]}})).unwrap();
    set(&engine, "SET l = list_append(:n, l)", one.clone()).unwrap();
    assert_eq!(attributes(&engine), json!({"l": {"L": [{"S": "n"}, {"N": "1"}]}}));
    set(&engine, "SET l = list_append(l, :n)", one).unwrap();
    assert_eq!(attributes(&engine), json!({"l": {"L": [{"S": "n"}, {"N": "1"}, {"S": "n"}]}}));

    let counter = json!({":z": {"N": "40"}, ":one": {"N": "1"}});
    set(&engine, "SET n = if_not_exists(n, :z) + :one", counter.clone()).unwrap();
    set(&engine, "SET n = if_not_exists(n, :z) + :one", counter).unwrap();
    assert_eq!(attributes(&engine)["n"], json!({"N": "42"}));
}

/// C11. An emulator applied both of two changes to one path; then it refused siblings whose parent is an alias.
#[test]
fn two_changes_of_one_path_are_refused_and_siblings_are_not() {
    let engine = holding(json!({"m": {"M": {"k": {"N": "1"}}}, "l": {"L": [{"N": "1"}]}}));
    for (expression, values, one, two) in [
        ("SET x = :a, x = :b", json!({":a": {"S": "1"}, ":b": {"S": "2"}}), "[x]", "[x]"),
        (
            "SET m = if_not_exists(m, :a), m.k = :b",
            json!({":a": {"M": {}}, ":b": {"S": "2"}}),
            "[m]",
            "[m, k]",
        ),
        ("SET m = :a REMOVE m.n.o", json!({":a": {"M": {}}}), "[m]", "[m, n, o]"),
    ] {
        let expected = format!(
            "Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these \
             paths; path one: {one}, path two: {two}"
        );
        assert_eq!(refused_by(set(&engine, expression, values)), expected);
    }
    let aliases = json!({
        "UpdateExpression": "SET #a.#b = :1, #a.#c = :2",
        "ExpressionAttributeNames": {"#a": "m", "#b": "b", "#c": "c"},
        "ExpressionAttributeValues": {":1": {"N": "1"}, ":2": {"N": "2"}},
    });
    update(&engine, "items", key("a"), aliases).unwrap();
    set(&engine, "SET l[0] = :1, l[1] = :2", json!({":1": {"N": "1"}, ":2": {"N": "2"}})).unwrap();
    assert_eq!(
        attributes(&engine),
        json!({
            "m": {"M": {"k": {"N": "1"}, "b": {"N": "1"}, "c": {"N": "2"}}}, "l": {"L": [{"N": "1"}, {"N": "2"}]},
        })
    );
}

#[test]
fn a_key_attribute_cannot_be_changed_nor_gone_into() {
    let engine = memory();
    create(&engine, "items", "pk:S", Some("sk:S"));
    let item_key = json!({"pk": {"S": "a"}, "sk": {"S": "b"}});
    let run = |members: Value| refused_by(update(&engine, "items", item_key.clone(), members));
    let part = |name: &str| {
        format!(
            "One or more parameter values were invalid: Cannot update attribute {name}. This attribute is part of the key"
        )
    };
    let value = json!({":v": {"S": "x"}});
    let number = json!({":v": {"N": "1"}});
    for (expression, values, name) in [
        ("SET pk = :v", &value, "pk"),
        ("SET x = :v, sk = :v", &value, "sk"),
        // The partition key is named first, wherever it stands.
        ("SET sk = :v, pk = :v", &value, "pk"),
        ("ADD sk.x :v", &number, "sk"),
    ] {
        let members = json!({"UpdateExpression": expression, "ExpressionAttributeValues": values});
        assert_eq!(run(members), part(name), "{expression}");
    }
    assert_eq!(run(json!({"UpdateExpression": "REMOVE pk"})), part("pk"));
    assert_eq!(run(json!({"AttributeUpdates": {"pk": {"Value": {"S": "x"}}}})), part("pk"));
    assert_eq!(
        run(json!({"UpdateExpression": "SET x = pk.y"})),
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk"
    );
}

#[test]
fn each_image_holds_what_its_name_says() {
    let values = json!({":v": {"S": "new"}});
    let cases = [
        ("NONE", json!({})),
        ("ALL_OLD", json!({"Attributes": {"pk": {"S": "a"}, "x": {"S": "old"}, "keep": {"S": "k"}}})),
        ("UPDATED_OLD", json!({"Attributes": {"x": {"S": "old"}}})),
        ("ALL_NEW", json!({"Attributes": {"pk": {"S": "a"}, "x": {"S": "new"}, "keep": {"S": "k"}}})),
        ("UPDATED_NEW", json!({"Attributes": {"x": {"S": "new"}}})),
    ];
    for (image, expected) in cases {
        let engine = holding(json!({"x": {"S": "old"}, "keep": {"S": "k"}}));
        let members = json!({"UpdateExpression": "SET x = :v", "ExpressionAttributeValues": values, "ReturnValues": image});
        assert_eq!(update(&engine, "items", key("a"), members).unwrap(), expected, "{image}");
    }
    // There is no image of what is not there.
    for image in ["ALL_OLD", "UPDATED_OLD"] {
        let engine = holding(json!({}));
        let members = json!({"UpdateExpression": "SET x = :v", "ExpressionAttributeValues": values, "ReturnValues": image});
        assert_eq!(update(&engine, "items", key("b"), members).unwrap(), json!({}), "{image}");
    }
    let engine = holding(json!({"x": {"S": "old"}}));
    let members = json!({"UpdateExpression": "REMOVE x", "ReturnValues": "UPDATED_NEW"});
    assert_eq!(update(&engine, "items", key("a"), members).unwrap(), json!({}));
}

/// C37, as far as a client without streams sees it: an update that changes nothing by value succeeds and is paid for. That
/// nothing changed is known where the change is written, whatever the order in which a set or map was sent.
#[test]
fn an_update_that_changes_nothing_is_a_success() {
    let engine = holding(json!({"tags": {"SS": ["a", "b"]}, "m": {"M": {"x": {"N": "1"}, "y": {"N": "2"}}}}));
    let before = attributes(&engine);
    let same = json!({":t": {"SS": ["b", "a"]}, ":m": {"M": {"y": {"N": "2.0"}, "x": {"N": "1"}}}});
    let members = json!({
        "UpdateExpression": "SET tags = :t, m = :m REMOVE absent", "ExpressionAttributeValues": same,
        "ReturnConsumedCapacity": "TOTAL", "ReturnValues": "UPDATED_NEW",
    });
    let answer = update(&engine, "items", key("a"), members).unwrap();
    assert_eq!(answer["ConsumedCapacity"]["CapacityUnits"], 1.0);
    assert_eq!(answer["Attributes"], before);
    assert_eq!(attributes(&engine), before);
    update(&engine, "items", key("a"), json!({})).unwrap();
    assert_eq!(attributes(&engine), before);
}

#[test]
fn a_write_unit_is_paid_for_each_started_kilobyte_of_the_larger_image() {
    let engine = holding(json!({"data": {"S": "x".repeat(3000)}}));
    let cost = |members: Value| {
        let mut members = members;
        members["ReturnConsumedCapacity"] = json!("TOTAL");
        let answer = update(&engine, "items", key("a"), members).unwrap();
        answer["ConsumedCapacity"]["CapacityUnits"].as_f64().unwrap()
    };
    let value = |text: String| json!({"UpdateExpression": "SET d = :v", "ExpressionAttributeValues": {":v": {"S": text}}});
    assert_eq!(cost(json!({"UpdateExpression": "SET small = pk"})), 3.0);
    assert_eq!(cost(value("x".repeat(2000))), 5.0);
    assert_eq!(cost(json!({"UpdateExpression": "REMOVE d, small"})), 5.0);
    assert_eq!(
        cost(json!({"UpdateExpression": "REMOVE #d", "ExpressionAttributeNames": {"#d": "data"}})),
        3.0
    );
    assert_eq!(cost(json!({"UpdateExpression": "REMOVE x"})), 1.0);
}

#[test]
fn an_item_does_not_grow_beyond_400_kb() {
    let engine = holding(json!({"l": {"S": "x".repeat(300_000)}}));
    let grow = |bytes: usize| set(&engine, "SET more = :v", json!({":v": {"S": "y".repeat(bytes)}}));
    let rest = 400 * 1024 - 300_000 - "pk".len() - "a".len() - "l".len() - "more".len();
    assert_eq!(refused_by(grow(rest + 1)), "Item size to update has exceeded the maximum allowed size");
    assert_eq!(attributes(&engine)["more"], Value::Null);
    grow(rest).unwrap();
}

/// C14. A value that is put deeper than 32 levels, one nesting at a time.
#[test]
fn nesting_beyond_32_levels_is_refused_whether_sent_or_reached_by_updates() {
    let nested =
        |levels: usize| (0..levels).fold(json!({"S": "leaf"}), |inner, _| json!({"M": {"n": inner}}));
    let engine = holding(json!({"deep": nested(20)}));
    let path = ["deep"].into_iter().chain(std::iter::repeat_n("n", 20)).collect::<Vec<_>>().join(".");
    let grow = |levels: usize| set(&engine, &format!("SET {path} = :v"), json!({":v": nested(levels)}));
    grow(11).unwrap();
    let refused = refused_by(grow(13));
    assert!(refused.starts_with("Nesting Levels have exceeded supported limits"), "{refused}");
}

/// C03. Sums that leave the range of numbers, or need more than 38 digits, are refused; the item stays as it was.
#[test]
fn a_sum_that_is_no_number_of_the_service_is_refused() {
    let engine = holding(json!({"n": {"N": "9e125"}, "one": {"N": "1"}}));
    for (expression, value) in [
        ("ADD n :v", "9e125"),
        ("SET n = n + :v", "9e125"),
        ("SET one = one + :v", "1e50"),
        ("ADD one :v", "1e50"),
    ] {
        let refused = refused_by(set(&engine, expression, json!({":v": {"N": value}})));
        assert!(refused.contains("Number overflow") || refused.contains("significant digits"), "{refused}");
    }
    let nines = format!("9{}", "0".repeat(125));
    assert_eq!(attributes(&engine), json!({"n": {"N": nines}, "one": {"N": "1"}}));
}

#[test]
fn an_update_that_does_not_fit_the_item_is_refused() {
    let engine = holding(json!({"s": {"S": "x"}, "ss": {"SS": ["a"]}}));
    let operand = "An operand in the update expression has an incorrect data type";
    for (expression, values) in [
        ("ADD s :v", json!({":v": {"N": "1"}})),
        ("ADD ss :v", json!({":v": {"NS": ["1"]}})),
        ("DELETE ss :v", json!({":v": {"NS": ["1"]}})),
        ("SET x = s + :v", json!({":v": {"N": "1"}})),
    ] {
        assert_eq!(refused_by(set(&engine, expression, values)), operand, "{expression}");
    }
    assert_eq!(refused_by(set(&engine, "SET x = absent", json!({}))), MISSING);
    let legacy = update(
        &engine,
        "items",
        key("a"),
        json!({"AttributeUpdates": {"s": {"Action": "ADD", "Value": {"N": "1"}}}}),
    );
    assert_eq!(refused_by(legacy), "Type mismatch for attribute to update");
}

#[test]
fn the_legacy_actions_put_add_and_delete() {
    let engine = holding(json!({"n": {"N": "1"}, "tags": {"SS": ["a", "b"]}, "drop": {"S": "x"}}));
    let members = json!({
        "AttributeUpdates": {
            "fresh": {"Value": {"S": "put"}}, "n": {"Action": "ADD", "Value": {"N": "9"}},
            "tags": {"Action": "DELETE", "Value": {"SS": ["a"]}}, "drop": {"Action": "DELETE"},
            "l": {"Action": "ADD", "Value": {"L": [{"N": "1"}]}},
        },
        "ReturnValues": "UPDATED_NEW",
    });
    let expected =
        json!({"fresh": {"S": "put"}, "n": {"N": "10"}, "tags": {"SS": ["b"]}, "l": {"L": [{"N": "1"}]}});
    assert_eq!(update(&engine, "items", key("a"), members).unwrap(), json!({"Attributes": expected}));
    assert_eq!(attributes(&engine), expected);
}

/// Counters: every ADD of every thread is in the sum, and each answer was the value at one moment.
#[test]
fn concurrent_increments_add_up_exactly() {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    let mut seen: Vec<u32> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let add = || {
                        let members = json!({
                            "UpdateExpression": "ADD hits :one", "ExpressionAttributeValues": {":one": {"N": "1"}},
                            "ReturnValues": "UPDATED_NEW",
                        });
                        let answer = update(&engine, "items", key("counter"), members).unwrap();
                        answer["Attributes"]["hits"]["N"].as_str().unwrap().parse().unwrap()
                    };
                    (0..100).map(|_| add()).collect::<Vec<u32>>()
                })
            })
            .collect();
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    assert_eq!(get(&engine, "items", key("counter")).unwrap()["hits"], json!({"N": "800"}));
    seen.sort_unstable();
    assert_eq!(seen, (1..=800).collect::<Vec<u32>>());
}

#[test]
fn an_update_is_refused_for_its_table_and_its_key() {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    let absent = update(&engine, "absent", key("a"), json!({"UpdateExpression": "REMOVE pk"})).unwrap_err();
    assert_eq!(
        (absent.name.as_str(), absent.message.as_str()),
        ("ResourceNotFoundException", "Requested resource not found")
    );
    let wrong = update(&engine, "items", json!({"pk": {"N": "1"}}), json!({"UpdateExpression": "REMOVE pk"}));
    assert_eq!(refused_by(wrong), "The provided key element does not match the schema");
    let empty = call(&engine, Operation::UpdateItem, &json!({"TableName": "items", "Key": key("")}));
    assert!(refused_by(empty).contains("empty string value. Key: pk"));
}
