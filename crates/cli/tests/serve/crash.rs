//! kill -9 under load: every write that was acknowledged is there when it opens again.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::client::Connection;
use crate::process::serve_directory;

const WRITERS: usize = 8;

/// The test command kills 20 times; with `KEYWRIGHT_LONG=1` it is 200.
fn rounds() -> usize {
    if std::env::var_os("KEYWRIGHT_LONG").is_some() { 200 } else { 20 }
}

#[test]
fn no_acknowledged_write_is_lost_when_the_process_is_killed_under_load() {
    let directory = tempfile::tempdir().unwrap();
    let seed = std::env::var("KEYWRIGHT_SEED").map_or(1, |seed| seed.parse::<u64>().unwrap());
    println!("seed {seed} (set KEYWRIGHT_SEED to repeat)");
    let mut acknowledged: HashMap<String, usize> = HashMap::new();
    for round in 0..rounds() {
        let (serving, address) = serve_directory(directory.path());
        if round == 0 {
            Connection::open(address).unwrap().create_table();
        }
        assert_all_present(address, &acknowledged);
        // Somewhere within the first groups, or after some hundred writes.
        let enough = usize::try_from(scramble(seed, round) % 400).unwrap() + 1;
        let acknowledgements = AtomicUsize::new(0);
        let written = thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS)
                .map(|writer| {
                    let acknowledgements = &acknowledgements;
                    scope.spawn(move || write_until_killed(address, round, writer, acknowledgements))
                })
                .collect();
            while acknowledgements.load(Ordering::Relaxed) < enough {
                assert!(writers.iter().any(|writer| !writer.is_finished()), "nobody writes in round {round}");
                thread::yield_now();
            }
            serving.kill();
            writers.into_iter().map(|writer| writer.join().unwrap()).collect::<Vec<_>>()
        });
        acknowledged.extend(written.into_iter().flatten());
        println!("round {round}: killed after {enough} writes, {} acknowledged in all", acknowledged.len());
    }
    let (_serving, address) = serve_directory(directory.path());
    assert_all_present(address, &acknowledged);
}

/// Puts new keys, and over one key of the writer's again and again, until the connection breaks. Returns what was
/// acknowledged: each key with its last acknowledged number.
fn write_until_killed(
    address: SocketAddr,
    round: usize,
    writer: usize,
    acknowledgements: &AtomicUsize,
) -> HashMap<String, usize> {
    let mut acknowledged = HashMap::new();
    let Ok(mut connection) = Connection::open(address) else { return acknowledged };
    for number in 0.. {
        let own = format!("writer {writer}");
        let key =
            if number % 4 == 3 { own } else { format!("round {round} writer {writer} number {number}") };
        let stamp = round * 1_000_000 + number;
        let put =
            format!(r#"{{"TableName":"Things","Item":{{"id":{{"S":"{key}"}},"n":{{"N":"{stamp}"}}}}}}"#);
        match connection.call("PutItem", &put) {
            Ok((200, _)) => {
                acknowledged.insert(key, stamp);
                acknowledgements.fetch_add(1, Ordering::Relaxed);
            }
            Ok((status, body)) => panic!("a put was refused: {status} {body}"),
            Err(_) => break,
        }
    }
    acknowledged
}

/// Each key is there with its acknowledged number, or with a later one that was written but not acknowledged.
fn assert_all_present(address: SocketAddr, acknowledged: &HashMap<String, usize>) {
    let mut connection = Connection::open(address).unwrap();
    for (key, stamp) in acknowledged {
        let get = format!(r#"{{"TableName":"Things","Key":{{"id":{{"S":"{key}"}}}},"ConsistentRead":true}}"#);
        let (status, body) = connection.call("GetItem", &get).unwrap();
        assert_eq!(status, 200, "{body}");
        let found: serde_json::Value = serde_json::from_str(&body).unwrap();
        let number = found["Item"]["n"]["N"].as_str().and_then(|number| number.parse::<usize>().ok());
        assert!(number >= Some(*stamp), "{key} was acknowledged with {stamp}, and now it is {number:?}");
    }
}

/// A number that looks random and depends on the seed and the round alone (SplitMix64).
fn scramble(seed: u64, round: usize) -> u64 {
    let state = (seed ^ (round as u64) << 32).wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
