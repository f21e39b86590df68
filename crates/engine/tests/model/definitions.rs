//! Random tables with indexes under clients that write the same items at once: after every run, and after a restart, each
//! index is what its definition makes of the table, in order, in pages, in segments and in number.

use std::sync::Arc;
use std::time::Duration;

use keywright_api::Operation;
use keywright_engine::clock::{ManualClock, Timestamp};
use keywright_engine::files::MemoryFiles;
use keywright_engine::{Engine, Options};
use serde_json::{Map, Value, json};

use crate::client::{Refusal, call, merged, read_all};
use crate::plan::{IndexPlan, Item, TablePlan, random_attribute, random_name, rank, sorted};
use crate::seeds::{Choices, Runs};

const CLIENTS: u64 = 4;
const WRITES: usize = 60;

#[test]
fn each_index_is_its_definition_over_the_table_after_concurrent_writers() {
    Runs { short: 60, long: 3_000 }.each(run);
}

fn run(seed: u64) {
    let choices = Choices::new(seed, 100);
    let plan = TablePlan::random(&choices);
    println!("{plan:?}");
    let files = Arc::new(MemoryFiles::new());
    let clock = ManualClock::new(Timestamp::from_milliseconds(1_700_000_000_000));
    let open = || Engine::open(Options::files(files.clone()).clock(Arc::new(clock.clone()))).unwrap();
    let mut engine = open();
    plan.create(&engine);
    for phase in 0..2 {
        std::thread::scope(|scope| {
            for number in 0..CLIENTS {
                let client = Client::new(&engine, &plan, Choices::new(seed, phase * CLIENTS + number));
                scope.spawn(move || (0..WRITES).for_each(|_| client.write()));
            }
        });
        check(&engine, &plan, &choices);
        if phase == 0 {
            engine.close().unwrap();
            drop(engine);
            engine = open();
            check(&engine, &plan, &choices);
        }
    }
    clock.advance(Duration::from_secs(6 * 60 * 60));
    check_counts(&engine, &plan);
}

/// A client of a few items that all clients write.
pub(crate) struct Client<'run> {
    engine: &'run Engine,
    plan: &'run TablePlan,
    choices: Choices,
}

/// What must become of a write.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    Written,
    /// A key of an index would have a value that it cannot have.
    Refused,
    /// The same in a transaction: a wrong type is a member's reason, an empty value refuses the request.
    Cancelled,
    /// It depends on the item.
    Either,
}

