//! A hyper server that reads a request and answers a fixed body: the ceiling of `cargo xtask bench`.
//!
//! It parses no JSON, checks no signature and stores nothing. What it costs is HTTP and the loopback interface, with as many
//! bytes as a server answers that does store something: an item of 1 KB to GetItem, twenty to Query, nothing to writes.
#![allow(clippy::print_stdout, reason = "the address is printed for the program that started it")]

use std::convert::Infallible;
use std::io;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

/// Listens on a free port of the loopback interface, prints the address, and serves until it is killed.
fn main() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_io().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("{}", listener.local_addr()?);
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            tokio::spawn(async move {
                // A client that goes away in the middle of a request is no concern of this server.
                let _ =
                    http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(answer)).await;
            });
        }
    })
}

/// With the braces and the names around it, an item of the benchmark.
static ITEM: [u8; 1_030] = [b'x'; 1_030];
static PAGE: [u8; 20 * 1_030] = [b'x'; 20 * 1_030];

async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let body: &'static [u8] = match request.headers().get("x-amz-target").map(HeaderValue::as_bytes) {
        Some(b"DynamoDB_20120810.GetItem") => &ITEM,
        Some(b"DynamoDB_20120810.Query") => &PAGE,
        _ => b"{}",
    };
    // The whole body is read, as any server that uses it must.
    let _ = request.into_body().collect().await;
    let mut response = Response::new(Full::new(Bytes::from_static(body)));
    let json = HeaderValue::from_static("application/x-amz-json-1.0");
    response.headers_mut().insert(CONTENT_TYPE, json);
    Ok(response)
}
