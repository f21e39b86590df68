//! Table `Billing`: money. Nothing in it expires.

mod balance;
mod charge;

use keywright::Table;

pub use balance::Balance;
pub use charge::{Charge, ChargeOfKind, ChargesOfKind, ChargesOfPeriod, Kind};

/// A balance for each organization, and what changed it.
#[derive(Debug, Table)]
#[table(
    tenant = "organization_id",
    entities(Balance, Charge),
    patterns(ChargesOfPeriod, ChargesOfKind),
    // A local index, for the one thing that a global one cannot do: a consistent read in another order.
    index(
        ByKind,
        name = "by_kind",
        local,
        sort_key = "lsi1sk",
        project(amount, organization_id, entity)
    ),
    stream = "new-and-old-images"
)]
pub struct Billing;
