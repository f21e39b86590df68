//! `--durability`: what a write that was answered survives.

use clap::ValueEnum;
use keywright_engine::storage::Durability;

/// When a write is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DurabilityChoice {
    /// After it is on the disk: it survives a power loss.
    Fsync,
    /// After the system has it: it survives the end of this process, however that ends. A power loss, or a crash of the
    /// machine, takes the last writes; those before them are whole.
    Buffered,
}

impl DurabilityChoice {
    pub(super) fn durability(self) -> Durability {
        match self {
            DurabilityChoice::Fsync => Durability::Fsync,
            DurabilityChoice::Buffered => Durability::Buffered,
        }
    }

    /// As the option names it.
    pub(super) fn name(self) -> &'static str {
        match self {
            DurabilityChoice::Fsync => "fsync",
            DurabilityChoice::Buffered => "buffered",
        }
    }
}
