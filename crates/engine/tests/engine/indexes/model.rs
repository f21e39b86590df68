//! Random tables with indexes under random writes: after every step, and after a restart, each index holds exactly what its
//! definition makes of the table.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::support::{call, create_indexed};
use keywright_api::Operation;
use keywright_engine::files::MemoryFiles;
use keywright_engine::{Engine, Options};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// The attributes that keys and projections are made of; the last two are numbers.
const ATTRIBUTES: [&str; 6] = ["a", "b", "c", "d", "m", "n"];

fn kind(attribute: &str) -> &'static str {
    if matches!(attribute, "m" | "n") { "N" } else { "S" }
}

#[derive(Clone, Debug)]
struct IndexPlan {
    local: bool,
    partition: Vec<&'static str>,
    sort: Vec<&'static str>,
    /// `None` is everything, and no names are the keys only.
    projected: Option<Vec<&'static str>>,
}

/// Places in `ATTRIBUTES`, each with the place of its value.
type Attributes = Vec<(usize, u8)>;

#[derive(Clone, Debug)]
enum Step {
    Put {
        pk: u8,
        sk: u8,
        attributes: Attributes,
    },
    Set {
        pk: u8,
        sk: u8,
        attribute: usize,
        value: u8,
    },
    Remove {
        pk: u8,
        sk: u8,
        attribute: usize,
    },
    Delete {
        pk: u8,
        sk: u8,
    },
    /// Puts of one batch.
    Batch {
        items: Vec<(u8, u8, Attributes)>,
    },
    /// A delete and a put that take effect together.
    Transaction {
        deleted: (u8, u8),
        put: (u8, u8),
        attributes: Attributes,
    },
    /// A transaction whose last member cancels it.
    Cancelled {
        pk: u8,
        sk: u8,
        attributes: Attributes,
    },
    Restart,
}

fn plans() -> impl Strategy<Value = Vec<IndexPlan>> {
    let names = |least: usize, most: usize| {
        prop::sample::subsequence(ATTRIBUTES.to_vec(), least..=most).prop_shuffle()
    };
    let projected = prop_oneof![Just(None), Just(Some(vec![])), names(1, 3).prop_map(Some)];
    let local = (names(1, 1), projected.clone()).prop_map(|(sort, projected)| IndexPlan {
        local: true,
        partition: vec!["pk"],
        sort,
        projected,
    });
    let global = (names(1, 6), 1usize..=4, projected).prop_map(|(mut attributes, partition, projected)| {
        let sort = attributes.split_off(partition.min(attributes.len()));
        IndexPlan { local: false, partition: attributes, sort: sort.into_iter().take(4).collect(), projected }
    });
    prop::collection::vec(prop_oneof![1 => local, 2 => global], 1..5)
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let key = || (0u8..3, 0u8..3);
    let attribute = || 0..ATTRIBUTES.len();
    let attributes = move || prop::collection::vec((attribute(), 0u8..3), 0..6);
    let step = prop_oneof![
        6 => (key(), attributes()).prop_map(|((pk, sk), attributes)| Step::Put { pk, sk, attributes }),
        5 => (key(), attribute(), 0u8..3)
            .prop_map(|((pk, sk), attribute, value)| Step::Set { pk, sk, attribute, value }),
        3 => (key(), attribute()).prop_map(|((pk, sk), attribute)| Step::Remove { pk, sk, attribute }),
        2 => key().prop_map(|(pk, sk)| Step::Delete { pk, sk }),
        1 => prop::collection::vec((0u8..3, 0u8..3, attributes()), 1..4)
            .prop_map(|items| Step::Batch { items }),
        2 => (key(), key(), attributes())
            .prop_map(|(deleted, put, attributes)| Step::Transaction { deleted, put, attributes }),
        1 => (key(), attributes()).prop_map(|((pk, sk), attributes)| Step::Cancelled { pk, sk, attributes }),
        1 => Just(Step::Restart),
    ];
    prop::collection::vec(step, 1..25)
}

type Model = BTreeMap<(u8, u8), Map<String, Value>>;

fn key_of(pk: u8, sk: u8) -> Map<String, Value> {
    // A zero byte in keys and values: it must not end them.
    let mut key = Map::new();
    key.insert("pk".to_owned(), json!({"S": format!("p\0{pk}")}));
    key.insert("sk".to_owned(), json!({"N": format!("-{}", sk + 1)}));
    key
}

fn value_of(attribute: usize, value: u8) -> Value {
    match kind(ATTRIBUTES[attribute]) {
        "N" => json!({"N": (["-1.5", "0", "7"][usize::from(value)])}),
        _ => json!({"S": (["x", "x\0", "xy"][usize::from(value)])}),
    }
}

fn item_of(pk: u8, sk: u8, attributes: &[(usize, u8)]) -> Map<String, Value> {
    let mut item = key_of(pk, sk);
    for (attribute, value) in attributes {
        item.insert(ATTRIBUTES[*attribute].to_owned(), value_of(*attribute, *value));
    }
    item
}

