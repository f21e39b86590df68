//! Any text, to every parser of expressions; what is accepted is bound, evaluated and applied.
#![no_main]

#[path = "../../tests/suite/entry_points.rs"]
mod entry_points;

libfuzzer_sys::fuzz_target!(|text: &str| entry_points::follow(text));
