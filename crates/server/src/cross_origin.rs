//! CORS as Amazon DynamoDB answers it, when it is switched on: every origin, and whatever it asks for.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, HeaderMap,
    HeaderValue, ORIGIN,
};
use hyper::{Method, Response};

/// Two days, in seconds.
const MAX_AGE: &str = "172800";

/// What a browser was told to ask, kept from the request for its response.
#[derive(Debug)]
pub(crate) struct BrowserCall {
    preflight: Option<Preflight>,
}

#[derive(Debug)]
struct Preflight {
    headers: Option<HeaderValue>,
    method: Option<HeaderValue>,
}

impl BrowserCall {
    /// `None` when the request does not come from a page.
    pub(crate) fn of(method: &Method, headers: &HeaderMap) -> Option<BrowserCall> {
        if !headers.contains_key(ORIGIN) {
            return None;
        }
        let preflight = (method == Method::OPTIONS).then(|| Preflight {
            headers: headers.get(ACCESS_CONTROL_REQUEST_HEADERS).cloned(),
            method: headers.get(ACCESS_CONTROL_REQUEST_METHOD).cloned(),
        });
        Some(BrowserCall { preflight })
    }

    /// Whether it only asks what it may do, and is answered without a body.
    pub(crate) const fn is_preflight(&self) -> bool {
        self.preflight.is_some()
    }

    /// Adds what the browser wants to see.
    pub(crate) fn allow(self, response: &mut Response<Full<Bytes>>) {
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        let Some(preflight) = self.preflight else { return };
        if let Some(asked) = preflight.headers {
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked);
        }
        if let Some(asked) = preflight.method {
            headers.insert(ACCESS_CONTROL_ALLOW_METHODS, asked);
        }
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
    }
}
