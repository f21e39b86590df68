//! Why a transaction did not happen, or is not known to have happened.

use std::error::Error;
use std::fmt;

use super::canceled::Canceled;
use super::name::{ActionKind, ActionName};
use super::token::TransactionToken;
use crate::error::{ItemError, ServiceError, WriteError};

/// How many pairs of actions a message names; the error itself holds all.
const NAMED_IN_MESSAGE: usize = 3;

/// Why a transaction did not happen, or is not known to have happened.
///
/// After [`TransactionError::Unknown`] nobody can tell; after all others nothing was written by this send.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::TransactionError;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// /// Whether the same transaction, by its token, is to be sent again.
/// fn is_to_be_sent_again(error: &TransactionError) -> bool {
///     matches!(error, TransactionError::Unknown { .. })
/// }
/// # let mut found = acme.transaction();
/// # found.add(acme.put(&team(1, "Analysts")));
/// match found.send().await {
///     Ok(_) => println!("it happened, or it is known that it did not"),
///     Err(error) if is_to_be_sent_again(&error) => println!("an answer was lost: {error}"),
///     Err(error) => return Err(error.into()),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TransactionError {
    /// An action cannot be sent: its key cannot be written, its entity is another tenant's, its item is too large. Nothing was sent.
    Action {
        /// The first such action.
        action: ActionName,
        /// Why.
        source: Box<WriteError>,
    },
    /// This action was made through another tenant's handle. Nothing was sent.
    AnotherTenant(ActionName),
    /// This action's store has another client, perhaps of another account or region. Nothing was sent.
    AnotherClient(ActionName),
    /// Several actions on one item: DynamoDB takes one an item. Nothing was sent.
    SameItem(
        /// The first action on an item, and a later one on the same.
        Vec<(ActionName, ActionName)>,
    ),
    /// More than 100 actions. Nothing was sent.
    TooMany {
        /// How many there are.
        actions: usize,
        /// The first one that is too many.
        first_beyond: ActionName,
    },
    /// The items that are put have more than 4 MB together. Nothing was sent.
    TooLarge {
        /// How many bytes they have.
        size_bytes: usize,
        /// The first one that is too much.
        first_beyond: ActionName,
    },
    /// The engine has no transactions, as its capabilities say. Nothing was sent.
    Lacking,
    /// The token is older than the service remembers tokens, so that nobody can tell whether an earlier send had effect. This one was
    /// not made.
    TokenOver(TransactionToken),
    /// The token was used for another transaction: other actions, other values, or another order.
    TokenMismatch {
        /// The token.
        token: TransactionToken,
        /// What the service said.
        source: ServiceError,
    },
    /// The service refused: the transaction had no effect.
    Service(ServiceError),
    /// A write of an item with reservations was canceled by what is no condition: conflicts, throttles, or an item that it does not fit.
    Canceled(Canceled),
    /// The item with reservations changed again and again while it was to be written: nothing was written.
    Contended {
        /// The entity.
        entity: &'static str,
    },
    /// A condition did not hold, and the item that is there is not what it should be. Nothing was written.
    Current(ItemError),
    /// An answer was lost, and nobody said since whether the transaction had effect.
    ///
    /// One of the caller's own happens once by [`Tenant::resume_transaction`](crate::Tenant::resume_transaction) with the token. The token of a
    /// write of an item with reservations, or of a count by a claim, is of no use to the caller, who does not have its actions:
    /// `add_once`, `put_unique` and `delete_unique` are made again; after `insert_unique` and `update_unique` the item is read first, for the
    /// one finds its own item in the way, and the other may change what it changed.
    Unknown {
        /// The token.
        token: TransactionToken,
        /// What happened instead of the answer.
        source: ServiceError,
    },
}

impl TransactionError {
    /// An action that cannot be sent.
    pub(crate) fn of_action(
        position: usize,
        kind: ActionKind,
        entity: &'static str,
        source: WriteError,
    ) -> TransactionError {
        let action = ActionName::new(position, kind, entity, None);
        TransactionError::Action { action, source: Box::new(source) }
    }
}

impl fmt::Display for TransactionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TransactionError::Action { action, source } => {
                write!(formatter, "nothing was sent: {action} cannot be sent: {source}")
            }
            TransactionError::AnotherTenant(action) => write!(
                formatter,
                "nothing was sent: {action} was made through another tenant's handle, and a transaction is one tenant's"
            ),
            TransactionError::AnotherClient(action) => write!(
                formatter,
                "nothing was sent: the store of {action} has another client. Open it with `Store::client` of the first store"
            ),
            TransactionError::SameItem(pairs) => same_item(formatter, pairs),
            TransactionError::TooMany { actions, first_beyond } => write!(
                formatter,
                "nothing was sent: the transaction has {actions} actions, and DynamoDB takes 100; {first_beyond} is the first \
                 one beyond. Split it where the parts need not happen together"
            ),
            TransactionError::TooLarge { size_bytes, first_beyond } => write!(
                formatter,
                "nothing was sent: the items of the transaction have {size_bytes} bytes, and DynamoDB takes 4,194,304; \
                 {first_beyond} is the first one beyond. Split it where the parts need not happen together"
            ),
            TransactionError::Lacking => formatter.write_str(
                "nothing was sent: this engine has no transactions, as the capabilities say with which its store was opened",
            ),
            TransactionError::TokenOver(token) => write!(
                formatter,
                "nothing was sent: the token {token} is more than nine minutes old, and the service forgets tokens after ten. \
                 Whether an earlier send had effect, the items tell"
            ),
            TransactionError::TokenMismatch { token, .. } => write!(
                formatter,
                "the token {token} was used for a transaction with other actions: resume with the same ones, or begin a new one"
            ),
            TransactionError::Service(error) => error.fmt(formatter),
            TransactionError::Canceled(canceled) => canceled.fmt(formatter),
            TransactionError::Contended { entity } => {
                write!(formatter, "this `{entity}` changed again and again while it was written: try again")
            }
            TransactionError::Current(error) => write!(formatter, "nothing was written: {error}"),
            TransactionError::Unknown { token, .. } => write!(
                formatter,
                "whether the transaction had effect is not known: its answer was lost. Resume a transaction of your own with the token \
                 {token} within nine minutes of its beginning; a count by a claim is made again; of an item with reservations, read \
                 what it is now"
            ),
        }
    }
}

fn same_item(formatter: &mut fmt::Formatter<'_>, pairs: &[(ActionName, ActionName)]) -> fmt::Result {
    formatter.write_str("nothing was sent: a transaction has one action an item, and these are of one: ")?;
    for (place, (first, second)) in pairs.iter().take(NAMED_IN_MESSAGE).enumerate() {
        let separator = if place == 0 { "" } else { "; " };
        write!(formatter, "{separator}{first} and {second}")?;
    }
    match pairs.len().checked_sub(NAMED_IN_MESSAGE) {
        None | Some(0) => Ok(()),
        Some(more) => write!(formatter, "; and {more} more"),
    }
}

impl Error for TransactionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            TransactionError::Action { source, .. } => source.source(),
            TransactionError::Service(error) => error.source(),
            TransactionError::Current(error) => error.source(),
            TransactionError::TokenMismatch { source, .. } | TransactionError::Unknown { source, .. } => {
                Some(source)
            }
            _ => None,
        }
    }
}

impl From<ServiceError> for TransactionError {
    fn from(error: ServiceError) -> TransactionError {
        TransactionError::Service(error)
    }
}
