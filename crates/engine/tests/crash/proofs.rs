//! Each check notices what it is there for: in stores to which something was done, and on a disk that lies.

use std::io;
use std::sync::Arc;

use keywright_api::Operation;
use keywright_engine::files::{DirectoryLock, FaultyFiles, File, Files, LockError, MemoryFiles, Persistence};
use keywright_engine::storage::Space;
use serde_json::{Value, json};

use crate::in_process::{Handle, calm, clock, open, work};
use crate::past::{Doctored, End, Past, contains};
use crate::suite::choices::Choices;
use crate::suite::client::Client;
use crate::suite::found::Found;
use crate::suite::log::{Change, Doubt, Place};
use crate::suite::schema::{self, BANK, THINGS};
use crate::suite::verdict::{Kind, Violation};
use crate::suite::world::World;

/// What the check says of a store after something was done to it.
fn verdict(spoil: impl FnOnce(&mut Past)) -> Option<Kind> {
    let mut past = Past::new(7, End::Closed);
    spoil(&mut past);
    past.check().err().map(|violation| violation.kind)
}

fn client_of(past: &Past, table: &str) -> (Place, Value) {
    let mut items = past.world.logs[0].items.iter();
    let (place, item) = items.find(|(place, _)| place.table == table).unwrap();
    (place.clone(), Value::Object(item.clone()))
}

fn change_by_engine(past: &Past, operation: Operation, body: &Value) {
    past.by_engine(|handle| drop(handle.must(operation, body).unwrap()));
}

#[test]
fn a_store_to_which_nothing_was_done_is_well() {
    assert_eq!(verdict(|_| ()), None);
}

#[test]
fn an_answered_write_that_is_gone_is_noticed() {
    let lost = verdict(|past| {
        let (place, _) = client_of(past, THINGS);
        change_by_engine(past, Operation::DeleteItem, &json!({"TableName": THINGS, "Key": place.key()}));
    });
    assert_eq!(lost, Some(Kind::Lost));
}

#[test]
fn an_item_as_it_was_before_the_last_answer_is_noticed() {
    let lost = verdict(|past| {
        let (_, mut item) = client_of(past, THINGS);
        item["v"] = json!({"N": "0"});
        change_by_engine(past, Operation::PutItem, &json!({"TableName": THINGS, "Item": item}));
    });
    assert_eq!(lost, Some(Kind::Lost));
}

#[test]
fn an_item_that_nobody_wrote_is_noticed() {
    for partition in ["client 0", "client 9"] {
        let foreign = verdict(|past| {
            let item = json!({"pk": {"S": partition}, "sk": {"N": "77"}});
            change_by_engine(past, Operation::PutItem, &json!({"TableName": THINGS, "Item": item}));
        });
        assert_eq!(foreign, Some(Kind::Foreign));
    }
}

/// A transaction without an answer that put two items, of which `there` are.
fn with_doubt(past: &mut Past, there: &[i64]) {
    let log = &mut past.world.logs[0];
    let change = |sk| Change { place: log.thing(sk), after: Some(log.thing(sk).bare_item()) };
    let changes = vec![change(71), change(72)];
    log.doubt = Some(Doubt::Whole(changes.clone()));
    for Change { place, after } in changes.into_iter().filter(|change| there.contains(&change.place.sk)) {
        change_by_engine(past, Operation::PutItem, &json!({"TableName": place.table, "Item": after}));
    }
}

#[test]
fn a_transaction_without_an_answer_may_be_there_or_not_and_half_of_it_is_noticed() {
    assert_eq!(verdict(|past| with_doubt(past, &[])), None);
    assert_eq!(verdict(|past| with_doubt(past, &[71, 72])), None);
    assert_eq!(verdict(|past| with_doubt(past, &[71])), Some(Kind::Half));
    assert_eq!(verdict(|past| with_doubt(past, &[72])), Some(Kind::Half));
}

#[test]
fn a_transfer_without_its_receipt_is_noticed() {
    let unbalanced = verdict(|past| {
        let body = json!({
            "TableName": BANK, "Key": schema::account(0), "UpdateExpression": "ADD balance :one",
            "ExpressionAttributeValues": {":one": {"N": "1"}},
        });
        change_by_engine(past, Operation::UpdateItem, &body);
    });
    assert_eq!(unbalanced, Some(Kind::Balance));
}

#[test]
fn a_count_that_is_lost_or_made_twice_is_noticed() {
    for amount in ["-1", "1"] {
        let miscounted = verdict(|past| {
            let body = json!({
                "TableName": THINGS, "Key": schema::counter(), "UpdateExpression": "ADD n :amount",
                "ExpressionAttributeValues": {":amount": {"N": amount}},
            });
            change_by_engine(past, Operation::UpdateItem, &body);
        });
        assert_eq!(miscounted, Some(Kind::Counter), "{amount}");
    }
}

#[test]
fn a_table_that_is_gone_or_back_is_noticed() {
    let gone = verdict(|past| change_by_engine(past, Operation::DeleteTable, &json!({"TableName": BANK})));
    assert_eq!(gone, Some(Kind::Table));
    let back = verdict(|past| {
        let name = past.world.logs[0].table(5);
        change_by_engine(past, Operation::CreateTable, &schema::definition(&name));
    });
    assert_eq!(back, Some(Kind::Table));
}

#[test]
fn an_item_without_its_entry_is_noticed() {
    let deleted = verdict(|past| past.in_storage(Space::Index, |_, _| Some(Doctored::Deleted)));
    assert_eq!(deleted, Some(Kind::Index));
}

