//! One request from its head to its answer.
//!
//! - Whatever happens inside, a panic too, there is an answer with a request id and a checksum, unless a fault that was asked for
//!   cuts the connection.
//! - One large body at a time is parsed, on a thread that serves nobody else, and stays the only one until it is
//!   answered: memory stays bounded, and small requests never wait for it.
//! - A body is kept with its share of the memory until its request is carried out, which bounds what waits for its turn
//!   to be written, and lets a read be done again.

use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::EXPECT;
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use keywright_api::Error;
use keywright_engine::{ConnectionCut, Engine};
use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

use crate::admission::{self, Refusal};
use crate::answer::Answer;
use crate::answer_budget::{AnswerBudget, Course};
use crate::body::{Body, BodyBudget, BodyRefusal};
use crate::budget::Budget;
use crate::clock_endpoint::{self, ClockEndpoint};
use crate::cross_origin::BrowserCall;
use crate::head::{ContentType, Head};
use crate::hosts::Hosts;
use crate::options::{CrossOrigin, Limits};
use crate::{panics, request_id};

/// A body above this size is parsed alone.
const LARGE_BODY_BYTES: usize = 1024 * 1024;

/// The line that the service answers to what is not a call.
const NOT_A_CALL: &[u8] = b"<UnknownOperationException/>\n";

/// What a client is told that came by a name which is not known to be this server's.
const UNKNOWN_HOST: &str = "The Host header names a host that this server does not answer to: it listens for programs of \
    this machine, and a web page could have made that name resolve here. Call it as localhost or 127.0.0.1, or start it \
    with --allow-host and that name";

/// What every connection serves.
#[derive(Debug)]
pub(crate) struct Endpoint {
    engine: Engine,
    cross_origin: CrossOrigin,
    hosts: Hosts,
    bodies: BodyBudget,
    answers: AnswerBudget,
    large_bodies: Semaphore,
    health: Bytes,
    clock: Option<ClockEndpoint>,
    course_of: fn(&keywright_api::Request) -> Course,
}

impl Endpoint {
    pub(crate) fn new(
        engine: Engine,
        cross_origin: CrossOrigin,
        hosts: Hosts,
        clock: Option<ClockEndpoint>,
        limits: &Limits,
    ) -> Endpoint {
        // The space at the end is the service's.
        let health = format!("healthy: dynamodb.{}.amazonaws.com ", engine.region());
        let course_of = if engine.faults().is_some() { Course::with_faults } else { Course::of };
        Endpoint {
            engine,
            cross_origin,
            hosts,
            bodies: BodyBudget::new(limits),
            answers: AnswerBudget::new(limits),
            large_bodies: Semaphore::new(1),
            health: health.into(),
            clock,
            course_of,
        }
    }

    /// What unread answers hold; a client that reads slowly must hurry when it is short.
    pub(crate) fn answers(&self) -> Arc<Budget> {
        self.answers.answers()
    }

