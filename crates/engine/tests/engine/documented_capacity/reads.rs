//! Reads: each started 4 KB is a unit, half of one when eventually consistent, two in a transaction.

use keywright_api::Consistency::{self, Eventual, Strong};
use keywright_api::Operation;
use serde_json::{Value, json};

use super::{Costs, Example, grown, key, kilobytes, prove, sized};
use crate::support::merged;

const READS: &str = "developerguide/read-write-operations.html#read-operation-consumption";
const PROVISIONED: &str = "developerguide/provisioned-capacity-mode.html";
const GLOBAL: &str = "developerguide/GSI.html#GSI.ThroughputConsiderations.Reads";
const LOCAL: &str = "developerguide/LSI.html#LSI.ThroughputConsiderations.Reads";
const TRANSACTIONS: &str = "developerguide/transaction-apis.html#transaction-capacity-handling";

fn get(
    page: &'static str,
    says: &'static str,
    bytes: usize,
    consistency: Consistency,
    units: f64,
) -> Example {
    Example {
        page,
        says,
        given: vec![("plain", sized("1", bytes))],
        operation: Operation::GetItem,
        body: json!({"TableName": "plain", "Key": key("1"), "ConsistentRead": consistency == Strong}),
        costs: Costs::table(units),
    }
}

#[test]
fn a_get_rounds_the_item_up_to_4_kb() {
    let mut examples = vec![
        get(READS, "3.5 KB are rounded up to 4 KB", kilobytes(35), Strong, 1.0),
        get(READS, "3.5 KB, divided by two", kilobytes(35), Eventual, 0.5),
        get(READS, "10 KB are rounded up to 12 KB", kilobytes(100), Strong, 3.0),
        get(READS, "10 KB, divided by two", kilobytes(100), Eventual, 1.5),
        get(READS, "3,500 bytes cost as much as 4 KB", 3_500, Strong, 1.0),
        get(READS, "3,500 bytes cost as much as 4 KB", 4_096, Strong, 1.0),
        get(READS, "8 KB read strongly are 2 units", kilobytes(80), Strong, 2.0),
        get(READS, "8 KB read eventually are 1 unit", kilobytes(80), Eventual, 1.0),
        get(PROVISIONED, "3 KB / 4 KB = 0.75, or 1 unit", kilobytes(30), Strong, 1.0),
    ];
    for (consistency, units) in [(Strong, 1.0), (Eventual, 0.5)] {
        examples.push(Example {
            given: Vec::new(),
            ..get(READS, "an item that does not exist is read all the same", 100, consistency, units)
        });
    }
    let whole = get(READS, "a subset of attributes has no impact", kilobytes(100), Strong, 3.0);
    let body = merged(whole.body.clone(), &json!({"ProjectionExpression": "sk"}));
    examples.push(Example { body, ..whole });
    prove(examples);
}

#[test]
fn a_batch_rounds_each_item_for_itself() {
    let batch = |says, given: &[usize], keys: &[&str], consistency: Consistency, units| Example {
        page: READS,
        says,
        given: given.iter().zip(["1", "2"]).map(|(bytes, sk)| ("plain", sized(sk, *bytes))).collect(),
        operation: Operation::BatchGetItem,
        body: json!({"RequestItems": {"plain": {
            "Keys": keys.iter().map(|sk| key(sk)).collect::<Vec<Value>>(), "ConsistentRead": consistency == Strong,
        }}}),
        costs: Costs::table(units),
    };
    let sizes = [kilobytes(15), kilobytes(65)];
    prove(vec![
        batch("1.5 KB and 6.5 KB are 12 KB, not 8 KB", &sizes, &["1", "2"], Strong, 3.0),
        batch("1.5 KB and 6.5 KB are 12 KB, not 8 KB", &sizes, &["1", "2"], Eventual, 1.5),
        batch("each is a GetItem, of no item too", &[], &["1"], Strong, 1.0),
        batch("each is a GetItem, of no item too", &[], &["1", "2"], Eventual, 1.0),
    ]);
}

/// Ten items of 40.8 KB together.
fn ten_items() -> Vec<(&'static str, Value)> {
    (0..10).map(|number| ("plain", sized(&number.to_string(), 4_178))).collect()
}

fn query(says: &'static str, given: Vec<(&'static str, Value)>, members: Value, units: f64) -> Example {
    let body = json!({
        "TableName": "plain", "KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"S": "a"}},
    });
    let body = merged(body, &members);
    Example { page: READS, says, given, operation: Operation::Query, body, costs: Costs::table(units) }
}

