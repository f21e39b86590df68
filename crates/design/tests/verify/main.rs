//! What rules do where one example each does not show it: which of several speaks, and what is none of their business.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests stop at the first surprise"
)]

mod exceptions;
mod order;
mod replication;
mod streams;
mod writes;

use keywright_design::DesignFile;
use keywright_design::verify::{Finding, Severity, verify};

/// A table in which everything is decided.
const TABLE: &str = r#"
tenancy = false

[table.app]
partition_key = "pk"
sort_key = "sk"
time_to_live = "expires_at"
stream = false
point_in_time_recovery = true
billing = "on-demand"
alarms = ["consumed-read-capacity", "consumed-write-capacity", "throttled-requests"]
deletion_protection = true
tags = { team = "tests" }
"#;

#[track_caller]
fn findings(text: &str) -> Vec<Finding> {
    let file = DesignFile::parse(text).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"));
    verify(file.design())
}

/// The codes and places of what is found of one rule.
#[track_caller]
fn found(text: &str, code: &str) -> Vec<String> {
    let of_rule = findings(text).into_iter().filter(|finding| finding.rule.code == code);
    of_rule.map(|finding| finding.place.to_string()).collect()
}

/// The codes of the errors within a part of the design.
#[track_caller]
fn errors_at(text: &str, part: &str) -> Vec<&'static str> {
    let errors = findings(text).into_iter().filter(|finding| finding.rule.severity == Severity::Error);
    errors
        .filter(|finding| finding.place.to_string().starts_with(part))
        .map(|finding| finding.rule.code)
        .collect()
}
