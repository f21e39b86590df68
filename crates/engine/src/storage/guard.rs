//! Turns redb's panics on damaged pages into errors.
//!
//! redb checks its pages when it repairs and not when it reads, and asserts what only damage can break. A caller's
//! own visitor may panic too: that panic is the caller's, and passes through.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};

/// Runs `call`, and answers a description of redb's panic instead of unwinding.
///
/// What `call` leaves behind is used further only for reads, which see committed pages, and for closing: both are
/// guarded again.
pub(super) fn guarded<Value>(call: impl FnOnce() -> Value) -> Result<Value, String> {
    panic::catch_unwind(AssertUnwindSafe(call)).map_err(|payload| describe(payload.as_ref()))
}

/// As [`guarded`], for a call that runs code of the caller's through the [`Visit`] it is given.
pub(super) fn guarded_visit<Value>(call: impl FnOnce(&Visit) -> Value) -> Result<Value, String> {
    let visit = Visit { running: Cell::new(false) };
    panic::catch_unwind(AssertUnwindSafe(|| call(&visit))).map_err(|payload| {
        if visit.running.get() {
            panic::resume_unwind(payload);
        }
        describe(payload.as_ref())
    })
}

/// Marks the caller's code, whose panics are its own.
pub(super) struct Visit {
    running: Cell<bool>,
}

impl Visit {
    pub(super) fn run<Value>(&self, visitor: impl FnOnce() -> Value) -> Value {
        self.running.set(true);
        let value = visitor();
        self.running.set(false);
        value
    }
}

fn describe(payload: &(dyn Any + Send)) -> String {
    let message = payload.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
    format!("redb met pages that contradict each other ({message})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_below_is_an_error_that_quotes_it() {
        let outcome = guarded(|| -> () { panic!("page 7 is torn") });
        assert_eq!(outcome, Err("redb met pages that contradict each other (page 7 is torn)".to_owned()));
    }

    #[test]
    #[should_panic(expected = "the visitor's own")]
    fn a_panic_of_the_visitor_passes_through() {
        let _ = guarded_visit(|visit| visit.run(|| panic!("the visitor's own")));
    }

    #[test]
    fn a_panic_after_the_visitor_has_returned_is_an_error() {
        let outcome = guarded_visit(|visit| {
            visit.run(|| ());
            panic!("below");
        });
        assert!(outcome.is_err_and(|text: String| text.contains("below")));
    }
}
