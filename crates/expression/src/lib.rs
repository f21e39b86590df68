//! The DynamoDB expression language: text → parsed (with places) → bound (placeholders replaced).
//!
//! What is bound is evaluated on an item: a condition is true or false of it, a projection takes parts of it, an update
//! gives a new one. The legacy parameters become the same bound forms ([`legacy`]).
//!
//! Invariants: a text is parsed once; nothing here knows tables, a clock or the network; every refusal is a value whose
//! `Display` is the service's text. No depth of nesting in a text can overflow the stack: the parser counts its depth
//! and stops.

mod bind;
mod check;
mod condition;
mod document;
mod evaluate;
mod key_condition;
pub mod legacy;
mod lexer;
mod overlap;
mod parser;
mod path;
mod placeholders;
mod printed;
mod projection;
mod refusal;
mod reserved;
mod syntax;
mod update;

pub use condition::{Condition, ConditionExpression, ExpressionKind};
pub use key_condition::{
    BindRefusal, BoundKeyCondition, Comparison, KeyCondition, KeyConditionExpression, KeyConditionFault,
    KeyElement, ParseRefusal, ResolveRefusal, ResolvedKeyCondition,
};
pub use placeholders::{DeclaredPlaceholders, PlaceholderRefusal, Placeholders};
pub use projection::{Projection, ProjectionExpression};
pub use refusal::{Fault, OperandFault, PathFault, Refusal, SyntaxFault};
pub use reserved::{RESERVED_WORDS, is_reserved_word};
pub use update::{Update, UpdateExpression, UpdateRefusal, Updated};
