//! `keywright.toml`: what is read, and what is refused with which words.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests stop at the first surprise"
)]

mod broken;
mod hostile;
mod limits;
mod reference;
mod schema;
mod shown;
mod valid;
