//! `cargo +nightly fuzz run keys`, in `crates/key`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| keywright_key_fuzz::keys(input));