#[test]
fn a_query_rounds_all_its_items_together() {
    let strong = json!({"ConsistentRead": true});
    let with = |members: Value| merged(strong.clone(), &members);
    let small = (0..1500).map(|number| ("plain", sized(&format!("{number:04}"), 64))).collect();
    let twenty = (0..20).map(|number| ("plain", sized(&format!("{number:02}"), 4_096))).collect();
    prove(vec![
        query("10 items of 40.8 KB together are 44 KB", ten_items(), strong.clone(), 11.0),
        query("10 items of 40.8 KB together are 44 KB", ten_items(), json!({}), 5.5),
        query("1500 items of 64 bytes are 96 KB", small, strong.clone(), 24.0),
        query("80 KB read eventually are 10 units", twenty, json!({}), 10.0),
        query("counting costs what reading costs", ten_items(), with(json!({"Select": "COUNT"})), 11.0),
        query("a subset has no impact", ten_items(), with(json!({"ProjectionExpression": "sk"})), 11.0),
        query("a query that finds nothing reads all the same", Vec::new(), strong.clone(), 1.0),
    ]);
}

#[test]
fn a_scan_costs_what_it_evaluates_and_not_what_it_returns() {
    let scan = |page, says, given, members: Value, units| Example {
        page,
        says,
        given,
        operation: Operation::Scan,
        body: merged(json!({"TableName": "plain"}), &members),
        costs: Costs::table(units),
    };
    let nothing = json!({
        "FilterExpression": "nowhere = :x", "ExpressionAttributeValues": {":x": {"S": "x"}}, "ConsistentRead": true,
    });
    let megabyte = (0..128).map(|number| ("plain", sized(&format!("{number:03}"), 8_192))).collect();
    let pages = "developerguide/bp-query-scan.html";
    prove(vec![
        scan(READS, "the items that are evaluated count", ten_items(), nothing, 11.0),
        scan(pages, "1 MB / 4 KB / 2 eventually consistent reads = 128", megabyte, json!({}), 128.0),
    ]);
}

#[test]
fn a_transaction_reads_each_item_twice() {
    let gets = |page, says, sizes: &[usize], units| Example {
        page,
        says,
        given: sizes
            .iter()
            .enumerate()
            .map(|(number, bytes)| ("plain", sized(&number.to_string(), *bytes)))
            .collect(),
        operation: Operation::TransactGetItems,
        body: json!({"TransactItems": (0..sizes.len())
            .map(|number| json!({"Get": {"TableName": "plain", "Key": key(&number.to_string())}}))
            .collect::<Vec<Value>>()}),
        costs: Costs::table(units).transaction("ReadCapacityUnits"),
    };
    prove(vec![
        gets(TRANSACTIONS, "three items of 500 bytes are six units", &[500; 3], 6.0),
        gets(READS, "8 KB in a transaction are 4 units", &[kilobytes(80)], 4.0),
    ]);
}

#[test]
fn an_index_is_read_by_the_size_of_its_entries() {
    let entries: Vec<_> = (0..8)
        .map(|number| {
            let item = merged(key(&number.to_string()), &json!({"g": {"S": "g"}}));
            ("global", grown(item, "kept", 2_000))
        })
        .collect();
    let global = json!({
        "TableName": "global", "IndexName": "global", "KeyConditionExpression": "g = :g",
        "ExpressionAttributeValues": {":g": {"S": "g"}},
    });
    // Entries of 200 bytes, of items of 300.
    let items: Vec<_> = (0..4)
        .map(|number| {
            let item = merged(key(&number.to_string()), &json!({"l": {"S": number.to_string()}}));
            ("local", grown(grown(item, "kept", 200), "data", 300))
        })
        .collect();
    let local = |members: Value| {
        let body = json!({
            "TableName": "local", "IndexName": "local", "KeyConditionExpression": "pk = :a",
            "ExpressionAttributeValues": {":a": {"S": "a"}},
        });
        merged(body, &members)
    };
    let fetched = |consistency: Consistency| {
        local(json!({"ConsistentRead": consistency == Strong, "Select": "ALL_ATTRIBUTES"}))
    };
    let example = |page, says, given: &Vec<_>, body, costs| Example {
        page,
        says,
        given: given.clone(),
        operation: Operation::Query,
        body,
        costs,
    };
    let none = Costs::table(0.0);
    prove(vec![
        example(GLOBAL, "8 entries of 2,000 bytes are 16 KB: 2 units", &entries, global, none.global(2.0)),
        example(
            LOCAL,
            "index keys and projected attributes cost what the entries weigh",
            &items,
            local(json!({"ConsistentRead": true})),
            none.local(1.0),
        ),
        example(
            LOCAL,
            "4 fetched items: 4 KB of entries and 4 KB for each item, 20 KB together",
            &items,
            fetched(Strong),
            Costs::table(4.0).local(1.0),
        ),
        example(
            LOCAL,
            "the same, at half the price",
            &items,
            fetched(Eventual),
            Costs::table(2.0).local(0.5),
        ),
    ]);
}
