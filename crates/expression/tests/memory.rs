//! What a key condition or an update of 4 KB makes of large placeholders. Alone in its binary: the figure is that of the whole process.
#![allow(clippy::expect_used, clippy::panic, reason = "a test stops at what it does not expect")]
#![cfg(target_os = "linux")]

use std::fs;
use std::sync::Mutex;

use keywright_expression::{DeclaredPlaceholders, KeyConditionExpression, Placeholders, UpdateExpression};
use keywright_item::{AttributeValue, Item};

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
    let deepest = vec!["#n"; 31].join(".");
    for (text, refused) in [
        (times("a IN (:v", ",:v", ")"), "too many operands"),
        (
            format!("a IN ({})", vec![":v"; 100].join(",")),
            "Invalid operator used in KeyConditionExpression: IN",
        ),
        (vec!["a=:v"; 300].join(" AND "), "must only contain one condition per key"),
        (conditions.join(" AND "), "Conditions can be of length 1 or 2 only"),
        (times("#n", ".#n", " = :v"), "The document path has too many nesting levels"),
        (format!("{deepest} = :v"), "cannot have conditions on nested attributes"),
        (format!("{deepest} = {deepest}"), "The first operand must be distinct"),
    ] {
        let placeholders = placeholders(AttributeValue::S("v".repeat(VALUE_BYTES)));
        let used = peak_of(|| {
            let outcome = KeyConditionExpression::parse(&text)
                .map_err(|refusal| refusal.to_string())
                .and_then(|parsed| parsed.bind(&placeholders).map_err(|refusal| refusal.to_string()))
                .and_then(|bound| bound.into_key_condition(2).map_err(|fault| fault.to_string()));
            let message = outcome.expect_err("no key condition");
            assert!(message.contains(refused), "{text:.80} is refused with {message}");
            assert!(message.len() < 10_000, "the message has {} bytes", message.len());
        });
        assert!(used < 128 << 20, "{} MiB for {text:.80}", used >> 20);
    }
}

/// An update sets a value in hundreds of places, or appends a list to itself again and again, and only its result was
/// measured: 2 MB became gigabytes. What no item can hold is refused before it is copied.
#[test]
fn an_update_copies_no_more_than_an_item_can_hold() {
    let sets: Vec<String> = (0..400).map(|number| format!("a{number}=:v")).collect();
    let mut doubled = "a".to_owned();
    while doubled.len() < 1500 {
        doubled = format!("list_append({doubled},{doubled})");
    }
    let elements = AttributeValue::L(vec![AttributeValue::Null; 150_000]);
    let before: Item = [("a".to_owned(), elements)].into_iter().collect();
    for text in [format!("SET {}", sets.join(",")), format!("SET b={doubled},c=:v")] {
        let placeholders = placeholders(AttributeValue::S("v".repeat(VALUE_BYTES)));
        let parsed = UpdateExpression::parse(&text).expect("an update");
        let update = parsed.bind(&placeholders).expect("placeholders that are there");
        let used = peak_of(|| {
            let refusal = update.apply(Some(&before), &Item::default()).expect_err("no item holds it");
            assert_eq!(refusal.to_string(), "Item size to update has exceeded the maximum allowed size");
        });
        assert!(used < 64 << 20, "{} MiB for {text}", used >> 20);
    }
}

fn placeholders(value: AttributeValue) -> Placeholders {
    let mut declared = DeclaredPlaceholders::default();
    declared.declare_value(":v", Ok(value));
    declared.declare_name("#n", "n".repeat(8 * VALUE_BYTES));
    declared.check().expect("sound placeholders")
}

/// The most memory that the process had at once during the call, beyond what it had before.
fn peak_of(call: impl FnOnce()) -> usize {
    static ALONE: Mutex<()> = Mutex::new(());
    let _turn = ALONE.lock().expect("no other test has failed");
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
