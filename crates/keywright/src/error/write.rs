//! Why a write did not happen, or is not known to have happened.

use std::error::Error;
use std::fmt;

use super::foreign::ForeignItem;
use super::item::ItemError;
use super::key::KeyError;
use super::service::ServiceError;
use crate::expression::GivenProblem;
use crate::item::KeyAttributes;
use crate::store::Shared;
use crate::write::WriteId;

/// Why a write did not happen, or is not known to have happened.
///
/// [`WriteError::Item`] alone says that it did. After [`WriteError::Unknown`] nobody can tell: read the item, and decide by what it holds. After all
/// others nothing was written.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::WriteError;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// match acme.put(&team(1, "Analysts")).send().await {
///     Ok(written) => println!("stored, tag {}", written.etag()),
///     Err(WriteError::Unknown { write_id, .. }) => println!("read the team: it holds {write_id} if it was stored"),
///     Err(WriteError::Item(error)) => println!("stored, but {error}"),
///     Err(error) => println!("not stored: {error}"),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// A key cannot be written; nothing was sent.
    Key(KeyError),
    /// The entity belongs to another tenant; nothing was sent.
    Foreign(ForeignItem),
    /// A value cannot be stored; nothing was sent.
    Value {
        /// The entity.
        entity: &'static str,
        /// The item's key, unless the store keeps keys out of errors, or none is known.
        key: Option<String>,
        /// The path of the attribute, or of the given value of a condition: `sizes[1]`; none if it is about the item as a whole.
        path: Option<String>,
        /// Why, without the value.
        reason: String,
    },
    /// The item is larger than DynamoDB stores, which is 400 KB; nothing was sent.
    TooLarge {
        /// The entity.
        entity: &'static str,
        /// The item's key, unless the store keeps keys out of errors.
        key: Option<String>,
        /// How large it is.
        size_bytes: usize,
    },
    /// The item came and went, or others wrote it, again and again while it was to be written.
    Contended {
        /// The entity.
        entity: &'static str,
    },
    /// The service refused: the write had no effect.
    Service(ServiceError),
    /// The item that the answer holds is not what it should be. The write had effect.
    Item(ItemError),
    /// The condition did not hold, and the item that is there is not what it should be. Nothing was written.
    Current(ItemError),
    /// An answer was lost, and nothing that is stored tells whether the write had effect. Or a delete of an item that may lie under several keys was
    /// made under some of them and failed under another: the item is gone or is not, and to delete it again is right.
    Unknown {
        /// The entity.
        entity: &'static str,
        /// The item's key, unless the store keeps keys out of errors.
        key: Option<String>,
        /// The id that the stored item has if it did and nothing was written since.
        write_id: WriteId,
        /// What happened instead of the answer, or to the request that failed.
        source: ServiceError,
    },
}

impl WriteError {
    /// What cannot be written as a whole.
    pub(crate) fn value(entity: &'static str, reason: impl Into<String>) -> WriteError {
        WriteError::Value { entity, key: None, path: None, reason: reason.into() }
    }

    /// A given value that cannot be sent.
    pub(crate) fn given(entity: &'static str, problem: GivenProblem) -> WriteError {
        WriteError::Value { entity, key: None, path: Some(problem.given), reason: problem.reason }
    }

    /// The same of the item under this key, where that is known by now.
    pub(crate) fn of_item(mut self, shared: &Shared, key_of_item: &KeyAttributes) -> WriteError {
        if let WriteError::Value { key, .. } = &mut self {
            *key = shared.key_in_errors(key_of_item);
        }
        self
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Key(error) => error.fmt(formatter),
            WriteError::Foreign(error) => error.fmt(formatter),
            WriteError::Value { entity, key, path, reason } => {
                write!(formatter, "this `{entity}` cannot be stored: ")?;
                if let Some(path) = path {
                    write!(formatter, "`{path}`: ")?;
                }
                formatter.write_str(reason)?;
                write_key(formatter, key.as_deref())
            }
            WriteError::Contended { entity } => {
                write!(
                    formatter,
                    "others wrote this `{entity}` at the same moments, again and again: try again"
                )
            }
            WriteError::TooLarge { entity, key, size_bytes } => {
                write!(
                    formatter,
                    "this `{entity}` has {size_bytes} bytes, and an item 409,600 at most: store the large part elsewhere, or as \
                     items of its own"
                )?;
                write_key(formatter, key.as_deref())
            }
            WriteError::Service(error) => error.fmt(formatter),
            WriteError::Item(error) => write!(formatter, "written, but {error}"),
            WriteError::Current(error) => write!(formatter, "nothing was written: {error}"),
            WriteError::Unknown { entity, key, write_id, .. } => {
                write!(
                    formatter,
                    "whether write {write_id} of this `{entity}` had effect is not known: an answer was lost, or a part of it failed. \
                     Read the item and decide by what it holds"
                )?;
                write_key(formatter, key.as_deref())
            }
        }
    }
}

/// The end of a message about an item whose key may be shown.
pub(super) fn write_key(formatter: &mut fmt::Formatter<'_>, key: Option<&str>) -> fmt::Result {
    match key {
        Some(key) => write!(formatter, " (key {key})"),
        None => Ok(()),
    }
}

impl Error for WriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            WriteError::Key(error) => error.source(),
            WriteError::Foreign(error) => error.source(),
            WriteError::Value { .. } | WriteError::TooLarge { .. } | WriteError::Contended { .. } => None,
            WriteError::Service(error) => error.source(),
            WriteError::Item(error) | WriteError::Current(error) => error.source(),
            WriteError::Unknown { source, .. } => Some(source),
        }
    }
}

impl From<KeyError> for WriteError {
    fn from(error: KeyError) -> WriteError {
        WriteError::Key(error)
    }
}

impl From<ForeignItem> for WriteError {
    fn from(error: ForeignItem) -> WriteError {
        WriteError::Foreign(error)
    }
}

impl From<ServiceError> for WriteError {
    fn from(error: ServiceError) -> WriteError {
        WriteError::Service(error)
    }
}
