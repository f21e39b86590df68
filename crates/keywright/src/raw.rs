//! Expressions of the caller's own, inside the tenant's fence.
//!
//! A raw expression is added to what the pattern, the condition and the tenant ask; it can ask for more and never for less.

use std::error::Error;
use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;

use crate::expression::Placeholders;
use crate::item::stored_value;

/// A filter or condition in DynamoDB's own language, for what patterns and conditions cannot say.
///
/// ```
/// use keywright::RawExpression;
///
/// let recent = RawExpression::new("size(#tags) > :least")?.name("tags", "tags").value("least", &3)?;
/// # Ok::<(), keywright::InvalidExpression>(())
/// ```
#[derive(Clone, Debug)]
pub struct RawExpression {
    text: String,
    names: Vec<(String, String)>,
    values: Vec<(String, AttributeValue)>,
}

/// A text that cannot be added to an expression.
///
/// ```
/// use keywright::{InvalidExpression, RawExpression};
///
/// let beyond = RawExpression::new("a = :a) OR (attribute_exists(b)");
/// assert_eq!(beyond.err(), Some(InvalidExpression::Parentheses));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidExpression {
    /// It is empty.
    Empty,
    /// Its parentheses do not match, so that it would reach beyond its place.
    Parentheses,
    /// A value of it cannot be sent.
    Value {
        /// The placeholder.
        placeholder: String,
        /// Why.
        reason: String,
    },
}

impl RawExpression {
    /// The expression of this text. Attributes are `#name`, values `:value`.
    ///
    /// ```
    /// use keywright::{InvalidExpression, RawExpression};
    ///
    /// assert!(RawExpression::new("attribute_exists(nickname) AND (points > :least OR points = :none)").is_ok());
    /// assert_eq!(RawExpression::new(" ").err(), Some(InvalidExpression::Empty));
    /// assert_eq!(RawExpression::new("size(nickname").err(), Some(InvalidExpression::Parentheses));
    /// ```
    ///
    /// # Errors
    /// When it is empty, or when its parentheses do not match.
    pub fn new(text: &str) -> Result<RawExpression, InvalidExpression> {
        if text.trim().is_empty() {
            return Err(InvalidExpression::Empty);
        }
        let mut depth: usize = 0;
        for character in text.chars() {
            match character {
                '(' => depth += 1,
                ')' => depth = depth.checked_sub(1).ok_or(InvalidExpression::Parentheses)?,
                _ => {}
            }
        }
        if depth != 0 {
            return Err(InvalidExpression::Parentheses);
        }
        Ok(RawExpression { text: text.to_owned(), names: Vec::new(), values: Vec::new() })
    }

    /// The attribute that `#placeholder` stands for.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::RawExpression;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&member(1, "ada")).send().await?;
    /// // `role` is a word of DynamoDB's own, and cannot stand in an expression.
    /// let engineers = RawExpression::new("begins_with(#role, :begin)")?.name("role", "role").value("begin", &"eng")?;
    /// let page = acme.query(TeamWithMembers { team_id: 1 }).and_filter(engineers).page().await?;
    /// assert_eq!(page.items.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn name(mut self, placeholder: &str, attribute: &str) -> RawExpression {
        self.names.push((placeholder.to_owned(), attribute.to_owned()));
        self
    }

    /// The value that `:placeholder` stands for.
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use keywright::{InvalidExpression, RawExpression};
    ///
    /// // Whatever serde writes and DynamoDB stores; its maps have texts as keys.
    /// let filter = || RawExpression::new("points > :least");
    /// filter()?.value("least", &5)?;
    /// let refused = filter()?.value("least", &HashMap::from([((1, 2), 5)]));
    /// assert!(matches!(refused, Err(InvalidExpression::Value { placeholder, .. }) if placeholder == "least"));
    /// # Ok::<(), InvalidExpression>(())
    /// ```
    ///
    /// # Errors
    /// When the value cannot be sent.
    pub fn value<Value: Serialize>(
        mut self,
        placeholder: &str,
        value: &Value,
    ) -> Result<RawExpression, InvalidExpression> {
        let value = stored_value(value).map_err(|problem| InvalidExpression::Value {
            placeholder: format!("{placeholder}{}", problem.path),
            reason: problem.reason,
        })?;
        self.values.push((placeholder.to_owned(), value));
        Ok(self)
    }

    /// The text with placeholders that no other part of the request has; `number` tells it from other expressions of the caller.
    pub(crate) fn write(self, number: usize, placeholders: &mut Placeholders) -> String {
        for (placeholder, attribute) in &self.names {
            placeholders.name(&format!("x{number}_{placeholder}"), attribute);
        }
        for (placeholder, value) in self.values {
            placeholders.value(&format!("x{number}_{placeholder}"), value);
        }
        self.text.replace('#', &format!("#x{number}_")).replace(':', &format!(":x{number}_"))
    }
}

impl fmt::Display for InvalidExpression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidExpression::Empty => formatter.write_str("the expression is empty: leave it out"),
            InvalidExpression::Parentheses => formatter
                .write_str("the parentheses of the expression do not match: each opens before it closes"),
            InvalidExpression::Value { placeholder, reason } => {
                write!(formatter, "the value of `:{placeholder}` cannot be sent: {reason}")
            }
        }
    }
}

impl Error for InvalidExpression {}
