//! Actions as errors and outcomes name them.

use std::fmt;

/// An action of a transaction, as errors and outcomes name it.
///
/// ```
/// use keywright::{ActionKind, ActionName, Canceled, Cause};
///
/// /// Why a transaction did not happen, action by action.
/// fn log(canceled: &Canceled) {
///     for (action, cause) in canceled.to_blame() {
///         let what: (&ActionName, ActionKind, Cause) = (action, action.kind(), cause);
///         println!("{action}: {:?}", what.2);
///     }
///     if canceled.is_passing() {
///         println!("nothing has to change for it: send it again a little later");
///     }
/// }
/// # let _ = log;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionName {
    position: usize,
    kind: ActionKind,
    entity: &'static str,
    key: Option<String>,
    role: ActionRole,
}

/// Whether an action is the caller's, or follows from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ActionRole {
    OfCaller,
    OfReservation,
}

/// What an action does to its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Stores it.
    Put,
    /// Changes it.
    Update,
    /// Takes it away.
    Delete,
    /// Asks something of it.
    Check,
    /// Reads it: [`Snapshot`](crate::Snapshot).
    Get,
}

impl ActionName {
    pub(super) const fn new(
        position: usize,
        kind: ActionKind,
        entity: &'static str,
        key: Option<String>,
    ) -> ActionName {
        ActionName { position, kind, entity, key, role: ActionRole::OfCaller }
    }

    pub(super) fn with_role(self, role: ActionRole) -> ActionName {
        ActionName { role, ..self }
    }

    pub(super) fn takes_reservation(&self) -> bool {
        self.role == ActionRole::OfReservation && self.kind == ActionKind::Put
    }

    /// Its place in the transaction, counted from 0 in the order in which actions were added.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// What it does.
    #[must_use]
    pub const fn kind(&self) -> ActionKind {
        self.kind
    }

    /// The entity that it writes or asks; of a read, the pattern.
    #[must_use]
    pub const fn entity(&self) -> &'static str {
        self.entity
    }

    /// The item's key as text, unless the store keeps keys out of errors or the key cannot be written.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }
}

impl fmt::Display for ActionName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the {} of `{}` at position {}", self.kind, self.entity, self.position)?;
        match &self.key {
            Some(key) => write!(formatter, " (key {key})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ActionKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ActionKind::Put => "put",
            ActionKind::Update => "update",
            ActionKind::Delete => "delete",
            ActionKind::Check => "check",
            ActionKind::Get => "get",
        })
    }
}
