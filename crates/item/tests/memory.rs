//! What a body of 16 MB makes the reader keep. Alone in its binary: the figure is that of the whole process.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]
#![cfg(target_os = "linux")]

use std::fs;

use keywright_item::json::Reader;

const LIMIT_BYTES: usize = 16 * 1024 * 1024;

/// 64 clients may send 16 MB each. These bodies make each of their bytes cost as much memory as possible.
#[test]
fn a_body_of_16_mb_never_needs_a_multiple_of_its_size() {
    for (open, element, close) in [
        (r#"{"l":{"L":["#, r#"{"S":""},"#, "{}]}}"),
        (r#"{"l":{"L":["#, r#"{"L":[]},"#, "{}]}}"),
        (r#"{"l":{"L":["#, r#"{"SS":["a"]},"#, "{}]}}"),
        (r#"{"s":{"SS":["#, r#""NUMBER","#, r#"""]}}"#),
        (r#"{"s":{"NS":["#, r#""NUMBER","#, r#""1"]}}"#),
        (r#"{"m":{"M":{"#, r#""NUMBER":{"S":""},"#, r#""a":{}}}}"#),
        ("{", r#""NUMBER":{"S":""},"#, r#""a":{}}"#),
        (r#"{"s":{"S":""#, "a long string ", r#""},"a":{}}"#),
    ] {
        let mut body = String::with_capacity(LIMIT_BYTES);
        body.push_str(open);
        for number in 1_000_000.. {
            let element = element.replace("NUMBER", &format!("{number}"));
            if body.len() + element.len() + close.len() > LIMIT_BYTES {
                break;
            }
            body.push_str(&element);
        }
        body.push_str(close);

        let used = peak_of(|| {
            let read = Reader::new(body.as_bytes()).attribute_map().expect("DynamoDB JSON");
            assert!(read.is_err(), "{open}{element}");
        });
        assert!(used < 80 * 1024 * 1024, "{open}{element}: {} MB", used >> 20);
        let used = peak_of(|| Reader::new(body.as_bytes()).skip().expect("JSON"));
        assert!(used < 4 * 1024 * 1024, "skipping {open}{element}: {} MB", used >> 20);
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
