//! Clients that each have items of their own in one table: however many others write beside them, every answer of every
//! operation is the one that a map gives.

use std::sync::Arc;

use keywright_api::Operation;
use keywright_engine::files::MemoryFiles;
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

use crate::client::{call, merged, read_all};
use crate::seeds::{Choices, Runs};
use crate::table_map::{Condition, Edit, Item, TableMap, number};

const CLIENTS: u64 = 4;
const CALLS: usize = 70;

#[test]
fn every_answer_on_keys_of_ones_own_is_that_of_a_map() {
    Runs { short: 60, long: 3_000 }.each(|seed| {
        let files = Arc::new(MemoryFiles::new());
        let mut clients: Vec<Client> = (0..CLIENTS).map(|number| Client::new(seed, number)).collect();
        for phase in 0..2 {
            let engine = Engine::open(Options::files(files.clone())).unwrap();
            if phase == 0 {
                create(&engine);
            }
            std::thread::scope(|scope| {
                for client in &mut clients {
                    let engine = &engine;
                    scope.spawn(move || (0..CALLS).for_each(|_| client.act(engine)));
                }
            });
            // All of them together are the table.
            let mut found = read_all(&engine, Operation::Scan, json!({"TableName": "items", "Limit": 7}));
            found.sort_by_key(place);
            let mut expected: Vec<Item> =
                clients.iter().flat_map(|client| client.map.0.values().cloned()).collect();
            expected.sort_by_key(place);
            assert_eq!(found, expected);
            engine.close().unwrap();
        }
    });
}

