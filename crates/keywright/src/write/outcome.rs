//! What became of a write with a condition.

use crate::stored::Stored;

/// What became of a write with a condition. That the condition did not hold is an ordinary outcome.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "whether the write had effect is said here"]
pub enum Conditional<Done, Item> {
    /// The write had effect.
    Done(Done),
    /// The condition did not hold, and nothing was written.
    Failed {
        /// The item that is there instead; none if there is none, or if its time is over.
        current: Option<Stored<Item>>,
    },
}

impl<Done, Item> Conditional<Done, Item> {
    /// Whether the write had effect.
    pub const fn is_done(&self) -> bool {
        matches!(self, Conditional::Done(_))
    }

    /// What the write did, if it had effect.
    pub fn done(self) -> Option<Done> {
        match self {
            Conditional::Done(done) => Some(done),
            Conditional::Failed { .. } => None,
        }
    }
}
