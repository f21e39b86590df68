//! The names that a server answers to.
//!
//! A page at evil.example, whose owner lets that name resolve to 127.0.0.1 after the page was loaded (DNS rebinding), could
//! read and write every table: for the browser it was the same origin, and nobody looked at the name.

use std::net::SocketAddr;

use keywright_engine::{Engine, Options};
use keywright_server::{CrossOrigin, Exposure, ServerOptions};

use crate::client::{Answer, call};
use crate::running::{Running, free_port};

fn serving(options: ServerOptions) -> Running {
    Running::with(Engine::open(Options::memory()).unwrap(), options)
}

/// ListTables with these lines in place of `Host: localhost`.
fn called(server: &Running, host_lines: &str) -> Answer {
    let request = String::from_utf8(call("ListTables", "{}")).unwrap();
    server.exchange(request.replacen("Host: localhost\r\n", host_lines, 1))
}

fn by(server: &Running, host: &str) -> u16 {
    called(server, &format!("Host: {host}\r\n")).status
}

#[test]
fn another_name_than_the_machine_s_own_is_refused_with_a_way_out() {
    let server = Running::start();
    let port = server.address.port();
    for host in [
        "evil.example",
        "localhost.evil.example",
        "evil.example:8000",
        "localhost@evil.example",
        "192.168.1.7",
        "127.0.0.1.evil.example",
        "[2001:db8::1]:8000",
        "",
        "not a host",
    ] {
        let answer = called(&server, &format!("Host: {host}\r\n"));
        assert_eq!((answer.status, answer.error_name().as_str()), (403, "AccessDeniedException"), "{host}");
        assert!(answer.text().contains("--allow-host"), "{}", answer.text());
        answer.assert_sound();
    }
    let own =
        ["localhost", "LocalHost:1", "127.0.0.1", "127.0.0.2:9", "[::1]", "[::1]:8000", "[::ffff:127.0.0.1]"];
    for host in own {
        assert_eq!(by(&server, host), 200, "{host}");
    }
    assert_eq!(by(&server, &format!("127.0.0.1:{port}")), 200);
}

#[test]
fn every_place_that_names_a_host_is_looked_at() {
    let server = Running::start();
    assert_eq!(called(&server, "Host: localhost\r\nHost: evil.example\r\n").status, 403);
    assert_eq!(called(&server, "").status, 200, "no browser leaves it out");
    let request = String::from_utf8(call("ListTables", "{}")).unwrap();
    for (target, status) in [("http://evil.example/", 403), ("http://localhost:8000/", 200)] {
        let request = request.replacen("POST / ", &format!("POST {target} "), 1);
        assert_eq!(server.exchange(request).status, status, "{target}");
    }
    assert_eq!(server.exchange("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").status, 403);
}

#[test]
fn a_refused_name_does_not_end_the_connection() {
    let server = Running::start();
    let request = String::from_utf8(call("ListTables", "{}")).unwrap();
    let mut connection = server.connect();
    assert_eq!(connection.send(request.replacen("localhost", "evil.example", 1)).receive().status, 403);
    assert_eq!(connection.send(request).receive().status, 200);
}

#[test]
fn a_name_that_is_allowed_is_answered_to() {
    let allowed_hosts = vec!["Host.docker.internal".to_owned(), "10.0.2.2".to_owned()];
    let server = serving(ServerOptions { allowed_hosts, ..free_port() });
    for (host, status) in [
        ("host.docker.internal:8000", 200),
        ("10.0.2.2", 200),
        ("localhost", 200),
        ("evil.example", 403),
        ("10.0.2.3", 403),
    ] {
        assert_eq!(by(&server, host), status, "{host}");
    }
}

/// The names of a public address are not known, unless some are listed.
#[test]
fn on_a_public_address_names_count_once_one_is_listed() {
    let address = SocketAddr::from(([0, 0, 0, 0], 0));
    let public = ServerOptions { address, exposure: Exposure::Network, ..ServerOptions::default() };
    let listed = ServerOptions { allowed_hosts: vec!["db.test".to_owned()], ..public.clone() };
    let [public, listed] = [public, listed].map(|options| {
        let mut server = serving(options);
        server.address.set_ip([127, 0, 0, 1].into());
        server
    });
    assert_eq!([by(&public, "db.test"), by(&public, "evil.example")], [200, 200]);
    assert_eq!(
        [by(&listed, "db.test"), by(&listed, "192.168.1.7"), by(&listed, "evil.example")],
        [200, 200, 403]
    );
}

#[test]
fn pages_that_may_call_still_need_a_name_of_the_server() {
    let server = serving(ServerOptions { cross_origin: CrossOrigin::Allow, ..free_port() });
    let answer = called(&server, "Host: evil.example\r\nOrigin: http://evil.example\r\n");
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (403, Some("*")));
}