fn create(engine: &Engine) {
    let key = |partition: &str, sort: &str| json!([{"AttributeName": partition, "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]);
    let attributes = [("pk", "S"), ("sk", "N"), ("g", "S"), ("n", "N")];
    let body = json!({
        "TableName": "items", "BillingMode": "PAY_PER_REQUEST", "KeySchema": key("pk", "sk"),
        "AttributeDefinitions": attributes.map(|(name, kind)| json!({"AttributeName": name, "AttributeType": kind})),
        "LocalSecondaryIndexes": [
            {"IndexName": "local", "KeySchema": key("pk", "n"), "Projection": {"ProjectionType": "KEYS_ONLY"}},
        ],
        "GlobalSecondaryIndexes": [
            {"IndexName": "global", "KeySchema": key("g", "n"), "Projection": {"ProjectionType": "ALL"}},
        ],
    });
    call(engine, Operation::CreateTable, &body).unwrap();
}

type Key = (String, i64);

fn place(item: &Item) -> (String, i64) {
    (item["pk"]["S"].as_str().unwrap().to_owned(), item["sk"]["N"].as_str().unwrap().parse().unwrap())
}

fn key_of((partition, sort): &Key) -> Item {
    let key = json!({"pk": {"S": partition}, "sk": {"N": sort.to_string()}});
    key.as_object().unwrap().clone()
}

/// The attribute that an answer has only where there is something in it.
fn attributes(item: Option<Item>) -> Value {
    match item {
        Some(item) if !item.is_empty() => json!({"Attributes": item}),
        _ => json!({}),
    }
}

fn with_values(body: Value, members: &Value) -> Value {
    let mut values = body.get("ExpressionAttributeValues").cloned().unwrap_or(json!({}));
    let body = merged(body, members);
    match members.get("ExpressionAttributeValues") {
        Some(more) => {
            values = merged(values, more);
            merged(body, &json!({"ExpressionAttributeValues": values}))
        }
        None => body,
    }
}

struct Client {
    /// Begins the partition keys and the indexed values of its items.
    name: String,
    choices: Choices,
    map: TableMap,
}

/// A write of one item, as the map carries it out.
struct Write {
    key: Key,
    condition: Option<Condition>,
    change: Change,
}

enum Change {
    Put(Item),
    Edit(Edit),
    Delete,
    Nothing,
}

impl Client {
    fn new(seed: u64, number: u64) -> Client {
        Client { name: format!("c{number}-"), choices: Choices::new(seed, number), map: TableMap::default() }
    }

    fn act(&mut self, engine: &Engine) {
        match self.choices.below(14) {
            0..=3 => self.write(engine),
            4 => self.batch_write(engine),
            5 | 6 => self.transact(engine),
            7 => self.get(engine),
            8 => self.batch_get(engine),
            9 => self.transact_get(engine),
            10 => self.query(engine),
            11 | 12 => self.query_index(engine),
            _ => self.scan(engine),
        }
    }

    fn key(&self) -> Key {
        (format!("{}p{}", self.name, self.choices.below(2)), self.choices.below(5) as i64 - 2)
    }

    /// Different keys.
    fn keys(&self, most: usize) -> Vec<Key> {
        let mut keys: Vec<Key> = (0..1 + self.choices.below(most)).map(|_| self.key()).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    fn new_item(&self, key: &Key) -> Item {
        let mut item = key_of(key);
        item.insert("text".to_owned(), json!({"S": self.choices.below(1000).to_string()}));
        if self.choices.one_in(2) {
            item.insert("n".to_owned(), json!({"N": self.choices.below(6).to_string()}));
        }
        if self.choices.one_in(2) {
            item.insert("g".to_owned(), json!({"S": format!("{}{}", self.name, self.choices.below(2))}));
        }
        item
    }

    fn random_write(&self, key: Key) -> Write {
        let condition = match self.choices.below(6) {
            0 => Some(Condition::Absent),
            1 => Some(Condition::Present),
            2 => Some(Condition::Below(self.choices.below(8) as i64)),
            _ => None,
        };
        let amount = self.choices.below(5) as i64 - 1;
        let change = match self.choices.below(8) {
            0..=2 => Change::Put(self.new_item(&key)),
            3 => Change::Delete,
            4 => Change::Edit(Edit::SetN(amount)),
            5 => Change::Edit(*self.choices.of(&[Edit::AddN(amount), Edit::CountN(amount)])),
            6 => Change::Edit(Edit::RemoveN),
            _ => Change::Edit(Edit::SetG(self.choices.below(2))),
        };
        Write { key, condition, change }
    }

    /// The item after a write.
    fn after(&self, write: &Write) -> Option<Item> {
        let before = self.map.get(&write.key);
        match &write.change {
            Change::Put(item) => Some(item.clone()),
            Change::Edit(edit) => {
                Some(edit.apply(before.cloned().unwrap_or_else(|| key_of(&write.key)), &self.name))
            }
            Change::Delete => None,
            Change::Nothing => before.cloned(),
        }
    }

    fn holds(&self, write: &Write) -> bool {
        write.condition.is_none_or(|condition| condition.holds(self.map.get(&write.key)))
    }

    fn carry_out(&mut self, write: &Write) {
        match self.after(write) {
            Some(item) => self.map.0.insert(write.key.clone(), item),
            None => self.map.0.remove(&write.key),
        };
    }

    /// The action of a request, with its kind and its condition.
    fn action(&self, write: &Write) -> (&'static str, Value) {
        let table = json!({"TableName": "items", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"});
        let (kind, members) = match &write.change {
            Change::Put(item) => ("Put", json!({"Item": item})),
            Change::Edit(edit) => {
                ("Update", merged(json!({"Key": key_of(&write.key)}), &edit.members(&self.name)))
            }
            Change::Delete => ("Delete", json!({"Key": key_of(&write.key)})),
            Change::Nothing => ("ConditionCheck", json!({"Key": key_of(&write.key)})),
        };
        let action = merged(table, &members);
        let condition = write.condition.map_or(json!({}), Condition::members);
        (kind, with_values(action, &condition))
    }

    fn write(&mut self, engine: &Engine) {
        let write = self.random_write(self.key());
        let (kind, mut body) = self.action(&write);
        let (operation, images): (_, &[&str]) = match kind {
            "Put" => (Operation::PutItem, &["NONE", "ALL_OLD"]),
            "Delete" => (Operation::DeleteItem, &["NONE", "ALL_OLD"]),
            _ => (Operation::UpdateItem, &["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"]),
        };
        let image = *self.choices.of(images);
        body["ReturnValues"] = json!(image);
        let before = self.map.get(&write.key).cloned();
        let outcome = call(engine, operation, &body);
        if !self.holds(&write) {
            let refusal = outcome.unwrap_err();
            assert_eq!(refusal.name, "ConditionalCheckFailedException", "{body}");
            assert_eq!(refusal.body.get("Item").cloned(), before.map(Value::Object), "{body}");
            return;
        }
        let after = self.after(&write);
        let updated = |item: Option<Item>| {
            let Change::Edit(edit) = write.change else { unreachable!("only updates ask for it") };
            item.map(|item| item.into_iter().filter(|(name, _)| name == edit.attribute()).collect())
        };
        let expected = match image {
            "ALL_OLD" => before,
            "ALL_NEW" => after,
            "UPDATED_OLD" => updated(before),
            "UPDATED_NEW" => updated(after),
            _ => None,
        };
        assert_eq!(outcome.unwrap(), attributes(expected), "{body}");
        self.carry_out(&write);
    }

    fn batch_write(&mut self, engine: &Engine) {
        let mut requests = Vec::new();
        for key in self.keys(6) {
            let (change, request) = match self.choices.one_in(3) {
                true => (Change::Delete, json!({"DeleteRequest": {"Key": key_of(&key)}})),
                false => {
                    let item = self.new_item(&key);
                    (Change::Put(item.clone()), json!({"PutRequest": {"Item": item}}))
                }
            };
            self.carry_out(&Write { key, condition: None, change });
            requests.push(request);
        }
        let answer = call(engine, Operation::BatchWriteItem, &json!({"RequestItems": {"items": requests}}));
        assert_eq!(answer.unwrap(), json!({"UnprocessedItems": {}}));
    }

    fn transact(&mut self, engine: &Engine) {
        let writes: Vec<Write> = self
            .keys(4)
            .into_iter()
            .map(|key| {
                let mut write = self.random_write(key);
                if self.choices.one_in(4) {
                    write = Write { change: Change::Nothing, condition: Some(Condition::Present), ..write };
                }
                write
            })
            .collect();
        let actions: Vec<Value> = writes
            .iter()
            .map(|write| {
                let (kind, action) = self.action(write);
                json!({kind: action})
            })
            .collect();
        let outcome = call(engine, Operation::TransactWriteItems, &json!({"TransactItems": actions}));
        if writes.iter().all(|write| self.holds(write)) {
            assert_eq!(outcome.unwrap(), json!({}), "{actions:?}");
            writes.iter().for_each(|write| self.carry_out(write));
            return;
        }
        let reason = |write: &Write| match (self.holds(write), self.map.get(&write.key)) {
            (true, _) => json!({"Code": "None"}),
            (false, item) => {
                let failed =
                    json!({"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"});
                item.map_or(failed.clone(), |item| merged(failed, &json!({"Item": item})))
            }
        };
        let refusal = outcome.unwrap_err();
        assert_eq!(refusal.name, "TransactionCanceledException", "{actions:?}");
        assert_eq!(
            refusal.body["CancellationReasons"],
            writes.iter().map(reason).collect::<Value>(),
            "{actions:?}"
        );
    }

    fn get(&self, engine: &Engine) {
        let key = self.key();
        let mut body =
            json!({"TableName": "items", "Key": key_of(&key), "ConsistentRead": self.choices.one_in(2)});
        let mut expected = self.map.get(&key).cloned();
        if self.choices.one_in(3) {
            body["ProjectionExpression"] = json!("n");
            expected = expected.map(|item| item.into_iter().filter(|(name, _)| name == "n").collect());
        }
        let expected = expected.map_or(json!({}), |item| json!({"Item": item}));
        assert_eq!(call(engine, Operation::GetItem, &body).unwrap(), expected, "{body}");
    }

    fn batch_get(&self, engine: &Engine) {
        let keys = self.keys(6);
        let wanted: Vec<Item> = keys.iter().map(key_of).collect();
        let body = json!({"RequestItems": {"items": {"Keys": wanted}}});
        let answer = call(engine, Operation::BatchGetItem, &body).unwrap();
        let expected: Vec<&Item> = keys.iter().filter_map(|key| self.map.get(key)).collect();
        assert_eq!(answer, json!({"Responses": {"items": expected}, "UnprocessedKeys": {}}), "{body}");
    }

    fn transact_get(&self, engine: &Engine) {
        let keys = self.keys(6);
        let gets: Vec<Value> =
            keys.iter().map(|key| json!({"Get": {"TableName": "items", "Key": key_of(key)}})).collect();
        let answer = call(engine, Operation::TransactGetItems, &json!({"TransactItems": gets})).unwrap();
        let response = |key: &Key| self.map.get(key).map_or(json!({}), |item| json!({"Item": item}));
        assert_eq!(answer, json!({"Responses": keys.iter().map(response).collect::<Value>()}));
    }

    fn query(&self, engine: &Engine) {
        let (partition, low) = self.key();
        let high = low + self.choices.below(4) as i64;
        let is_forward = self.choices.one_in(2);
        let body = json!({
            "TableName": "items", "KeyConditionExpression": "pk = :p AND sk BETWEEN :low AND :high",
            "ExpressionAttributeValues": {
                ":p": {"S": partition}, ":low": {"N": low.to_string()}, ":high": {"N": high.to_string()},
            },
            "ScanIndexForward": is_forward, "Limit": 1 + self.choices.below(4),
        });
        let mut expected = self.map.range(&partition, low, high);
        if !is_forward {
            expected.reverse();
        }
        assert_eq!(read_all(engine, Operation::Query, body), expected);
    }

    /// The local index of a partition, or the global one of a value.
    fn query_index(&self, engine: &Engine) {
        let items = || self.map.0.values().filter(|item| number(item).is_some());
        let (index, name, value) = match self.choices.one_in(2) {
            true => ("local", "pk", self.key().0),
            false => ("global", "g", format!("{}{}", self.name, self.choices.below(2))),
        };
        let is_there = |item: &Item| item.get(name).is_some_and(|held| held["S"] == value.as_str());
        let project = |item: &Item| match index {
            "local" => item
                .clone()
                .into_iter()
                .filter(|(name, _)| matches!(name.as_str(), "pk" | "sk" | "n"))
                .collect(),
            _ => item.clone(),
        };
        let mut expected: Vec<Item> = items().filter(|item| is_there(item)).map(project).collect();
        let body = json!({
            "TableName": "items", "IndexName": index, "KeyConditionExpression": "#k = :v", "Limit": 1 + self.choices.below(4),
            "ExpressionAttributeNames": {"#k": name}, "ExpressionAttributeValues": {":v": {"S": value}},
        });
        let mut found = read_all(engine, Operation::Query, body);
        assert!(found.is_sorted_by_key(number), "{found:?}");
        found.sort_by_key(place);
        expected.sort_by_key(place);
        assert_eq!(found, expected, "{index} of {value}");
    }

    /// Everything that is the client's, from among everything.
    fn scan(&self, engine: &Engine) {
        let body = json!({
            "TableName": "items", "Limit": 5, "FilterExpression": "begins_with(#own, :name)",
            "ExpressionAttributeNames": {"#own": "pk"}, "ExpressionAttributeValues": {":name": {"S": self.name}},
        });
        let mut found = read_all(engine, Operation::Scan, body);
        found.sort_by_key(place);
        assert_eq!(found, self.map.0.values().cloned().collect::<Vec<_>>());
    }
}
