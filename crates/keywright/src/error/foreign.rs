//! Items of another tenant.

use std::error::Error;
use std::fmt;

/// An item, found or about to be written, that is not the tenant's.
///
/// It says which entity and nothing of the item: what belongs to somebody else is not revealed in an error.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::WriteError;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let theirs = Team { organization_id: OrganizationId("globex".to_owned()), ..team(1, "Analysts") };
/// match acme.put(&theirs).send().await {
///     Err(WriteError::Foreign(foreign)) => assert_eq!(foreign.entity(), "Team"), // and nothing was sent
///     other => return Err(format!("{other:?}").into()),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignItem {
    entity: &'static str,
    place: ForeignPlace,
}

/// Where an item of another tenant turned up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForeignPlace {
    /// In what was read.
    Read,
    /// In what was about to be written.
    Written,
    /// Where something was about to be written or deleted.
    Replaced,
}

impl ForeignItem {
    pub(crate) const fn new(entity: &'static str, place: ForeignPlace) -> ForeignItem {
        ForeignItem { entity, place }
    }

    /// The entity that the item is.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{ItemProblem, ReadError};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
    /// # let organization_id = OrganizationId("globex".to_owned());
    /// # let link = ShareToken { token: "t-1".to_owned(), organization_id, team_id: 1, expires_at: 4_000_000_000 };
    /// globex.put(&link).send().await?;
    /// let Err(ReadError::Item(error)) = acme.get(ShareByToken { token: "t-1".to_owned() }).await else {
    ///     return Err("it is another tenant's".into());
    /// };
    /// assert!(matches!(error.problem(), ItemProblem::Foreign(foreign) if foreign.entity() == "ShareToken"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn entity(&self) -> &'static str {
        self.entity
    }
}

impl fmt::Display for ForeignItem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            ForeignPlace::Read => {
                write!(formatter, "a `{}` was found that does not belong to this tenant", self.entity)
            }
            ForeignPlace::Replaced => write!(
                formatter,
                "the key of this `{}` is another tenant's already: nothing was written",
                self.entity
            ),
            ForeignPlace::Written => write!(
                formatter,
                "this `{}` does not belong to the tenant through which it is written: nothing was sent",
                self.entity
            ),
        }
    }
}

impl Error for ForeignItem {}
