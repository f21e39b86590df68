//! The shape of conditions and updates, before and after their placeholders are replaced.
//!
//! Invariants: [`ConditionTree::And`] and [`ConditionTree::Or`] hold two or more; the depth of a condition is bounded by
//! the parser, so that walking or dropping one cannot overflow the stack.

use std::sync::Arc;

use keywright_item::AttributeValue;

pub(crate) use crate::lexer::Comparator;
pub(crate) use crate::path::Path;

/// A condition over operands of one phase: [`ParsedOperand`] or [`BoundOperand`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ConditionTree<Operand> {
    And(Vec<Self>),
    Or(Vec<Self>),
    Not(Box<Self>),
    Compare {
        comparator: Comparator,
        left: Operand,
        right: Operand,
    },
    Between {
        subject: Operand,
        low: Operand,
        high: Operand,
    },
    In {
        subject: Operand,
        choices: Vec<Operand>,
    },
    /// A call whose answer is the condition; the operand is a call.
    Call(Operand),
}

/// An operand as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ParsedOperand<'text> {
    Path(ParsedPath<'text>),
    /// A value placeholder with its colon.
    Value(&'text str),
    /// A call; the parser has checked that there is a function of this name.
    Call {
        name: &'text str,
        arguments: Vec<Self>,
    },
}

/// A document path as it is written: a name or a placeholder, then the steps into it.
pub(crate) type ParsedPath<'text> = Vec<ParsedStep<'text>>;

/// A step of a document path as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParsedStep<'text> {
    Name(&'text str),
    /// A name placeholder with its `#`.
    Placeholder(&'text str),
    /// The digits of a list index.
    Index(&'text str),
}

/// One action of an update as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ParsedAction<'text> {
    pub(crate) target: ParsedPath<'text>,
    pub(crate) change: ParsedChange<'text>,
}

/// What an action does to its target; values are placeholders with their colon.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ParsedChange<'text> {
    Set(SetValue<ParsedOperand<'text>>),
    Remove,
    Add(&'text str),
    Delete(&'text str),
}

/// The right side of SET.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SetValue<Operand> {
    Operand(Operand),
    Sum(Operand, Operand),
    Difference(Operand, Operand),
}

/// An operand of a condition with every placeholder replaced.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BoundOperand {
    Path(Path),
    /// Shared by all operands that the placeholder stands for: 2 MB may be named a thousand times in 4 KB of text.
    Value(Arc<AttributeValue>),
    Call {
        function: Function,
        arguments: Vec<Self>,
    },
}

/// A function that a condition can call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    AttributeExists,
    AttributeNotExists,
    AttributeType,
    BeginsWith,
    Contains,
    Size,
}

impl Function {
    const ALL: [Self; 6] = [
        Self::AttributeExists,
        Self::AttributeNotExists,
        Self::AttributeType,
        Self::BeginsWith,
        Self::Contains,
        Self::Size,
    ];

    /// The function's name, which is case-sensitive.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::AttributeExists => "attribute_exists",
            Self::AttributeNotExists => "attribute_not_exists",
            Self::AttributeType => "attribute_type",
            Self::BeginsWith => "begins_with",
            Self::Contains => "contains",
            Self::Size => "size",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    /// How many operands a call must have.
    pub(crate) const fn operand_count(self) -> usize {
        match self {
            Self::AttributeExists | Self::AttributeNotExists | Self::Size => 1,
            Self::AttributeType | Self::BeginsWith | Self::Contains => 2,
        }
    }
}

/// A function that the right side of SET can call; each takes two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UpdateFunction {
    IfNotExists,
    ListAppend,
}

impl UpdateFunction {
    /// The function's name, which is case-sensitive.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::IfNotExists => "if_not_exists",
            Self::ListAppend => "list_append",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::IfNotExists, Self::ListAppend].into_iter().find(|function| function.name() == name)
    }
}

impl<Operand> SetValue<Operand> {
    /// The operands from left to right.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &Operand> {
        let (first, second) = match self {
            Self::Operand(operand) => (operand, None),
            Self::Sum(left, right) | Self::Difference(left, right) => (left, Some(right)),
        };
        std::iter::once(first).chain(second)
    }
}
