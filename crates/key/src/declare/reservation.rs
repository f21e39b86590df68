//! Reservations: items that hold a value for one item of another entity, so that no second one has it.

use super::{Entity, Table, Update};

#[cfg(feature = "serde")]
pub use with_serde::{Reserving, VisitReservation};

/// An entity whose items are written by themselves: it has no reservations, and is none.
#[diagnostic::on_unimplemented(
    message = "items of `{Self}` are written together with reservations",
    label = "not written by itself",
    note = "an entity with `unique(..)` is written by `insert_unique`, `put_unique` and `delete_unique`, and a reservation with the entity \
            that holds it"
)]
pub trait Unreserved<TableType: Table>: Entity<TableType> {}

/// An entity whose items each hold a value for one item of `Owner`: `#[entity(reservation_of = ..)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no reservation of `{Owner}`",
    label = "holds nothing for `{Owner}`",
    note = "add `reservation_of = {Owner}` to `#[entity(..)]` of `{Self}`"
)]
pub trait Reservation<TableType: Table, Owner>: Entity<TableType> {}

/// An update that leaves reservations as they are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` changes what a reservation holds",
    label = "the reservation must change with it",
    note = "send it by `update_unique`"
)]
pub trait PlainUpdate: Update {}

/// An update that changes what a reservation holds: `#[update(.., unique)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not said to change what a reservation holds",
    label = "leaves reservations as they are",
    note = "send it by `update`, or add `unique` to `#[update(..)]` if it changes what a reservation holds"
)]
pub trait UniqueUpdate: Update {}

#[cfg(feature = "serde")]
mod with_serde {
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use super::{Entity, Reservation, Table};
    use crate::component::Components;

    /// An entity with reservations: `#[entity(unique(..))]`.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` has no reservations",
        label = "nothing of it is unique but its key",
        note = "write it by itself: `put`, `update` and `delete`"
    )]
    pub trait Reserving<TableType: Table>: Entity<TableType> {
        /// Shows every reservation of the entity, by its type, in the order in which they are declared.
        ///
        /// # Errors
        /// The first of the visitor's.
        fn visit_reservations<Visitor: VisitReservation<TableType, Self>>(
            visitor: &mut Visitor,
        ) -> Result<(), Visitor::Error>
        where
            Self: Sized;
    }

    /// What looks at each reservation of an entity.
    pub trait VisitReservation<TableType: Table, Owner> {
        /// Why it does not look further.
        type Error;

        /// Looks at one.
        ///
        /// # Errors
        /// If it is not to look further.
        fn visit<ReservationType>(&mut self) -> Result<(), Self::Error>
        where
            ReservationType: Reservation<TableType, Owner> + Components + Serialize + DeserializeOwned;
    }
}
