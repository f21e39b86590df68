//! Every public operation is used, in a test of isolation, by a tenant who may not reach what is another's.
//!
//! It reads the source: what is public, and what the tests of isolation call. An operation that is added and not tried fails here.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails says where")]

mod public;

use std::fs;

use public::{files, folder, named, source};

/// A part of the source, and the tests that try its operations: files, or folders.
struct Tried {
    source: &'static str,
    operations: Operations,
    tests: &'static [&'static str],
}

/// Which methods of a part are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operations {
    /// All that are public.
    All,
    /// Those of a tenant's handle or of a store: what they begin is tried with them.
    OfHandles,
    /// None, since they reach nothing of any tenant, or everybody's on purpose.
    None,
}

use Operations::{All, None as NotAtAll, OfHandles};

const fn tried(source: &'static str, operations: Operations, tests: &'static [&'static str]) -> Tried {
    Tried { source, operations, tests }
}

/// The longest that a file's name begins with counts.
const TRIED: &[Tried] = &[
    tried("query", All, &["suite/isolation"]),
    tried("query/sharded", OfHandles, &["sharding/isolation.rs", "sharding/fan_out.rs"]),
    tried("write", All, &["suite/isolation"]),
    tried("write/check.rs", OfHandles, &["suite/isolation", "transactions/isolation.rs"]),
    tried("batch", OfHandles, &["suite/isolation", "batch/tenants.rs"]),
    tried("transaction", OfHandles, &["suite/isolation", "transactions/isolation.rs"]),
    tried("unique", OfHandles, &["transactions/unique/isolation.rs"]),
    tried("claim", OfHandles, &["coordination/isolation.rs", "coordination/claims/isolation.rs"]),
    tried("counter", OfHandles, &["coordination/isolation.rs"]),
    tried("lock", OfHandles, &["coordination/isolation.rs"]),
    tried("rate_limit", OfHandles, &["coordination/isolation.rs"]),
    tried("token", OfHandles, &["coordination/isolation.rs"]),
    // A handle is what all of them have, and the store tells figures and names.
    tried("tenant.rs", NotAtAll, &[]),
    tried("store", NotAtAll, &[]),
    // Everybody's on purpose, for operators.
    tried("maintenance", NotAtAll, &[]),
    // No operations: what others are given or give.
    tried("cursor", NotAtAll, &[]),
    tried("error", NotAtAll, &[]),
    tried("etag.rs", NotAtAll, &[]),
    tried("raw.rs", NotAtAll, &[]),
    tried("retry", NotAtAll, &[]),
    tried("usage", NotAtAll, &[]),
];

/// The public methods of a file, each with whether it is one of a tenant's handle or of a store.
fn methods(text: &str) -> Vec<(&str, bool)> {
    let mut methods = Vec::new();
    let mut is_of_a_handle = false;
    for line in text.lines() {
        if line.starts_with("impl") {
            let of = |handle: &str| line.contains(&format!("> {handle}<"));
            is_of_a_handle = (of("Tenant") || of("Store")) && !line.contains(" for ");
        } else if line.starts_with('}') {
            is_of_a_handle = false;
        }
        methods.extend(named(line.trim(), &["fn"]).map(|method| (method, is_of_a_handle)));
    }
    methods
}

/// Whether a text calls a method of this name, or names it as a function.
fn calls(text: &str, method: &str) -> bool {
    text.match_indices(method).any(|(place, _)| {
        let before = text.get(..place).unwrap_or_default();
        let after = text.get(place + method.len()..).unwrap_or_default();
        (before.ends_with('.') || before.ends_with("::"))
            && (after.starts_with('(') || after.starts_with("::<"))
    })
}

fn text_of(tests: &[&str]) -> String {
    let mut text = String::new();
    for place in tests {
        let path = folder("tests").join(place);
        let files = if path.is_dir() { files(&path, "rs") } else { vec![path] };
        text.extend(files.into_iter().map(|file| fs::read_to_string(file).unwrap()));
    }
    text
}

#[test]
fn every_public_operation_is_tried_in_a_test_of_isolation() {
    let mut missing = Vec::new();
    let mut tried = 0;
    for (file, text) in source() {
        let methods = methods(&text);
        if methods.is_empty() {
            continue;
        }
        let rows = TRIED.iter().filter(|row| file.starts_with(row.source));
        let Some(row) = rows.max_by_key(|row| row.source.len()) else {
            missing.push(format!("{file} is in no row"));
            continue;
        };
        let tests = text_of(row.tests);
        for (method, is_of_a_handle) in methods {
            let is_asked = match row.operations {
                All => true,
                OfHandles => is_of_a_handle,
                NotAtAll => false,
            };
            if is_asked && !calls(&tests, method) {
                missing.push(format!("{method} ({file}) is not called in {:?}", row.tests));
            }
            tried += usize::from(is_asked);
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(tried > 80, "the source is not understood: {tried} operations");
}

#[test]
fn every_row_is_of_some_source_and_its_tests_are_there() {
    let source = source();
    for row in TRIED {
        assert!(source.iter().any(|(file, _)| file.starts_with(row.source)), "{} is gone", row.source);
        assert_eq!(row.tests.is_empty(), row.operations == NotAtAll, "{}", row.source);
        assert!(row.tests.iter().all(|test| folder("tests").join(test).exists()), "{:?}", row.tests);
    }
}
