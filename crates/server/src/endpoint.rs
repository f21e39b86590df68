//! One request from its head to its answer.
//!
//! - Whatever happens inside, a panic too, there is an answer with a request id and a checksum.
//! - One large body at a time is parsed, on a thread that serves nobody else, and stays the only one until it is
//!   answered: memory stays bounded, and small requests never wait for it.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::EXPECT;
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use keywright_api::Error;
use keywright_engine::{Engine, Reply};
use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

use crate::admission::{self, Refusal};
use crate::answer::Answer;
use crate::body::{Body, BodyBudget, BodyRefusal};
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
    budget: BodyBudget,
    large_bodies: Semaphore,
    health: Bytes,
}

impl Endpoint {
    pub(crate) fn new(engine: Engine, cross_origin: CrossOrigin, hosts: Hosts, limits: &Limits) -> Endpoint {
        // The space at the end is the service's.
        let health = format!("healthy: dynamodb.{}.amazonaws.com ", engine.region());
        Endpoint {
            engine,
            cross_origin,
            hosts,
            budget: BodyBudget::new(limits),
            large_bodies: Semaphore::new(1),
            health: health.into(),
        }
    }

    /// Answers one request.
    pub(crate) async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let (parts, incoming) = request.into_parts();
        let request_id = request_id::new_request_id(self.engine.random().as_ref());
        let browser = match self.cross_origin {
            CrossOrigin::Allow => BrowserCall::of(&parts.method, &parts.headers),
            CrossOrigin::Refuse => None,
        };
        let content_type = Head::of(&parts).content_type().unwrap_or(ContentType::Json);
        let answer = if browser.as_ref().is_some_and(BrowserCall::is_preflight) {
            Answer::plain(StatusCode::OK, Bytes::new())
        } else {
            panics::caught(self.decide(parts, incoming))
                .await
                .unwrap_or_else(|panic| Answer::refusal(content_type, &after_panic(&panic)))
        };
        let mut response = answer.into_response(request_id);
        if let Some(browser) = browser {
            browser.allow(&mut response);
        }
        response
    }

    async fn decide(&self, parts: Parts, incoming: Incoming) -> Answer {
        let head = Head::of(&parts);
        let content_type = head.content_type().unwrap_or(ContentType::Json);
        let body = match self.budget.read(incoming, parts.headers.contains_key(EXPECT)).await {
            Ok(body) => body,
            Err(refusal) => return refused_body(content_type, refusal),
        };
        if !self.hosts.allow(&parts) {
            return Answer::common_error(
                content_type,
                StatusCode::FORBIDDEN,
                "AccessDeniedException",
                UNKNOWN_HOST,
            );
        }
        if *head.method == Method::GET && head.path() == "/" {
            return self.health();
        }
        let outcome = if body.bytes().len() > LARGE_BODY_BYTES {
            self.large_call(parts, body).await
        } else {
            match call(&self.engine, &head, body) {
                Ok(reply) => reply.await.map_err(Refusal::Error),
                Err(refusal) => Err(refusal),
            }
        };
        match outcome {
            Ok(response) => {
                let mut json = Vec::with_capacity(512);
                response.write_json(&mut json);
                Answer::success(content_type, json)
            }
            Err(Refusal::Error(error)) => Answer::refusal(content_type, &error),
            Err(Refusal::NotACall) => Answer::plain(StatusCode::NOT_FOUND, Bytes::from_static(NOT_A_CALL)),
        }
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

    /// Parses on a thread of its own, one at a time.
    #[expect(clippy::expect_used, reason = "the semaphore is never closed")]
    async fn large_call(&self, parts: Parts, body: Body) -> Result<keywright_api::Response, Refusal> {
        let _turn = self.large_bodies.acquire().await.expect("an open semaphore");
        let engine = self.engine.clone();
        let parsed = spawn_blocking(move || call(&engine, &Head::of(&parts), body));
        match parsed.await.map_err(|failure| Refusal::Error(after_failure(failure)))? {
            Ok(reply) => reply.await.map_err(Refusal::Error),
            Err(refusal) => Err(refusal),
        }
    }
}

/// Admits, parses and calls; the body and its share of the memory are gone before the reply is waited for.
fn call(engine: &Engine, head: &Head<'_>, body: Body) -> Result<Reply, Refusal> {
    let operation = admission::admit(head, body.bytes())?;
    let request = keywright_api::Request::parse(operation, body.bytes()).map_err(Refusal::Error)?;
    drop(body);
    Ok(engine.call(request))
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
