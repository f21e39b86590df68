//! What a caller is told when the engine itself fails: an InternalServerError that names the cause.

use keywright_api::Error;
use keywright_item::Damage;

use crate::index::Index;
use crate::storage::StorageError;
use crate::table::Table;

/// Storage could not read or write.
pub(crate) fn storage(error: &StorageError) -> Error {
    Error::InternalServerError { reason: error.to_string() }
}

/// A stored item's bytes are not what was written.
pub(crate) fn damaged_item(table: &Table, key: &[u8], damage: &Damage) -> Error {
    let reason = format!(
        "an item of table {} is damaged on disk ({damage}; storage key {}); restore the data directory from a backup",
        table.name,
        hexadecimal(key)
    );
    tracing::error!(%reason, "a damaged item was refused");
    Error::InternalServerError { reason }
}

/// An entry of an index is of an item that the table does not have.
pub(crate) fn entry_without_item(table: &Table, index: &Index, entry_key: &[u8]) -> Error {
    let reason = format!(
        "index {} of table {} has an entry without an item (storage key {}); restore the data directory from a backup",
        index.definition.name,
        table.name,
        hexadecimal(entry_key)
    );
    tracing::error!(%reason, "an entry without an item was refused");
    Error::InternalServerError { reason }
}

/// A record of a client request token is not what was written.
pub(crate) fn damaged_token(token: &str) -> Error {
    let reason = format!(
        "the record of the client request token {token:?} is damaged on disk; restore the data directory from a backup"
    );
    tracing::error!(%reason, "a damaged record was refused");
    Error::InternalServerError { reason }
}

/// A write came after `Engine::close`.
pub(crate) fn engine_closed() -> Error {
    Error::InternalServerError { reason: "the engine is closed".to_owned() }
}

/// The sequencer's thread ended by a panic while the write was in its queue or its group.
pub(crate) fn engine_stopped() -> Error {
    Error::InternalServerError {
        reason: "the engine stopped by a fault before it answered; whether the write was stored is seen when it is opened \
                 again"
            .to_owned(),
    }
}

/// A write's decision panicked.
pub(crate) fn panicked() -> Error {
    Error::InternalServerError {
        reason: "the request met a fault of the engine; nothing was written".to_owned(),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
