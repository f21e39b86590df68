//! What a walk finds.

use std::fmt;

use crate::error::{ItemError, KeyError};

/// A row that is not as the types say.
///
/// ```
/// use keywright::{Finding, FindingProblem};
///
/// fn log(finding: &Finding) {
///     println!("{}: {finding}", finding.key().unwrap_or("a row whose key is kept out of messages"));
///     if let FindingProblem::IndexKey { index, .. } = finding.problem() {
///         println!("put the {} again, and `{index}` is right", finding.entity());
///     }
/// }
/// # let _ = log;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    entity: String,
    key: Option<String>,
    problem: FindingProblem,
}

/// What is wrong with a row.
///
/// ```
/// use keywright::FindingProblem;
///
/// /// What must be looked at today: an item that tenants may see who should not.
/// fn is_urgent(problem: &FindingProblem) -> bool {
///     matches!(problem, FindingProblem::Tenant | FindingProblem::NoTenant { .. })
/// }
/// # assert!(is_urgent(&FindingProblem::Tenant));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FindingProblem {
    /// It does not say which entity it is.
    NoDiscriminator {
        /// The attribute that would say it.
        attribute: &'static str,
    },
    /// It is an entity that this program does not know.
    UnknownEntity,
    /// It does not decode.
    Item(ItemError),
    /// It lacks the tenant attribute.
    NoTenant {
        /// The attribute that would say it.
        attribute: &'static str,
    },
    /// The tenant in its key is another than the one in its attribute.
    Tenant,
    /// A key attribute of the table is not what its fields render to, so that it is not found by them.
    Key {
        /// The attribute.
        attribute: &'static str,
    },
    /// A key attribute of an index is not what its fields render to: it is missing, of an earlier state, or should not be there.
    IndexKey {
        /// The index.
        index: &'static str,
        /// The attribute.
        attribute: &'static str,
    },
    /// Its fields render to no key.
    CannotBeWritten(KeyError),
    /// The attribute that says when it expires is no number, so that it never does.
    TimeToLive {
        /// The attribute.
        attribute: &'static str,
    },
}

impl Finding {
    pub(super) fn new(entity: &str, key: Option<String>, problem: FindingProblem) -> Finding {
        Finding { entity: entity.to_owned(), key, problem }
    }

    /// What the row's discriminator says that it is; empty if it says nothing.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use aws_sdk_dynamodb::types::AttributeValue;
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// // A program that is newer than this one wrote a comment.
    /// let text = |text: &str| AttributeValue::S(text.to_owned());
    /// let put = store.client().put_item().table_name("Feed").item("pk", text("ORG#acme")).item("sk", text("COMMENT#1"));
    /// put.item("entity", text("comment")).send().await?;
    ///
    /// let walk = store.maintenance("the walk of the night").integrity(NonZeroU64::MIN);
    /// let page = walk.checking::<Event>().checking::<Mention>().pages()?.next().await?.ok_or("there is a row")?;
    /// assert_eq!(page.findings.first().map(|finding| finding.entity()), Some("comment"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn entity(&self) -> &str {
        &self.entity
    }

    /// The row's key as text, unless the store keeps keys out of errors.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use aws_sdk_dynamodb::types::AttributeValue;
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let text = |text: &str| AttributeValue::S(text.to_owned());
    /// # store.client().put_item().table_name("Feed").item("pk", text("ORG#acme")).item("sk", text("COMMENT#1")).send().await?;
    /// let walk = store.maintenance("the walk of the night").integrity(NonZeroU64::MIN);
    /// let page = walk.checking::<Event>().checking::<Mention>().pages()?.next().await?.ok_or("there is a row")?;
    /// for finding in &page.findings {
    ///     assert_eq!(finding.key(), Some("ORG#acme / COMMENT#1")); // partition key and sort key
    /// }
    /// # assert_eq!(page.findings.len(), 1);
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
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use aws_sdk_dynamodb::types::AttributeValue;
    /// # use std::num::NonZeroU64;
    /// use keywright::FindingProblem;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&event("news", 1)).send().await?;
    /// # let row = store.maintenance("to break it").scan(NonZeroU64::MIN).pages().next().await?;
    /// # let mut item = row.and_then(|page| page.rows.into_iter().next()).ok_or("it was just stored")?.into_attributes();
    /// // Another program gave an event of acme's to globex, whose key it has not.
    /// item.insert("organization_id".to_owned(), AttributeValue::S("globex".to_owned()));
    /// store.client().put_item().table_name("Feed").set_item(Some(item)).send().await?;
    ///
    /// let walk = store.maintenance("the walk of the night").integrity(NonZeroU64::MIN);
    /// let page = walk.checking::<Event>().checking::<Mention>().pages()?.next().await?.ok_or("there is a row")?;
    /// assert!(page.findings.iter().any(|finding| *finding.problem() == FindingProblem::Tenant));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn problem(&self) -> &FindingProblem {
        &self.problem
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entity = &self.entity;
        match &self.problem {
            FindingProblem::NoDiscriminator { attribute } => {
                write!(formatter, "a row does not say which entity it is: it has no text in `{attribute}`")
            }
            FindingProblem::UnknownEntity => {
                write!(formatter, "a row says that it is a `{entity}`, which the table does not list")
            }
            FindingProblem::Item(error) => error.fmt(formatter),
            FindingProblem::NoTenant { attribute } => {
                write!(formatter, "a `{entity}` does not say whose it is: it has no `{attribute}`")
            }
            FindingProblem::Tenant => {
                write!(formatter, "the key of a `{entity}` holds another tenant than the item")
            }
            FindingProblem::Key { attribute } => write!(
                formatter,
                "the key `{attribute}` of a `{entity}` is not what its fields render to: no pattern finds it by them"
            ),
            FindingProblem::IndexKey { index, attribute } => write!(
                formatter,
                "`{attribute}` of a `{entity}` is not what its fields render to: index `{index}` shows it in the wrong place, or not \
                 at all; put it again"
            ),
            FindingProblem::CannotBeWritten(error) => error.fmt(formatter),
            FindingProblem::TimeToLive { attribute } => {
                write!(formatter, "`{attribute}` of a `{entity}` is no number of seconds: it never expires")
            }
        }
    }
}
