//! Writes: each started KB of the larger of the item before and after is a unit, two in a transaction; what changes in an
//! index is written there too.

use keywright_api::Operation;
use serde_json::{Value, json};

use super::{Costs, Example, grown, key, kilobytes, prove, sized};
use crate::support::merged;

const WRITES: &str = "developerguide/read-write-operations.html#write-operation-consumption";
const PROVISIONED: &str = "developerguide/provisioned-capacity-mode.html";
const GLOBAL: &str = "developerguide/GSI.html#GSI.ThroughputConsiderations.Writes";
const LOCAL: &str = "developerguide/LSI.html#LSI.ThroughputConsiderations.Writes";
const TRANSACTIONS: &str = "developerguide/transaction-apis.html#transaction-capacity-handling";
const BATCH_WRITE: &str = "APIReference/API_BatchWriteItem.html";

fn put(says: &'static str, before: Option<usize>, after: usize, units: f64) -> Example {
    Example {
        page: WRITES,
        says,
        given: before.into_iter().map(|bytes| ("plain", sized("1", bytes))).collect(),
        operation: Operation::PutItem,
        body: json!({"TableName": "plain", "Item": sized("1", after)}),
        costs: Costs::table(units),
    }
}

#[test]
fn a_put_costs_the_larger_of_both_items() {
    let provisioned = put("512 bytes / 1 KB = 0.5, or 1 unit", None, 512, 1.0);
    let conditional = put("a condition that holds adds nothing", Some(500), 500, 1.0);
    let body = merged(conditional.body.clone(), &json!({"ConditionExpression": "attribute_exists(pk)"}));
    prove(vec![
        put("500 bytes cost as much as 1 KB", None, 500, 1.0),
        put("500 bytes cost as much as 1 KB", None, 1_024, 1.0),
        put("1.6 KB are rounded up to 2 KB", None, kilobytes(16), 2.0),
        put("2 KB are 2 units", None, kilobytes(20), 2.0),
        put("of an item that is replaced, the larger one counts", Some(kilobytes(35)), 500, 4.0),
        put("of an item that is replaced, the larger one counts", Some(500), kilobytes(35), 4.0),
        Example { page: PROVISIONED, ..provisioned },
        Example { body, ..conditional },
    ]);
}

#[test]
fn an_update_costs_the_whole_item_whatever_it_changes() {
    let update = |says, bytes: Option<usize>, members: Value, units| Example {
        page: WRITES,
        says,
        given: bytes.into_iter().map(|bytes| ("plain", sized("1", bytes))).collect(),
        operation: Operation::UpdateItem,
        body: merged(json!({"TableName": "plain", "Key": key("1")}), &members),
        costs: Costs::table(units),
    };
    let set = |bytes: usize| {
        json!({
            "UpdateExpression": "SET more = :v",
            "ExpressionAttributeValues": {":v": {"S": "x".repeat(bytes)}},
        })
    };
    let remove = json!({"UpdateExpression": "REMOVE #d", "ExpressionAttributeNames": {"#d": "data"}});
    prove(vec![
        update("a subset of the attributes costs the full amount", Some(kilobytes(35)), set(1), 4.0),
        update("the item before is the larger one", Some(kilobytes(35)), remove, 4.0),
        update("the item after is the larger one", Some(500), set(3_000), 4.0),
        update("an update that creates the item", None, set(1_600), 2.0),
    ]);
}

#[test]
fn a_delete_costs_the_deleted_item() {
    let delete = |page, says, bytes: Option<usize>, units| Example {
        page,
        says,
        given: bytes.into_iter().map(|bytes| ("plain", sized("1", bytes))).collect(),
        operation: Operation::DeleteItem,
        body: json!({"TableName": "plain", "Key": key("1")}),
        costs: Costs::table(units),
    };
    prove(vec![
        delete(WRITES, "1.6 KB are rounded up to 2 KB", Some(kilobytes(16)), 2.0),
        delete(WRITES, "the size of the deleted item counts", Some(kilobytes(35)), 4.0),
        delete(BATCH_WRITE, "an item that does not exist costs a unit", None, 1.0),
    ]);
}

