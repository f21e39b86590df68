//! `KW09`: tenants, and whether DynamoDB and the layout fit.

use super::rule::Rule;

/// The rules, in the order of their codes.
pub(super) static RULES: &[&Rule] = &[];
