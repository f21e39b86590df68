//! The DynamoDB expression language: text → parsed (with places) → bound (placeholders replaced).
//!
//! Invariants: a text is parsed once; nothing here reads an item, a table, a clock or the network; every
//! refusal is a value whose `Display` is the service's text. No depth of nesting in a text can overflow the
//! stack: the parser counts its depth and stops.
//!
//! This version knows key conditions; conditions, filters, updates and projections grow from the same lexer,
//! placeholders and refusals.

mod key_condition;

pub use key_condition::{Comparison, KeyCondition, KeyElement, ResolveRefusal};
