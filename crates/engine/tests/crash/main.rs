//! Crashes of an engine in this process, from seeds: power losses at any operation, while it works and while it opens, syncs
//! that fail, disks that are full, places that cannot be read; and damage, which is never served as data.
//!
//! `suite` has the workload and the checks, which a server that is killed uses too. `KEYWRIGHT_LONG=1` runs ten times as many
//! seeds and writes each with its outcome to a file; `KEYWRIGHT_SEED=n` runs one. A seed decides what the clients do and what
//! the disk loses; when the clients' threads run is up to the machine, so that a seed that failed may have to run more than once.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says with which seed"
)]

mod buffered;
mod damage;
mod each_seed;
mod events;
mod failed_sync;
mod full_disk;
mod in_process;
mod life;
mod outcomes;
mod past;
mod proofs;
mod seeds;
mod suite;
