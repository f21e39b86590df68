//! The ways to stop it.

use std::os::unix::process::ExitStatusExt;

use crate::client::Connection;
use crate::process::{serve, serve_directory, serve_unheard};

/// A log file on the disk of the data: when that was full, the event that said so ended the thread that writes, and no write was taken
/// until somebody restarted the server.
#[cfg(target_os = "linux")]
#[test]
fn events_that_cannot_be_written_stop_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    let mut serving = serve_unheard(&["--format", "json", "--data", data]);
    let address = serving.event()["address"].as_str().unwrap().parse().unwrap();
    let mut connection = Connection::open(address).unwrap();
    let table = r#"{"TableName":"Things","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],
        "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}]}"#;
    assert_eq!(connection.call("CreateTable", table).unwrap().0, 200);
    // The log goes on in its next segment meanwhile, and says so.
    for number in 0..8 {
        let item = format!(
            r#"{{"TableName":"Things","Item":{{"k":{{"S":"{number}"}},"v":{{"S":"{}"}}}}}}"#,
            "v".repeat(300_000)
        );
        assert_eq!(connection.call("PutItem", &item).unwrap().0, 200);
    }
    serving.signal("TERM");
    assert!(serving.wait().success());
}

#[test]
fn either_signal_stops_it_with_exit_code_0_and_a_word() {
    for signal in ["TERM", "INT"] {
        let directory = tempfile::tempdir().unwrap();
        let mut serving = serve(&["--data", directory.path().to_str().unwrap()]);
        serving.line();
        serving.signal(signal);
        let rest = serving.rest();
        assert!(rest.ends_with(&format!("the data is in {}.\n", directory.path().display())), "{rest}");
        let status = serving.wait();
        assert_eq!((status.code(), status.signal()), (Some(0), None));
    }
}

#[test]
fn a_stop_answers_what_was_sent_and_closes_idle_connections() {
    let directory = tempfile::tempdir().unwrap();
    let (mut serving, address) = serve_directory(directory.path());
    let mut writers: Vec<_> = (0..8).map(|_| Connection::open(address).unwrap()).collect();
    writers[0].create_table();
    for (number, writer) in writers.iter_mut().enumerate() {
        let put = format!(r#"{{"TableName":"Things","Item":{{"id":{{"S":"{number}"}}}}}}"#);
        assert_eq!(writer.call("PutItem", &put).unwrap().0, 200);
    }
    serving.signal("TERM");
    assert_eq!(serving.event()["event"], "stopped");
    assert!(serving.wait().success());
    for writer in &mut writers {
        assert!(writer.call("ListTables", "{}").is_err());
    }
}

/// An upload that never ends holds the shutdown up to its limit; whoever does not want to wait asks twice.
#[test]
fn a_second_signal_ends_it_at_once() {
    let mut serving = serve(&["--memory", "--format", "json"]);
    let address = serving.event()["address"].as_str().unwrap().parse().unwrap();
    let mut stuck = Connection::open(address).unwrap();
    stuck.send_part_of_a_call();
    serving.signal("TERM");
    until_nobody_listens(address);
    serving.signal("TERM");
    assert_eq!(serving.wait().code(), Some(1));
}

fn until_nobody_listens(address: std::net::SocketAddr) {
    while std::net::TcpStream::connect(address).is_ok() {
        std::thread::yield_now();
    }
}
