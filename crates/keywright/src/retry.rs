//! Retries, in one place: what may be made again, how often, after which pause, and when that ends.
//!
//! - The client's own retries are off. They know nothing of a write whose answer was lost, and would multiply with those made here.
//! - Whether a write may be made again is decided where it is written; how, here.
//! - Every pause is exponential with full jitter, on the client's clock. No other pause is made anywhere in this crate.
//! - While nothing succeeds, a store makes no more retries than its reserve holds: an outage is not made worse by those who wait for
//!   its end.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html#Programming.Errors.RetryAndBackoff>

mod deadline;
mod jitter;
mod policy;
mod reserve;
mod tries;

pub(crate) use deadline::Deadline;
pub use jitter::Jitter;
pub use policy::RetryPolicy;
pub(crate) use tries::{CountedAs, Retries, Tries, read};
