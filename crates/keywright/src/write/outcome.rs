//! What became of a write with a condition.

use crate::stored::Stored;

/// What became of a write with a condition. That the condition did not hold is an ordinary outcome: somebody else was faster, or there is not
/// enough left. The request costs write units either way.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::Conditional;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&Member { points: 5, ..member(1, "ada") }).send().await?;
/// let ada = MemberById { team_id: 1, user_id: "ada".to_owned() };
/// match acme.update(ada, Spend { points: 10 }).when(&HasPoints { least: 10 }).send().await? {
///     Conditional::Done(updated) => println!("{} left", updated.item.points),
///     Conditional::Failed { current: Some(current) } => assert_eq!(current.points, 5),
///     Conditional::Failed { current: None } => println!("nobody of that name"),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "whether the write had effect is said here"]
pub enum Conditional<Done, Item> {
    /// The write had effect.
    Done(Done),
    /// The condition did not hold, and nothing was written.
    Failed {
        /// The item that is there instead; none if there is none, if its time is over, or if it is somebody else's.
        current: Option<Stored<Item>>,
    },
}

impl<Done, Item> Conditional<Done, Item> {
    /// The same of what `other` makes of what the write did.
    pub(super) fn try_map<Other, Failure>(
        self,
        other: impl FnOnce(Done) -> Result<Other, Failure>,
    ) -> Result<Conditional<Other, Item>, Failure> {
        Ok(match self {
            Conditional::Done(done) => Conditional::Done(other(done)?),
            Conditional::Failed { current } => Conditional::Failed { current },
        })
    }

    /// Whether the write had effect.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// assert!(acme.put(&team(1, "Analysts")).if_absent().send().await?.is_done());
    /// assert!(!acme.put(&team(1, "Another")).if_absent().send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub const fn is_done(&self) -> bool {
        matches!(self, Conditional::Done(_))
    }

    /// What the write did, if it had effect.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { points: 5, ..member(1, "ada") }).send().await?;
    /// let ada = MemberById { team_id: 1, user_id: "ada".to_owned() };
    /// let awarded = acme.update(ada, Award { points: 3 }).send().await?.done().ok_or("nobody of that name")?;
    /// assert_eq!(awarded.item.points, 8);
    ///
    /// let bob = MemberById { team_id: 1, user_id: "bob".to_owned() };
    /// assert_eq!(acme.update(bob, Award { points: 3 }).send().await?.done(), None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn done(self) -> Option<Done> {
        match self {
            Conditional::Done(done) => Some(done),
            Conditional::Failed { .. } => None,
        }
    }
}
