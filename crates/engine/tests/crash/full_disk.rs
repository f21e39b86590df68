//! A disk that is full: the store is read-only and says why, reads go on, nothing is half there, and writes are accepted again
//! once there is room.

use std::sync::Arc;

use keywright_api::Operation;
use keywright_engine::files::MemoryFiles;
use serde_json::json;

use crate::in_process::{Handle, calm, clock, open, work};
use crate::life::{goes_on, recovers};
use crate::suite::choices::Choices;
use crate::suite::client::{Answer, Client};
use crate::suite::log::Log;
use crate::suite::schema::{THINGS, set_up};
use crate::suite::world::World;

/// From a disk that is full at once to one that has room for some applies.
const ROOM_BYTES: [u64; 8] = [0, 4_096, 16 << 10, 48 << 10, 100 << 10, 200 << 10, 400 << 10, 800 << 10];

#[test]
fn a_full_disk_makes_the_store_read_only_until_there_is_room() {
    let refused: usize = ROOM_BYTES.iter().map(|room| fill_and_free(*room)).sum();
    assert!(refused > 100, "{refused} writes were refused: the disks were not full");
}

/// Works on a disk with so much room, frees it, works on, and loses power. Answers how many writes were refused.
fn fill_and_free(room: u64) -> usize {
    let (clock, mut world) = (clock(), World::new(3));
    let files = calm(&MemoryFiles::new(), room);
    let engine = open(Arc::new(files.clone()), &clock).unwrap();
    set_up(&mut Handle(&engine)).unwrap();
    files.limit_bytes(Some(files.used_bytes() + room));
    for round in 0..2 {
        let choices = |client| Choices::new(room, round * 16 + client);
        work(&engine, &mut world, &clock, &format!("{room}-{round}"), choices, 150).unwrap();
        goes_on(&world).unwrap_or_else(|failure| panic!("room {room}, round {round}: {failure}"));
        // What was refused is not there, and what was answered is, while it is full too.
        world.check(&mut Handle(&engine)).unwrap_or_else(|violation| panic!("room {room}: {violation}"));
        recovers(&engine, &files, &mut world).unwrap_or_else(|failure| panic!("room {room}: {failure}"));
    }
    let disk = files.restart().unwrap();
    drop(engine);
    let engine = open(Arc::new(disk), &clock).unwrap();
    world.check(&mut Handle(&engine)).unwrap_or_else(|violation| panic!("room {room}: {violation}"));
    world.logs.iter().map(|log| log.refused_by_full_disk).sum()
}

#[test]
fn a_write_that_a_full_disk_refuses_says_what_to_do_and_is_not_there() {
    let clock = clock();
    let files = calm(&MemoryFiles::new(), 1);
    let engine = open(Arc::new(files.clone()), &clock).unwrap();
    set_up(&mut Handle(&engine)).unwrap();
    files.limit_bytes(Some(0));
    let log = Log::new(0);
    let put = |number| {
        let mut item = log.thing(number).bare_item();
        item.insert("filler".to_owned(), json!({"S": "x".repeat(10_000)}));
        json!({"TableName": THINGS, "Item": item})
    };
    let mut handle = Handle(&engine);
    // What is prepared takes some more.
    let is_refused =
        |number: &i64| matches!(handle.call(Operation::PutItem, &put(*number)), Answer::DiskFull);
    let number = (0..).find(is_refused).unwrap();
    let get = json!({"TableName": THINGS, "Key": log.thing(number).key()});
    assert_eq!(Handle(&engine).must(Operation::GetItem, &get).unwrap(), json!({}));
    let error = engine.call_wire(Operation::PutItem, put(number).to_string().as_bytes()).wait().unwrap_err();
    let message = error.message().unwrap();
    assert!(message.contains("free some space and try again"), "{message}");
    assert!(message.contains("no space left on the disk"), "{message}");
}

/// The machine may stop while its disk is full, and start again before anybody made room.
#[test]
fn a_store_that_lost_power_on_a_full_disk_opens_when_there_is_room() {
    for room in ROOM_BYTES {
        let (clock, mut world) = (clock(), World::new(3));
        let files = calm(&MemoryFiles::new(), room);
        let engine = open(Arc::new(files.clone()), &clock).unwrap();
        set_up(&mut Handle(&engine)).unwrap();
        files.limit_bytes(Some(files.used_bytes() + room));
        let choices = |client| Choices::new(room, client);
        work(&engine, &mut world, &clock, &room.to_string(), choices, 150).unwrap();
        let mut disk = files.restart().unwrap();
        drop(engine);

        let full = calm(&disk, room);
        full.limit_bytes(Some(0));
        match open(Arc::new(full.clone()), &clock) {
            Ok(engine) => drop(world.check(&mut Handle(&engine)).unwrap()),
            Err(error) => {
                assert!(error.to_string().contains("no space left on the disk"), "room {room}: {error}");
            }
        }
        disk = full.restart().unwrap();
        let engine = open(Arc::new(disk), &clock).unwrap();
        world.check(&mut Handle(&engine)).unwrap_or_else(|violation| panic!("room {room}: {violation}"));
    }
}
