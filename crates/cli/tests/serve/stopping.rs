//! The ways to stop it.

use std::net::SocketAddr;
use std::os::unix::process::ExitStatusExt;

use crate::client::Connection;
use crate::process::{Serving, serve, serve_directory, serve_heard, serve_unheard};

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

/// A supervisor read that it had stopped, started the next process, and was told that the directory was in use: what the log held was
/// still being brought into the tree.
#[test]
fn who_reads_that_it_has_stopped_can_start_the_next_one_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let (mut serving, address) = serve_directory(directory.path());
    let mut connection = Connection::open(address).unwrap();
    connection.create_table();
    for number in 0..24 {
        put(&mut connection, number, 390_000);
    }
    serving.signal("TERM");
    assert_eq!(serving.event()["event"], "stopped");
    let (mut next, address) = serve_directory(directory.path());
    assert_eq!(count(address), 24);
    next.signal("TERM");
    assert_eq!(next.event()["event"], "stopped");
    assert!(next.wait().success() && serving.wait().success());
}

/// Something was in the way of a server's store, which could not be closed: it said that the data was in the directory, with exit code 0.
#[test]
fn a_store_that_cannot_be_closed_is_a_failure_that_says_why() {
    let data = tempfile::tempdir().unwrap();
    let in_the_way = data.path().join("log-0000000000000002");
    let (mut serving, address) = serve_heard(data.path(), "off");
    let mut connection = Connection::open(address).unwrap();
    connection.create_table();
    put(&mut connection, 0, 100);
    std::fs::create_dir(&in_the_way).unwrap();
    assert_stops_with(&mut serving, "closing the log failed: opening log-0000000000000002: ");
    // Nothing is lost by it.
    std::fs::remove_dir(&in_the_way).unwrap();
    assert_eq!(count(serve_directory(data.path()).1), 1);
}

/// A store that had failed while it was used was said to have stopped well, too.
#[test]
fn a_store_that_had_failed_before_its_close_is_a_failure_that_says_why() {
    let data = tempfile::tempdir().unwrap();
    let in_the_way = data.path().join("log-0000000000000002");
    let (mut serving, address) = serve_heard(data.path(), "off");
    let mut connection = Connection::open(address).unwrap();
    connection.create_table();
    std::fs::create_dir(&in_the_way).unwrap();
    // The log needs a second segment, which cannot be created there.
    let answered = (0..8).take_while(|number| try_put(&mut connection, *number, 390_000) == 200).count();
    assert!(answered < 8, "the store goes on without a log");
    assert_stops_with(&mut serving, "preparing the log failed: opening log-0000000000000002: ");
    std::fs::remove_dir(&in_the_way).unwrap();
    assert_eq!(count(serve_directory(data.path()).1), answered);
}

/// Who looked for the cause of slow writes saw neither the syncs of the tree nor how large the files were, and nothing of the close.
#[test]
fn the_log_output_tells_sizes_syncs_and_stalls_and_that_the_store_was_closed() {
    let directory = tempfile::tempdir().unwrap();
    let (mut serving, address) = serve_heard(directory.path(), "keywright::storage=info");
    let mut connection = Connection::open(address).unwrap();
    connection.create_table();
    for number in 0..4 {
        put(&mut connection, number, 390_000);
    }
    serving.signal("TERM");
    assert!(serving.wait().success());
    let told = serving.errors();
    for message in
        ["the log goes on in the next segment", "the tree has what the log held", "the store was closed"]
    {
        let line = told.lines().find(|line| line.contains(message)).unwrap_or_else(|| panic!("{told}"));
        for field in FIELDS {
            let value = line.split(' ').find_map(|word| word.strip_prefix(field)?.strip_prefix('='));
            let value = value.unwrap_or_else(|| panic!("no {field} in {line}"));
            assert!(value.parse::<f64>().is_ok(), "{field} of {line}");
        }
    }
}

/// Those of docs/serve.md that each line has.
const FIELDS: [&str; 12] = [
    "log_bytes",
    "tree_bytes",
    "fsyncs",
    "longest_fsync_ms",
    "tree_syncs",
    "longest_tree_sync_ms",
    "directory_syncs",
    "longest_directory_sync_ms",
    "preparations",
    "longest_preparation_ms",
    "stalls",
    "longest_stall_ms",
];

/// It ends with exit code 1, says the cause in one line, and not that it has stopped.
fn assert_stops_with(serving: &mut Serving, cause: &str) {
    serving.signal("TERM");
    assert_eq!(serving.rest(), "");
    assert_eq!(serving.wait().code(), Some(1));
    let errors = serving.errors();
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.starts_with("keywright: not stopped cleanly: the store has stopped: "), "{errors}");
    assert!(errors.contains(cause) && errors.contains("the next start goes on from the log"), "{errors}");
}

fn put(connection: &mut Connection, number: usize, bytes: usize) {
    assert_eq!(try_put(connection, number, bytes), 200);
}

/// The status of a put of so many bytes.
fn try_put(connection: &mut Connection, number: usize, bytes: usize) -> u16 {
    let filler = "v".repeat(bytes);
    let item = format!(r#"{{"id":{{"S":"{number}"}},"filler":{{"S":"{filler}"}}}}"#);
    connection.call("PutItem", &format!(r#"{{"TableName":"Things","Item":{item}}}"#)).unwrap().0
}

/// How many of the first items are there.
fn count(address: SocketAddr) -> usize {
    let mut connection = Connection::open(address).unwrap();
    let is_there = |number: &usize| {
        let key = format!(r#"{{"TableName":"Things","Key":{{"id":{{"S":"{number}"}}}}}}"#);
        connection.call("GetItem", &key).unwrap().1.contains("filler")
    };
    (0..100).take_while(is_there).count()
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

fn until_nobody_listens(address: SocketAddr) {
    while std::net::TcpStream::connect(address).is_ok() {
        std::thread::yield_now();
    }
}
