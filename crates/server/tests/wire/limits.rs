//! Slow, large and many: the limits that keep one client from hurting the others.

use std::time::Duration;

use keywright_server::Limits;

use crate::client::{call, call_with, head_of_call};
use crate::running::Running;

const BRIEF: Duration = Duration::from_millis(200);
const LONG: Duration = Duration::from_secs(3600);

#[test]
fn headers_that_are_too_long_or_too_many_are_refused() {
    let server = Running::start();
    let long = format!("X-Long: {}", "x".repeat(100_000));
    let mut connection = server.connect();
    // The server may close before all of it is sent.
    let _ = connection.try_send(call_with("ListTables", &[&long], "{}"));
    assert_eq!(connection.receive().status, 431);

    let many = vec!["X-Many: x"; 200];
    assert_eq!(server.exchange(call_with("ListTables", &many, "{}")).status, 431);
}

/// Session tokens of federated roles make headers of several KB.
#[test]
fn a_long_session_token_is_no_reason_to_refuse() {
    let server = Running::start();
    let token = format!("X-Amz-Security-Token: {}", "x".repeat(30_000));
    assert_eq!(server.exchange(call_with("ListTables", &[&token], "{}")).status, 200);
}

#[test]
fn a_client_that_never_finishes_its_headers_is_cut_off() {
    let server =
        Running::with_limits(Limits { head_timeout: BRIEF, idle_timeout: LONG, ..Limits::default() });
    let mut connection = server.connect();
    connection.send("POST / HTTP/1.1\r\nHost: loc");
    assert!(connection.is_closed());
    let mut second_request = server.connect();
    assert_eq!(second_request.send(call("ListTables", "{}")).receive().status, 200);
    second_request.send("POST / HTTP/1.1\r\nHost: loc");
    assert!(second_request.is_closed());
}

#[test]
fn an_idle_connection_is_closed_after_its_time() {
    let server =
        Running::with_limits(Limits { idle_timeout: BRIEF, head_timeout: LONG, ..Limits::default() });
    let mut connection = server.connect();
    assert_eq!(connection.send(call("ListTables", "{}")).receive().status, 200);
    assert!(connection.is_closed());
    assert!(server.connect().is_closed());
}

/// Clients that had sent half a head each held every place for as long as an idle connection may stay: for 75 seconds nobody
/// else was answered.
#[test]
fn half_a_head_holds_a_place_for_a_short_time_only() {
    let limits = Limits { connections: 3, head_timeout: BRIEF, idle_timeout: LONG, ..Limits::default() };
    let server = Running::with_limits(limits);
    let half_sent: Vec<_> = (0..3)
        .map(|_| {
            let mut connection = server.connect();
            connection.send("POST / HTTP/1.1\r\n");
            connection
        })
        .collect();
    assert_eq!(server.exchange(call("ListTables", "{}")).status, 200);
    drop(half_sent);
}

/// A pool of an SDK keeps its connections open: with all places taken by idle ones, a new client waited until one had been
/// idle for 75 seconds.
#[test]
fn the_connection_that_has_been_idle_longest_makes_room_for_a_new_one() {
    let limits = Limits { connections: 3, head_timeout: LONG, idle_timeout: LONG, ..Limits::default() };
    let server = Running::with_limits(limits);
    let list = call("ListTables", "{}");
    let [mut first, mut second, mut third] = [(); 3].map(|()| {
        let mut connection = server.connect();
        assert_eq!(connection.send(&list).receive().status, 200);
        connection
    });
    // Now the second is the oldest.
    assert_eq!(first.send(&list).receive().status, 200);
    let mut fourth = server.connect();
    assert_eq!(fourth.send(&list).receive().status, 200);
    assert!(second.is_closed());
    for connection in [&mut first, &mut third, &mut fourth] {
        assert_eq!(connection.send(&list).receive().status, 200);
    }
}

#[test]
fn a_connection_that_never_asked_anything_makes_room_too_and_one_in_a_request_does_not() {
    let limits = Limits { connections: 2, head_timeout: LONG, idle_timeout: LONG, ..Limits::default() };
    let server = Running::with_limits(limits);
    let mut uploading = server.connect();
    uploading.send(head_of_call("ListTables", &["Content-Length: 2", "Expect: 100-continue"]));
    assert_eq!(uploading.receive().status, 100);
    let mut silent = server.connect();
    assert_eq!(server.exchange(call("ListTables", "{}")).status, 200);
    assert!(silent.is_closed());
    assert_eq!(uploading.send("{}").receive().status, 200);
}

#[test]
fn a_body_that_stalls_is_answered_with_a_timeout() {
    let server = Running::with_limits(Limits { body_stall_timeout: BRIEF, ..Limits::default() });
    for length in [10, 1_000_000] {
        let mut connection = server.connect();
        connection.send(head_of_call("PutItem", &[&format!("Content-Length: {length}")])).send("{");
        let answer = connection.receive();
        assert_eq!((answer.status, answer.error_name().as_str()), (408, "RequestTimeoutException"));
        answer.assert_sound();
        assert!(connection.is_closed());
    }
}

