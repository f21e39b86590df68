//! Concurrent transfers between accounts: money is neither made nor lost, whatever runs at the same time.
//!
//! Clients move random amounts by transactions, some of them in two tables at once, some of them sent twice at once under one
//! token. No transaction changes the sum of a table. Readers by TransactGetItems always see the whole sum. Of a Query or Scan
//! the service promises only that each item is as some transaction left it; the engine reads a page from one moment, so that
//! a page with all accounts of a table, or of its index, shows the sum too.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use keywright_api::Operation;
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

use crate::client::{Refusal, call, merged, read_all};
use crate::seeds::{Choices, Runs};

const ACCOUNTS: usize = 4;
const OPENING_BALANCE: i64 = 100;
const CLIENTS: u64 = 4;
const TRANSFERS: usize = 40;
const TABLES: [&str; 2] = ["current", "savings"];
const TABLE_SUM: i64 = OPENING_BALANCE * ACCOUNTS as i64;

/// A table and the number of an account in it.
type Account = (usize, usize);

#[test]
fn a_sum_is_conserved_and_every_reader_sees_it() {
    Runs { short: 20, long: 1_000 }.each(run);
}

#[derive(Default)]
struct Counts {
    refused: AtomicU64,
    sent_twice: AtomicU64,
    reads: AtomicU64,
}

fn run(seed: u64) {
    let engine = Engine::open(Options::memory()).unwrap();
    TABLES.iter().for_each(|table| open_accounts(&engine, table));
    let counts = Counts::default();
    let done = AtomicBool::new(false);
    let ledger: BTreeMap<Account, i64> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let (engine, counts) = (&engine, &counts);
                scope.spawn(move || transfer_all(engine, &Choices::new(seed, number), number, counts))
            })
            .collect();
        for read in [read_by_transaction, read_item_by_item, read_whole_pages] {
            let (engine, counts, done) = (&engine, &counts, &done);
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    read(engine);
                    counts.reads.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let mut ledger = BTreeMap::new();
        for client in clients {
            for (account, amount) in client.join().unwrap() {
                *ledger.entry(account).or_default() += amount;
            }
        }
        done.store(true, Ordering::Relaxed);
        ledger
    });

    // Each transfer that was answered counted once, those that were sent twice too, and no other one counted.
    for (table, name) in TABLES.iter().enumerate() {
        let balances =
            balances(&read_all(&engine, Operation::Scan, json!({"TableName": name, "ConsistentRead": true})));
        let expected = (0..ACCOUNTS)
            .map(|number| OPENING_BALANCE + ledger.get(&(table, number)).copied().unwrap_or_default());
        assert_eq!(balances, expected.collect::<Vec<_>>(), "seed {seed}, {name}");
    }
    read_by_transaction(&engine);
    assert!(counts.refused.into_inner() > 0, "no account ran dry: the condition is not tested");
    assert!(counts.sent_twice.into_inner() > 0 && counts.reads.into_inner() > 0);
}

/// All accounts of a table are one partition, so that a Query reads them all; a global index has them too.
fn open_accounts(engine: &Engine, table: &str) {
    let key = json!([{"AttributeName": "bank", "KeyType": "HASH"}, {"AttributeName": "account", "KeyType": "RANGE"}]);
    let body = json!({
        "TableName": table, "BillingMode": "PAY_PER_REQUEST", "KeySchema": key,
        "AttributeDefinitions": [
            {"AttributeName": "bank", "AttributeType": "S"}, {"AttributeName": "account", "AttributeType": "N"},
        ],
        "GlobalSecondaryIndexes": [
            {"IndexName": "all", "KeySchema": key, "Projection": {"ProjectionType": "ALL"}},
        ],
    });
    call(engine, Operation::CreateTable, &body).unwrap();
    for number in 0..ACCOUNTS {
        let mut item = key_of(number);
        item["balance"] = json!({"N": OPENING_BALANCE.to_string()});
        call(engine, Operation::PutItem, &json!({"TableName": table, "Item": item})).unwrap();
    }
}

fn key_of(number: usize) -> Value {
    json!({"bank": {"S": "b"}, "account": {"N": number.to_string()}})
}

