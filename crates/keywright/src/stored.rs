//! An item as it was stored.

use std::ops::Deref;

use crate::etag::ETag;
use crate::write::WriteId;

/// An item that was read, and the id of the write that stored it. It is used like the item itself.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let written = acme.put(&team(1, "Analysts")).send().await?;
/// let team = acme.get(TeamById { team_id: 1 }).await?.ok_or("it was just stored")?;
/// assert_eq!(team.name, "Analysts");
/// assert_eq!(team.etag(), Some(written.etag()));
/// let team: Team = team.into_item();
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored<Item> {
    item: Item,
    write_id: Option<WriteId>,
}

impl<Item> Stored<Item> {
    pub(crate) const fn new(item: Item, write_id: Option<WriteId>) -> Stored<Item> {
        Stored { item, write_id }
    }

    /// The item alone.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&member(1, "ada")).send().await?;
    ///
    /// let ada = acme.get(MemberById { team_id: 1, user_id: "ada".to_owned() }).await?.ok_or("she is there")?;
    /// let promoted = Member { role: "lead".to_owned(), ..ada.into_item() };
    /// assert_eq!(promoted, Member { role: "lead".to_owned(), ..member(1, "ada") });
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn into_item(self) -> Item {
        self.item
    }

    /// The id of the write that stored it; none if that was not written through this crate.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let written = acme.put(&team(1, "Analysts")).send().await?;
    ///
    /// // After an error that says that nobody knows: was the team stored by that write, and by none since?
    /// let team = acme.get(TeamById { team_id: 1 }).await?.ok_or("it is there")?;
    /// assert_eq!(team.write_id(), Some(&written.write_id));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn write_id(&self) -> Option<&WriteId> {
        self.write_id.as_ref()
    }

    /// Its entity tag; none if it was not written through this crate.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    ///
    /// let seen = acme.get(TeamById { team_id: 1 }).await?.ok_or("it is there")?;
    /// let tag = seen.etag().ok_or("it was written through this crate")?;
    /// let renamed = team(1, "Testers");
    /// assert!(acme.put(&renamed).if_match(&tag).send().await?.is_done());
    /// assert!(!acme.put(&renamed).if_match(&tag).send().await?.is_done()); // it is another state now
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn etag(&self) -> Option<ETag> {
        self.write_id.clone().map(ETag::of)
    }
}

impl<Item> Deref for Stored<Item> {
    type Target = Item;

    fn deref(&self) -> &Item {
        &self.item
    }
}
