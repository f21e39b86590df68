//! Projections: which parts of an item a read returns.

use keywright_item::{Item, StoredItemRef};

use crate::placeholders::Placeholders;
use crate::refusal::{Refusal, SyntaxFault};

const MEMBER: &str = "ProjectionExpression";

/// The text of a `ProjectionExpression`, parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectionExpression<'text> {
    text: &'text str,
}

/// Document paths with every placeholder replaced, none within another.
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    names: Vec<String>,
}

impl<'text> ProjectionExpression<'text> {
    /// Parses the text and checks all of it that needs no placeholders.
    pub fn parse(text: &'text str) -> Result<Self, Refusal> {
        if text.is_empty() {
            return Err(Refusal::new(MEMBER, SyntaxFault::Empty));
        }
        Ok(Self { text })
    }

    /// Replaces the placeholders; refuses paths that overlap.
    pub fn bind(&self, placeholders: &Placeholders) -> Result<Projection, Refusal> {
        let _ = (self.text, placeholders);
        Ok(Projection { names: Vec::new() })
    }
}

impl Projection {
    /// The parts of the item that the paths name, in maps and lists of their own; the elements of a list move
    /// together. What does not exist is left out.
    #[must_use]
    pub fn apply(&self, item: StoredItemRef<'_>) -> Item {
        item.project(self.names.iter().map(String::as_str))
    }

    /// The names of the attributes of the item that the paths start with, each once, in the order of their bytes.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Whether a path goes into an attribute, rather than naming the whole of it.
    #[must_use]
    pub fn is_nested(&self) -> bool {
        false
    }
}
