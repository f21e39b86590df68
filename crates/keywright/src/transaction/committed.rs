//! What became of a transaction.

use super::action::ActionOf;
use super::canceled::Canceled;
use super::token::TransactionToken;
use crate::etag::ETag;
use crate::write::{WriteId, Written};

/// What became of a transaction. That it was canceled is an ordinary outcome: a condition of one action did not hold, and so none had effect.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::Transacted;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&Member { points: 12, ..member(1, "ada") }).send().await?;
/// let ada = || MemberById { team_id: 1, user_id: "ada".to_owned() };
///
/// let mut found = acme.transaction();
/// found.add(acme.update(ada(), Spend { points: 10 }).when(&HasPoints { least: 10 }));
/// found.add(acme.put(&team(2, "Testers")).if_absent());
/// let answer = match found.send().await? {
///     Transacted::Done(_) => "founded".to_owned(),
///     Transacted::Canceled(canceled) => canceled.to_string(),
/// };
/// assert_eq!(answer, "founded");
/// # Ok(())
/// # }
/// ```
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
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let found = || {
    ///     let mut found = acme.transaction();
    ///     found.add(acme.put(&team(1, "Analysts")).if_absent());
    ///     found.send()
    /// };
    /// assert!(found().await?.is_done());
    /// assert!(!found().await?.is_done()); // another transaction, for another token
    /// # Ok(())
    /// # }
    /// ```
    pub const fn is_done(&self) -> bool {
        matches!(self, Transacted::Done(_))
    }

    /// What it did, if it had effect.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// let mut rename = acme.transaction();
    /// let renamed = rename.add(acme.update(TeamById { team_id: 1 }, Rename { name: "Testers".to_owned() }).if_version(1));
    /// let committed = rename.send().await?.done().ok_or("somebody else renamed it")?;
    /// let team = acme.get(TeamById { team_id: 1 }).await?.ok_or("it is there")?;
    /// assert_eq!((committed.etag(&renamed), team.version), (team.etag(), 2));
    /// # Ok(())
    /// # }
    /// ```
    pub fn done(self) -> Option<Committed> {
        match self {
            Transacted::Done(committed) => Some(committed),
            Transacted::Canceled(_) => None,
        }
    }

    /// Why it had none, if it was canceled.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut close = acme.transaction();
    /// close.add(acme.delete(TeamById { team_id: 1 }).if_present());
    /// let canceled = close.send().await?.canceled().ok_or("there was a team")?;
    /// assert_eq!(canceled.to_blame().count(), 1);
    /// # Ok(())
    /// # }
    /// ```
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
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let transaction = acme.transaction();
    /// let token = transaction.token();
    /// let committed = transaction.send().await?.done().ok_or("nothing is in its way")?;
    /// assert_eq!(committed.token(), token);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn token(&self) -> TransactionToken {
        self.token
    }

    /// The write units that it took, twice those of its writes alone; none if an earlier try, whose answer was lost, had the effect.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let alone = acme.put(&team(1, "Analysts")).send().await?.write_units;
    /// let mut found = acme.transaction();
    /// found.add(acme.put(&team(2, "Testers")));
    /// let together = found.send().await?.done().ok_or("nothing is in its way")?.write_units();
    /// assert_eq!((alone, together), (Some(1.0), Some(2.0)));
    /// # Ok(())
    /// # }
    /// ```
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
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&member(1, "ada")).send().await?;
    /// let mut swap = acme.transaction();
    /// let left = swap.add(acme.delete(MemberById { team_id: 1, user_id: "ada".to_owned() }));
    /// let team = swap.add(acme.put(&team(1, "Analysts")));
    /// let committed = swap.send().await?.done().ok_or("nothing is in its way")?;
    /// assert_eq!(committed.etag(&left), None); // nothing is left of it
    ///
    /// let written = committed.etag(&team).ok_or("it was put")?;
    /// let rename = acme.update(TeamById { team_id: 1 }, Rename { name: "Testers".to_owned() });
    /// assert!(rename.if_match(&written).send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn etag<TableType, EntityType>(&self, action: &ActionOf<TableType, EntityType>) -> Option<ETag> {
        let position = action.position_in(self.token)?;
        self.write_ids.get(position)?.clone().map(ETag::of)
    }
}
