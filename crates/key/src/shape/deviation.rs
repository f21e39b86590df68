//! Keys that do not hold the tenant, on purpose.
//!
//! An item that was found by such a key is not known to be the caller's: whoever reads it compares its tenant attribute
//! with the caller's tenant before anything else.

use crate::text;

/// A key of an entity that does not hold the tenant, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviationShape<'a> {
    /// Which key.
    pub key: KeyPlace<'a>,
    /// Why, for whoever reviews it: "the token is the lookup value".
    pub reason: &'a str,
}

/// A key of an entity: the table's, or that of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPlace<'a> {
    /// The table's own key.
    Table,
    /// The key of the index with this name.
    Index(&'a str),
}

impl KeyPlace<'_> {
    /// Whether both are the same, in a constant.
    #[must_use]
    pub const fn is(&self, other: &KeyPlace<'_>) -> bool {
        match (self, other) {
            (KeyPlace::Table, KeyPlace::Table) => true,
            (KeyPlace::Index(one), KeyPlace::Index(two)) => text::equal(one, two),
            _ => false,
        }
    }
}
