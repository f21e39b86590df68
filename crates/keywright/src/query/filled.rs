//! A page as it was read: whole, or ended before it was.
//!
//! What ends a page early is no error of it: it has a place to go on from, and whoever goes on meets the error if it is still there.
//! To whom everything matters it is one.

use std::num::NonZeroU32;

use keywright_key::declare::ReadItems;

use super::Page;
use crate::error::ReadError;

/// A page, and where the next one begins.
pub(super) struct Filled<Given, Position> {
    pub(super) page: Page<Given>,
    pub(super) next: Option<Position>,
    /// Why it ended before it was full, though there is more.
    pub(super) ended_by: Option<ReadError>,
}

impl<Given, Position> Filled<Given, Position> {
    /// As a page that others go on from.
    pub(super) fn page(self, pattern: &'static str) -> (Page<Given>, Option<Position>) {
        if let Some(ReadError::Service(error)) = &self.ended_by {
            tracing::warn!(
                pattern,
                problem = ?error.problem(),
                "a page ends before it is full: a request of it failed, and the next page begins there"
            );
        }
        (self.page, self.next)
    }

    /// As everything that there is, if that is so many items at most.
    pub(super) fn all<Pattern: ReadItems>(self, at_most: NonZeroU32) -> Result<Vec<Given>, ReadError> {
        if self.page.items.len() > usize::try_from(at_most.get()).unwrap_or(usize::MAX) {
            return Err(ReadError::TooMany { pattern: Pattern::SHAPE.name, at_most: at_most.get() });
        }
        match self.ended_by {
            Some(error) => Err(error),
            None => Ok(self.page.into_items()?),
        }
    }
}