#[test]
fn a_batch_rounds_each_item_for_itself() {
    let batch = |page, says, given: Vec<usize>, requests: Vec<Value>, units| Example {
        page,
        says,
        given: given.iter().zip(["1", "2"]).map(|(bytes, sk)| ("plain", sized(sk, *bytes))).collect(),
        operation: Operation::BatchWriteItem,
        body: json!({"RequestItems": {"plain": requests}}),
        costs: Costs::table(units),
    };
    let put = |sk: &str, bytes| json!({"PutRequest": {"Item": sized(sk, bytes)}});
    let delete = |sk: &str| json!({"DeleteRequest": {"Key": key(sk)}});
    prove(vec![
        batch(
            WRITES,
            "500 bytes and 3.5 KB are 5 KB, not 4 KB",
            vec![],
            vec![put("1", 500), put("2", kilobytes(35))],
            5.0,
        ),
        batch(WRITES, "a delete is a DeleteItem", vec![kilobytes(16)], vec![delete("1"), put("2", 500)], 3.0),
        batch(
            BATCH_WRITE,
            "deletes of nothing cost a unit each",
            vec![],
            vec![delete("1"), delete("2")],
            2.0,
        ),
    ]);
}

#[test]
fn a_transaction_writes_each_item_twice() {
    let transaction = |page, says, given: Vec<usize>, actions: Vec<Value>, units| Example {
        page,
        says,
        given: given
            .iter()
            .enumerate()
            .map(|(number, bytes)| ("plain", sized(&number.to_string(), *bytes)))
            .collect(),
        operation: Operation::TransactWriteItems,
        body: json!({"TransactItems": actions}),
        costs: Costs::table(units).transaction("WriteCapacityUnits"),
    };
    let put = |sk: &str, bytes| json!({"Put": {"TableName": "plain", "Item": sized(sk, bytes)}});
    let keyed = |kind: &str, members: Value| json!({kind: merged(json!({"TableName": "plain", "Key": key("0")}), &members)});
    let exists = json!({"ConditionExpression": "attribute_exists(pk)"});
    let update = json!({
        "UpdateExpression": "SET n = :n", "ExpressionAttributeValues": {":n": {"N": "1"}},
    });
    let three = ["1", "2", "3"].map(|sk| put(sk, 500)).to_vec();
    let delete = vec![keyed("Delete", json!({}))];
    prove(vec![
        transaction(TRANSACTIONS, "three items of 500 bytes are six units", vec![], three, 6.0),
        transaction(WRITES, "2 KB in a transaction are 4 units", vec![], vec![put("1", kilobytes(20))], 4.0),
        transaction(
            TRANSACTIONS,
            "an update, twice",
            vec![kilobytes(16)],
            vec![keyed("Update", update)],
            4.0,
        ),
        transaction(TRANSACTIONS, "a delete, twice", vec![kilobytes(16)], delete.clone(), 4.0),
        transaction(TRANSACTIONS, "a delete of nothing, twice", vec![], delete, 2.0),
        transaction(TRANSACTIONS, "a check, twice", vec![500], vec![keyed("ConditionCheck", exists)], 2.0),
    ]);
}

/// A table with an index by an attribute that begins so; its entries keep `kept`.
struct Indexed {
    page: &'static str,
    table: &'static str,
    attribute: &'static str,
    costs: fn(f64, f64) -> Costs,
}

const INDEXED: [Indexed; 2] = [
    Indexed {
        page: GLOBAL,
        table: "global",
        attribute: "g",
        costs: |table, index| Costs::table(table).global(index),
    },
    Indexed {
        page: LOCAL,
        table: "local",
        attribute: "l",
        costs: |table, index| Costs::table(table).local(index),
    },
];

