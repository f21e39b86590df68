//! Claims: one winner, one answer, and leases that end.

mod answers;
mod isolation;
mod leases;
mod once;
mod winners;

use std::time::Duration;

use keywright::{Claimed, HeldClaim};

use crate::application::Live;

/// A lease.
const LEASE: Duration = Duration::from_secs(30);
/// How far clocks may be apart, as stores have it if nothing is said.
const CLOCK_ERROR: Duration = Duration::from_secs(1);
/// How long answers are kept.
const KEPT: Duration = Duration::from_secs(4 * 24 * 60 * 60);

/// The claim, if the caller got it.
fn held<Answer>(claimed: Claimed<Live, Answer>) -> Option<HeldClaim<Live, Answer>> {
    match claimed {
        Claimed::New(held) => Some(held),
        Claimed::InProgress { .. } | Claimed::Done(_) => None,
    }
}
