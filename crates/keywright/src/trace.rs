//! Spans: one for each call that is sent, with what it reads or writes and what it took.
//!
//! Names of tables, patterns and entities, and figures, are all that is in one: no key and no value, whatever errors may show.

use tracing::Span;
use tracing::field::Empty;

use crate::store::Shared;

/// The span of a GetItem.
pub(crate) fn get(shared: &Shared, pattern: &'static str) -> Span {
    let table = shared.table_name.as_str();
    tracing::info_span!(
        "keywright.get",
        table,
        pattern,
        requests = Empty,
        units = Empty,
        items_read = Empty,
        items_given = Empty
    )
}

/// The span of one page of a Query.
pub(crate) fn query(shared: &Shared, pattern: &'static str) -> Span {
    let table = shared.table_name.as_str();
    tracing::info_span!(
        "keywright.query",
        table,
        pattern,
        requests = Empty,
        units = Empty,
        items_read = Empty,
        items_given = Empty
    )
}

/// The span of a put.
pub(crate) fn put(shared: &Shared, entity: &'static str) -> Span {
    let table = shared.table_name.as_str();
    tracing::info_span!("keywright.put", table, entity, attempts = Empty, units = Empty, outcome = Empty)
}

/// The span of an update.
pub(crate) fn update(shared: &Shared, entity: &'static str) -> Span {
    let table = shared.table_name.as_str();
    tracing::info_span!("keywright.update", table, entity, attempts = Empty, units = Empty, outcome = Empty)
}

/// The span of a delete.
pub(crate) fn delete(shared: &Shared, entity: &'static str) -> Span {
    let table = shared.table_name.as_str();
    tracing::info_span!("keywright.delete", table, entity, attempts = Empty, units = Empty, outcome = Empty)
}

/// The span of a batch.
pub(crate) fn batch(shared: &Shared, operation: &'static str, members: usize) -> Span {
    let table = shared.table_name.as_str();
    tracing::info_span!(
        "keywright.batch",
        table,
        operation,
        members,
        calls = Empty,
        done = Empty,
        left = Empty
    )
}

/// The span of a transaction.
pub(crate) fn transaction(shared: &Shared, operation: &'static str, actions: usize) -> Span {
    let table = shared.table_name.as_str();
    tracing::info_span!(
        "keywright.transaction",
        table,
        operation,
        actions,
        attempts = Empty,
        units = Empty,
        outcome = Empty
    )
}

/// The span of a batch whose members come as a stream.
pub(crate) fn batch_stream(shared: &Shared, operation: &'static str) -> Span {
    let table = shared.table_name.as_str();
    tracing::info_span!("keywright.batch_stream", table, operation, calls = Empty, done = Empty, left = Empty)
}

/// What a batch took, and what is left of it.
pub(crate) fn record_batch(span: &Span, calls: u64, done: usize, left: usize) {
    span.record("calls", calls);
    span.record("done", done);
    span.record("left", left);
}

/// The span of one page of a scan.
pub(crate) fn scan(shared: &Shared, reason: &str, segment: usize) -> Span {
    let table = shared.table_name.as_str();
    tracing::info_span!(
        "keywright.scan",
        table,
        reason,
        segment,
        requests = Empty,
        units = Empty,
        items_read = Empty,
        items_given = Empty
    )
}

/// What a read took, into the span that is entered.
pub(crate) fn record_read(requests: u64, units: f64, items_read: u64, items_given: u64) {
    let span = Span::current();
    span.record("requests", requests);
    span.record("units", units);
    span.record("items_read", items_read);
    span.record("items_given", items_given);
}

/// What a write took, into the span that is entered.
pub(crate) fn record_units(units: Option<f64>) {
    if let Some(units) = units {
        Span::current().record("units", units);
    }
}

/// How often a write was tried, and what became of it, into the span that is entered.
pub(crate) fn record_outcome(attempts: u64, outcome: &'static str) {
    let span = Span::current();
    span.record("attempts", attempts);
    span.record("outcome", outcome);
}