    /// Answers one request, unless a fault cuts its connection.
    pub(crate) async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
        peer: SocketAddr,
    ) -> Result<Response<Full<Bytes>>, ConnectionCut> {
        let (parts, incoming) = request.into_parts();
        let request_id = request_id::new_request_id(self.engine.random().as_ref());
        let browser = match self.cross_origin {
            CrossOrigin::Allow if parts.uri.path() != clock_endpoint::PATH => {
                BrowserCall::of(&parts.method, &parts.headers)
            }
            CrossOrigin::Allow | CrossOrigin::Refuse => None,
        };
        let content_type = Head::of(&parts).content_type().unwrap_or(ContentType::Json);
        let answer = if browser.as_ref().is_some_and(BrowserCall::is_preflight) {
            Answer::plain(StatusCode::OK, Bytes::new())
        } else {
            panics::caught(self.decide(parts, incoming, peer, content_type))
                .await
                .unwrap_or_else(|panic| Ok(Answer::refusal(content_type, &after_panic(&panic))))?
        };
        let mut response = answer.into_response(request_id);
        if let Some(browser) = browser {
            browser.allow(&mut response);
        }
        Ok(response)
    }

    async fn decide(
        &self,
        parts: Parts,
        incoming: Incoming,
        peer: SocketAddr,
        content_type: ContentType,
    ) -> Result<Answer, ConnectionCut> {
        let body = match self.bodies.read(incoming, parts.headers.contains_key(EXPECT)).await {
            Ok(body) => body,
            Err(refusal) => return Ok(refused_body(content_type, refusal)),
        };
        if !self.hosts.allow(&parts) {
            return Ok(Answer::common_error(
                content_type,
                StatusCode::FORBIDDEN,
                "AccessDeniedException",
                UNKNOWN_HOST,
            ));
        }
        let head = Head::of(&parts);
        if *head.method == Method::GET && head.path() == "/" {
            return Ok(self.health());
        }
        if head.path() == clock_endpoint::PATH
            && let Some(clock) = &self.clock
        {
            return Ok(clock.answer(&parts, body.bytes(), peer));
        }
        let call = Arc::new(Call { parts, body });
        self.carry_out(&call, content_type).await
    }

    /// Whether requests can be served, for who asks before it sends any.
    fn health(&self) -> Answer {
        match self.engine.failure() {
            None => Answer::plain(StatusCode::OK, self.health.clone()),
            Some(failure) => {
                Answer::plain(StatusCode::SERVICE_UNAVAILABLE, format!("unhealthy: {failure}").into())
            }
        }
    }

    #[expect(clippy::expect_used, reason = "the semaphore is never closed")]
    async fn carry_out(&self, call: &Arc<Call>, content_type: ContentType) -> Result<Answer, ConnectionCut> {
        let _turn = match call.is_large() {
            true => Some(self.large_bodies.acquire().await.expect("an open semaphore")),
            false => None,
        };
        let request = match parsed(call).await {
            Ok(request) => request,
            Err(refusal) => return Ok(self.held(content_type, Err(refusal)).await),
        };
        match (self.course_of)(&request) {
            Course::Once { stored_bytes } => {
                let _room = self.answers.room_for_stored(stored_bytes).await;
                let outcome = self.json_of(request).await?;
                Ok(self.held(content_type, outcome).await)
            }
            Course::Repeatable => match self.read(call, request).await? {
                Ok(json) => Ok(Answer::success(content_type, json)),
                Err(refusal) => Ok(self.held(content_type, Err(refusal)).await),
            },
        }
    }

    /// The answer to what happens once.
    async fn held(&self, content_type: ContentType, outcome: Result<Vec<u8>, Refusal>) -> Answer {
        match outcome {
            Ok(json) => Answer::success(content_type, self.answers.hold(json).await),
            Err(Refusal::Error(error)) => {
                let json = self.answers.hold(Answer::text_of(&error)).await;
                Answer::refusal_with(content_type, &error, json)
            }
            Err(Refusal::NotACall) => Answer::plain(StatusCode::NOT_FOUND, Bytes::from_static(NOT_A_CALL)),
        }
    }

    /// The page or item that a read answers with. Where there is no room for it, it is forgotten, and read again once there
    /// is room for the largest.
    async fn read(
        &self,
        call: &Arc<Call>,
        request: keywright_api::Request,
    ) -> Result<Result<Bytes, Refusal>, ConnectionCut> {
        let json = match self.json_of(request).await? {
            Ok(json) => json,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if let Some(held) = self.answers.try_hold(json) {
            return Ok(Ok(held));
        }
        let room = self.answers.room_for_page().await;
        let again = match parsed(call).await {
            Ok(request) => self.json_of(request).await?,
            Err(refusal) => Err(refusal),
        };
        Ok(again.map(|json| AnswerBudget::hold_in(room, json)))
    }

    /// Calls the engine.
    async fn json_of(
        &self,
        request: keywright_api::Request,
    ) -> Result<Result<Vec<u8>, Refusal>, ConnectionCut> {
        let outcome = self.engine.call(request).delivery().await?;
        Ok(outcome.map_err(Refusal::Error).map(|response| {
            let mut json = Vec::with_capacity(512);
            response.write_json(&mut json);
            json
        }))
    }
}

/// A request that has arrived.
#[derive(Debug)]
struct Call {
    parts: Parts,
    body: Body,
}

impl Call {
    fn is_large(&self) -> bool {
        self.body.bytes().len() > LARGE_BODY_BYTES
    }

    /// Admits and parses.
    fn parse(&self) -> Result<keywright_api::Request, Refusal> {
        let body = self.body.bytes();
        let operation = admission::admit(&Head::of(&self.parts), body)?;
        keywright_api::Request::parse(operation, body).map_err(Refusal::Error)
    }
}

/// Parses a call; a large one on a thread of its own.
async fn parsed(call: &Arc<Call>) -> Result<keywright_api::Request, Refusal> {
    if !call.is_large() {
        return call.parse();
    }
    let large = Arc::clone(call);
    let parsed = spawn_blocking(move || large.parse());
    parsed.await.map_err(|failure| Refusal::Error(after_failure(failure)))?
}

/// Answers a body that could not be read. The connection ends: its next request is not to be found.
fn refused_body(content_type: ContentType, refusal: BodyRefusal) -> Answer {
    match refusal {
        BodyRefusal::TooLarge => Answer::refusal(content_type, &Error::RequestTooLarge),
        BodyRefusal::TooSlow => Answer::common_error(
            content_type,
            StatusCode::REQUEST_TIMEOUT,
            "RequestTimeoutException",
            "The body did not arrive in time",
        ),
        BodyRefusal::Broken => Answer::common_error(
            content_type,
            StatusCode::BAD_REQUEST,
            "MalformedHttpRequestException",
            "The body is cut off or its chunks are malformed",
        ),
    }
    .then_close()
}

fn after_failure(failure: JoinError) -> Error {
    match failure.try_into_panic() {
        Ok(payload) => after_panic(&panics::message(payload.as_ref())),
        Err(failure) => Error::InternalServerError { reason: failure.to_string() },
    }
}

fn after_panic(message: &str) -> Error {
    tracing::error!(message, "a request panicked");
    Error::InternalServerError { reason: format!("the request panicked: {message}") }
}
