//! How a live table differs from the design, and what to do about it.

use std::fmt;

use keywright_key::IndexReach;

/// How a live table differs from the design.
///
/// ```
/// # use applications::teams::*;
/// use keywright::{Difference, OpenError};
///
/// /// Whether the table lacks nothing but indexes: those can be added while the old program runs.
/// fn lacks_indexes_only(error: &OpenError) -> bool {
///     let OpenError::Differs(differences) = error else { return false };
///     differences.iter().all(|difference| matches!(difference, Difference::NoIndex { .. }))
/// }
/// # fn main() { let _ = lacks_indexes_only; }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// There is no such table.
    NoTable {
        /// The name that was asked for.
        table: String,
    },
    /// The table is there, and cannot be used: it is being created or deleted, its key of encryption cannot be used, or it was archived. Nothing
    /// else is compared then.
    TableStatus {
        /// What it is, as the service names it: `CREATING`.
        status: String,
    },
    /// A key of the table is another.
    TableKey {
        /// What the design says.
        expected: String,
        /// What the table has.
        found: String,
    },
    /// The time to live looks at another attribute.
    TimeToLive {
        /// What the design says.
        expected: Option<&'static str>,
        /// What the table has.
        found: Option<String>,
    },
    /// The stream carries something else, or there is none.
    Stream {
        /// What the design says, as the service names it: `NEW_AND_OLD_IMAGES`.
        expected: String,
        /// What the table has.
        found: Option<String>,
    },
    /// The table lacks an index.
    NoIndex {
        /// The index.
        index: &'static str,
    },
    /// An index is there, and cannot be read: it is being backfilled or deleted.
    IndexStatus {
        /// The index.
        index: &'static str,
        /// What it is, as the service names it: `CREATING`.
        status: String,
    },
    /// An index of this name is global where a local one is meant, or the other way round.
    IndexReach {
        /// The index.
        index: &'static str,
        /// What the design says.
        expected: IndexReach,
    },
    /// A key of an index is another.
    IndexKey {
        /// The index.
        index: &'static str,
        /// What the design says.
        expected: String,
        /// What the table has.
        found: String,
    },
    /// An index does not project what is read from it.
    IndexProjection {
        /// The index.
        index: &'static str,
        /// The attributes that it lacks; all of them if empty.
        missing: Vec<&'static str>,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::NoTable { table } => write!(
                formatter,
                "there is no table `{table}` in this account and region: create it, or give the name that it has there"
            ),
            Difference::TableStatus { status } => write!(
                formatter,
                "the table is {status} and cannot be used: wait until it is ACTIVE, or do what makes it so"
            ),
            Difference::TableKey { expected, found } => write!(
                formatter,
                "the table has {found}, and the program was written for {expected}: the key of a table never changes, so \
                 either the name is another table's, or the items must be moved to a new table"
            ),
            Difference::TimeToLive { expected, found } => write!(
                formatter,
                "the time to live of the table looks at {}, and the program was written for {}: items would {}; change it by \
                 UpdateTimeToLive",
                found.as_deref().map_or("nothing".to_owned(), |name| format!("`{name}`")),
                expected.map_or("none".to_owned(), |name| format!("`{name}`")),
                if expected.is_some() {
                    "stay after their time"
                } else {
                    "go that nothing in the program expects to go"
                },
            ),
            Difference::Stream { expected, found } => write!(
                formatter,
                "the stream of the table carries {}, and the program was written for {expected}: who reads the stream would miss what \
                 it needs; {}",
                found.as_deref().unwrap_or("nothing, for there is none"),
                if found.is_some() {
                    "a view never changes, so switch the stream off and on again by UpdateTable, and let its readers begin anew"
                } else {
                    "switch it on by UpdateTable"
                },
            ),
            Difference::NoIndex { index } => {
                write!(formatter, "the table has no index `{index}`: add it, and wait until it is backfilled")
            }
            Difference::IndexStatus { index, status } => write!(
                formatter,
                "index `{index}` is {status} and cannot be read: wait until it is ACTIVE; one that is being deleted is to be added again"
            ),
            Difference::IndexReach { index, expected: IndexReach::Local } => write!(
                formatter,
                "index `{index}` is global, and the program was written for a local one: local ones are made with their table and \
                 never later, so the items must be moved to a new table, or the design must make do with a global one"
            ),
            Difference::IndexReach { index, expected: IndexReach::Global } => write!(
                formatter,
                "index `{index}` is local, and the program was written for a global one: build a global one with another name, then \
                 switch; a local one goes with its table only"
            ),
            Difference::IndexKey { index, expected, found } => write!(
                formatter,
                "index `{index}` has {found}, and the program was written for {expected}: build a second index with another \
                 name, then switch, then drop this one"
            ),
            Difference::IndexProjection { index, missing } if missing.is_empty() => write!(
                formatter,
                "index `{index}` does not project everything: a projection never changes, so build a second index with \
                 another name, then switch, then drop this one"
            ),
            Difference::IndexProjection { index, missing } => write!(
                formatter,
                "index `{index}` does not project `{}`: a projection never changes, so build a second index with another name, \
                 then switch, then drop this one",
                missing.join("`, `")
            ),
        }
    }
}
