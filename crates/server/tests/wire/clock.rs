//! `/_keywright/clock`: off unless it is switched on, forward only, for programs of this machine only.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;

use keywright_engine::clock::{Clock, ManualClock, MovableClock, Timestamp};
use keywright_engine::{Engine, Options};
use keywright_server::{CrossOrigin, Exposure, ServerOptions};
use serde_json::{Value, json};

use crate::client::Answer;
use crate::running::{Running, free_port};

const START: &str = "2026-01-01T00:00:00Z";

fn clock() -> ManualClock {
    ManualClock::new(START.parse().unwrap())
}

fn serving(clock: &ManualClock, options: ServerOptions) -> Running {
    let engine = Engine::open(Options::memory().clock(Arc::new(clock.clone()))).unwrap();
    let movable: Arc<dyn MovableClock> = Arc::new(clock.clone());
    Running::with(engine, ServerOptions { clock: Some(movable), ..options })
}

fn request(method: &str, headers: &str, body: &str) -> String {
    format!(
        "{method} /_keywright/clock HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn post(server: &Running, body: &str) -> Answer {
    server.exchange(request("POST", "", body))
}

fn json_of(answer: &Answer) -> Value {
    serde_json::from_slice(&answer.body).unwrap()
}

#[test]
fn the_clock_is_read_and_moved_forward() {
    let clock = clock();
    let server = serving(&clock, free_port());
    let answer = server.exchange(request("GET", "", ""));
    answer.assert_sound();
    let expected =
        json!({"now": "2026-01-01T00:00:00.000Z", "now_ms": 1_767_225_600_000_u64, "clock": "frozen"});
    assert_eq!((answer.status, json_of(&answer)), (200, expected));
    assert_eq!(answer.header("content-type"), Some("application/json"));
    for (body, now) in [
        (r#"{"advance_seconds": 90}"#, "2026-01-01T00:01:30.000Z"),
        (r#"{"advance_seconds": 0.25}"#, "2026-01-01T00:01:30.250Z"),
        (r#"{"set": "2026-02-01T01:00:00+01:00"}"#, "2026-02-01T00:00:00.000Z"),
        (r#"{"advance_seconds": 0}"#, "2026-02-01T00:00:00.000Z"),
    ] {
        let answer = post(&server, body);
        assert_eq!((answer.status, json_of(&answer)["now"].as_str()), (200, Some(now)), "{body}");
        assert_eq!(clock.now().to_string(), now);
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_what_to_write_and_moves_nothing() {
    let clock = clock();
    let server = serving(&clock, free_port());
    for (body, words) in [
        ("", r#"write {"advance_seconds": 90}"#),
        ("not json", r#"write {"advance_seconds": 90}"#),
        ("{}", r#"write {"advance_seconds": 90}"#),
        (r#"{"advance": 90}"#, "expected `advance_seconds` or `set`"),
        (r#"{"advance_seconds": 90, "set": "2026-01-02T00:00:00Z"}"#, "and nothing else"),
        (r#"{"advance_seconds": "90"}"#, "invalid type: string"),
        (r#"{"advance_seconds": -1}"#, "time goes forward"),
        (r#"{"advance_seconds": 1e300}"#, "at most a hundred years at once"),
        (r#"{"set": "tomorrow"}"#, "a moment is written as in RFC 3339"),
        (r#"{"set": "2025-12-31T23:59:59Z"}"#, "time never goes back: it is 2026-01-01T00:00:00.000Z"),
    ] {
        let answer = post(&server, body);
        let message = json_of(&answer)["message"].as_str().unwrap().to_owned();
        assert_eq!(answer.status, 400, "{body}");
        assert!(message.contains(words), "{body}: {message}");
    }
    assert_eq!(server.exchange(request("PUT", "", "{}")).status, 405);
    assert_eq!(clock.now(), START.parse::<Timestamp>().unwrap());
}

#[test]
fn without_a_clock_that_is_switched_on_the_path_is_not_there() {
    let server = Running::start();
    assert_eq!(post(&server, r#"{"advance_seconds": 90}"#).status, 404);
    assert_eq!(server.exchange(request("GET", "", "")).status, 404);
}

/// A page of any origin can send a simple POST to this machine, and needs no answer to have moved the time.
#[test]
fn web_pages_do_not_move_the_clock_even_where_they_may_call() {
    let clock = clock();
    let server = serving(&clock, ServerOptions { cross_origin: CrossOrigin::Allow, ..free_port() });
    for headers in [
        "Origin: https://evil.example\r\nContent-Type: text/plain\r\n",
        "Origin: null\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
    ] {
        let answer = server.exchange(request("POST", headers, r#"{"advance_seconds": 90}"#));
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (403, None), "{headers}");
    }
    let preflight = "Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n";
    let answer = server.exchange(request("OPTIONS", preflight, ""));
    assert_eq!((answer.status, answer.header("access-control-allow-methods")), (403, None));
    let named =
        request("POST", "", r#"{"advance_seconds": 90}"#).replace("Host: localhost", "Host: evil.example");
    assert_eq!(server.exchange(named).status, 403);
    assert_eq!(clock.now(), START.parse::<Timestamp>().unwrap());
}

/// An address of this machine that is not loopback, if it has one.
fn public_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // Nothing is sent: the system only chooses the address that it would send from.
    socket.connect(("192.0.2.1", 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_loopback())
}

#[test]
fn another_machine_does_not_move_the_clock() {
    let Some(ip) = public_address() else {
        println!("skipped: this machine has no other address than loopback");
        return;
    };
    let clock = clock();
    let address = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
    let mut server =
        serving(&clock, ServerOptions { address, exposure: Exposure::Network, ..ServerOptions::default() });
    server.address.set_ip(ip);
    assert_eq!(post(&server, r#"{"advance_seconds": 90}"#).status, 403);
    server.address.set_ip(Ipv4Addr::LOCALHOST.into());
    assert_eq!(post(&server, r#"{"advance_seconds": 90}"#).status, 200);
}
