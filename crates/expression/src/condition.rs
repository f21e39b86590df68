//! Conditions and filters: text → parsed → bound → true or false of an item.
//!
//! Invariant: a condition is evaluated on the stored bytes; nothing is decoded but the operands that it looks at.

use keywright_item::StoredItemRef;

use crate::bind::bind_condition;
use crate::document::Attributes;
use crate::evaluate::holds;
use crate::parser::parse_condition;
use crate::placeholders::Placeholders;
use crate::refusal::Refusal;
use crate::syntax::{BoundOperand, ConditionTree, ParsedOperand, Path};

/// The text of a `ConditionExpression` or `FilterExpression`, parsed.
///
/// ```
/// use keywright_expression::{ConditionExpression, DeclaredPlaceholders, ExpressionKind};
/// use keywright_item::{AttributeValue, Item, Number, StoredItem};
///
/// let mut declared = DeclaredPlaceholders::default();
/// declared.declare_value(":two", Ok(AttributeValue::N(Number::parse("2")?)));
/// let placeholders = declared.check()?;
///
/// let expression = ConditionExpression::parse("size(tags) >= :two OR attribute_not_exists(pk)", ExpressionKind::Condition)?;
/// let condition = expression.bind(&placeholders)?;
/// placeholders.check_all_used()?;
///
/// let item: Item = [("pk".to_owned(), AttributeValue::S("ORG#1".to_owned()))].into_iter().collect();
/// assert!(!condition.holds(Some(StoredItem::encode(&item).as_ref())));
/// assert!(condition.holds(None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    pub(crate) tree: ConditionTree<BoundOperand>,
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
        holds(&self.tree, item.map(|item| Attributes::Stored(item.attributes())))
    }

    /// The names of the attributes of the item that the condition looks at or into, in the order of the text; one
    /// that occurs twice comes twice.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.paths().into_iter().map(|path| path.attribute.as_str())
    }

    /// Those of [`attributes`](Condition::attributes) that the condition looks into, with a path of several steps.
    pub fn nested_attributes(&self) -> impl Iterator<Item = &str> {
        self.paths().into_iter().filter(|path| !path.steps.is_empty()).map(|path| path.attribute.as_str())
    }

    fn paths(&self) -> Vec<&Path> {
        let mut paths = Vec::new();
        collect_paths(&self.tree, &mut paths);
        paths
    }
}

fn collect_paths<'tree>(tree: &'tree ConditionTree<BoundOperand>, paths: &mut Vec<&'tree Path>) {
    match tree {
        ConditionTree::And(conditions) | ConditionTree::Or(conditions) => {
            conditions.iter().for_each(|condition| collect_paths(condition, paths));
        }
        ConditionTree::Not(condition) => collect_paths(condition, paths),
        ConditionTree::Compare { left, right, .. } => {
            [left, right].into_iter().for_each(|operand| collect_operand_paths(operand, paths));
        }
        ConditionTree::Between { subject, low, high } => {
            [subject, low, high].into_iter().for_each(|operand| collect_operand_paths(operand, paths));
        }
        ConditionTree::In { subject, choices } => {
            collect_operand_paths(subject, paths);
            choices.iter().for_each(|choice| collect_operand_paths(choice, paths));
        }
        ConditionTree::Call(call) => collect_operand_paths(call, paths),
    }
}

fn collect_operand_paths<'tree>(operand: &'tree BoundOperand, paths: &mut Vec<&'tree Path>) {
    match operand {
        BoundOperand::Path(path) => paths.push(path),
        BoundOperand::Value(_) => {}
        BoundOperand::Call { arguments, .. } => {
            arguments.iter().for_each(|argument| collect_operand_paths(argument, paths));
        }
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
