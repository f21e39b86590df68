//! One member of a batch: which item it is about.

use std::collections::HashMap;
use std::fmt;

use super::error::BatchError;
use crate::item::{self, ItemKey};

/// A member of a batch, as errors name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchMember {
    position: usize,
    entity: &'static str,
    key: Option<String>,
}

impl BatchMember {
    pub(super) const fn new(position: usize, entity: &'static str, key: Option<String>) -> BatchMember {
        BatchMember { position, entity, key }
    }

    /// Its place in the batch, counted from 0 in the order in which members were added.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// The entity that is written, or the pattern that is read.
    #[must_use]
    pub const fn entity(&self) -> &'static str {
        self.entity
    }

    /// The item's key as text, unless the store keeps keys out of errors or the key cannot be written.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }
}

impl fmt::Display for BatchMember {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` at position {}", self.entity, self.position)?;
        match &self.key {
            Some(key) => write!(formatter, " (key {key})"),
            None => Ok(()),
        }
    }
}

/// The places of keys, each of which is there once.
///
/// # Errors
/// [`BatchError::Duplicates`], with every member whose key an earlier one has, behind that one.
pub(super) fn places<'m>(
    keys: impl Iterator<Item = &'m ItemKey>,
    name: impl Fn(usize) -> BatchMember,
) -> Result<HashMap<&'m ItemKey, usize>, BatchError> {
    let (places, twice) = item::places(keys);
    if twice.is_empty() {
        return Ok(places);
    }
    let named = twice.into_iter().map(|(first, again)| (name(first), name(again)));
    Err(BatchError::Duplicates(named.collect()))
}
