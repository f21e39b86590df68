//! A request's line and headers, read as the refusals need them.
//!
//! A header that is given more than once reads as its values joined by commas (RFC 9110, section 5.3), so a
//! second `X-Amz-Target` never hides behind the first.

use std::borrow::Cow;

use hyper::header::{AsHeaderName, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Uri};

/// The line and headers of one request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head<'request> {
    pub(crate) method: &'request Method,
    uri: &'request Uri,
    headers: &'request HeaderMap,
}

/// The content types that the service answers in kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentType {
    /// `application/x-amz-json-1.0`, as every SDK sends it.
    AmazonJson,
    /// `application/json`.
    Json,
}

impl ContentType {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            ContentType::AmazonJson => "application/x-amz-json-1.0",
            ContentType::Json => "application/json",
        }
    }
}

impl<'request> Head<'request> {
    pub(crate) fn of(parts: &'request Parts) -> Head<'request> {
        Head { method: &parts.method, uri: &parts.uri, headers: &parts.headers }
    }

    pub(crate) fn path(&self) -> &'request str {
        self.uri.path()
    }

    /// The value of a header; bytes that are not UTF-8 are replaced.
    pub(crate) fn value(&self, name: impl AsHeaderName) -> Option<Cow<'request, str>> {
        let mut values = self.headers.get_all(name).iter();
        let mut joined = text_of(values.next()?);
        for value in values {
            let joined = joined.to_mut();
            joined.push_str(", ");
            joined.push_str(&text_of(value));
        }
        Some(joined)
    }

    /// The type of the body without its parameters, `None` when it is absent or none that the service knows.
    pub(crate) fn content_type(&self) -> Option<ContentType> {
        let value = self.value(CONTENT_TYPE)?;
        let essence = value.split_once(';').map_or(value.as_ref(), |(essence, _)| essence);
        match essence.trim() {
            "application/x-amz-json-1.0" => Some(ContentType::AmazonJson),
            "application/json" => Some(ContentType::Json),
            _ => None,
        }
    }

    /// The parameters of the query string, as they were sent; one without `=` has an empty value.
    pub(crate) fn query_parameters(&self) -> impl Iterator<Item = (&'request str, &'request str)> {
        self.uri
            .query()
            .unwrap_or_default()
            .split('&')
            .map(|parameter| parameter.split_once('=').unwrap_or((parameter, "")))
    }
}

/// A header's value; bytes that are not UTF-8, which is rare, are replaced.
fn text_of(value: &HeaderValue) -> Cow<'_, str> {
    match str::from_utf8(value.as_bytes()) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(value.as_bytes()),
    }
}
