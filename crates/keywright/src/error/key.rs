//! Keys that cannot be written.

use std::error::Error;
use std::fmt;

use keywright_key::RenderError;

/// A key that cannot be rendered: nothing was sent.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::ReadError;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let nobody = MemberById { team_id: 1, user_id: String::new() };
/// match acme.get(nobody).await {
///     Err(ReadError::Key(error)) => assert_eq!((error.entity(), error.attribute()), ("Member", "sk")),
///     other => return Err(format!("{other:?}").into()),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyError {
    entity: &'static str,
    attribute: &'static str,
    source: RenderError,
}

impl KeyError {
    pub(crate) const fn new(entity: &'static str, attribute: &'static str, source: RenderError) -> KeyError {
        KeyError { entity, attribute, source }
    }

    /// The entity whose key it is.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::WriteError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// match acme.put(&member(1, "")).send().await {
    ///     Err(WriteError::Key(error)) => assert_eq!(error.entity(), "Member"), // one without a user
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn entity(&self) -> &'static str {
        self.entity
    }

    /// The key attribute.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::ReadError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// match acme.query(MembershipsOfUser { user_id: String::new() }).page().await {
    ///     Err(ReadError::Key(error)) => assert_eq!(error.attribute(), "by_user_pk"), // the partition key of the index
    ///     other => return Err(format!("{:?}", other.err()).into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn attribute(&self) -> &'static str {
        self.attribute
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the key `{}` of `{}` cannot be written", self.attribute, self.entity)
    }
}

impl Error for KeyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}
