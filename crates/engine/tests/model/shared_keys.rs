//! Clients that write and read the same few items in every way that there is, across restarts: the history of each item is
//! linearizable, and that of all items with the transactions between them too.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use keywright_api::Operation;
use keywright_engine::files::MemoryFiles;
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

use crate::client::{Refusal, call};
use crate::linearizability::{self, Observed};
use crate::registers::{Held, Items, Step, of_item};
use crate::seeds::{Choices, Runs};

const ITEMS: usize = 3;
const CLIENTS: u64 = 4;
/// Between two restarts.
const CALLS: usize = 30;

type History = Vec<Observed<Vec<(usize, Step)>>>;

#[test]
fn histories_on_shared_keys_are_linearizable_item_by_item_and_with_their_transactions() {
    Runs { short: 60, long: 3_000 }.each(|seed| {
        let history = run(seed);
        for item in 0..ITEMS {
            let of_item = of_item(&history, item);
            if let Err(failure) = linearizability::check::<Items>(vec![None], &of_item) {
                panic!("seed {seed}, item {item}: {failure:?}");
            }
        }
        if let Err(failure) = linearizability::check::<Items>(vec![None; ITEMS], &history) {
            panic!("seed {seed}, all items: {failure:?}");
        }
    });
}

/// The test above could not fail if the checker took whatever an engine answers: one answer that is changed is noticed.
#[test]
fn a_recorded_history_with_one_wrong_read_is_refused() {
    let mut history = run(1);
    let reads = |steps: &[(usize, Step)]| matches!(steps, [(_, Step::Read(_))]);
    let wrong = history.iter_mut().find(|seen| reads(&seen.operation)).unwrap();
    wrong.operation[0].1 = Step::Read(Some(u64::MAX));
    assert!(linearizability::check::<Items>(vec![None; ITEMS], &history).is_err());
}

/// Runs the clients, with a restart in between.
fn run(seed: u64) -> History {
    let files = Arc::new(MemoryFiles::new());
    let time = AtomicU64::new(0);
    let history = Mutex::new(History::new());
    for phase in 0..2 {
        let engine = Engine::open(Options::files(files.clone())).unwrap();
        if phase == 0 {
            create(&engine);
        }
        std::thread::scope(|scope| {
            for number in 0..CLIENTS {
                let (engine, time, history) = (&engine, &time, &history);
                scope.spawn(move || {
                    let number = phase * CLIENTS + number;
                    let mut client = Client::new(engine, Choices::new(seed, number), number);
                    for _ in 0..CALLS {
                        let called = time.fetch_add(1, Ordering::SeqCst);
                        let operations = client.act();
                        let answered = time.fetch_add(1, Ordering::SeqCst);
                        let seen =
                            operations.into_iter().map(|operation| Observed { called, answered, operation });
                        history.lock().unwrap().extend(seen);
                    }
                });
            }
        });
        engine.close();
    }
    history.into_inner().unwrap()
}

/// The number of an item is also the sort key of a local index, which may be read consistently.
fn create(engine: &Engine) {
    let key = |sort: &str| json!([{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]);
    let attribute = |name: &str, kind: &str| json!({"AttributeName": name, "AttributeType": kind});
    let body = json!({
        "TableName": "items", "BillingMode": "PAY_PER_REQUEST", "KeySchema": key("sk"),
        "AttributeDefinitions": [attribute("pk", "S"), attribute("sk", "S"), attribute("v", "N")],
        "LocalSecondaryIndexes": [
            {"IndexName": "by_value", "KeySchema": key("v"), "Projection": {"ProjectionType": "KEYS_ONLY"}},
        ],
    });
    call(engine, Operation::CreateTable, &body).unwrap();
}

fn key(item: usize) -> Value {
    json!({"pk": {"S": item.to_string()}, "sk": {"S": "only"}})
}

fn item_of(item: usize, value: u64) -> Value {
    let mut body = key(item);
    body["v"] = json!({"N": value.to_string()});
    body
}

/// The number in an item of an answer, which may be missing.
fn held(item: &Value) -> Held {
    item["v"]["N"].as_str().map(|number| number.parse().unwrap())
}

fn condition(expected: Held) -> Value {
    match expected {
        None => json!({"ConditionExpression": "attribute_not_exists(pk)"}),
        Some(value) => json!({
            "ConditionExpression": "v = :held", "ExpressionAttributeValues": {":held": {"N": value.to_string()}},
        }),
    }
}

fn merge(body: &mut Value, members: Value) {
    for (name, value) in members.as_object().unwrap() {
        match (&mut body[name], value) {
            (Value::Object(held), Value::Object(more)) => held.extend(more.clone()),
            (held, more) => *held = more.clone(),
        }
    }
}

/// A client with what it saw last of each item, so that its conditions have a chance.
struct Client<'engine> {
    engine: &'engine Engine,
    choices: Choices,
    seen: [Held; ITEMS],
    /// No two clients put the same value.
    next_value: u64,
}

