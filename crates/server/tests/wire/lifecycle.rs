//! Binding and shutting down.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use keywright_engine::{Engine, Options};
use keywright_server::{Exposure, Limits, Server, ServerOptions};

use crate::client::call;
use crate::gate::{Gate, GatedFiles};
use crate::running::{Running, free_port};

fn memory() -> Engine {
    Engine::open(Options::memory()).unwrap()
}

/// Connects until the listener is gone.
fn until_nobody_listens(address: SocketAddr) {
    while TcpStream::connect(address).is_ok() {
        std::thread::yield_now();
    }
}

#[test]
fn a_shutdown_finishes_the_put_that_is_in_flight_and_takes_no_new_connection() {
    let gate = Arc::new(Gate::default());
    let files = Arc::new(GatedFiles::new(Arc::clone(&gate)));
    let engine = Engine::open(Options::files(files)).unwrap();
    let mut server = Running::with(engine.clone(), free_port());
    server.create_table("Things");

    gate.close();
    let mut connection = server.connect();
    connection.send(call("PutItem", r#"{"TableName":"Things","Item":{"id":{"S":"in flight"}}}"#));
    gate.until_somebody_waits();
    server.begin_shutdown();
    until_nobody_listens(server.address);
    gate.open();

    let answer = connection.receive();
    assert_eq!((answer.status, answer.text()), (200, "{}"));
    assert!(connection.is_closed());
    server.wait_until_stopped();
    let get = br#"{"TableName":"Things","Key":{"id":{"S":"in flight"}},"ConsistentRead":true}"#;
    let mut found = Vec::new();
    engine.call_wire(keywright_api::Operation::GetItem, get).wait().unwrap().write_json(&mut found);
    assert_eq!(found, br#"{"Item":{"id":{"S":"in flight"}}}"#);
}

#[test]
fn a_shutdown_does_not_wait_for_clients_that_ask_nothing() {
    let limits = Limits { drain_timeout: Duration::from_secs(3600), ..Limits::default() };
    let mut server = Running::with_limits(limits);
    let mut used = server.connect();
    assert_eq!(used.send(call("ListTables", "{}")).receive().status, 200);
    let mut unused = server.connect();
    let mut accepted_after = server.connect();
    assert_eq!(accepted_after.send(call("ListTables", "{}")).receive().status, 200);

    server.begin_shutdown();
    server.wait_until_stopped();
    for connection in [&mut used, &mut unused, &mut accepted_after] {
        assert!(connection.is_closed());
    }
}

#[test]
fn a_shutdown_gives_up_on_a_request_that_outlasts_its_time() {
    let gate = Arc::new(Gate::default());
    let engine = Engine::open(Options::files(Arc::new(GatedFiles::new(Arc::clone(&gate))))).unwrap();
    let limits = Limits { drain_timeout: Duration::from_millis(100), ..Limits::default() };
    // This handle keeps the engine from being closed, which would wait for the put.
    let mut server = Running::with(engine.clone(), ServerOptions { limits, ..free_port() });
    server.create_table("Things");
    gate.close();
    let mut connection = server.connect();
    connection.send(call("PutItem", r#"{"TableName":"Things","Item":{"id":{"S":"stuck"}}}"#));
    gate.until_somebody_waits();

    server.begin_shutdown();
    assert!(connection.is_closed());
    server.wait_until_stopped();
    gate.open();
    engine.close().unwrap();
}

#[test]
fn an_address_that_others_can_reach_is_refused_with_a_way_out() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let options = ServerOptions { address: address.parse().unwrap(), ..ServerOptions::default() };
        let error = Server::bind(memory(), options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        let text = error.to_string();
        assert!(text.contains("anybody there could read and write"), "{text}");
        assert!(text.contains("listen on 127.0.0.1, or allow a public address explicitly"), "{text}");
    }
}

#[test]
fn an_address_that_others_can_reach_is_bound_when_that_is_said() {
    let address = "0.0.0.0:0".parse().unwrap();
    let options = ServerOptions { address, exposure: Exposure::Network, ..ServerOptions::default() };
    assert_ne!(Server::bind(memory(), options).unwrap().local_address().port(), 0);
}

#[test]
fn every_loopback_address_is_bound() {
    for address in ["127.0.0.1:0", "127.0.0.2:0", "[::ffff:127.0.0.1]:0"] {
        let options = ServerOptions { address: address.parse().unwrap(), ..ServerOptions::default() };
        assert!(Server::bind(memory(), options).is_ok(), "{address}");
    }
}

#[test]
fn a_port_that_is_taken_is_an_error_of_its_own_kind() {
    let first = Server::bind(memory(), free_port()).unwrap();
    let options = ServerOptions { address: first.local_address(), ..ServerOptions::default() };
    assert_eq!(Server::bind(memory(), options).unwrap_err().kind(), ErrorKind::AddrInUse);
}
