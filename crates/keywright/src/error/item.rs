//! Items that are not what their type says.

use std::error::Error;
use std::fmt;

use super::foreign::ForeignItem;
use super::write::write_key;

/// A stored item that cannot be given to the caller. The other items of its page are not touched by it.
///
/// ```
/// # use applications::teams::*;
/// use keywright::{ItemError, ItemProblem};
///
/// fn log(error: &ItemError) {
///     match error.problem() {
///         ItemProblem::Attribute { path, reason } => println!("{}: {path}: {reason}", error.entity()),
///         _ => println!("{error}"),
///     }
///     if let Some(key) = error.key() {
///         println!("look at {key}");
///     }
/// }
/// # fn main() { let _ = log; }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemError {
    entity: String,
    key: Option<String>,
    problem: ItemProblem,
}

/// What is wrong with a stored item.
///
/// ```
/// # use applications::teams::*;
/// use keywright::{ItemProblem, Page};
///
/// /// The attributes that do not decode, of a page that is shown without those items.
/// fn undecodable(page: &Page<TeamWithMembersItem>) -> Vec<&str> {
///     let errors = page.items.iter().filter_map(|item| item.as_ref().err());
///     errors
///         .filter_map(|error| match error.problem() {
///             ItemProblem::Attribute { path, .. } => Some(path.as_str()),
///             _ => None,
///         })
///         .collect()
/// }
/// # fn main() { let _ = undecodable; }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ItemProblem {
    /// It does not say which entity it is: it lacks this attribute, or has no text in it.
    NoDiscriminator {
        /// The attribute that would say it.
        attribute: &'static str,
    },
    /// It is another entity than the one that was written or asked for.
    AnotherEntity {
        /// The entity that was expected.
        expected: &'static str,
    },
    /// An attribute does not hold what its type says. Nothing that is stored is in the texts, not even names that are in no type.
    Attribute {
        /// The path of the attribute: `owner.name`. What a map holds is `*`, whatever its name, and what a list or set holds is `[]`. It is empty
        /// where the item as a whole is what its type does not take.
        path: String,
        /// What was expected, and which type is stored; or that it is missing.
        reason: String,
    },
    /// It belongs to another tenant.
    Foreign(ForeignItem),
    /// It lacks the tenant attribute, so nobody can tell whose it is.
    NoTenant {
        /// The attribute that would say it.
        attribute: &'static str,
    },
}

impl ItemError {
    pub(crate) fn new(entity: impl Into<String>, key: Option<String>, problem: ItemProblem) -> ItemError {
        ItemError { entity: entity.into(), key, problem }
    }

    /// What the item's discriminator says that it is; empty if it says nothing.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use aws_sdk_dynamodb::types::AttributeValue::{N, S};
    /// use keywright::ReadError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// // A script of somebody stores a number in the name.
    /// # let key = S("TEAM#00000000000000000001".to_owned());
    /// let script = store.client().update_item().table_name("App").key("pk", S("ORG#acme".to_owned())).key("sk", key);
    /// let script = script.update_expression("SET #name = :name").expression_attribute_names("#name", "name");
    /// script.expression_attribute_values(":name", N("7".to_owned())).send().await?;
    ///
    /// let read = acme.get(TeamById { team_id: 1 }).await;
    /// assert!(matches!(read, Err(ReadError::Item(error)) if error.entity() == "team")); // as the item says it
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn entity(&self) -> &str {
        &self.entity
    }

    /// The item's key as text, unless the store keeps keys out of errors.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::ReadError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # use aws_sdk_dynamodb::types::AttributeValue::{N, S};
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # let key = S("TEAM#00000000000000000001".to_owned());
    /// # let script = store.client().update_item().table_name("App").key("pk", S("ORG#acme".to_owned())).key("sk", key);
    /// # let script = script.update_expression("SET #name = :name").expression_attribute_names("#name", "name");
    /// # script.expression_attribute_values(":name", N("7".to_owned())).send().await?;
    /// // Where the name of a team is a number:
    /// match acme.get(TeamById { team_id: 1 }).await {
    ///     Err(ReadError::Item(error)) => assert_eq!(error.key(), Some("ORG#acme / TEAM#00000000000000000001")),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// What is wrong with it.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::ItemProblem;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # use aws_sdk_dynamodb::types::AttributeValue::{N, S};
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # let key = S("TEAM#00000000000000000001".to_owned());
    /// # let script = store.client().update_item().table_name("App").key("pk", S("ORG#acme".to_owned())).key("sk", key);
    /// # let script = script.update_expression("SET #name = :name").expression_attribute_names("#name", "name");
    /// # script.expression_attribute_values(":name", N("7".to_owned())).send().await?;
    /// // Where the name of a team is a number, its page has an error in its place:
    /// let page = acme.query(TeamWithMembers { team_id: 1 }).page().await?;
    /// let error = page.items[0].as_ref().err().ok_or("it does not decode")?;
    /// assert!(matches!(error.problem(), ItemProblem::Attribute { path, .. } if path == "name"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn problem(&self) -> &ItemProblem {
        &self.problem
    }
}

impl fmt::Display for ItemError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            ItemProblem::NoDiscriminator { attribute } => {
                write!(
                    formatter,
                    "an item does not say which entity it is: it has no text in `{attribute}`"
                )?;
            }
            ItemProblem::AnotherEntity { expected } => {
                write!(formatter, "an item is no `{expected}`")?;
            }
            ItemProblem::Attribute { path, reason } if path.is_empty() => {
                write!(formatter, "a `{}` does not decode: {reason}", self.entity)?;
            }
            ItemProblem::Attribute { path, reason } => {
                write!(formatter, "a `{}` does not decode: `{path}`: {reason}", self.entity)?;
            }
            ItemProblem::Foreign(foreign) => foreign.fmt(formatter)?,
            ItemProblem::NoTenant { attribute } => {
                write!(formatter, "a `{}` does not say whose it is: it has no `{attribute}`", self.entity)?;
            }
        }
        write_key(formatter, self.key.as_deref())
    }
}

impl Error for ItemError {}
