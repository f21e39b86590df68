//! `/_keywright/clock`: what time the engine has, and moving it forward.
//!
//! Only programs of this machine are answered: no other peer, and nothing that a browser sends, since a page of any origin can
//! send a simple POST to this machine.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::header::{HeaderName, ORIGIN};
use hyper::http::request::Parts;
use hyper::{Method, StatusCode};
use keywright_engine::clock::{MovableClock, Pace, Timestamp};
use serde::Deserialize;
use serde_json::json;

use crate::answer::Answer;

pub(crate) const PATH: &str = "/_keywright/clock";

/// The longest step, in seconds.
const LONGEST_SECONDS: f64 = 100.0 * 366.0 * 24.0 * 60.0 * 60.0;

static SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// A clock that is moved over HTTP.
#[derive(Debug)]
pub(crate) struct ClockEndpoint(Arc<dyn MovableClock>);

/// The body of a POST: one of these members.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Move {
    AdvanceSeconds(f64),
    Set(String),
}

impl ClockEndpoint {
    pub(crate) fn new(clock: Arc<dyn MovableClock>) -> ClockEndpoint {
        ClockEndpoint(clock)
    }

    pub(crate) fn answer(&self, request: &Parts, body: &[u8], peer: SocketAddr) -> Answer {
        if !peer.ip().to_canonical().is_loopback() {
            return refusal(StatusCode::FORBIDDEN, "the clock is moved by programs of this machine only");
        }
        if request.headers.contains_key(ORIGIN) || request.headers.contains_key(&SEC_FETCH_SITE) {
            return refusal(StatusCode::FORBIDDEN, "the clock is moved by programs, not by web pages");
        }
        let moved = match request.method {
            Method::GET => Ok(()),
            Method::POST => self.carry_out(body),
            _ => {
                return refusal(StatusCode::METHOD_NOT_ALLOWED, "GET reads the clock, and POST moves it");
            }
        };
        match moved {
            Ok(()) => self.present(),
            Err(message) => refusal(StatusCode::BAD_REQUEST, &message),
        }
    }

    fn carry_out(&self, body: &[u8]) -> Result<(), String> {
        const FORMS: &str =
            r#"write {"advance_seconds": 90} or {"set": "2026-01-01T00:00:00Z"}, and nothing else"#;
        let asked: Move = serde_json::from_slice(body).map_err(|error| format!("{error}; {FORMS}"))?;
        match asked {
            Move::AdvanceSeconds(seconds) if (0.0..=LONGEST_SECONDS).contains(&seconds) => {
                self.0.advance(Duration::from_secs_f64(seconds));
                Ok(())
            }
            Move::AdvanceSeconds(_) => {
                Err("time goes forward, and at most a hundred years at once".to_owned())
            }
            Move::Set(text) => {
                let moment: Timestamp = text.parse().map_err(|error| format!("{text:?}: {error}"))?;
                self.0.set(moment).map_err(|error| error.to_string())
            }
        }
    }

    fn present(&self) -> Answer {
        let now = self.0.now();
        let pace = match self.0.pace() {
            Pace::Frozen => "frozen",
            Pace::Running => "running",
        };
        let present = json!({"now": now.to_string(), "now_ms": now.milliseconds(), "clock": pace});
        Answer::own(StatusCode::OK, present.to_string())
    }
}

fn refusal(status: StatusCode, message: &str) -> Answer {
    Answer::own(status, json!({"message": message}).to_string())
}