/// What one member of a transaction tells when it is carried out, and when its condition held but another one's did not.
struct Member {
    item: usize,
    action: Value,
    done: Step,
    expected: Option<Held>,
}

impl Client<'_> {
    fn new(engine: &Engine, choices: Choices, number: u64) -> Client<'_> {
        Client { engine, choices, seen: [None; ITEMS], next_value: (number + 1) * 1_000_000 }
    }

    /// Carries out a request and tells what it did: steps that happened at one moment stand together.
    fn act(&mut self) -> Vec<Vec<(usize, Step)>> {
        let item = self.choices.below(ITEMS);
        let operations = match self.choices.below(16) {
            0..=2 => vec![vec![(item, self.put(item))]],
            3 => vec![vec![(item, self.put_where(item))]],
            4 | 5 => vec![vec![(item, self.add(item))]],
            6 => vec![vec![(item, self.delete(item))]],
            7 => self.batch_write(),
            8 | 9 => vec![self.transact()],
            10 => vec![vec![(item, self.get(item))]],
            11 => vec![vec![(item, self.query(item))]],
            12 => self.scan(),
            13 => self.batch_get(),
            _ => vec![self.transact_get()],
        };
        for (item, step) in operations.iter().flatten() {
            if let Step::Read(found) | Step::Failed { found, .. } = step {
                self.seen[*item] = *found;
            }
        }
        operations
    }

    fn call(&self, operation: Operation, members: Value) -> Result<Value, Refusal> {
        let mut body = json!({"TableName": "items"});
        merge(&mut body, members);
        call(self.engine, operation, &body)
    }

    fn value(&mut self) -> u64 {
        self.next_value += 1;
        self.next_value
    }

    fn put(&mut self, item: usize) -> Step {
        let value = self.value();
        let body = json!({"Item": item_of(item, value), "ReturnValues": "ALL_OLD"});
        let answer = self.call(Operation::PutItem, body).unwrap();
        self.seen[item] = Some(value);
        Step::Put { value, replaced: Some(held(&answer["Attributes"])) }
    }

    fn put_where(&mut self, item: usize) -> Step {
        let (expected, value) = (self.seen[item], self.value());
        let mut body =
            json!({"Item": item_of(item, value), "ReturnValuesOnConditionCheckFailure": "ALL_OLD"});
        merge(&mut body, condition(expected));
        match self.call(Operation::PutItem, body) {
            Ok(_) => {
                self.seen[item] = Some(value);
                Step::PutWhere { expected, value }
            }
            Err(refusal) => {
                assert_eq!(refusal.name, "ConditionalCheckFailedException", "{}", refusal.body);
                Step::Failed { expected, found: held(&refusal.body["Item"]) }
            }
        }
    }

    fn add(&mut self, item: usize) -> Step {
        let amount = 1 + self.choices.below(3) as u64;
        let body = json!({
            "Key": key(item), "UpdateExpression": "ADD v :amount", "ReturnValues": "UPDATED_NEW",
            "ExpressionAttributeValues": {":amount": {"N": amount.to_string()}},
        });
        let sum = held(&self.call(Operation::UpdateItem, body).unwrap()["Attributes"]);
        self.seen[item] = sum;
        Step::Added { amount, sum }
    }

    fn delete(&mut self, item: usize) -> Step {
        let body = json!({"Key": key(item), "ReturnValues": "ALL_OLD"});
        let answer = self.call(Operation::DeleteItem, body).unwrap();
        self.seen[item] = None;
        Step::Deleted { replaced: Some(held(&answer["Attributes"])) }
    }

    /// Each write of a batch is a write of its own.
    fn batch_write(&mut self) -> Vec<Vec<(usize, Step)>> {
        let items = self.choices.several(&[0, 1, 2], 2);
        let deletes = self.choices.one_in(2);
        let value = self.value();
        let requests = [
            json!({"PutRequest": {"Item": item_of(items[0], value)}}),
            if deletes {
                json!({"DeleteRequest": {"Key": key(items[1])}})
            } else {
                json!({"PutRequest": {"Item": item_of(items[1], value)}})
            },
        ];
        let answer =
            call(self.engine, Operation::BatchWriteItem, &json!({"RequestItems": {"items": requests}}));
        assert_eq!(answer.unwrap()["UnprocessedItems"], json!({}));
        let put = Step::Put { value, replaced: None };
        let second = if deletes { Step::Deleted { replaced: None } } else { put.clone() };
        vec![vec![(items[0], put)], vec![(items[1], second)]]
    }

    fn member(&mut self, item: usize) -> Member {
        let expected = self.seen[item];
        let mut action = json!({"TableName": "items", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"});
        let conditional = |mut action: Value| {
            merge(&mut action, condition(expected));
            action
        };
        match self.choices.below(5) {
            0 => {
                let value = self.value();
                merge(&mut action, json!({"Item": item_of(item, value)}));
                let done = Step::Put { value, replaced: None };
                Member { item, action: json!({"Put": action}), done, expected: None }
            }
            1 => {
                let value = self.value();
                merge(&mut action, json!({"Item": item_of(item, value)}));
                let done = Step::PutWhere { expected, value };
                Member { item, action: json!({"Put": conditional(action)}), done, expected: Some(expected) }
            }
            2 => {
                merge(&mut action, json!({"Key": key(item)}));
                let done = Step::Deleted { replaced: None };
                Member { item, action: json!({"Delete": action}), done, expected: None }
            }
            3 => {
                merge(&mut action, json!({"Key": key(item)}));
                let done = Step::Matched { expected };
                let action = json!({"ConditionCheck": conditional(action)});
                Member { item, action, done, expected: Some(expected) }
            }
            _ => {
                let update = json!({
                    "Key": key(item), "UpdateExpression": "ADD v :amount",
                    "ExpressionAttributeValues": {":amount": {"N": "1"}},
                });
                merge(&mut action, update);
                Member {
                    item,
                    action: json!({"Update": action}),
                    done: Step::Added { amount: 1, sum: None },
                    expected: None,
                }
            }
        }
    }

    fn transact(&mut self) -> Vec<(usize, Step)> {
        let count = 2 + self.choices.below(ITEMS - 1);
        let items = self.choices.several(&[0, 1, 2], count);
        let members: Vec<Member> = items.into_iter().map(|item| self.member(item)).collect();
        let actions: Vec<&Value> = members.iter().map(|member| &member.action).collect();
        match call(self.engine, Operation::TransactWriteItems, &json!({"TransactItems": actions})) {
            Ok(_) => members.into_iter().map(|member| (member.item, member.done)).collect(),
            Err(refusal) => {
                assert_eq!(refusal.name, "TransactionCanceledException", "{}", refusal.body);
                let reasons = refusal.body["CancellationReasons"].as_array().unwrap().iter();
                let told = members.iter().zip(reasons).filter_map(|(member, reason)| {
                    let expected = member.expected?;
                    let step = match reason["Code"].as_str().unwrap() {
                        "None" => Step::Matched { expected },
                        "ConditionalCheckFailed" => Step::Failed { expected, found: held(&reason["Item"]) },
                        other => panic!("{other}"),
                    };
                    Some((member.item, step))
                });
                told.collect()
            }
        }
    }

    fn get(&self, item: usize) -> Step {
        let body = json!({"Key": key(item), "ConsistentRead": true});
        Step::Read(held(&self.call(Operation::GetItem, body).unwrap()["Item"]))
    }

    /// Of the table or of its local index.
    fn query(&self, item: usize) -> Step {
        let mut body = json!({
            "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": item.to_string()}},
            "ConsistentRead": true,
        });
        if self.choices.one_in(2) {
            body["IndexName"] = json!("by_value");
        }
        let answer = self.call(Operation::Query, body).unwrap();
        assert!(answer["Count"].as_u64().unwrap() <= 1, "{answer}");
        Step::Read(held(&answer["Items"][0]))
    }

    /// Each item of a Scan or batch is a read of its own.
    fn scan(&self) -> Vec<Vec<(usize, Step)>> {
        let mut body = json!({"ConsistentRead": true});
        if self.choices.one_in(2) {
            body["IndexName"] = json!("by_value");
        }
        reads(&self.call(Operation::Scan, body).unwrap()["Items"], &[0, 1, 2])
    }

    fn batch_get(&self) -> Vec<Vec<(usize, Step)>> {
        let items = self.choices.several(&[0, 1, 2], 2);
        let keys: Vec<Value> = items.iter().map(|item| key(*item)).collect();
        let body = json!({"RequestItems": {"items": {"Keys": keys, "ConsistentRead": true}}});
        reads(&call(self.engine, Operation::BatchGetItem, &body).unwrap()["Responses"]["items"], &items)
    }

    fn transact_get(&self) -> Vec<(usize, Step)> {
        let gets: Vec<Value> =
            (0..ITEMS).map(|item| json!({"Get": {"TableName": "items", "Key": key(item)}})).collect();
        let answer = call(self.engine, Operation::TransactGetItems, &json!({"TransactItems": gets})).unwrap();
        (0..ITEMS).map(|item| (item, Step::Read(held(&answer["Responses"][item]["Item"])))).collect()
    }
}

/// What a list of items says about each of the items that were asked for.
fn reads(found: &Value, items: &[usize]) -> Vec<Vec<(usize, Step)>> {
    let found = found.as_array().unwrap();
    let read = |item: &usize| {
        let key = key(*item);
        let found = found.iter().find(|found| found["pk"] == key["pk"]);
        vec![(*item, Step::Read(found.and_then(held)))]
    };
    items.iter().map(read).collect()
}
