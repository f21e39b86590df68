//! What entities are there for, as traits: what is called with an entity asks for the one that it needs.

use super::{Entity, Table};

/// An entity that is data: its items are put as they are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no data of table `{TableType}`: the data layer keeps its items",
    label = "it is not put",
    note = "what has a `purpose` is stored by the call that is for it: `claim`, `add`, `lock`, `take`, `issue`"
)]
pub trait Data<TableType: Table>: Entity<TableType> {}

/// An entity whose items may be deleted: any but a lock.
///
/// The item of a lock counts its fencing tokens. They would begin again at 1, and a holder that was believed dead would have the highest.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is a lock of table `{TableType}`: its item stays, since it counts fencing tokens",
    label = "it is not deleted",
    note = "what ends is the lease: `release` it, or let it run out"
)]
pub trait Deletable<TableType: Table>: Entity<TableType> {}

/// A claim: the key of a request that has effect once.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a claim of table `{TableType}`",
    label = "nothing is claimed by it",
    note = "add `purpose = \"claim\", ttl = \"..\"` to its `#[entity(..)]`, with the time to live of the table"
)]
pub trait Claim<TableType: Table>: Entity<TableType> {}

/// A lock with a lease and a fencing token.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a lock of table `{TableType}`",
    label = "nothing is locked by it",
    note = "add `purpose = \"lock\"` to its `#[entity(..)]`"
)]
pub trait Lock<TableType: Table>: Entity<TableType> {}

/// A counter, exact or approximate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a counter of table `{TableType}`",
    label = "it counts nothing",
    note = "add `purpose = \"approximate-counter\"` or `purpose = \"exact-counter\"` to its `#[entity(..)]`"
)]
pub trait Counter<TableType: Table>: Entity<TableType> {}

/// A counter that a lost answer may leave off by what was added.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an approximate counter of table `{TableType}`",
    label = "it is not counted by one `ADD`",
    note = "an exact counter is counted together with a claim, by `once`: a retry could add twice"
)]
pub trait ApproximateCounter<TableType: Table>: Counter<TableType> {}

/// A counter each increment of which counts once.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an exact counter of table `{TableType}`",
    label = "a lost answer may leave it off",
    note = "add `purpose = \"exact-counter\"` to its `#[entity(..)]`, or count it by one `ADD`"
)]
pub trait ExactCounter<TableType: Table>: Counter<TableType> {}

/// A counter in one item, of which a floor or a ceiling can be asked.
#[diagnostic::on_unimplemented(
    message = "the count of `{Self}` is spread over shards",
    label = "no condition sees the whole count",
    note = "a floor or a ceiling is a condition on one item: leave the shards out"
)]
pub trait CountedInOneItem {}

/// The bucket of a rate limit.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the bucket of a rate limit of table `{TableType}`",
    label = "it limits nothing",
    note = "add `purpose = \"rate-limit\", ttl = \"..\"` to its `#[entity(..)]`, with the time to live of the table"
)]
pub trait RateLimit<TableType: Table>: Entity<TableType> {}

/// A token that is used once.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a token of table `{TableType}`",
    label = "it cannot be used up",
    note = "add `purpose = \"single-use-token\", ttl = \"..\"` to its `#[entity(..)]`, with the time to live of the table"
)]
pub trait SingleUseToken<TableType: Table>: Entity<TableType> {}
