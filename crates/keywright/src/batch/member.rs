//! One member of a batch: which item it is about.

use std::fmt;

use super::error::BatchError;
use crate::item::{self, ItemKey};

/// A member of a batch, as errors name it.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::BatchError;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let twice = acme.batch_get([TeamById { team_id: 1 }, TeamById { team_id: 1 }]);
/// let Err(BatchError::Duplicates(pairs)) = twice.requests() else { return Err("one key twice".into()) };
/// let (first, second) = &pairs[0];
/// assert_eq!((first.position(), second.position(), second.entity()), (0, 1, "TeamById"));
/// assert_eq!(second.key(), Some("ORG#acme / TEAM#00000000000000000001"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchMember {
    position: usize,
    entity: &'static str,
    key: Option<String>,
}

impl BatchMember {
    pub(super) const fn new(position: usize, entity: &'static str, key: Option<String>) -> BatchMember {
        BatchMember { position, entity, key }
    }

    /// Its place in the batch, counted from 0 in the order in which members were added.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::BatchError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let ids = [7, 8, 7];
    /// let sent = acme.batch_get(ids.map(|team_id| TeamById { team_id })).send().await;
    /// let Err(BatchError::Duplicates(pairs)) = sent else { return Err("a team is asked for twice".into()) };
    /// let (first, second) = &pairs[0];
    /// assert_eq!((first.position(), second.position()), (0, 2));
    /// assert_eq!(ids[second.position()], 7);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// The entity that is written, or the pattern that is read.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::BatchError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let theirs = Member { organization_id: OrganizationId("globex".to_owned()), ..member(1, "ada") };
    /// match acme.batch_write().put(&team(1, "Analysts")).put(&theirs).send().await {
    ///     Err(BatchError::Member { member, .. }) => assert_eq!((member.entity(), member.position()), ("Member", 1)),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
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
    /// use keywright::{BatchError, CursorKey, CursorKeys, KeysInErrors, Store};
    /// # let store = store().await?;
    /// # let builder = Store::<App>::builder(store.client().clone(), CursorKeys::new(CursorKey::generate()?));
    /// let discreet = builder.keys_in_errors(KeysInErrors::Redacted).open_unchecked();
    /// for (store, shown) in [(store, Some("ORG#acme / TEAM#00000000000000000001")), (discreet, None)] {
    ///     let twice = acme(&store)?.batch_get([TeamById { team_id: 1 }, TeamById { team_id: 1 }]).send().await;
    ///     let Err(BatchError::Duplicates(pairs)) = twice else { return Err("a team is asked for twice".into()) };
    ///     assert_eq!(pairs[0].0.key(), shown);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }
}

impl fmt::Display for BatchMember {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` at position {}", self.entity, self.position)?;
        match &self.key {
            Some(key) => write!(formatter, " (key {key})"),
            None => Ok(()),
        }
    }
}

/// Finds out that every member has a key of its own.
///
/// # Errors
/// [`BatchError::Duplicates`], with every member whose key an earlier one has, behind that one.
pub(super) fn check_keys<'m>(
    keys: impl Iterator<Item = &'m ItemKey>,
    name: impl Fn(usize) -> BatchMember,
) -> Result<(), BatchError> {
    let twice = item::keys_given_twice(keys);
    if twice.is_empty() {
        return Ok(());
    }
    let named = twice.into_iter().map(|(first, again)| (name(first), name(again)));
    Err(BatchError::Duplicates(named.collect()))
}
