//! The place where the SDK would open a socket: its requests go to the engine instead.
//!
//! A request's body is parsed where it lies, and an answer's is handed over, both without a copy.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::retry::ErrorKind;
use keywright_api::{Error, Operation};
use keywright_engine::{ConnectionCut, Engine, Outcome, Reply};

/// Gives out connectors to one engine.
#[derive(Clone, Debug)]
pub(crate) struct EngineClient {
    engine: Engine,
}

impl EngineClient {
    pub(crate) fn new(engine: Engine) -> EngineClient {
        EngineClient { engine }
    }
}

impl HttpClient for EngineClient {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        _components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        let engine = self.engine.clone();
        SharedHttpConnector::new(EngineConnector { engine, read_timeout: settings.read_timeout() })
    }
}

#[derive(Debug)]
struct EngineConnector {
    engine: Engine,
    /// How long to wait for an answer, on the engine's clock. The SDK leaves this to its connector.
    read_timeout: Option<Duration>,
}

impl HttpConnector for EngineConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let reply = match call(&self.engine, &request) {
            Ok(reply) => reply,
            Err(error) => return HttpConnectorFuture::ready(answer(Err(error))),
        };
        let delivery = reply.delivery();
        let Some(limit) = self.read_timeout else {
            return HttpConnectorFuture::new(async move { arrived(delivery.await) });
        };
        let expiry = self.engine.clock().sleep(limit);
        HttpConnectorFuture::new(async move {
            match before(delivery, expiry).await {
                Some(delivered) => arrived(delivered),
                None => Err(ConnectorError::timeout(
                    format!("the engine did not answer within {limit:?} of its clock").into(),
                )),
            }
        })
    }
}

fn call(engine: &Engine, request: &HttpRequest) -> Result<Reply, Error> {
    let operation = request
        .headers()
        .get("x-amz-target")
        .and_then(Operation::from_target)
        .ok_or(Error::UnknownOperation)?;
    let body = request.body().bytes().unwrap_or_default();
    Ok(engine.call_wire(operation, body))
}

/// The response, or the error of a connection that is closed before it: the one that the SDK's own connectors make of it.
fn arrived(delivered: Result<Outcome, ConnectionCut>) -> Result<HttpResponse, ConnectorError> {
    let transient = Some(ErrorKind::TransientError);
    answer(delivered.map_err(|cut| ConnectorError::other(cut.into(), transient))?)
}

/// The response that the endpoint would send.
fn answer(outcome: Outcome) -> Result<HttpResponse, ConnectorError> {
    let mut body = Vec::with_capacity(512);
    let status = match outcome {
        Ok(response) => {
            response.write_json(&mut body);
            200
        }
        Err(error) => {
            error.write_json(&mut body);
            error.status()
        }
    };
    let status = StatusCode::try_from(status).map_err(|error| ConnectorError::other(error.into(), None))?;
    let mut response = HttpResponse::new(status, SdkBody::from(body));
    response.headers_mut().insert("content-type", "application/x-amz-json-1.0");
    Ok(response)
}

/// What `work` comes to, unless `expiry` is ready first.
async fn before<Work: Future>(work: Work, expiry: impl Future<Output = ()>) -> Option<Work::Output> {
    let mut work = pin!(work);
    let mut expiry = pin!(expiry);
    poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => expiry.as_mut().poll(context).map(|()| None),
    })
    .await
}