/// Transfers, and tells by how much each account was changed.
fn transfer_all(engine: &Engine, choices: &Choices, client: u64, counts: &Counts) -> Vec<(Account, i64)> {
    let mut changes = Vec::new();
    for number in 0..TRANSFERS {
        let movements = movements(choices);
        let body = transfer(&movements, &format!("{client}-{number}"));
        let send = || call(engine, Operation::TransactWriteItems, &body);
        let outcomes = match choices.one_in(4) {
            false => vec![send()],
            true => std::thread::scope(|scope| {
                counts.sent_twice.fetch_add(1, Ordering::Relaxed);
                let other = scope.spawn(send);
                vec![send(), other.join().unwrap()]
            }),
        };
        if outcomes.iter().any(Result::is_ok) {
            changes.extend(movements);
        }
        for Refusal { name, body } in outcomes.into_iter().filter_map(Result::err) {
            assert_eq!(name, "TransactionCanceledException", "{body}");
            counts.refused.fetch_add(1, Ordering::Relaxed);
        }
    }
    changes
}

/// In one table, or in both at once: one account gives each of some others the same amount.
fn movements(choices: &Choices) -> Vec<(Account, i64)> {
    let tables = choices.several(&[0, 1], 1 + choices.below(TABLES.len()));
    let in_table = |table: usize| {
        let parties = choices.several(&[0, 1, 2, 3], 2 + choices.below(ACCOUNTS - 1));
        let part = 1 + choices.below(40) as i64;
        let payer = ((table, parties[0]), -part * (parties.len() as i64 - 1));
        let payees = parties[1..].iter().map(|number| ((table, *number), part));
        std::iter::once(payer).chain(payees).collect::<Vec<_>>()
    };
    tables.into_iter().flat_map(in_table).collect()
}

/// The transaction of these movements, each of whose payers must have what it pays.
fn transfer(movements: &[(Account, i64)], token: &str) -> Value {
    let update = |((table, number), amount): &(Account, i64)| {
        let mut update = json!({
            "TableName": TABLES[*table], "Key": key_of(*number), "UpdateExpression": "SET balance = balance + :amount",
            "ExpressionAttributeValues": {":amount": {"N": amount.to_string()}},
        });
        if *amount < 0 {
            update["ConditionExpression"] = json!("balance >= :needed");
            update["ExpressionAttributeValues"][":needed"] = json!({"N": (-amount).to_string()});
        }
        json!({"Update": update})
    };
    json!({"ClientRequestToken": token, "TransactItems": movements.iter().map(update).collect::<Vec<Value>>()})
}

fn balances<'items>(items: impl IntoIterator<Item = &'items serde_json::Map<String, Value>>) -> Vec<i64> {
    items.into_iter().map(|item| item["balance"]["N"].as_str().unwrap().parse().unwrap()).collect()
}

fn read_by_transaction(engine: &Engine) {
    let gets: Vec<Value> = TABLES
        .iter()
        .flat_map(|table| {
            (0..ACCOUNTS).map(move |number| json!({"Get": {"TableName": table, "Key": key_of(number)}}))
        })
        .collect();
    let answer = call(engine, Operation::TransactGetItems, &json!({"TransactItems": gets})).unwrap();
    let items = answer["Responses"].as_array().unwrap();
    let balances = balances(items.iter().map(|response| response["Item"].as_object().unwrap()));
    let sums = balances.chunks(ACCOUNTS).map(|table| table.iter().sum::<i64>());
    assert_eq!(sums.collect::<Vec<_>>(), [TABLE_SUM; TABLES.len()], "{balances:?}");
}

/// Pages of one item each: none is overdrawn, none is missing.
fn read_item_by_item(engine: &Engine) {
    for (table, operation) in TABLES.iter().zip([Operation::Query, Operation::Scan]) {
        let mut body = json!({"TableName": table, "Limit": 1});
        if operation == Operation::Query {
            body["KeyConditionExpression"] = json!("bank = :b");
            body["ExpressionAttributeValues"] = json!({":b": {"S": "b"}});
        }
        let balances = balances(&read_all(engine, operation, body));
        assert_eq!(balances.len(), ACCOUNTS);
        assert!(balances.iter().all(|balance| (0..=TABLE_SUM).contains(balance)), "{balances:?}");
    }
}

/// A page of a table and one of its index, by Query and by Scan.
fn read_whole_pages(engine: &Engine) {
    for table in TABLES {
        for members in [json!({}), json!({"IndexName": "all"})] {
            let body = merged(json!({"TableName": table}), &members);
            let partition = json!({
                "KeyConditionExpression": "bank = :b", "ExpressionAttributeValues": {":b": {"S": "b"}},
            });
            let scan = call(engine, Operation::Scan, &body).unwrap();
            let query = call(engine, Operation::Query, &merged(body, &partition)).unwrap();
            for page in [scan, query] {
                let items = page["Items"].as_array().unwrap();
                let balances = balances(items.iter().map(|item| item.as_object().unwrap()));
                assert_eq!((balances.len(), balances.iter().sum()), (ACCOUNTS, TABLE_SUM), "{balances:?}");
            }
        }
    }
}
