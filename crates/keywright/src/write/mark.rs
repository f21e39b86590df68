//! What marks a write: its id, and when it is made.
//!
//! Stamps, conditions on time to live and the id in the item all follow from one mark, so that a write that is made of the same mark
//! again is the same request.

use std::time::Duration;

use super::write_id::WriteId;
use crate::store::Shared;

/// The id of a write and the time at which it is made.
#[derive(Clone, Debug)]
pub(crate) struct WriteMark {
    pub(crate) write_id: WriteId,
    /// Since the beginning of 1970.
    pub(crate) since_epoch: Duration,
}

impl WriteMark {
    /// A write of now.
    pub(crate) fn now(shared: &Shared) -> WriteMark {
        WriteMark { write_id: WriteId::new(), since_epoch: shared.clock.since_epoch() }
    }

    /// Whole seconds since the beginning of 1970, by which items expire.
    pub(crate) const fn seconds(&self) -> u64 {
        self.since_epoch.as_secs()
    }
}
