//! Concurrent transfers between accounts: money is neither made nor lost, whatever runs at the same time.
//!
//! Writers move random amounts by transactions of two or more accounts, single writes and batches run beside them on
//! other items, and readers read all accounts by TransactGetItems. Every run prints its seed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::support::{Refusal, batch_write, create, get, key, memory, put, transact, transact_get, update};
use keywright_engine::Engine;
use keywright_engine::random::{Random, SeededRandom};
use serde_json::{Value, json};

const ACCOUNTS: u64 = 8;
const OPENING_BALANCE: u64 = 100;
const WRITERS: u64 = 4;
const TRANSFERS: u64 = 60;

fn account(number: u64) -> Value {
    key(&format!("account {number}"))
}

fn balance(item: &Value) -> u64 {
    item["balance"]["N"].as_str().unwrap().parse().unwrap()
}

/// Takes the amount from one account, which must have it, and gives a part of it to each of the others.
fn transfer(engine: &Engine, from: u64, to: &[u64], part: u64) -> Result<Value, Refusal> {
    let edit = |number: u64, amount: String| {
        json!({"Update": {
            "TableName": "bank", "Key": account(number), "UpdateExpression": "SET balance = balance + :amount",
            "ExpressionAttributeValues": {":amount": {"N": amount}},
        }})
    };
    let total = part * to.len() as u64;
    let mut debit = edit(from, format!("-{total}"));
    debit["Update"]["ConditionExpression"] = json!("balance >= :total");
    debit["Update"]["ExpressionAttributeValues"][":total"] = json!({"N": total.to_string()});
    let mut actions = vec![debit];
    actions.extend(to.iter().map(|number| edit(*number, part.to_string())));
    transact(engine, json!(actions))
}

/// Different accounts, the first of which pays.
fn parties(random: &dyn Random) -> Vec<u64> {
    let mut left: Vec<u64> = (0..ACCOUNTS).collect();
    let count = 2 + random.next_u64() % 3;
    (0..count).map(|_| left.swap_remove((random.next_u64() % left.len() as u64) as usize)).collect()
}

#[test]
fn a_sum_is_conserved_and_every_reader_sees_it() {
    const SEED: u64 = 30;
    println!("seed {SEED}");
    let engine = memory();
    create(&engine, "bank", "pk:S", None);
    for number in 0..ACCOUNTS {
        let mut item = account(number);
        item["balance"] = json!({"N": OPENING_BALANCE.to_string()});
        put(&engine, "bank", item).unwrap();
    }
    let done = AtomicBool::new(false);
    let (carried_out, refused, reads) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let (engine, carried_out, refused) = (&engine, &carried_out, &refused);
                scope.spawn(move || {
                    let random = SeededRandom::new(SEED + writer);
                    for number in 0..TRANSFERS {
                        let parties = parties(&random);
                        match transfer(engine, parties[0], &parties[1..], 1 + random.next_u64() % 40) {
                            Ok(_) => carried_out.fetch_add(1, Ordering::Relaxed),
                            Err(refusal) => {
                                assert_eq!(
                                    refusal.name, "TransactionCanceledException",
                                    "{}",
                                    refusal.message
                                );
                                refused.fetch_add(1, Ordering::Relaxed)
                            }
                        };
                        let other = key(&format!("other {writer} {number}"));
                        update(engine, "bank", other.clone(), json!({})).unwrap();
                        batch_write(engine, json!({"bank": [{"DeleteRequest": {"Key": other}}]})).unwrap();
                    }
                })
            })
            .collect();
        for _ in 0..2 {
            scope.spawn(|| {
                let keys: Vec<Value> = (0..ACCOUNTS).map(account).collect();
                while !done.load(Ordering::Relaxed) {
                    let items = transact_get(&engine, "bank", &keys).unwrap();
                    assert_eq!(items.iter().map(balance).sum::<u64>(), ACCOUNTS * OPENING_BALANCE);
                    reads.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for writer in writers {
            writer.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });

    let balances: Vec<u64> =
        (0..ACCOUNTS).map(|number| balance(&get(&engine, "bank", account(number)).unwrap())).collect();
    assert_eq!(balances.iter().sum::<u64>(), ACCOUNTS * OPENING_BALANCE);
    assert_eq!(carried_out.into_inner() + refused.load(Ordering::Relaxed), WRITERS * TRANSFERS);
    assert!(refused.into_inner() > 0, "some accounts run dry, or the condition is not tested");
    assert!(reads.into_inner() > 0);
}
