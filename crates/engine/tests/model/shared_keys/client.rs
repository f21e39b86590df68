//! One client of a few items that are everybody's, and what it learns of each of its calls.

use keywright_api::Operation;
use keywright_engine::Engine;
use serde_json::{Value, json};

use crate::client::call;
use crate::registers::{Held, Step};
use crate::seeds::Choices;

pub(super) const ITEMS: usize = 3;
const ALL: [usize; ITEMS] = [0, 1, 2];

/// A client with what it saw last of each item, so that its conditions have a chance.
pub(super) struct Client<'engine> {
    engine: &'engine Engine,
    choices: Choices,
    seen: [Held; ITEMS],
    /// No two clients put the same value.
    next_value: u64,
}

/// What a call did; steps that happened at one moment stand together.
#[derive(Debug)]
pub(super) struct Acted {
    pub(super) operations: Vec<Vec<(usize, Step)>>,
    /// Whether the client knows that they happened.
    pub(super) is_told: bool,
}

/// What a client is told of a call.
enum Told {
    Answer(Value),
    /// By a condition; the refusal's body.
    Refused(Value),
    /// By something else, so that it has not happened.
    NotDone,
    Unknown,
}

/// What one member of a transaction does, and what it expects.
struct Member {
    item: usize,
    action: Value,
    done: Step,
    expected: Option<Held>,
}

impl Acted {
    fn told(operations: Vec<Vec<(usize, Step)>>) -> Acted {
        Acted { operations, is_told: true }
    }

    fn untold(operations: Vec<Vec<(usize, Step)>>) -> Acted {
        Acted { operations, is_told: false }
    }

    fn nothing() -> Acted {
        Acted::told(Vec::new())
    }

    /// A write of one item.
    fn write(item: usize, told: Told, answered: impl FnOnce(&Value) -> Step, unknown: Step) -> Acted {
        match told {
            Told::Answer(answer) => Acted::told(vec![vec![(item, answered(&answer))]]),
            Told::NotDone => Acted::nothing(),
            Told::Unknown => Acted::untold(vec![vec![(item, unknown)]]),
            Told::Refused(body) => panic!("without a condition: {body}"),
        }
    }
}

