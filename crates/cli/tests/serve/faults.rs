//! `--faults` and `--clock`: said at the start, at work in between, listed at the end.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};

use crate::client::Connection;
use crate::process::{run, serve};

const PUT: &str = r#"{"TableName":"Things","Item":{"id":{"S":"a"}}}"#;

/// A fault file in a directory that lives as long as the test.
fn file(text: &str) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("faults.toml");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (directory, path)
}

const TWO_RULES: &str = r#"
seed = 7

[[fault]]
operation = "PutItem"
throttle = "KeyRangeThroughputExceeded"
first = 1

[[fault]]
operation = "Scan"
cut_connection = "before-commit"
"#;

#[test]
fn the_rules_are_said_at_the_start_and_listed_at_the_end() {
    let (_directory, path) = file(TWO_RULES);
    let mut serving = serve(&["--memory", "--faults", &path]);
    let address: SocketAddr = serving.line().rsplit("http://").next().unwrap().parse().unwrap();
    serving.line();
    assert_eq!(serving.line(), format!("Faults: 2 from {path}, seed 7"));
    let mut connection = Connection::open(address).unwrap();
    connection.create_table();
    let (status, body) = connection.call("PutItem", PUT).unwrap();
    assert!(status == 400 && body.contains("TableWriteKeyRangeThroughputExceeded"), "{body}");
    assert_eq!(connection.call("PutItem", PUT).unwrap().0, 200);
    assert!(connection.call("Scan", r#"{"TableName":"Things"}"#).is_err());
    serving.signal("TERM");
    let rest = serving.rest();
    let listing = "Faults from seed 7:\n  \
        1. throttle = \"KeyRangeThroughputExceeded\", operation = \"PutItem\", first = 1: befell 1 of 2 calls\n  \
        2. cut_connection = \"before-commit\", operation = \"Scan\": befell 1 of 1 calls\n\
        Stopped: requests in flight were finished.\n";
    assert!(rest.ends_with(listing), "{rest}");
    assert!(serving.wait().success());
}

#[test]
fn as_json_they_are_an_event() {
    let (_directory, path) = file(TWO_RULES);
    let mut serving = serve(&["--memory", "--format", "json", "--faults", &path]);
    let event = serving.event();
    assert_eq!(event["faults"], serde_json::json!({"seed": 7, "rules": 2}));
    assert!(event["clock"].is_null());
    serving.signal("TERM");
    let event = serving.event();
    assert_eq!((&event["event"], &event["seed"]), (&"faults".into(), &7.into()));
    assert_eq!(
        event["rules"][1],
        serde_json::json!({"rule": "cut_connection = \"before-commit\", operation = \"Scan\"", "calls": 0, "fired": 0})
    );
    assert_eq!(serving.event()["event"], "stopped");
}

#[test]
fn a_fault_file_that_is_wrong_starts_nothing() {
    let (directory, path) = file("seed = 7\n[[fault]]\nthrotle = \"x\"\n");
    let missing = directory.path().join("missing.toml");
    let large = directory.path().join("large.toml");
    std::fs::write(&large, "#".repeat(1024 * 1024 + 1)).unwrap();
    let binary = directory.path().join("binary.toml");
    std::fs::write(&binary, [0xFF, 0xFE]).unwrap();
    for (path, words) in [
        (path.as_str(), "faults.toml, line 3: there is no `throtle`; did you mean `throttle`?"),
        (missing.to_str().unwrap(), "missing.toml` cannot be read"),
        (large.to_str().unwrap(), "larger than 1 MiB"),
        (binary.to_str().unwrap(), "binary.toml` cannot be read"),
    ] {
        let output = run(&["serve", "--memory", "--address", "127.0.0.1:0", "--faults", path]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{text}");
        assert!(text.contains(words) && text.lines().count() == 1, "{text}");
    }
}

/// The answer to a request for the clock.
fn clock(address: SocketAddr, method: &str, body: &str) -> serde_json::Value {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "{method} /_keywright/clock HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let answer = std::io::read_to_string(stream).unwrap();
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
fn a_frozen_clock_moves_the_engine_when_it_is_moved() {
    let mut serving = serve(&["--memory", "--format", "json", "--clock", "frozen@2026-01-01T00:00:00Z"]);
    let event = serving.event();
    assert_eq!(event["clock"], serde_json::json!({"clock": "frozen", "now": "2026-01-01T00:00:00.000Z"}));
    let address: SocketAddr = event["address"].as_str().unwrap().parse().unwrap();
    let moved = clock(address, "POST", r#"{"advance_seconds": 86400}"#);
    assert_eq!(moved["now"], "2026-01-02T00:00:00.000Z");
    let mut connection = Connection::open(address).unwrap();
    connection.create_table();
    let (_, table) = connection.call("DescribeTable", r#"{"TableName":"Things"}"#).unwrap();
    assert!(table.contains(r#""CreationDateTime":1767312000.000"#), "{table}");
    assert_eq!(clock(address, "GET", "")["now"], "2026-01-02T00:00:00.000Z");
}

#[test]
fn a_running_clock_starts_at_its_moment() {
    let mut serving = serve(&["--memory", "--format", "json", "--clock", "running@2040-01-01T00:00:00Z"]);
    let address: SocketAddr = serving.event()["address"].as_str().unwrap().parse().unwrap();
    let present = clock(address, "GET", "");
    assert!(present["now"].as_str().unwrap().starts_with("2040-01-01T"), "{present}");
    assert_eq!(present["clock"], "running");
    let refused = clock(address, "POST", r#"{"set": "2039-12-31T00:00:00Z"}"#);
    assert!(refused["message"].as_str().unwrap().starts_with("time never goes back"), "{refused}");
}

#[test]
fn a_clock_that_is_none_is_a_wrong_command_line() {
    let output = run(&["serve", "--memory", "--clock", "yesterday"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("frozen@2026-01-01T00:00:00Z"), "{text}");
}
