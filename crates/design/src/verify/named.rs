//! `KW05`: what must be named, and what must be decided.

use super::rule::Rule;

/// The rules, in the order of their codes.
pub(super) static RULES: &[&Rule] = &[];
