//! Many clients with the largest bodies: memory stays bounded, and everybody is answered.
//!
//! The only test of its process, which is what it measures.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "what fails in a test's helper fails the test"
)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;

use keywright_engine::{Engine, Options};
use keywright_server::{Server, ServerOptions};

const BODY_BYTES: usize = 16 * 1024 * 1024;
const CLIENTS: usize = 64;
const ABOVE_IDLE_BYTES: usize = 256 * 1024 * 1024;

/// Bodies that cost as much memory as a body of their length can, and what is answered.
fn bodies() -> Vec<(Vec<u8>, u16)> {
    let start = r#"{"TableName":"Things","Item":{"id":{"S":"k"},"x":"#;
    vec![
        (filled(&format!(r#"{start}{{"L":["#), r#"{"S":""},"#, r#"{"S":""}]}}}"#), 400),
        (filled(&format!(r#"{start}{{"L":["#), r#"{"N":"1"},"#, r#"{"N":"1"}]}}}"#), 400),
        (filled(&format!(r#"{start}{{"SS":["#), r#""a","#, r#""b"]}}}"#), 400),
        (filled(&format!(r#"{start}{{"S":""#), "x", r#""}}}"#), 400),
        (filled(&format!(r#"{start}{{"B":""#), "AAAA", r#""}}}"#), 400),
        (filled(start, r#"{"M":{"a":"#, ""), 400),
        (filled("", "garbage ", ""), 400),
        (filled(r#"{"TableName":"Things","Unknown":["#, "[],", "[]]}"), 400),
    ]
}

/// `unit` as often as the length of a body allows, and spaces.
fn filled(start: &str, unit: &str, end: &str) -> Vec<u8> {
    let room = BODY_BYTES - start.len() - end.len();
    let mut body = Vec::with_capacity(BODY_BYTES);
    body.extend_from_slice(start.as_bytes());
    body.extend_from_slice(unit.repeat(room / unit.len()).as_bytes());
    body.extend_from_slice(end.as_bytes());
    body.resize(BODY_BYTES, b' ');
    body
}

/// A figure of `/proc/self/status`, in bytes.
fn memory(figure: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(figure)).unwrap();
    let kibibytes: usize = line.trim_start_matches(':').trim().trim_end_matches(" kB").parse().unwrap();
    kibibytes * 1024
}

fn start() -> SocketAddr {
    let engine = Engine::open(Options::memory()).unwrap();
    let options = ServerOptions { address: "127.0.0.1:0".parse().unwrap(), ..ServerOptions::default() };
    let server = Server::bind(engine, options).unwrap();
    let address = server.local_address();
    thread::spawn(move || {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(server.run(std::future::pending())).unwrap();
    });
    address
}

/// The status of a PutItem with this body.
fn put(address: SocketAddr, body: &[u8]) -> u16 {
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\nContent-Type: application/x-amz-json-1.0\r\n\
         X-Amz-Target: DynamoDB_20120810.PutItem\r\nX-Amz-Date: 20260101T000000Z\r\nConnection: close\r\n\
         Authorization: AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn sixty_four_clients_with_16_mb_each_are_all_answered_within_256_mb() {
    let bodies = bodies();
    let address = start();
    assert_eq!(put(address, b"{}"), 400);
    // Resets the highest figure so far.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let idle = memory("VmRSS");

    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (body, status) = &bodies[client % bodies.len()];
            scope.spawn(move || assert_eq!(put(address, body), *status, "body {}", client % 8));
        }
    });

    let above_idle = memory("VmHWM") - idle;
    println!("at most {} MiB above idle", above_idle >> 20);
    println!("{} MiB above idle at the end", memory("VmRSS").saturating_sub(idle) >> 20);
    assert!(above_idle < ABOVE_IDLE_BYTES, "{above_idle} bytes above idle");
}
