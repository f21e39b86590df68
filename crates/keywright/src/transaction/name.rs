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
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{ActionKind, SnapshotError};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let mut snapshot = acme.snapshot();
/// snapshot.get(TeamById { team_id: 1 });
/// snapshot.get(TeamById { team_id: 1 });
/// let Err(SnapshotError::SameItem(pairs)) = snapshot.send().await else { return Err("it is one item".into()) };
/// assert!(pairs.iter().all(|(first, later)| first.kind() == ActionKind::Get && later.kind() == ActionKind::Get));
/// assert_eq!(ActionKind::Get.to_string(), "get");
/// # Ok(())
/// # }
/// ```
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
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::TransactionError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut join = acme.transaction();
    /// for user_id in ["ada", "bob", "ada"] {
    ///     join.add(acme.put(&member(1, user_id)));
    /// }
    /// let Err(TransactionError::SameItem(pairs)) = join.send().await else { return Err("ada is there twice".into()) };
    /// let places: Vec<_> = pairs.iter().map(|(first, later)| (first.position(), later.position())).collect();
    /// assert_eq!(places, [(0, 2)]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// What it does.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::ActionKind;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut join = acme.transaction();
    /// join.add(acme.put(&member(1, "ada")));
    /// join.add(acme.check(TeamById { team_id: 1 }).if_present());
    /// let canceled = join.send().await?.canceled().ok_or("there is no team")?;
    /// let kinds: Vec<ActionKind> = canceled.to_blame().map(|(action, _)| action.kind()).collect();
    /// assert_eq!(kinds, [ActionKind::Check]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn kind(&self) -> ActionKind {
        self.kind
    }

    /// The entity that it writes or asks; of a read, the pattern.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut join = acme.transaction();
    /// join.add(acme.check(TeamById { team_id: 1 }).if_present());
    /// join.add(acme.update(MemberById { team_id: 1, user_id: "ada".to_owned() }, Award { points: 5 }));
    /// let canceled = join.send().await?.canceled().ok_or("there is neither")?;
    /// let entities: Vec<&str> = canceled.to_blame().map(|(action, _)| action.entity()).collect();
    /// assert_eq!(entities, ["Team", "Member"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn entity(&self) -> &'static str {
        self.entity
    }

    /// The item's key as text, unless the store keeps keys out of errors or the key cannot be written.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut join = acme.transaction();
    /// join.add(acme.check(TeamById { team_id: 1 }).if_present());
    /// let canceled = join.send().await?.canceled().ok_or("there is no team")?;
    /// let (check, _) = canceled.to_blame().next().ok_or("the check is to blame")?;
    /// assert_eq!(check.key(), Some("ORG#acme / TEAM#00000000000000000001"));
    /// # Ok(())
    /// # }
    /// ```
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
