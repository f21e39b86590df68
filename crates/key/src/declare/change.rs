//! Conditions and updates: what a write asks of the stored item, and what it does to it.

use super::{Entity, Table};
use crate::shape::{ExpressionShape, UpdateShape};

/// A condition on a stored item: `#[derive(Condition)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a condition",
    label = "nothing that a stored item could be asked",
    note = "add `#[derive(Condition)] #[condition(table = .., of = .., ..)]` to `{Self}`"
)]
pub trait Condition {
    /// The table.
    type Table: Table;
    /// The entity whose items it is asked of.
    type Entity: Entity<Self::Table>;
    /// The condition.
    const SHAPE: ExpressionShape<'static>;
}

/// A change of a stored item: `#[derive(Update)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an update",
    label = "nothing that could be done to a stored item",
    note = "add `#[derive(Update)] #[update(table = .., of = ..)]` to `{Self}`"
)]
pub trait Update {
    /// The table.
    type Table: Table;
    /// The entity whose items it changes.
    type Entity: Entity<Self::Table>;
    /// What it changes.
    const SHAPE: UpdateShape<'static>;
}