impl<'run> Client<'run> {
    pub(crate) fn new(engine: &'run Engine, plan: &'run TablePlan, choices: Choices) -> Client<'run> {
        Client { engine, plan, choices }
    }

    /// Sends one request, and holds what becomes of it against what must.
    pub(crate) fn write(&self) {
        let (operation, body, expected) = match self.choices.below(12) {
            0..=3 => self.put(),
            4..=6 => self.update(),
            7 => self.copy(),
            8 => (Operation::DeleteItem, json!({"TableName": "items", "Key": self.key()}), Expected::Written),
            9 => self.batch(),
            _ => self.transaction(),
        };
        let outcome = call(self.engine, operation, &body);
        let is_as_expected = match (&outcome, expected) {
            (Ok(_), Expected::Written | Expected::Either) => true,
            (Err(refusal), Expected::Refused | Expected::Either) => refusal.name == "ValidationException",
            (Err(refusal), Expected::Cancelled) => {
                refusal.name == "ValidationException" || is_cancelled(refusal, "ValidationError")
            }
            _ => false,
        };
        assert!(is_as_expected, "{expected:?}: {body}\n{outcome:?}");
    }

    fn key(&self) -> Value {
        // A zero byte in the table's key: it must not end it.
        let partition = format!("p\0{}", self.choices.below(3));
        json!({"pk": {"S": partition}, "sk": {"N": (self.choices.below(3) as i64 - 1).to_string()}})
    }

    fn item(&self) -> Value {
        let attributes = (0..self.choices.below(8)).map(|_| {
            let (name, value) = random_attribute(&self.choices);
            (name.to_owned(), value)
        });
        let mut item: Map<String, Value> = attributes.collect();
        if self.choices.one_in(2) {
            // In no key of any index.
            item.insert("unkeyed".to_owned(), json!({"L": [{"N": self.choices.below(9).to_string()}]}));
        }
        merged(self.key(), &Value::Object(item))
    }

    fn allows(&self, item: &Value) -> bool {
        item.as_object().unwrap().iter().all(|(name, value)| self.plan.allows(name, value))
    }

    fn put(&self) -> (Operation, Value, Expected) {
        let item = self.item();
        let expected = if self.allows(&item) { Expected::Written } else { Expected::Refused };
        (Operation::PutItem, json!({"TableName": "items", "Item": item}), expected)
    }

    /// Sets one attribute and removes another one.
    fn update(&self) -> (Operation, Value, Expected) {
        let (name, value) = random_attribute(&self.choices);
        let removed = random_name(&self.choices);
        let expression = match removed == name {
            true => "SET #set = :v",
            false => "SET #set = :v, unkeyed = :v REMOVE #removed",
        };
        let mut body = json!({
            "TableName": "items", "Key": self.key(), "UpdateExpression": expression,
            "ExpressionAttributeNames": {"#set": name}, "ExpressionAttributeValues": {":v": value},
        });
        if removed != name {
            body["ExpressionAttributeNames"]["#removed"] = json!(removed);
        }
        let expected = if self.plan.allows(name, &value) { Expected::Written } else { Expected::Refused };
        (Operation::UpdateItem, body, expected)
    }

    /// Sets an attribute to whatever another one holds, of whatever type.
    fn copy(&self) -> (Operation, Value, Expected) {
        let (to, from) = (random_name(&self.choices), random_name(&self.choices));
        let body = json!({
            "TableName": "items", "Key": self.key(), "UpdateExpression": "SET #to = #from",
            "ExpressionAttributeNames": {"#to": to, "#from": from},
        });
        (Operation::UpdateItem, body, Expected::Either)
    }

    /// Puts and a delete of different items.
    fn batch(&self) -> (Operation, Value, Expected) {
        let deleted = self.key();
        let puts = self.other_items(&deleted);
        let expected =
            if puts.iter().all(|item| self.allows(item)) { Expected::Written } else { Expected::Refused };
        let mut requests = vec![json!({"DeleteRequest": {"Key": deleted}})];
        requests.extend(puts.iter().map(|item| json!({"PutRequest": {"Item": item}})));
        (Operation::BatchWriteItem, json!({"RequestItems": {"items": requests}}), expected)
    }

    /// Some items, of which none has this key or that of another one.
    fn other_items(&self, key: &Value) -> Vec<Value> {
        let is_same = |one: &Value, other: &Value| one["pk"] == other["pk"] && one["sk"] == other["sk"];
        let mut items: Vec<Value> = Vec::new();
        for _ in 0..1 + self.choices.below(3) {
            let item = self.item();
            if !is_same(&item, key) && !items.iter().any(|other| is_same(&item, other)) {
                items.push(item);
            }
        }
        items
    }

    /// A delete and puts that take effect together, or do not because of a member that fails.
    fn transaction(&self) -> (Operation, Value, Expected) {
        let deleted = self.key();
        let puts = self.other_items(&deleted);
        let mut actions = vec![json!({"Delete": {"TableName": "items", "Key": deleted}})];
        actions.extend(puts.iter().map(|item| json!({"Put": {"TableName": "items", "Item": item}})));
        let expected =
            if puts.iter().all(|item| self.allows(item)) { Expected::Written } else { Expected::Cancelled };
        if expected == Expected::Written && self.choices.one_in(4) {
            return self.failing(actions);
        }
        (Operation::TransactWriteItems, json!({"TransactItems": actions}), expected)
    }

    fn failing(&self, mut actions: Vec<Value>) -> (Operation, Value, Expected) {
        actions.push(json!({"ConditionCheck": {
            "TableName": "items", "Key": {"pk": {"S": "nobody"}, "sk": {"N": "0"}},
            "ConditionExpression": "attribute_exists(pk)",
        }}));
        let body = json!({"TransactItems": actions});
        let refusal = call(self.engine, Operation::TransactWriteItems, &body).unwrap_err();
        assert!(is_cancelled(&refusal, "ConditionalCheckFailed"), "{refusal:?}");
        // In its place something that is written.
        (Operation::DeleteItem, json!({"TableName": "items", "Key": self.key()}), Expected::Written)
    }
}

fn is_cancelled(refusal: &Refusal, reason: &str) -> bool {
    let reasons = refusal.body["CancellationReasons"].as_array();
    refusal.name == "TransactionCanceledException"
        && reasons.is_some_and(|reasons| reasons.iter().any(|told| told["Code"] == reason))
}

/// The items of the table.
pub(crate) fn table(engine: &Engine) -> Vec<Item> {
    read_all(engine, Operation::Scan, json!({"TableName": "items", "ConsistentRead": true}))
}

fn check(engine: &Engine, plan: &TablePlan, choices: &Choices) {
    let table = table(engine);
    plan.indexes.iter().for_each(|index| check_index(engine, index, &table, choices));
}

/// Compares an index with its definition over a table.
pub(crate) fn check_index(engine: &Engine, index: &IndexPlan, table: &[Item], choices: &Choices) {
    let members = index.members(table);
    check_scan(engine, index, &members, choices);
    let mut partitions: Vec<Vec<Value>> = Vec::new();
    for item in &members {
        let partition = index.partition_of(item);
        if !partitions.contains(&partition) {
            partitions.push(partition);
        }
    }
    for partition in partitions {
        let of_partition: Vec<Item> =
            members.iter().filter(|item| index.partition_of(item) == partition).cloned().collect();
        check_query(engine, index, &of_partition, choices);
    }
}

fn projected(index: &IndexPlan, items: &[Item]) -> Vec<Item> {
    sorted(items.iter().map(|item| index.project(item)).collect())
}