impl Indexed {
    /// An item that is in the index if `indexed` is given, with some attributes more.
    fn item(&self, indexed: Option<&str>, more: Value) -> Value {
        let mut item = merged(key("1"), &more);
        if let Some(value) = indexed {
            item[self.attribute] = json!({"S": value});
        }
        item
    }

    fn example(&self, says: &'static str, before: Option<Value>, after: Value, costs: Costs) -> Example {
        Example {
            page: self.page,
            says,
            given: before.into_iter().map(|item| (self.table, item)).collect(),
            operation: Operation::PutItem,
            body: json!({"TableName": self.table, "Item": after}),
            costs,
        }
    }

    fn update(&self, says: &'static str, before: Value, expression: &str, costs: Costs) -> Example {
        let mut body = json!({
            "TableName": self.table, "Key": key("1"), "UpdateExpression": expression.replace("KEY", self.attribute),
        });
        if expression.contains(":v") {
            body["ExpressionAttributeValues"] = json!({":v": {"S": "B"}});
        }
        let example = self.example(says, Some(before), json!({}), costs);
        Example { operation: Operation::UpdateItem, body, ..example }
    }

    fn examples(&self) -> Vec<Example> {
        let (costs, none) = (self.costs, Costs::table(1.0));
        let item =
            |indexed: Option<&str>| self.item(indexed, json!({"kept": {"S": "k"}, "unkept": {"S": "u"}}));
        let delete = self.example(
            "a deleted item leaves the index",
            Some(item(Some("A"))),
            json!({}),
            costs(1.0, 1.0),
        );
        let large = |value: &str| grown(self.item(Some(value), json!({})), "kept", 2_500);
        vec![
            self.example("a new item with the indexed attribute", None, item(Some("A")), costs(1.0, 1.0)),
            self.update("an attribute defined that was not", item(None), "SET KEY = :v", costs(1.0, 1.0)),
            self.update("the key changes from A to B", item(Some("A")), "SET KEY = :v", costs(1.0, 2.0)),
            self.update("the key is deleted", item(Some("A")), "REMOVE KEY", costs(1.0, 1.0)),
            self.example(
                "not in the index, neither before nor after",
                Some(item(None)),
                self.item(None, json!({})),
                none,
            ),
            self.update(
                "only a projected attribute changes",
                item(Some("A")),
                "SET kept = :v",
                costs(1.0, 1.0),
            ),
            self.update("what is not projected changes", item(Some("A")), "SET unkept = :v", none),
            self.example("an entry of more than 1 KB", None, large("A"), costs(3.0, 3.0)),
            self.example(
                "two writes of an entry of more than 1 KB",
                Some(large("A")),
                large("B"),
                costs(3.0, 6.0),
            ),
            Example {
                operation: Operation::DeleteItem,
                body: json!({"TableName": self.table, "Key": key("1")}),
                ..delete
            },
        ]
    }
}

#[test]
fn an_index_costs_what_changes_in_it() {
    INDEXED.iter().for_each(|indexed| prove(indexed.examples()));
}

/// A batch is its writes, with their indexes.
#[test]
fn the_indexes_of_a_batch_cost_what_those_of_its_writes_cost() {
    for indexed in INDEXED {
        let item = |sk: &str| {
            let mut item = key(sk);
            item[indexed.attribute] = json!({"S": "A"});
            json!({"PutRequest": {"Item": item}})
        };
        prove(vec![Example {
            page: indexed.page,
            says: "two new items with the indexed attribute, and one without",
            given: Vec::new(),
            operation: Operation::BatchWriteItem,
            body: json!({"RequestItems": {indexed.table: [
                item("1"), item("2"), {"PutRequest": {"Item": key("3")}},
            ]}}),
            costs: (indexed.costs)(3.0, 2.0),
        }]);
    }
}
