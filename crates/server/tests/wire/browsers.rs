//! CORS: nothing unless it is switched on, and then what the service sends.

use keywright_engine::{Engine, Options};
use keywright_server::{CrossOrigin, ServerOptions};

use crate::client::{call_with, head};
use crate::running::{Running, free_port};

const ORIGIN: &str = "Origin: https://example.com";

fn open_to_browsers() -> Running {
    let engine = Engine::open(Options::memory()).unwrap();
    Running::with(engine, ServerOptions { cross_origin: CrossOrigin::Allow, ..free_port() })
}

#[test]
fn a_page_of_another_origin_is_told_nothing_by_default() {
    let server = Running::start();
    let preflight = head("OPTIONS /", &[ORIGIN, "Access-Control-Request-Method: POST"]);
    let answers = [server.exchange(preflight), server.exchange(call_with("ListTables", &[ORIGIN], "{}"))];
    assert_eq!(answers.each_ref().map(|answer| answer.status), [404, 200]);
    for answer in answers {
        assert!(!answer.headers.iter().any(|(name, _)| name.starts_with("access-control")));
    }
}

#[test]
fn a_preflight_is_allowed_what_it_asks_for_when_cors_is_on() {
    let server = open_to_browsers();
    let asked = ["Access-Control-Request-Headers: a, b, c", "Access-Control-Request-Method: d"];
    let answer = server.exchange(head("OPTIONS /", &[ORIGIN, asked[0], asked[1]]));
    assert_eq!((answer.status, answer.text()), (200, ""));
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert_eq!(answer.header("access-control-allow-headers"), Some("a, b, c"));
    assert_eq!(answer.header("access-control-allow-methods"), Some("d"));
    assert_eq!(answer.header("access-control-max-age"), Some("172800"));
    answer.assert_sound();

    let bare = server.exchange(head("OPTIONS /", &[ORIGIN]));
    assert_eq!(bare.status, 200);
    assert_eq!(bare.header("access-control-allow-headers"), None);
    assert_eq!(bare.header("access-control-allow-methods"), None);
}

#[test]
fn calls_and_refusals_name_the_allowed_origin_when_cors_is_on() {
    let server = open_to_browsers();
    let success = server.exchange(call_with("ListTables", &[ORIGIN], "{}"));
    let refusal = server.exchange(head("POST /", &[ORIGIN]));
    assert_eq!((success.status, refusal.status), (200, 400));
    for answer in [success, refusal] {
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
        answer.assert_sound();
    }
}

#[test]
fn who_is_no_browser_gets_no_cors_headers() {
    let server = open_to_browsers();
    let answer = server.exchange(call_with("ListTables", &[], "{}"));
    assert!(!answer.headers.iter().any(|(name, _)| name.starts_with("access-control")));
    assert_eq!(server.exchange(head("OPTIONS /", &[])).status, 404);
}
