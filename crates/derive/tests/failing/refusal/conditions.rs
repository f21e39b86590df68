//! Conditions that say what cannot be said.

use keywright_derive::{Condition, Entity, Table};
use serde::{Serialize, Serializer};

#[derive(Table)]
#[table(entities(Account))]
struct App;

#[derive(Entity, Serialize)]
#[entity(table = App, partition_key = "ACCOUNT#{account_id}", sort_key = "ACCOUNT")]
struct Account {
    account_id: u64,
    balance: u64,
    nickname: Option<String>,
    #[serde(serialize_with = "elsewhere")]
    opened: u64,
}

fn elsewhere<Target: Serializer>(opened: &u64, target: Target) -> Result<Target::Ok, Target::Error> {
    target.serialize_str(&opened.to_string())
}

#[derive(Condition)]
#[condition(table = App, of = Account)]
struct Nothing;

#[derive(Condition)]
#[condition(of = Account, exists(balance))]
struct WithoutTable;

#[derive(Condition)]
#[condition(table = App, exists(balance))]
struct WithoutEntity;

#[derive(Condition)]
#[condition(table = App, table = App, of = Account, balance == least, exist(balance) exists(nickname))]
struct Malformed {
    least: u64,
}

#[derive(Condition)]
#[condition(table = App, of = Account, balance >= lest, tabel = App)]
struct Misspelt {
    least: u64,
}

// Not the type of the attribute's values: an `Option`, another type, and what a function writes.
#[derive(Condition)]
#[condition(table = App, of = Account, balance >= least, nickname = nickname, opened < before)]
struct Types {
    least: u32,
    nickname: Option<String>,
    before: u64,
}

struct Stranger;

#[derive(Condition)]
#[condition(table = App, of = Stranger, exists(balance))]
struct OfStranger;

#[derive(Condition)]
#[condition(table = App, of = Account, balance = balance)]
struct Generic<T> {
    balance: T,
}

fn main() {}
