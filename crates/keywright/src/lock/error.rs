//! Why a lock was not taken, renewed or given back.

use std::error::Error;
use std::fmt;

use crate::error::WriteError;

/// Why a lock was not renewed.
///
/// ```
/// use keywright::LockError;
///
/// fn say(error: &LockError) -> &'static str {
///     match error {
///         LockError::Lost { .. } => "stop: somebody else has the lock",
///         _ => "go on, and renew it once more",
///     }
/// }
/// # let _ = say;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LockError {
    /// The lease ran out, and somebody else has taken the lock since: stop what it protected.
    Lost {
        /// The lock's entity.
        entity: &'static str,
    },
    /// The write had no effect, or nobody knows whether it had.
    Write(WriteError),
}

impl fmt::Display for LockError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LockError::Lost { entity } => write!(
                formatter,
                "the lease of this `{entity}` ran out and somebody else has taken it since: stop what it protected"
            ),
            LockError::Write(error) => error.fmt(formatter),
        }
    }
}

impl Error for LockError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            LockError::Lost { .. } => None,
            LockError::Write(error) => error.source(),
        }
    }
}

impl From<WriteError> for LockError {
    fn from(error: WriteError) -> LockError {
        LockError::Write(error)
    }
}
