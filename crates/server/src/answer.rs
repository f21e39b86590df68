//! What goes back: a status, a body, and the headers that every answer of the service carries.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use keywright_api::Error;

use crate::head::ContentType;

static REQUEST_ID: HeaderName = HeaderName::from_static("x-amzn-requestid");
static CHECKSUM: HeaderName = HeaderName::from_static("x-amz-crc32");

/// An answer that lacks only its request id.
#[derive(Debug)]
pub(crate) struct Answer {
    status: StatusCode,
    content_type: Option<ContentType>,
    body: Bytes,
    connection: AfterAnswer,
}

/// What becomes of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterAnswer {
    /// As the client asked.
    Keep,
    /// Closed: what the client sends next cannot be told from the request that was refused.
    Close,
}

impl Answer {
    /// 200 with a body of JSON.
    pub(crate) fn success(content_type: ContentType, body: Bytes) -> Answer {
        Answer {
            status: StatusCode::OK,
            content_type: Some(content_type),
            body,
            connection: AfterAnswer::Keep,
        }
    }

    /// A refusal in the service's shape, which is small.
    pub(crate) fn refusal(content_type: ContentType, error: &Error) -> Answer {
        Answer::refusal_with(content_type, error, Answer::text_of(error).into())
    }

    /// The JSON of a refusal, which may repeat much of what was sent.
    pub(crate) fn text_of(error: &Error) -> Vec<u8> {
        let mut body = Vec::with_capacity(256);
        error.write_json(&mut body);
        body
    }

    /// A refusal whose JSON is written already.
    pub(crate) fn refusal_with(content_type: ContentType, error: &Error, body: Bytes) -> Answer {
        Answer {
            status: StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            content_type: Some(content_type),
            body,
            connection: AfterAnswer::Keep,
        }
    }

    /// A refusal that has no operation and no table: an error of the wire, common to all services.
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/CommonErrors.html>. Neither the name nor
    /// the message may need escaping.
    pub(crate) fn common_error(
        content_type: ContentType,
        status: StatusCode,
        name: &'static str,
        message: &'static str,
    ) -> Answer {
        let body = format!(r#"{{"__type":"com.amazon.coral.service#{name}","message":"{message}"}}"#);
        Answer { status, content_type: Some(content_type), body: body.into(), connection: AfterAnswer::Keep }
    }

    /// JSON of this program's own, which the service does not know.
    pub(crate) fn own(status: StatusCode, json: String) -> Answer {
        let content_type = Some(ContentType::Json);
        Answer { status, content_type, body: json.into(), connection: AfterAnswer::Keep }
    }

    /// A body without a content type, as the service sends what is not JSON.
    pub(crate) fn plain(status: StatusCode, body: Bytes) -> Answer {
        Answer { status, content_type: None, body, connection: AfterAnswer::Keep }
    }

    /// The same answer, after which the connection is closed.
    pub(crate) fn then_close(mut self) -> Answer {
        self.connection = AfterAnswer::Close;
        self
    }

    /// The response with its headers. The checksum covers the bytes that are sent.
    pub(crate) fn into_response(self, request_id: HeaderValue) -> Response<Full<Bytes>> {
        let checksum = crc32fast::hash(&self.body);
        let mut response = Response::new(Full::new(self.body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(REQUEST_ID.clone(), request_id);
        headers.insert(CHECKSUM.clone(), HeaderValue::from(checksum));
        if let Some(content_type) = self.content_type {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type.name()));
        }
        if self.connection == AfterAnswer::Close {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}
