//! The smallest connector that sends the SDK's requests over TCP: one connection a request, no TLS.

use std::net::SocketAddr;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use http_body_util::BodyExt;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

#[derive(Clone, Debug)]
pub(crate) struct PlainHttp {
    address: SocketAddr,
}

impl PlainHttp {
    pub(crate) fn new(address: SocketAddr) -> PlainHttp {
        PlainHttp { address }
    }
}

impl HttpClient for PlainHttp {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for PlainHttp {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let address = self.address;
        HttpConnectorFuture::new(async move { exchange(address, request).await.map_err(ConnectorError::io) })
    }
}

async fn exchange(
    address: SocketAddr,
    request: HttpRequest,
) -> Result<HttpResponse, Box<dyn std::error::Error + Send + Sync>> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let mut request = request.try_into_http1x()?;
    let host = address.to_string().parse()?;
    request.headers_mut().insert("host", host);
    let (head, body) = sender.send_request(request).await?.into_parts();
    let body = SdkBody::from(body.collect().await?.to_bytes());
    Ok(HttpResponse::try_from(hyper::Response::from_parts(head, body))?)
}