#[test]
fn a_body_that_drips_is_answered_with_a_timeout_though_it_never_stalls() {
    let server = Running::with_limits(Limits { body_timeout: BRIEF, ..Limits::default() });
    let mut connection = server.connect();
    connection.send(head_of_call("PutItem", &["Content-Length: 10000000"]));
    // Ends when the server has closed its side.
    while connection.try_send("x").is_ok() {
        std::thread::yield_now();
    }
}

/// Two hundred clients asked for a page each and never read it: the server kept 1.4 GB of answers, and their places, for as
/// long as they stayed. Here such a client has the only place.
#[test]
fn a_client_that_does_not_read_its_answers_is_cut_off() {
    let server =
        Running::with_limits(Limits { connections: 1, answer_stall_timeout: BRIEF, ..Limits::default() });
    server.create_table("Things");
    let filler = "x".repeat(300_000);
    let put = format!(r#"{{"TableName":"Things","Item":{{"id":{{"S":"k"}},"filler":{{"S":"{filler}"}}}}}}"#);
    assert_eq!(server.exchange(call("PutItem", put)).status, 200);
    let get = call("GetItem", r#"{"TableName":"Things","Key":{"id":{"S":"k"}}}"#);

    let mut deaf = server.connect();
    // More than the buffers of both sockets hold.
    deaf.send(get.repeat(100));
    assert_eq!(server.exchange(call("ListTables", "{}")).status, 200);
}

/// A client that declares the largest body and sends nothing holds its share of the budget: only its timeout frees it for
/// those who wait.
#[test]
fn clients_that_hold_the_memory_and_stall_lose_it_to_those_who_send() {
    let limits = Limits {
        body_stall_timeout: BRIEF,
        body_bytes: 1024 * 1024,
        buffered_body_bytes: 1024 * 1024,
        ..Limits::default()
    };
    let server = Running::with_limits(limits);
    let stalled: Vec<_> = (0..4)
        .map(|_| {
            let mut connection = server.connect();
            connection.send(head_of_call("PutItem", &["Content-Length: 1048576"]));
            connection
        })
        .collect();
    let large = call("PutItem", vec![b'x'; 1024 * 1024]);
    assert_eq!(server.exchange(large).error_name(), "SerializationException");
    for mut connection in stalled {
        assert_eq!(connection.receive().status, 408);
    }
}

/// Four clients sent a byte now and then of 16 MB each: they held the memory for bodies as long as a whole body may take, two
/// minutes, and everybody else's large bodies waited. A small body that dripped held its place as long.
#[test]
fn a_body_must_arrive_at_a_least_rate() {
    let limits = Limits {
        body_stall_timeout: BRIEF,
        slowest_bytes_per_second: 1024 * 1024,
        body_timeout: LONG,
        body_bytes: 1024 * 1024,
        buffered_body_bytes: 1024 * 1024,
        ..Limits::default()
    };
    let server = Running::with_limits(limits);
    for length in [1_048_576, 60_000] {
        let mut dripping = server.connect();
        let length = format!("Content-Length: {length}");
        dripping.send(head_of_call("PutItem", &[&length, "Expect: 100-continue"]));
        assert_eq!(dripping.receive().status, 100, "now it holds the budget");
        let large = call("PutItem", vec![b'x'; 1024 * 1024]);
        std::thread::scope(|scope| {
            let other = scope.spawn(|| server.exchange(large).error_name());
            // Never stalls, and ends when the server has closed its side.
            while dripping.try_send("x").is_ok() {
                std::thread::yield_now();
            }
            assert_eq!(other.join().unwrap(), "SerializationException");
        });
    }
}

/// Here the budget is taken and somebody waits for it already; a GetItem of 60 bytes passes them by.
#[test]
fn a_small_body_never_waits_behind_large_ones() {
    let limits = Limits { buffered_body_bytes: 1, body_bytes: 1024 * 1024, ..Limits::default() };
    let server = Running::with_limits(limits);
    server.create_table("Things");
    let mut holder = server.connect();
    holder.send(head_of_call("PutItem", &["Content-Length: 1048576", "Expect: 100-continue"]));
    assert_eq!(holder.receive().status, 100, "now it holds the budget");
    let mut waiting = server.connect();
    waiting.send(head_of_call("PutItem", &["Content-Length: 1048576"]));
    let get = call("GetItem", r#"{"TableName":"Things","Key":{"id":{"S":"k"}}}"#);
    assert_eq!(server.exchange(get).status, 200);
}

#[test]
fn a_connection_above_the_limit_is_served_once_another_closes() {
    let server = Running::with_limits(Limits { connections: 2, ..Limits::default() });
    let mut first = server.connect();
    assert_eq!(first.send(call("ListTables", "{}")).receive().status, 200);
    let mut second = server.connect();
    assert_eq!(second.send(call("ListTables", "{}")).receive().status, 200);
    let mut third = server.connect();
    third.send(call("ListTables", "{}"));
    assert_eq!(second.send(call("ListTables", "{}")).receive().status, 200);
    drop(first);
    assert_eq!(third.receive().status, 200);
}
