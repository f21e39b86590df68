//! Why maintenance did not go on, or not to its end.

use std::error::Error;
use std::fmt;

use super::position::InvalidPosition;
use crate::batch::BatchError;
use crate::error::ServiceError;

/// Why maintenance did not go on, or not to its end.
///
/// ```
/// use keywright::MaintenanceError;
///
/// /// Whether the same call can be made again later.
/// fn is_worth_another_run(error: &MaintenanceError) -> bool {
///     matches!(error, MaintenanceError::Service(_) | MaintenanceError::Batch(_) | MaintenanceError::StillThere { .. })
/// }
/// # let _ = is_worth_another_run;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MaintenanceError {
    /// The service refused, or did not answer. The same page can be asked for again.
    Service(ServiceError),
    /// The position is not one of this table.
    Position(InvalidPosition),
    /// A walk knows how to check some entities of the table and not these; nothing was read.
    Unchecked {
        /// What the code calls them.
        entities: Vec<&'static str>,
    },
    /// There are more rows than were to be read at most, so that nobody knows whether everything was found. Nothing was deleted that was not
    /// to be.
    Capped {
        /// The most rows.
        max_rows: u64,
    },
    /// Items could not be deleted; some may be.
    Batch(BatchError),
    /// After several rounds there are still items: somebody goes on writing them.
    StillThere {
        /// How many there were in the last round.
        items: u64,
    },
}

impl fmt::Display for MaintenanceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MaintenanceError::Service(error) => error.fmt(formatter),
            MaintenanceError::Position(error) => error.fmt(formatter),
            MaintenanceError::Unchecked { entities } => write!(
                formatter,
                "the walk does not check `{}`: name each entity of the table by `checking::<..>()`",
                entities.join("`, `")
            ),
            MaintenanceError::Capped { max_rows } => write!(
                formatter,
                "there are more than {max_rows} rows, so it is not known whether everything was found: raise the cap"
            ),
            MaintenanceError::Batch(error) => error.fmt(formatter),
            MaintenanceError::StillThere { items } => write!(
                formatter,
                "{items} items of the tenant are there again: stop what writes them, then erase once more"
            ),
        }
    }
}

impl Error for MaintenanceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            MaintenanceError::Service(error) => error.source(),
            MaintenanceError::Batch(error) => error.source(),
            MaintenanceError::Position(_)
            | MaintenanceError::Unchecked { .. }
            | MaintenanceError::Capped { .. }
            | MaintenanceError::StillThere { .. } => None,
        }
    }
}

impl From<ServiceError> for MaintenanceError {
    fn from(error: ServiceError) -> MaintenanceError {
        MaintenanceError::Service(error)
    }
}

impl From<InvalidPosition> for MaintenanceError {
    fn from(error: InvalidPosition) -> MaintenanceError {
        MaintenanceError::Position(error)
    }
}

impl From<BatchError> for MaintenanceError {
    fn from(error: BatchError) -> MaintenanceError {
        MaintenanceError::Batch(error)
    }
}