fn create(engine: &Engine, plans: &[IndexPlan]) {
    let lists = |local: bool| -> Value {
        let plans = plans.iter().enumerate().filter(|(_, plan)| plan.local == local);
        plans
            .map(|(place, plan)| {
                let element = |name: &&str, role: &str| json!({"AttributeName": name, "KeyType": role});
                let partition = plan.partition.iter().map(|name| element(name, "HASH"));
                let sort = plan.sort.iter().map(|name| element(name, "RANGE"));
                let projection = match &plan.projected {
                    None => json!({"ProjectionType": "ALL"}),
                    Some(names) if names.is_empty() => json!({"ProjectionType": "KEYS_ONLY"}),
                    Some(names) => json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": names}),
                };
                json!({
                    "IndexName": format!("index{place}"), "Projection": projection,
                    "KeySchema": partition.chain(sort).collect::<Vec<_>>(),
                })
            })
            .collect()
    };
    let mut used: Vec<&str> =
        plans.iter().flat_map(|plan| plan.partition.iter().chain(&plan.sort)).copied().collect();
    used.sort_unstable();
    used.dedup();
    used.retain(|name| *name != "pk");
    let more: Vec<String> = used.iter().map(|name| format!("{name}:{}", kind(name))).collect();
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    create_indexed(engine, "items", &["pk:S", "sk:N"], &lists(true), &lists(false), &more);
}

