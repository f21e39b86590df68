//! Updates that say what cannot be said.

use keywright_derive::{Entity, Table, Update};
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

#[derive(Update)]
#[update(table = App, of = Account)]
struct Nothing;

#[derive(Update)]
#[update(of = Account, remove(nickname))]
struct WithoutTable;

#[derive(Update)]
#[update(table = App, remove(nickname))]
struct WithoutEntity;

#[derive(Update)]
#[update(table = App, of = Account, removes(nickname))]
struct Actions {
    #[update(add, subtract)]
    balance: u64,
    #[update(put)]
    nickname: String,
}

// Not the type of the attribute's values, no attribute of the entity, and what a function writes.
#[derive(Update)]
#[update(table = App, of = Account)]
struct Types {
    balance: i64,
    nickname: String,
    motto: String,
    opened: u64,
}

#[derive(Update)]
#[update(table = App, of = Account)]
struct Positional(u64);

#[derive(Update)]
#[update(table = App, of = Account)]
enum Either {
    Nickname(String),
}

fn main() {}
