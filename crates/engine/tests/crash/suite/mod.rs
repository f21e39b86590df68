//! A workload whose clients write down what they were told, and the check of a store that is opened after a crash.
//!
//! It speaks to a store through [`client::Client`] alone, so that it runs on an engine in this process and on a server that
//! is killed. What is checked:
//! - a write that was answered is there; one that was refused is not; one that had no answer is there as a whole or not at
//!   all; nothing else is there;
//! - balances are those that the receipts of the transfers make, and a counter holds what was added to it;
//! - each index is its definition over its table, by Scan and by Query, and each item is found by its key;
//! - the figures of tables and indexes are what counting finds;
//! - a token that was used makes nothing happen again.

#[path = "../../model/choices.rs"]
pub(crate) mod choices;
pub(crate) mod client;
pub(crate) mod found;
pub(crate) mod log;
pub(crate) mod schema;
pub(crate) mod tokens;
pub(crate) mod verdict;
pub(crate) mod workload;
pub(crate) mod world;
