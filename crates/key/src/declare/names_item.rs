//! Patterns that name one item.

use super::{AccessPattern, Entity};

/// A pattern that is one GetItem on the table: it names one item, to read, to change or to delete.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name one item",
    label = "not a GetItem on the table",
    note = "an item is read, changed and deleted by a pattern with `get_item`"
)]
pub trait NamesItem: AccessPattern {
    /// The entity that the item is.
    type Entity: Entity<Self::Table>;
}
