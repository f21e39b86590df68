//! Which refusal wins when several apply: the order in which the service looks at a request before its operation
//! reads the body.
//!
//! The order is [`ORDER`], and nothing else decides it.

use keywright_api::{Error, Operation, Request};

use crate::authorization;
use crate::head::Head;

/// A refusal of the wire.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Refusal {
    /// Not a call of the service at all: 404 and a line of XML.
    NotACall,
    /// An error in the service's JSON.
    Error(Error),
}

/// One look at a request.
type Check = fn(&Head<'_>, &[u8]) -> Result<(), Refusal>;

/// When a check is made. It does not change which refusal wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// In its turn.
    InTurn,
    /// Only once a later one has refused: an admitted body is parsed by its operation anyway, which then refuses
    /// it with the same words.
    OnceRefused,
}

/// Each check in the service's order; the first that refuses is the answer.
///
/// Source: the order of refusals that dynalite's tests saw on Amazon DynamoDB.
const ORDER: [(When, Check); 5] = [
    (When::InTurn, is_a_call),
    (When::OnceRefused, is_json),
    (When::InTurn, names_an_operation),
    (When::InTurn, carries_credentials),
    (When::InTurn, has_a_body),
];

/// The operation that a request calls, or the first refusal that applies.
pub(crate) fn admit(head: &Head<'_>, body: &[u8]) -> Result<Operation, Refusal> {
    let mut put_off: Option<Check> = None;
    for (when, check) in ORDER {
        if when == When::OnceRefused {
            put_off = Some(check);
        } else if let Err(refusal) = check(head, body) {
            return Err(put_off.and_then(|earlier| earlier(head, body).err()).unwrap_or(refusal));
        }
    }
    operation(head).ok_or(Refusal::Error(Error::UnknownOperation))
}

fn is_a_call(head: &Head<'_>, body: &[u8]) -> Result<(), Refusal> {
    let speaks_json = body.is_empty() || head.content_type().is_some();
    if head.method == hyper::Method::POST && head.path() == "/" && speaks_json {
        return Ok(());
    }
    Err(Refusal::NotACall)
}

fn is_json(_head: &Head<'_>, body: &[u8]) -> Result<(), Refusal> {
    if body.is_empty() {
        return Ok(());
    }
    Request::check_json(body).map_err(Refusal::Error)
}

fn names_an_operation(head: &Head<'_>, _body: &[u8]) -> Result<(), Refusal> {
    operation(head).map(drop).ok_or(Refusal::Error(Error::UnknownOperation))
}

fn carries_credentials(head: &Head<'_>, _body: &[u8]) -> Result<(), Refusal> {
    authorization::check(head).map_err(Refusal::Error)
}

fn has_a_body(_head: &Head<'_>, body: &[u8]) -> Result<(), Refusal> {
    if body.is_empty() {
        return Request::check_json(body).map_err(Refusal::Error);
    }
    Ok(())
}

fn operation(head: &Head<'_>) -> Option<Operation> {
    head.value("x-amz-target").and_then(|target| Operation::from_target(&target))
}