impl Client<'_> {
    pub(super) fn new(engine: &Engine, choices: Choices, number: u64) -> Client<'_> {
        Client { engine, choices, seen: [None; ITEMS], next_value: (number + 1) * 1_000_000 }
    }

    /// Carries out a request.
    pub(super) fn act(&mut self) -> Acted {
        let item = self.choices.below(ITEMS);
        let acted = match self.choices.below(16) {
            0..=2 => self.put(item),
            3 => self.put_where(item),
            4 | 5 => self.add(item),
            6 => self.delete(item),
            7 => self.batch_write(),
            8 | 9 => self.transact(),
            10 => self.get(item),
            11 => self.query(item),
            12 => self.scan(),
            13 => self.batch_get(),
            _ => self.transact_get(),
        };
        for (item, step) in acted.operations.iter().flatten().filter(|_| acted.is_told) {
            match step {
                Step::Read(held) | Step::Failed { found: held, .. } | Step::Added { sum: held, .. } => {
                    self.seen[*item] = *held;
                }
                Step::Put { value, .. } | Step::PutWhere { value, .. } => self.seen[*item] = Some(*value),
                Step::Deleted { .. } => self.seen[*item] = None,
                Step::Matched { .. } => {}
            }
        }
        acted
    }

    fn call(&self, operation: Operation, body: &Value) -> Told {
        match call(self.engine, operation, body) {
            Ok(answer) => Told::Answer(answer),
            Err(refusal) => match refusal.name.as_str() {
                "ConditionalCheckFailedException" => Told::Refused(refusal.body),
                "TransactionCanceledException" if is_decided(&refusal.body) => Told::Refused(refusal.body),
                "TransactionCanceledException" | "TransactionConflictException" | "ThrottlingException" => {
                    Told::NotDone
                }
                "InternalServerError" => Told::Unknown,
                other => panic!("{other}: {}", refusal.body),
            },
        }
    }

    fn read(&self, operation: Operation, body: &Value) -> Option<Value> {
        match self.call(operation, body) {
            Told::Answer(answer) => Some(answer),
            Told::NotDone | Told::Unknown => None,
            Told::Refused(body) => panic!("{body}"),
        }
    }

    fn value(&mut self) -> u64 {
        self.next_value += 1;
        self.next_value
    }

    fn put(&mut self, item: usize) -> Acted {
        let value = self.value();
        let body = json!({"TableName": "items", "Item": item_of(item, value), "ReturnValues": "ALL_OLD"});
        let told = self.call(Operation::PutItem, &body);
        let answered = |answer: &Value| Step::Put { value, replaced: Some(held(&answer["Attributes"])) };
        Acted::write(item, told, answered, Step::Put { value, replaced: None })
    }

    fn put_where(&mut self, item: usize) -> Acted {
        let (expected, value) = (self.seen[item], self.value());
        let mut body = json!({
            "TableName": "items", "Item": item_of(item, value), "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        });
        merge(&mut body, condition(expected));
        let done = Step::PutWhere { expected, value };
        match self.call(Operation::PutItem, &body) {
            Told::Refused(body) => {
                Acted::told(vec![vec![(item, Step::Failed { expected, found: held(&body["Item"]) })]])
            }
            told => Acted::write(item, told, |_| done.clone(), done.clone()),
        }
    }

    fn add(&mut self, item: usize) -> Acted {
        let amount = 1 + self.choices.below(3) as u64;
        let body = json!({
            "TableName": "items", "Key": key(item), "UpdateExpression": "ADD v :amount", "ReturnValues": "UPDATED_NEW",
            "ExpressionAttributeValues": {":amount": {"N": amount.to_string()}},
        });
        let told = self.call(Operation::UpdateItem, &body);
        let answered = |answer: &Value| Step::Added { amount, sum: held(&answer["Attributes"]) };
        Acted::write(item, told, answered, Step::Added { amount, sum: None })
    }

    fn delete(&mut self, item: usize) -> Acted {
        let body = json!({"TableName": "items", "Key": key(item), "ReturnValues": "ALL_OLD"});
        let told = self.call(Operation::DeleteItem, &body);
        let answered = |answer: &Value| Step::Deleted { replaced: Some(held(&answer["Attributes"])) };
        Acted::write(item, told, answered, Step::Deleted { replaced: None })
    }

    /// Each write of a batch is a write of its own, and those that come back have not happened.
    fn batch_write(&mut self) -> Acted {
        let items = self.choices.several(&ALL, 2);
        let deletes = self.choices.one_in(2);
        let value = self.value();
        let write = |item: usize, deletes: bool| match deletes {
            true => (Step::Deleted { replaced: None }, json!({"DeleteRequest": {"Key": key(item)}})),
            false => {
                (Step::Put { value, replaced: None }, json!({"PutRequest": {"Item": item_of(item, value)}}))
            }
        };
        let writes = [(items[0], write(items[0], false)), (items[1], write(items[1], deletes))];
        let requests: Vec<&Value> = writes.iter().map(|(_, (_, request))| request).collect();
        let told = self.call(Operation::BatchWriteItem, &json!({"RequestItems": {"items": requests}}));
        let steps = |left: &Value| {
            let is_done = |request: &Value| left.as_array().is_none_or(|left| !left.contains(request));
            let done = writes.iter().filter(|(_, (_, request))| is_done(request));
            done.map(|(item, (step, _))| vec![(*item, step.clone())]).collect()
        };
        match told {
            Told::Answer(answer) => Acted::told(steps(&answer["UnprocessedItems"]["items"])),
            Told::NotDone => Acted::nothing(),
            Told::Unknown => Acted::untold(steps(&Value::Null)),
            Told::Refused(body) => panic!("{body}"),
        }
    }

    fn member(&mut self, item: usize) -> Member {
        let held = self.seen[item];
        let value = self.value();
        let put = json!({"Item": item_of(item, value)});
        let keyed = json!({"Key": key(item)});
        let add = json!({
            "Key": key(item), "UpdateExpression": "ADD v :amount",
            "ExpressionAttributeValues": {":amount": {"N": "1"}},
        });
        let (kind, members, done, expected) = match self.choices.below(5) {
            0 => ("Put", put, Step::Put { value, replaced: None }, None),
            1 => ("Put", put, Step::PutWhere { expected: held, value }, Some(held)),
            2 => ("Delete", keyed, Step::Deleted { replaced: None }, None),
            3 => ("ConditionCheck", keyed, Step::Matched { expected: held }, Some(held)),
            _ => ("Update", add, Step::Added { amount: 1, sum: None }, None),
        };
        let mut action = json!({"TableName": "items", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"});
        merge(&mut action, members);
        if let Some(expected) = expected {
            merge(&mut action, condition(expected));
        }
        Member { item, action: json!({kind: action}), done, expected }
    }

    fn transact(&mut self) -> Acted {
        let items = self.choices.several(&ALL, 2 + self.choices.below(ITEMS - 1));
        let members: Vec<Member> = items.into_iter().map(|item| self.member(item)).collect();
        let actions: Vec<&Value> = members.iter().map(|member| &member.action).collect();
        let done = || members.iter().map(|member| (member.item, member.done.clone())).collect();
        match self.call(Operation::TransactWriteItems, &json!({"TransactItems": actions})) {
            Told::Answer(_) => Acted::told(vec![done()]),
            Told::NotDone => Acted::nothing(),
            Told::Unknown => Acted::untold(vec![done()]),
            Told::Refused(body) => {
                let reasons = body["CancellationReasons"].as_array().unwrap().iter();
                let told = members.iter().zip(reasons).filter_map(|(member, reason)| {
                    let expected = member.expected?;
                    let step = match reason["Code"] == "None" {
                        true => Step::Matched { expected },
                        false => Step::Failed { expected, found: held(&reason["Item"]) },
                    };
                    Some((member.item, step))
                });
                Acted::told(vec![told.collect()])
            }
        }
    }

    fn get(&self, item: usize) -> Acted {
        let body = json!({"TableName": "items", "Key": key(item), "ConsistentRead": true});
        match self.read(Operation::GetItem, &body) {
            Some(answer) => Acted::told(vec![vec![(item, Step::Read(held(&answer["Item"])))]]),
            None => Acted::nothing(),
        }
    }

    /// Of the table or of its local index.
    fn query(&self, item: usize) -> Acted {
        let mut body = json!({
            "TableName": "items", "ConsistentRead": true, "KeyConditionExpression": "pk = :p",
            "ExpressionAttributeValues": {":p": {"S": item.to_string()}},
        });
        if self.choices.one_in(2) {
            body["IndexName"] = json!("by_value");
        }
        let Some(answer) = self.read(Operation::Query, &body) else { return Acted::nothing() };
        assert!(answer["Count"].as_u64().unwrap() <= 1, "{answer}");
        Acted::told(reads(&answer["Items"], &[item]))
    }

    /// Each item of a Scan or batch is a read of its own.
    fn scan(&self) -> Acted {
        let mut body = json!({"TableName": "items", "ConsistentRead": true});
        if self.choices.one_in(2) {
            body["IndexName"] = json!("by_value");
        }
        match self.read(Operation::Scan, &body) {
            Some(answer) => Acted::told(reads(&answer["Items"], &ALL)),
            None => Acted::nothing(),
        }
    }

    fn batch_get(&self) -> Acted {
        let items = self.choices.several(&ALL, 2);
        let keys: Vec<Value> = items.iter().map(|item| key(*item)).collect();
        let body = json!({"RequestItems": {"items": {"Keys": keys, "ConsistentRead": true}}});
        let Some(answer) = self.read(Operation::BatchGetItem, &body) else { return Acted::nothing() };
        let left = answer["UnprocessedKeys"]["items"]["Keys"].as_array();
        let is_read = |item: &usize| left.is_none_or(|left| !left.contains(&key(*item)));
        let items: Vec<usize> = items.into_iter().filter(is_read).collect();
        Acted::told(reads(&answer["Responses"]["items"], &items))
    }

    fn transact_get(&self) -> Acted {
        let gets = ALL.map(|item| json!({"Get": {"TableName": "items", "Key": key(item)}}));
        let body = json!({"TransactItems": gets});
        let Some(answer) = self.read(Operation::TransactGetItems, &body) else { return Acted::nothing() };
        let read = |item: usize| (item, Step::Read(held(&answer["Responses"][item]["Item"])));
        Acted::told(vec![ALL.map(read).to_vec()])
    }
}

/// Whether a transaction was cancelled by its conditions and by nothing else.
fn is_decided(body: &Value) -> bool {
    let reasons = body["CancellationReasons"].as_array().unwrap();
    reasons.iter().all(|reason| reason["Code"] == "None" || reason["Code"] == "ConditionalCheckFailed")
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

/// Adds members to a request; those that are maps are put together.
fn merge(body: &mut Value, members: Value) {
    for (name, value) in members.as_object().unwrap() {
        match (&mut body[name], value) {
            (Value::Object(held), Value::Object(more)) => held.extend(more.clone()),
            (held, more) => *held = more.clone(),
        }
    }
}
