//! Memory that all connections share: whoever needs some waits for a whole share, in order, and gives it back by dropping it.
//!
//! Who waits for a share must hold none of the same budget, or two could wait for each other. Of different budgets one may be
//! held while another is waited for in this order only: bodies, old items, answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// So many bytes, counted in KiB.
#[derive(Debug)]
pub(crate) struct Budget {
    /// One permit is one KiB.
    kibibytes: Arc<Semaphore>,
    all: u32,
    waiting: AtomicUsize,
}

/// A part of a [`Budget`], until it is dropped.
#[derive(Debug)]
pub(crate) struct Share(OwnedSemaphorePermit);

/// Whether somebody waits for a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Supply {
    /// Nobody does.
    Plenty,
    /// Somebody does: whoever holds a share must not be slow.
    Short,
}

impl Budget {
    /// A budget with everything free.
    pub(crate) fn new(bytes: usize) -> Budget {
        let all = kibibytes(bytes).min(u32::try_from(Semaphore::MAX_PERMITS).unwrap_or(u32::MAX));
        Budget { kibibytes: Arc::new(Semaphore::new(all as usize)), all, waiting: AtomicUsize::new(0) }
    }

    /// A share of `bytes`, or of everything if that is less, unless it has to be waited for.
    pub(crate) fn try_take(&self, bytes: usize) -> Option<Share> {
        let wanted = kibibytes(bytes).min(self.all);
        Arc::clone(&self.kibibytes).try_acquire_many_owned(wanted).ok().map(Share)
    }

    /// The same; waits for its turn.
    #[expect(clippy::expect_used, reason = "the semaphore is never closed")]
    pub(crate) async fn take(&self, bytes: usize) -> Share {
        if let Some(share) = self.try_take(bytes) {
            return share;
        }
        let wanted = kibibytes(bytes).min(self.all);
        let _waiting = Waiting::new(&self.waiting);
        Share(Arc::clone(&self.kibibytes).acquire_many_owned(wanted).await.expect("an open semaphore"))
    }

    pub(crate) fn supply(&self) -> Supply {
        if self.waiting.load(Ordering::Relaxed) == 0 { Supply::Plenty } else { Supply::Short }
    }
}

impl Share {
    /// Gives back what is more than `bytes`.
    pub(crate) fn shrink_to(&mut self, bytes: usize) {
        let unneeded = self.0.num_permits().saturating_sub(kibibytes(bytes) as usize);
        drop(self.0.split(unneeded));
    }
}

/// Counts itself as long as it lives, also when the waiting is given up.
struct Waiting<'budget>(&'budget AtomicUsize);

impl Waiting<'_> {
    fn new(count: &AtomicUsize) -> Waiting<'_> {
        count.fetch_add(1, Ordering::Relaxed);
        Waiting(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn kibibytes(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX)
}