#[test]
fn an_entry_without_its_item_is_noticed() {
    let orphaned = verdict(|past| {
        let of_client_with_entry =
            |key: &[u8], value: &[u8]| contains(key, b"client 0") && contains(value, b"group");
        past.in_storage(Space::Items, |key, value| {
            of_client_with_entry(key, value).then_some(Doctored::Deleted)
        });
        // As if the client had deleted it, and only its entries were left.
        let engine = open(Arc::new(past.disk.clone()), &past.clock).unwrap();
        let found = Found::read(&mut Handle(&engine)).unwrap();
        let items = &mut past.world.logs[0].items;
        let before = items.len();
        items.retain(|place, _| found.items.contains_key(place));
        assert_eq!(items.len() + 1, before);
    });
    assert_eq!(orphaned, Some(Kind::Index));
}

#[test]
fn figures_that_are_not_those_of_a_count_are_noticed() {
    for prefix in [b"statistics/".as_slice(), b"index-statistics/"] {
        let miscounted = verdict(|past| {
            past.in_storage(Space::Meta, |key, value| {
                let mut figures = value.to_vec();
                // The lowest byte of the number of items.
                *figures.get_mut(7)? ^= 1;
                key.starts_with(prefix).then_some(Doctored::Changed(figures))
            });
        });
        assert_eq!(miscounted, Some(Kind::Statistics));
    }
}

#[test]
fn a_token_that_is_forgotten_is_noticed() {
    let twice = verdict(|past| {
        // Of a transfer: when it happens again, balances say so.
        let receipts =
            |changes: &[Change]| changes.iter().any(|change| change.place.table == schema::RECEIPTS);
        let mut sent = past.world.logs.iter().flat_map(|log| log.sent.iter().rev().take(5));
        let of_transfer = sent.find(|sent| receipts(&sent.changes)).unwrap();
        let token = of_transfer.body["ClientRequestToken"].as_str().unwrap().to_owned();
        let key = format!("t{token}");
        past.in_storage(Space::TimeToLive, |found, _| (found == key.as_bytes()).then_some(Doctored::Deleted));
    });
    assert_eq!(twice, Some(Kind::Token));
}

#[test]
fn reads_of_what_nobody_was_told_are_noticed_while_the_clients_work() {
    let work_on = |past: &mut Past| {
        let engine = open(Arc::new(past.disk.clone()), &past.clock).unwrap();
        let choices = |client| Choices::new(8, client);
        let worked = work(&engine, &mut past.world, &past.clock, "on", choices, 100);
        worked.err().map(|violation| violation.kind)
    };
    assert_eq!(work_on(&mut Past::new(7, End::Closed)), None);

    let mut past = Past::new(7, End::Closed);
    let items = past.world.logs.iter_mut().flat_map(|log| log.items.values_mut());
    items.for_each(|item| drop(item.insert("v".to_owned(), json!({"N": "0"}))));
    assert_eq!(work_on(&mut past), Some(Kind::Read));

    let mut past = Past::new(7, End::Closed);
    let body = json!({
        "TableName": BANK, "Key": schema::account(0), "UpdateExpression": "ADD balance :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    });
    change_by_engine(&past, Operation::UpdateItem, &body);
    assert_eq!(work_on(&mut past), Some(Kind::Read));

    let mut past = Past::new(7, End::Closed);
    past.world.logs[1].highest_count = 1_000;
    assert_eq!(work_on(&mut past), Some(Kind::Read));
}

/// A disk that says it synced and did not, as some do: what was answered is lost with the power, and the suite notices
/// within a few seeds, if the store does not.
#[test]
fn a_disk_that_lies_about_syncs_is_noticed() {
    let noticed = (0..20).filter(|seed| crash_on_lying_disk(*seed).is_err()).count();
    println!("{noticed} of 20 noticed");
    assert!(noticed >= 15, "{noticed} of 20");
}

fn crash_on_lying_disk(seed: u64) -> Result<(), String> {
    let (clock, mut world) = (clock(), World::new(2));
    let honest = calm(&MemoryFiles::new(), seed);
    let engine = open(Arc::new(honest.clone()), &clock).unwrap();
    schema::set_up(&mut Handle(&engine)).unwrap();
    engine.close().unwrap();
    drop(engine);
    let lying = Lying(calm(&honest.restart().unwrap(), seed));
    let engine = open(Arc::new(lying.clone()), &clock).unwrap();
    let choices = |client| Choices::new(seed, client);
    work(&engine, &mut world, &clock, "lying", choices, 30).unwrap();
    let disk = lying.0.restart().unwrap();
    drop(engine);
    let engine = open(Arc::new(disk), &clock).map_err(|error| error.to_string())?;
    let checked: Result<_, Violation> = world.check(&mut Handle(&engine));
    checked.map(drop).map_err(|violation| violation.to_string())
}

/// Syncs nothing of the log, and says it did.
#[derive(Clone, Debug)]
struct Lying(FaultyFiles);

impl Files for Lying {
    fn lock(&self) -> Result<DirectoryLock, LockError> {
        self.0.lock()
    }

    fn open_or_create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        let file = self.0.open_or_create(name)?;
        Ok(if name.starts_with("log-") { Arc::new(LyingFile(file)) } else { file })
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.0.remove(name)
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        self.0.exists(name)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.0.list()
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.0.sync_directory()
    }

    fn persistence(&self) -> Persistence {
        self.0.persistence()
    }

    fn location(&self) -> String {
        self.0.location()
    }
}

#[derive(Debug)]
struct LyingFile(Arc<dyn File>);

impl File for LyingFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.0.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_at(offset, bytes)
    }

    fn lock(&self) -> Result<(), LockError> {
        self.0.lock()
    }

    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }
}
