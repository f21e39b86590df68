//! How many retries a store may still make while nothing succeeds.

use std::sync::atomic::{AtomicU32, Ordering};

/// What a retry costs, in the shares of one that a success gives back: five successes at the first try pay for one.
pub(super) const RETRY: u32 = 5;

/// A bucket that retries are taken from and successes fill.
#[derive(Debug)]
pub(super) struct Reserve {
    most: u32,
    left: AtomicU32,
}

impl Reserve {
    /// A full one, of so many retries.
    pub(super) fn new(retries: u32) -> Reserve {
        let most = retries.saturating_mul(RETRY);
        Reserve { most, left: AtomicU32::new(most) }
    }

    /// Takes one retry; whether there was one.
    pub(super) fn take(&self) -> bool {
        let taken =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(RETRY));
        taken.is_ok()
    }

    /// Gives back so many shares.
    pub(super) fn give(&self, shares: u32) {
        // Almost always it is full, and then nothing is written that other threads read.
        let more = |left: u32| (left < self.most).then(|| left.saturating_add(shares).min(self.most));
        let _ = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }
}
