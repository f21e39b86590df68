//! What became of a transaction.

use super::action::ActionOf;
use super::canceled::Canceled;
use super::token::TransactionToken;
use crate::etag::ETag;
use crate::write::{WriteId, Written};

/// What became of a transaction. That it was canceled is an ordinary outcome: a condition of one action did not hold, and so none had effect.
#[derive(Debug)]
#[must_use = "whether the transaction had effect is said here"]
pub enum Transacted {
    /// All of it had effect.
    Done(Committed),
    /// None of it had effect.
    Canceled(Canceled),
}

/// A transaction that had effect.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::Committed;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let mut found = acme.transaction();
/// let analysts = found.add(acme.put(&team(1, "Analysts")).if_absent());
/// let token = found.token();
/// let committed: Committed = found.send().await?.done().ok_or("there was no such team")?;
/// assert_eq!((committed.token(), committed.token().begun()), (token, token.begun()));
/// assert!(committed.etag(&analysts).is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Committed {
    pub(super) token: TransactionToken,
    pub(super) write_units: Option<f64>,
    /// Of each action; none where it leaves no item, or does not write it.
    pub(super) write_ids: Vec<Option<WriteId>>,
}

impl Transacted {
    /// Whether it had effect.
    pub const fn is_done(&self) -> bool {
        matches!(self, Transacted::Done(_))
    }

    /// What it did, if it had effect.
    pub fn done(self) -> Option<Committed> {
        match self {
            Transacted::Done(committed) => Some(committed),
            Transacted::Canceled(_) => None,
        }
    }

    /// Why it had none, if it was canceled.
    pub fn canceled(self) -> Option<Canceled> {
        match self {
            Transacted::Done(_) => None,
            Transacted::Canceled(canceled) => Some(canceled),
        }
    }
}

impl Committed {
    /// Nothing was asked for, and that is done.
    pub(super) const fn nothing(token: TransactionToken) -> Committed {
        Committed { token, write_units: Some(0.0), write_ids: Vec::new() }
    }

    /// Its token.
    #[must_use]
    pub const fn token(&self) -> TransactionToken {
        self.token
    }

    /// The write units that it took, twice those of its writes alone; none if an earlier try, whose answer was lost, had the effect.
    #[must_use]
    pub const fn write_units(&self) -> Option<f64> {
        self.write_units
    }

    /// What the write at a position did, which leaves an item.
    pub(crate) fn written_at(&self, position: usize) -> Written {
        let Some(Some(write_id)) = self.write_ids.get(position).cloned() else {
            unreachable!("a put and an update leave an item with their id")
        };
        Written { write_id, write_units: self.write_units }
    }

    /// The entity tag of what an action left; none if that is a delete, a check, or an action of another transaction.
    #[must_use]
    pub fn etag<TableType, EntityType>(&self, action: &ActionOf<TableType, EntityType>) -> Option<ETag> {
        let position = action.position_in(self.token)?;
        self.write_ids.get(position)?.clone().map(ETag::of)
    }
}
