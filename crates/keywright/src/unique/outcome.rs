//! What became of a write of an item with reservations.

use crate::stored::Stored;

/// What became of a write of an item that has reservations. That another item has what is to be unique is an ordinary outcome.
///
/// ```
/// # use applications::directory::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::UniqueWrite;
/// # let acme = acme().await?;
/// assert!(acme.insert_unique(&user("ada", "ada@example.org")).send().await?.is_done());
/// match acme.insert_unique(&user("bob", "ada@example.org")).send().await? {
///     UniqueWrite::Done(_) => println!("welcome"),
///     UniqueWrite::Taken { reservations } => assert_eq!(reservations, ["UserEmail"]), // and not whose it is
///     UniqueWrite::Failed { current } => println!("there is a bob already: {current:?}"),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "whether the write had effect is said here"]
pub enum UniqueWrite<Done, Item> {
    /// The write had effect, and the item has its reservations.
    Done(Done),
    /// A condition of the item's own did not hold, and nothing was written.
    Failed {
        /// The item that is there instead, as for [`Conditional::Failed`](crate::Conditional::Failed).
        current: Option<Stored<Item>>,
    },
    /// Another item has what is to be unique, and nothing was written.
    Taken {
        /// The reservations that it has, by the names of their entities.
        reservations: Vec<&'static str>,
    },
}

impl<Done, Item> UniqueWrite<Done, Item> {
    /// Whether the write had effect.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// assert!(acme.insert_unique(&user("ada", "ada@example.org")).send().await?.is_done());
    /// assert!(!acme.insert_unique(&user("ada", "countess@example.org")).send().await?.is_done()); // there is an ada
    /// assert!(!acme.insert_unique(&user("eve", "ada@example.org")).send().await?.is_done()); // and she has the address
    /// # Ok(())
    /// # }
    /// ```
    pub const fn is_done(&self) -> bool {
        matches!(self, UniqueWrite::Done(_))
    }

    /// What the write did, if it had effect.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// let inserted = acme.insert_unique(&user("ada", "ada@example.org")).send().await?;
    /// assert_eq!(inserted.done().ok_or("she is the first")?.write_units, Some(4.0)); // two items, and twice the units
    ///
    /// let taken = acme.put_unique(&user("eve", "ada@example.org")).send().await?;
    /// assert_eq!(taken.done(), None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn done(self) -> Option<Done> {
        match self {
            UniqueWrite::Done(done) => Some(done),
            UniqueWrite::Failed { .. } | UniqueWrite::Taken { .. } => None,
        }
    }

    /// The same with something else done.
    pub(super) fn map_done<Other>(self, map: impl FnOnce(Done) -> Other) -> UniqueWrite<Other, Item> {
        match self {
            UniqueWrite::Done(done) => UniqueWrite::Done(map(done)),
            UniqueWrite::Failed { current } => UniqueWrite::Failed { current },
            UniqueWrite::Taken { reservations } => UniqueWrite::Taken { reservations },
        }
    }
}
