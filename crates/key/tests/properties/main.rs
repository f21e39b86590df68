//! What DESIGN.md claims of keys, held over generated templates and hostile values.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod decode;
mod injective;
mod order;
mod prefix;
mod range;
mod rules_are_sound;
mod tenants;

mod generate;
mod value;
