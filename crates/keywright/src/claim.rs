//! Claims: a request that comes twice has effect once, and the second gets the answer of the first.
//!
//! A claim is one item. Whoever stores it first does the work, within a lease; what the work gave is stored in the item, and is
//! what everybody gets who comes later. All decisions are conditions of the service's: nothing is read first. Clocks decide only
//! when a holder is believed dead, and never whose answer counts: that is whoever holds the item when the answer is stored.

mod error;
mod held;
mod mark;
mod once;
mod state;
mod take;

pub use error::{ClaimError, OnceError};
pub use held::HeldClaim;
pub use mark::ClaimMark;
pub use once::Once;
pub use take::{Claim, Claimed};

pub(crate) use state::is_done;
