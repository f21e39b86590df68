//! The shape of a condition, before and after its placeholders are replaced.
//!
//! Invariants: [`Condition::And`] and [`Condition::Or`] hold two or more; the depth of a condition is bounded by
//! the parser, so that walking or dropping one cannot overflow the stack.

use std::sync::Arc;

use keywright_item::AttributeValue;

pub(crate) use crate::lexer::Comparator;

/// A condition over operands of one phase: [`ParsedOperand`] or [`BoundOperand`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Condition<Operand> {
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
    Path(Vec<ParsedStep<'text>>),
    /// A value placeholder with its colon.
    Value(&'text str),
    /// A call; the parser has checked that there is a function of this name.
    Call {
        name: &'text str,
        arguments: Vec<Self>,
    },
}

/// A step of a document path as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParsedStep<'text> {
    Name(&'text str),
    /// A name placeholder with its `#`.
    Placeholder(&'text str),
    /// The digits of a list index.
    Index(&'text str),
}

/// An operand with every placeholder replaced.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BoundOperand {
    Path(Vec<Step>),
    /// Shared by all operands that the placeholder stands for: 2 MB may be named a thousand times in 4 KB of text.
    Value(Arc<AttributeValue>),
    Call {
        function: Function,
        arguments: Vec<Self>,
    },
}

/// A step of a document path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Name(String),
    /// The digits of a list index.
    Index(String),
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
