//! Why a snapshot gave nothing.

use std::error::Error;
use std::fmt;

use crate::error::{ItemError, KeyError, ServiceError};
use crate::transaction::canceled::Cause;
use crate::transaction::name::ActionName;

/// How many reads a message names; the error itself holds all.
const NAMED_IN_MESSAGE: usize = 3;

/// Why a snapshot, or an item of it, gave nothing.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::SnapshotError;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let mut snapshot = acme.snapshot();
/// let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
/// snapshot.get(TeamById { team_id: 1 });
/// snapshot.get_through(&globex, TeamById { team_id: 1 });
/// match snapshot.send().await {
///     Ok(_) => return Err("what is another tenant's was read".into()),
///     Err(SnapshotError::AnotherTenant(read)) => assert_eq!((read.position(), read.entity()), (1, "TeamById")),
///     Err(SnapshotError::Canceled(_)) => println!("its items are written all the time: a little later, perhaps"),
///     Err(error) => return Err(error.into()),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SnapshotError {
    /// A key cannot be written. Nothing was sent.
    Key {
        /// The first such read.
        read: ActionName,
        /// Why.
        source: Box<KeyError>,
    },
    /// The design lists earlier numbers of shards, so that this item may lie under several keys, and a snapshot cannot look where. Nothing
    /// was sent.
    SeveralKeys(ActionName),
    /// This read is through another tenant's handle. Nothing was sent.
    AnotherTenant(ActionName),
    /// This read's store has another client, perhaps of another account or region. Nothing was sent.
    AnotherClient(ActionName),
    /// Several reads of one item: DynamoDB takes one an item. Nothing was sent.
    SameItem(
        /// The first read of an item, and a later one of the same.
        Vec<(ActionName, ActionName)>,
    ),
    /// More than 100 items. Nothing was sent.
    TooMany {
        /// How many there are.
        items: usize,
        /// The first one that is too many.
        first_beyond: ActionName,
    },
    /// The engine has no transactions, as its capabilities say. Nothing was sent.
    Lacking,
    /// Writes were under way on these items, or reads of them were throttled, at the last of several tries.
    Canceled(Vec<(ActionName, Cause)>),
    /// The service refused, or did not answer: more than 4 MB are refused, too.
    Service(ServiceError),
    /// The item that was asked for is not what it should be, or not the tenant's. The others can be asked for.
    Item(ItemError),
    /// The item that was asked for is one of another snapshot.
    AnotherSnapshot,
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotError::Key { read, source } => {
                write!(formatter, "nothing was sent: {read} cannot be sent: {source}")
            }
            SnapshotError::SeveralKeys(read) => write!(
                formatter,
                "nothing was sent: the design of {read} lists earlier numbers of shards, and a snapshot cannot look where an item lies: \
                 read it alone"
            ),
            SnapshotError::AnotherTenant(read) => write!(
                formatter,
                "nothing was sent: {read} is through another tenant's handle, and a snapshot is one tenant's"
            ),
            SnapshotError::AnotherClient(read) => write!(
                formatter,
                "nothing was sent: the store of {read} has another client. Open it with `Store::client` of the first store"
            ),
            SnapshotError::SameItem(pairs) => {
                formatter.write_str("nothing was sent: a snapshot reads an item once, and these are one: ")?;
                for (place, (first, second)) in pairs.iter().take(NAMED_IN_MESSAGE).enumerate() {
                    let separator = if place == 0 { "" } else { "; " };
                    write!(formatter, "{separator}{first} and {second}")?;
                }
                more(formatter, pairs.len())
            }
            SnapshotError::TooMany { items, first_beyond } => write!(
                formatter,
                "nothing was sent: the snapshot has {items} items, and DynamoDB takes 100; {first_beyond} is the first one beyond"
            ),
            SnapshotError::Lacking => formatter.write_str(
                "nothing was sent: this engine has no transactions, as the capabilities say with which its store was opened",
            ),
            SnapshotError::Canceled(causes) => {
                formatter.write_str("the snapshot was canceled, and nothing was read: ")?;
                for (place, (read, cause)) in causes.iter().take(NAMED_IN_MESSAGE).enumerate() {
                    let separator = if place == 0 { "" } else { "; " };
                    write!(formatter, "{separator}{read}: {cause}")?;
                }
                more(formatter, causes.len())
            }
            SnapshotError::Service(error) => error.fmt(formatter),
            SnapshotError::Item(error) => error.fmt(formatter),
            SnapshotError::AnotherSnapshot => {
                formatter.write_str("this item is of another snapshot than the one that was read")
            }
        }
    }
}

fn more(formatter: &mut fmt::Formatter<'_>, count: usize) -> fmt::Result {
    match count.checked_sub(NAMED_IN_MESSAGE) {
        None | Some(0) => Ok(()),
        Some(more) => write!(formatter, "; and {more} more"),
    }
}

impl Error for SnapshotError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            SnapshotError::Key { source, .. } => source.source(),
            SnapshotError::Service(error) => error.source(),
            SnapshotError::Item(error) => error.source(),
            _ => None,
        }
    }
}

impl From<ItemError> for SnapshotError {
    fn from(error: ItemError) -> SnapshotError {
        SnapshotError::Item(error)
    }
}
