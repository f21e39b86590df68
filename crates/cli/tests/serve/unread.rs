//! Many clients that never read their large answers: memory stays bounded, and others are answered.

#![cfg(target_os = "linux")]

use std::net::SocketAddr;
use std::sync::mpsc;
use std::thread;

use crate::client::Connection;
use crate::process::serve;

const CLIENTS: usize = 200;
/// So many of them have their answers begun before the test ends: more than memory would hold at a time.
const BEGUN: usize = 24;
/// The memory for answers, and as much for what threads are working on and the allocator.
const ABOVE_IDLE_BYTES: u64 = 192 * 1024 * 1024;

/// Three items of 390 KB, whose JSON is nine times as long.
fn store_a_page(address: SocketAddr) {
    let mut connection = Connection::open(address).unwrap();
    connection.create_table();
    let empty_strings = vec![r#"{"S":""}"#; 390_000].join(",");
    for key in 0..3 {
        let put = format!(
            r#"{{"TableName":"Things","Item":{{"id":{{"S":"{key}"}},"list":{{"L":[{empty_strings}]}}}}}}"#
        );
        assert_eq!(connection.call("PutItem", &put).unwrap().0, 200);
    }
    let small = r#"{"TableName":"Things","Item":{"id":{"S":"small"}}}"#;
    assert_eq!(connection.call("PutItem", small).unwrap().0, 200);
}

/// Each asked for a page of 1 MB, which is 10 MB of JSON, and read nothing: the server had 1.4 GB of answers in memory until
/// the clients were cut off after 20 seconds.
#[test]
fn two_hundred_clients_that_never_read_a_page_keep_memory_bounded_and_others_answered() {
    let mut serving = serve(&["--memory", "--format", "json"]);
    let address = serving.event()["address"].as_str().unwrap().parse().unwrap();
    store_a_page(address);
    let idle = serving.memory("VmRSS");
    serving.forget_peak();

    let (begun, count_of_begun) = mpsc::channel();
    for _ in 0..CLIENTS {
        let begun = begun.clone();
        thread::spawn(move || {
            let mut connection = Connection::open(address).unwrap();
            connection.send("localhost", "Scan", r#"{"TableName":"Things"}"#).unwrap();
            let _ = begun.send(connection.until_an_answer_begins());
            // Neither reads nor leaves.
            thread::park();
        });
    }
    let get = r#"{"TableName":"Things","Key":{"id":{"S":"small"}}}"#;
    let mut other = Connection::open(address).unwrap();
    for _ in 0..BEGUN {
        count_of_begun.recv().unwrap().unwrap();
        assert_eq!(other.call("GetItem", get).unwrap().0, 200);
    }
    let most = serving.memory("VmHWM") - idle;
    println!("at most {} MiB above idle", most >> 20);
    assert!(most < ABOVE_IDLE_BYTES, "{most} bytes above idle");
}