/// What an index has to hold, whatever the order.
fn expected(plan: &IndexPlan, model: &Model) -> Vec<Map<String, Value>> {
    let keys: Vec<&str> = plan.partition.iter().chain(&plan.sort).copied().collect();
    let items = model.values().filter(|item| keys.iter().all(|name| item.contains_key(*name)));
    let projected = |item: &Map<String, Value>| -> Map<String, Value> {
        let is_projected = |name: &str| match &plan.projected {
            None => true,
            Some(names) => matches!(name, "pk" | "sk") || keys.contains(&name) || names.contains(&name),
        };
        item.iter()
            .filter(|(name, _)| is_projected(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    };
    sorted(items.map(projected).collect())
}

fn sorted(mut items: Vec<Map<String, Value>>) -> Vec<Map<String, Value>> {
    items.sort_by_key(|item| Value::Object(item.clone()).to_string());
    items
}

/// Orders values of one attribute as the service does: numbers by value, strings by bytes.
fn rank(value: &Value) -> (i64, String) {
    match value.get("N") {
        Some(number) => ((number.as_str().unwrap().parse::<f64>().unwrap() * 10.0) as i64, String::new()),
        None => (0, value["S"].as_str().unwrap().to_owned()),
    }
}

fn pages(engine: &Engine, operation: Operation, mut body: Value) -> Vec<Map<String, Value>> {
    let mut items = Vec::new();
    loop {
        let page = call(engine, operation, &body).unwrap();
        items.extend(page["Items"].as_array().unwrap().iter().map(|item| item.as_object().unwrap().clone()));
        match page.get("LastEvaluatedKey") {
            Some(key) => body["ExclusiveStartKey"] = key.clone(),
            None => return items,
        }
    }
}

/// Scans the index, and queries each of its partitions, in order.
fn check(engine: &Engine, place: usize, plan: &IndexPlan, model: &Model) {
    let index = format!("index{place}");
    let expected = expected(plan, model);
    let scanned =
        pages(engine, Operation::Scan, json!({"TableName": "items", "IndexName": index, "Limit": 2}));
    assert_eq!(sorted(scanned), expected, "scan of {plan:?}");

    let partition = |item: &Map<String, Value>| -> Vec<Value> {
        plan.partition.iter().map(|name| item[*name].clone()).collect()
    };
    let mut partitions: Vec<Vec<Value>> = expected.iter().map(&partition).collect();
    partitions.dedup();
    for values in partitions {
        let conditions: Vec<String> =
            (0..values.len()).map(|number| format!("#{number} = :{number}")).collect();
        let placeholders = |prefix: &str, values: Vec<Value>| -> Value {
            let values = values.into_iter().enumerate();
            values.map(|(number, value)| (format!("{prefix}{number}"), value)).collect::<Map<_, _>>().into()
        };
        let names = plan.partition.iter().map(|name| json!(name)).collect();
        let queried = pages(
            engine,
            Operation::Query,
            json!({
                "TableName": "items", "IndexName": index, "Limit": 3,
                "KeyConditionExpression": conditions.join(" AND "),
                "ExpressionAttributeNames": placeholders("#", names),
                "ExpressionAttributeValues": placeholders(":", values.clone()),
            }),
        );
        let sort = |item: &Map<String, Value>| -> Vec<(i64, String)> {
            plan.sort.iter().map(|name| rank(&item[*name])).collect()
        };
        assert!(queried.iter().is_sorted_by_key(&sort), "order of {plan:?}: {queried:?}");
        let within: Vec<_> = expected.iter().filter(|item| partition(item) == values).cloned().collect();
        assert_eq!(sorted(queried), within, "query of {plan:?}");
    }
}

/// Applies a step to the engine and the model; the model knows the items, and nothing of indexes.
fn apply(engine: &Engine, step: &Step, model: &mut Model) {
    match step {
        Step::Put { pk, sk, attributes } => {
            let item = item_of(*pk, *sk, attributes);
            call(engine, Operation::PutItem, &json!({"TableName": "items", "Item": item})).unwrap();
            model.insert((*pk, *sk), item);
        }
        Step::Set { pk, sk, attribute, value } => {
            let (name, value) = (ATTRIBUTES[*attribute], value_of(*attribute, *value));
            let body = json!({
                "TableName": "items", "Key": key_of(*pk, *sk), "UpdateExpression": format!("SET {name} = :v"),
                "ExpressionAttributeValues": {":v": value},
            });
            call(engine, Operation::UpdateItem, &body).unwrap();
            model.entry((*pk, *sk)).or_insert_with(|| key_of(*pk, *sk)).insert(name.to_owned(), value);
        }
        Step::Remove { pk, sk, attribute } => {
            let name = ATTRIBUTES[*attribute];
            let body = json!({
                "TableName": "items", "Key": key_of(*pk, *sk), "UpdateExpression": format!("REMOVE {name}"),
            });
            call(engine, Operation::UpdateItem, &body).unwrap();
            model.entry((*pk, *sk)).or_insert_with(|| key_of(*pk, *sk)).remove(name);
        }
        Step::Delete { pk, sk } => {
            let body = json!({"TableName": "items", "Key": key_of(*pk, *sk)});
            call(engine, Operation::DeleteItem, &body).unwrap();
            model.remove(&(*pk, *sk));
        }
        Step::Batch { items } => {
            let items: Model = items
                .iter()
                .map(|(pk, sk, attributes)| ((*pk, *sk), item_of(*pk, *sk, attributes)))
                .collect();
            let requests: Vec<Value> =
                items.values().map(|item| json!({"PutRequest": {"Item": item}})).collect();
            call(engine, Operation::BatchWriteItem, &json!({"RequestItems": {"items": requests}})).unwrap();
            model.extend(items);
        }
        Step::Transaction { deleted, put, attributes } => {
            let item = item_of(put.0, put.1, attributes);
            let mut actions = vec![json!({"Put": {"TableName": "items", "Item": item}})];
            if deleted != put {
                let key = key_of(deleted.0, deleted.1);
                actions.push(json!({"Delete": {"TableName": "items", "Key": key}}));
                model.remove(deleted);
            }
            call(engine, Operation::TransactWriteItems, &json!({"TransactItems": actions})).unwrap();
            model.insert(*put, item);
        }
        Step::Cancelled { pk, sk, attributes } => {
            let actions = json!([
                {"Put": {"TableName": "items", "Item": item_of(*pk, *sk, attributes)}},
                {"ConditionCheck": {
                    "TableName": "items", "Key": key_of(9, 9), "ConditionExpression": "attribute_exists(pk)",
                }},
            ]);
            call(engine, Operation::TransactWriteItems, &json!({"TransactItems": actions})).unwrap_err();
        }
        Step::Restart => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn each_index_is_what_its_definition_makes_of_the_table(plans in plans(), steps in steps()) {
        let files = Arc::new(MemoryFiles::new());
        let open = || Engine::open(Options::files(files.clone())).unwrap();
        let mut engine = open();
        create(&engine, &plans);
        let mut model = Model::new();
        for step in steps.iter().chain([&Step::Restart]) {
            apply(&engine, step, &mut model);
            if matches!(step, Step::Restart) {
                engine.close().unwrap();
                drop(engine);
                engine = open();
            }
            for (place, plan) in plans.iter().enumerate() {
                check(&engine, place, plan, &model);
            }
        }
    }
}

/// Writers of the same few items at once: whatever order they came in, the index is that of the table in the end.
#[test]
fn an_index_follows_its_table_under_concurrent_writers() {
    let engine = crate::support::memory();
    let plan = IndexPlan { local: false, partition: vec!["a"], sort: vec!["n"], projected: Some(vec!["b"]) };
    create(&engine, std::slice::from_ref(&plan));
    std::thread::scope(|scope| {
        for writer in 0..6u8 {
            let engine = &engine;
            scope.spawn(move || {
                for round in 0..60u8 {
                    let value = (writer.wrapping_mul(7) ^ round) % 3;
                    let step = match round % 4 {
                        0 => Step::Delete { pk: round % 3, sk: 0 },
                        1 => Step::Set { pk: round % 3, sk: 0, attribute: 0, value },
                        _ => Step::Put {
                            pk: round % 3,
                            sk: 0,
                            attributes: vec![(0, value), (1, value), (5, value)],
                        },
                    };
                    apply(engine, &step, &mut Model::new());
                }
            });
        }
    });
    let items = pages(&engine, Operation::Scan, json!({"TableName": "items"}));
    let model: Model = items.into_iter().enumerate().map(|(place, item)| ((place as u8, 0), item)).collect();
    check(&engine, 0, &plan, &model);
}
