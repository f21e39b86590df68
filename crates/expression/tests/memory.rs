//! What a key condition of 4 KB makes of large placeholders. Alone in its binary: the figure is that of the whole process.
#![allow(clippy::expect_used, clippy::panic, reason = "a test stops at what it does not expect")]
#![cfg(target_os = "linux")]

use std::fs;

use keywright_expression::{DeclaredPlaceholders, KeyConditionExpression};
use keywright_item::AttributeValue;

const TEXT_BYTES: usize = 4096;
const VALUE_BYTES: usize = 2 * 1024 * 1024 - 1024;

/// One request of 2 MB named its value a thousand times and made the server allocate 2.7 GB before it was refused: each
/// mention was a copy. Names had no bound at all. However often a placeholder is named, it is held once.
#[test]
fn a_placeholder_that_is_named_a_thousand_times_is_held_once() {
    let times = |start: &str, unit: &str, end: &str| {
        let count = (TEXT_BYTES - start.len() - end.len()) / unit.len();
        format!("{start}{}{end}", unit.repeat(count))
    };
    let conditions: Vec<String> = (0..300).map(|number| format!("a{number}=:v")).collect();
    let path = vec!["#n"; 600].join(".");
    for (text, refused) in [
        (times("a IN (:v", ",:v", ")"), "Invalid operator used in KeyConditionExpression: IN"),
        (vec!["a=:v"; 300].join(" AND "), "must only contain one condition per key"),
        (conditions.join(" AND "), "Conditions can be of length 1 or 2 only"),
        (times("#n", ".#n", " = :v"), "cannot have conditions on nested attributes"),
        (format!("{path} = {path}"), "The first operand must be distinct"),
    ] {
        let mut declared = DeclaredPlaceholders::default();
        declared.declare_value(":v", Ok(AttributeValue::S("v".repeat(VALUE_BYTES))));
        declared.declare_name("#n", "n".repeat(8 * VALUE_BYTES));
        let placeholders = declared.check().expect("sound placeholders");
        let used = peak_of(|| {
            let outcome = KeyConditionExpression::parse(&text)
                .map_err(|refusal| refusal.to_string())
                .and_then(|parsed| parsed.bind(&placeholders).map_err(|refusal| refusal.to_string()))
                .and_then(|bound| bound.into_key_condition().map_err(|fault| fault.to_string()));
            let message = outcome.expect_err("no key condition");
            assert!(message.contains(refused), "{text} is refused with {message}");
            assert!(message.len() < 10_000, "the message has {} bytes", message.len());
        });
        assert!(used < 128 << 20, "{} MiB for {text}", used >> 20);
    }
}

/// The most memory that the process had at once during the call, beyond what it had before.
fn peak_of(call: impl FnOnce()) -> usize {
    fs::write("/proc/self/clear_refs", "5").expect("Linux lets a process forget its own peak");
    let before = peak_bytes();
    call();
    peak_bytes().saturating_sub(before)
}

fn peak_bytes() -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let kilobytes: usize = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kilobytes * 1024
}
