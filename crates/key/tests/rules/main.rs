//! Each rule can hold and can be broken, and says what to do.
//!
//! `broken` takes a table that breaks one rule and nothing else, and the whole message: it is what a newcomer reads.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod application;
mod conditions;
mod entities;
mod messages;
mod patterns;
mod templates;
mod tenants;
mod writes;

use keywright_key::TableShape;
use keywright_key::rule::{Check, RULES, Severity, verify};

/// Asserts that a table breaks exactly one rule, with this message.
#[track_caller]
fn broken(table: &TableShape<'_>, message: &str) {
    let found: Vec<String> = verify(table).iter().map(ToString::to_string).collect();
    assert_eq!(found, [message], "{found:#?}");
}

/// Asserts that a table breaks no rule.
#[track_caller]
fn holds(table: &TableShape<'_>) {
    let found: Vec<String> = verify(table).iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "{found:#?}");
}

/// The tests of this directory, to see which rules they break.
const TESTS: &str = concat!(
    include_str!("conditions.rs"),
    include_str!("entities.rs"),
    include_str!("patterns.rs"),
    include_str!("templates.rs"),
    include_str!("tenants.rs"),
    include_str!("writes.rs")
);

#[test]
fn every_rule_is_broken_by_a_test() {
    for rule in RULES {
        assert!(
            TESTS.contains(&format!("\"{}: ", rule.code)),
            "no test breaks {} ({})",
            rule.code,
            rule.name
        );
    }
}

#[test]
fn every_rule_holds_for_a_sound_application() {
    holds(&application::APP);
}

#[test]
fn codes_and_names_are_unique_and_in_order() {
    for (rule, next) in RULES.iter().zip(RULES.iter().skip(1)) {
        assert!(rule.code < next.code, "{} stands before {}", rule.code, next.code);
    }
    for (place, rule) in RULES.iter().enumerate() {
        assert!(RULES.iter().skip(place + 1).all(|other| other.name != rule.name), "{}", rule.name);
        assert!(rule.code.len() == 6 && rule.code.starts_with("KW"), "{}", rule.code);
        assert!(rule.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", rule.name);
    }
}

#[test]
fn every_rule_explains_itself() {
    for rule in RULES {
        for (what, text) in [("finds", rule.finds), ("hurts", rule.hurts), ("instead", rule.instead)] {
            assert!(text.ends_with('.'), "{}: `{what}` is no sentence: {text}", rule.code);
        }
        assert!(!rule.title.ends_with('.') && !rule.example.is_empty(), "{}", rule.code);
        assert_eq!(rule.severity, Severity::Error, "{}", rule.code);
        assert!(matches!(rule.check, Check::Text) == (rule.code == "KW0101"));
    }
}
