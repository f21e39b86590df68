//! The DynamoDB expression language: text → parsed (with places) → bound (placeholders replaced).
//!
//! Invariants: a text is parsed once; nothing here reads an item, a table, a clock or the network; every
//! refusal is a value whose `Display` is the service's text. No depth of nesting in a text can overflow the
//! stack: the parser counts its depth and stops.
//!
//! This version knows key conditions; conditions, filters, updates and projections grow from the same lexer,
//! placeholders and refusals.

mod bind;
mod check;
mod condition;
mod key_condition;
pub mod legacy;
mod lexer;
mod parser;
mod placeholders;
mod projection;
mod refusal;
mod reserved;
mod syntax;
mod update;

pub use condition::{Condition, ConditionExpression, ExpressionKind};
pub use key_condition::{
    BindRefusal, BoundKeyCondition, Comparison, KeyCondition, KeyConditionExpression, KeyConditionFault,
    KeyElement, ParseRefusal, ResolveRefusal,
};
pub use placeholders::{DeclaredPlaceholders, PlaceholderRefusal, Placeholders};
pub use projection::{Projection, ProjectionExpression};
pub use refusal::{Fault, OperandFault, Refusal, SyntaxFault};
pub use reserved::{RESERVED_WORDS, is_reserved_word};
pub use update::{Update, UpdateExpression, UpdateRefusal, Updated};