fn check_scan(engine: &Engine, index: &IndexPlan, members: &[Item], choices: &Choices) {
    let segments = 1 + choices.below(4);
    let mut found = Vec::new();
    for segment in 0..segments {
        let mut body = json!({
            "TableName": "items", "IndexName": index.name, "Segment": segment, "TotalSegments": segments,
            "Limit": 1 + choices.below(4),
        });
        if index.is_local {
            body["ConsistentRead"] = json!(choices.one_in(2));
        }
        found.extend(read_all(engine, Operation::Scan, body));
    }
    assert_eq!(sorted(found), projected(index, members), "scan of {index:?}");
}

/// Queries a partition as a whole and in part, forward and backward.
fn check_query(engine: &Engine, index: &IndexPlan, members: &[Item], choices: &Choices) {
    let (condition, holds) = sort_condition(index, members, choices);
    for (condition, members) in [
        (KeyCondition::default(), members.to_vec()),
        (condition, members.iter().filter(|item| holds(item)).cloned().collect()),
    ] {
        let body = condition.request(index, &members, choices);
        let Some(body) = body else { continue };
        let forward = read_all(engine, Operation::Query, body.clone());
        assert!(
            forward.is_sorted_by(|one, other| index.compare(one, other).is_le()),
            "order of {body}: {forward:?}"
        );
        assert_eq!(sorted(forward.clone()), projected(index, &members), "{body}");
        let mut backward =
            read_all(engine, Operation::Query, merged(body.clone(), &json!({"ScanIndexForward": false})));
        backward.reverse();
        assert_eq!(backward, forward, "backward: {body}");
        if index.is_local {
            let whole = merged(body, &json!({"Select": "ALL_ATTRIBUTES"}));
            assert_eq!(
                sorted(read_all(engine, Operation::Query, whole)),
                sorted(members),
                "the items of {index:?}"
            );
        }
    }
}

/// Conditions on the sort attributes of an index, from left to right.
#[derive(Clone, Debug, Default)]
struct KeyCondition {
    parts: Vec<(String, &'static str, Value)>,
}

impl KeyCondition {
    /// The Query of the partition of these items, of which there is at least one.
    fn request(&self, index: &IndexPlan, members: &[Item], choices: &Choices) -> Option<Value> {
        let partition = index.partition.iter().zip(index.partition_of(members.first()?));
        let equal = partition.map(|(name, value)| ((*name).to_owned(), "=", value));
        let (mut texts, mut names, mut values) = (Vec::new(), Map::new(), Map::new());
        for (number, (name, comparison, value)) in equal.chain(self.parts.clone()).enumerate() {
            texts.push(format!("#n{number} {comparison} :v{number}"));
            names.insert(format!("#n{number}"), json!(name));
            values.insert(format!(":v{number}"), value);
        }
        Some(json!({
            "TableName": "items", "IndexName": index.name, "Limit": 1 + choices.below(4),
            "KeyConditionExpression": texts.join(" AND "),
            "ExpressionAttributeNames": names, "ExpressionAttributeValues": values,
        }))
    }
}

/// Equality on the first sort attributes, as one of the items has them, and a comparison of the next one; and which items
/// meet it.
fn sort_condition(
    index: &IndexPlan,
    members: &[Item],
    choices: &Choices,
) -> (KeyCondition, impl Fn(&Item) -> bool + use<>) {
    let model = choices.of(members).clone();
    let sort = index.sort.clone();
    let count = choices.below(sort.len() + 1);
    let comparison = *choices.of(&["=", "<", "<=", ">", ">="]);
    let of = |place: usize| if place + 1 == count { comparison } else { "=" };
    let parts = (0..count).map(|place| (sort[place].to_owned(), of(place), model[sort[place]].clone()));
    let condition = KeyCondition { parts: parts.collect() };
    let parts = condition.parts.clone();
    let holds = move |item: &Item| {
        parts.iter().all(|(name, comparison, value)| {
            let (held, bound) = (rank(&item[name]), rank(value));
            match *comparison {
                "=" => held == bound,
                "<" => held < bound,
                "<=" => held <= bound,
                ">" => held > bound,
                _ => held >= bound,
            }
        })
    };
    (condition, holds)
}

/// What DescribeTable says when its figures are new.
fn check_counts(engine: &Engine, plan: &TablePlan) {
    let table = read_all(engine, Operation::Scan, json!({"TableName": "items"}));
    let answer = call(engine, Operation::DescribeTable, &json!({"TableName": "items"})).unwrap();
    assert_eq!(answer["Table"]["ItemCount"], table.len());
    let described =
        ["LocalSecondaryIndexes", "GlobalSecondaryIndexes"].map(|kind| answer["Table"][kind].clone());
    let described: Vec<&Value> = described.iter().filter_map(Value::as_array).flatten().collect();
    assert_eq!(described.len(), plan.indexes.len());
    for index in &plan.indexes {
        let told = described.iter().find(|told| told["IndexName"] == index.name).unwrap();
        assert_eq!(told["ItemCount"], index.members(&table).len(), "{index:?}");
    }
}
