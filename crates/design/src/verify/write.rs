//! `KW08`: writes, time to live, streams and replication.

use super::rule::Rule;

/// The rules, in the order of their codes.
pub(super) static RULES: &[&Rule] = &[];
