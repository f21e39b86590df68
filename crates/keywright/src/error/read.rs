//! Why a read gave nothing.

use std::error::Error;
use std::fmt;

use crate::cursor::CursorError;

use super::item::ItemError;
use super::key::KeyError;
use super::service::ServiceError;

/// Why a read gave nothing. Messages name the pattern and hold no value; [`ReadError::Service`] says by its problem whether to try again.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{ReadError, ServiceProblem};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let status = match acme.get(TeamById { team_id: 1 }).await {
///     Ok(Some(_)) => 200,
///     Ok(None) => 404,
///     Err(ReadError::Key(_) | ReadError::Value { .. } | ReadError::Cursor(_)) => 400,
///     Err(ReadError::Service(error)) if error.problem() == ServiceProblem::Throttled => 503,
///     Err(_) => 500,
/// };
/// assert_eq!(status, 404);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The key cannot be written; nothing was sent.
    Key(KeyError),
    /// A given value cannot be sent; nothing was sent.
    Value {
        /// The pattern.
        pattern: &'static str,
        /// The name of the value.
        given: String,
        /// Why.
        reason: String,
    },
    /// The cursor is refused; nothing was read.
    Cursor(CursorError),
    /// The one item that was asked for is not what it should be.
    Item(ItemError),
    /// There are more items than were asked for at most: [`Query::all`](crate::Query::all).
    TooMany {
        /// The access pattern.
        pattern: &'static str,
        /// The most that was asked for.
        at_most: u32,
    },
    /// The time that the store's [`RetryPolicy`](crate::RetryPolicy) gives a call was over before everything was read:
    /// [`Query::all`](crate::Query::all).
    OutOfTime {
        /// The access pattern.
        pattern: &'static str,
    },
    /// The service refused, or did not answer.
    Service(ServiceError),
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Key(error) => error.fmt(formatter),
            ReadError::Value { pattern, given, reason } => {
                write!(formatter, "`{given}` of `{pattern}` cannot be sent: {reason}")
            }
            ReadError::Cursor(error) => error.fmt(formatter),
            ReadError::Item(error) => error.fmt(formatter),
            ReadError::TooMany { pattern, at_most } => write!(
                formatter,
                "`{pattern}` finds more than {at_most} items: read it by pages, or raise the bound"
            ),
            ReadError::OutOfTime { pattern } => write!(
                formatter,
                "the time for a call was over before `{pattern}` was read to its end: read it by pages, ask for less, or allow more time"
            ),
            ReadError::Service(error) => error.fmt(formatter),
        }
    }
}

impl Error for ReadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ReadError::Key(error) => error.source(),
            ReadError::Value { .. }
            | ReadError::Cursor(_)
            | ReadError::TooMany { .. }
            | ReadError::OutOfTime { .. } => None,
            ReadError::Item(error) => error.source(),
            ReadError::Service(error) => error.source(),
        }
    }
}

impl From<KeyError> for ReadError {
    fn from(error: KeyError) -> ReadError {
        ReadError::Key(error)
    }
}

impl From<ItemError> for ReadError {
    fn from(error: ItemError) -> ReadError {
        ReadError::Item(error)
    }
}

impl From<ServiceError> for ReadError {
    fn from(error: ServiceError) -> ReadError {
        ReadError::Service(error)
    }
}

impl From<CursorError> for ReadError {
    fn from(error: CursorError) -> ReadError {
        ReadError::Cursor(error)
    }
}
