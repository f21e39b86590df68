//! Client request tokens: which transaction each token of the last ten minutes stands for.
//!
//! Invariants: a token is recorded in the commit of its transaction; every record has one entry by its time of expiry,
//! by which it is found again to be removed; a record counts for nothing once that time is over, removed or not. The
//! layout is part of the format on disk (docs/on-disk/README.md).

use std::ops::{Bound, ControlFlow};
use std::time::Duration;

use keywright_api::{CapacityUnits, RequestFingerprint, TableName};

use crate::clock::Timestamp;
use crate::storage::{Batch, Direction, Snapshot, Space, StorageError};

/// How long a token stands for its transaction.
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html>
const TOKEN_LIFE: Duration = Duration::from_secs(10 * 60);

const BY_TOKEN: u8 = b't';
const BY_EXPIRY: u8 = b'x';

/// A token that a transaction used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TokenRecord {
    pub(crate) expires_at: Timestamp,
    pub(crate) fingerprint: RequestFingerprint,
    /// What it costs to read the items of the transaction, by table: what its replay consumes.
    pub(crate) read_units: Vec<(TableName, CapacityUnits)>,
}

/// A token to be recorded.
#[derive(Debug)]
pub(crate) struct TokenChange {
    pub(crate) token: String,
    pub(crate) record: TokenRecord,
    /// The expiry of the record that this one replaces: of the same token, and over.
    pub(crate) replaced: Option<Timestamp>,
}

impl TokenRecord {
    pub(crate) fn new(
        now: Timestamp,
        fingerprint: RequestFingerprint,
        read_units: Vec<(TableName, CapacityUnits)>,
    ) -> TokenRecord {
        TokenRecord { expires_at: now.plus(TOKEN_LIFE), fingerprint, read_units }
    }

    pub(crate) fn is_over(&self, now: Timestamp) -> bool {
        self.expires_at <= now
    }

    /// The key of a token's record in the `ttl` space.
    pub(crate) fn key(token: &str) -> Vec<u8> {
        [&[BY_TOKEN], token.as_bytes()].concat()
    }

    /// Expiry (8), fingerprint (16), and for each table the length of its name (1), the name, and half units (8).
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.expires_at.milliseconds().to_be_bytes().to_vec();
        bytes.extend_from_slice(self.fingerprint.bytes());
        for (table, units) in &self.read_units {
            let name = table.as_str().as_bytes();
            // At most 255 bytes, as a `TableName` ensures.
            bytes.push(name.len() as u8);
            bytes.extend_from_slice(name);
            bytes.extend_from_slice(&units.in_halves().to_be_bytes());
        }
        bytes
    }

    /// Reads what `to_bytes` wrote; `None` for anything else.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<TokenRecord> {
        let (expires_at, rest) = bytes.split_first_chunk()?;
        let (fingerprint, mut rest) = rest.split_first_chunk()?;
        let mut read_units = Vec::new();
        while let Some((length, named)) = rest.split_first() {
            let (name, units) = named.split_at_checked(usize::from(*length))?;
            let (halves, next) = units.split_first_chunk()?;
            let table = TableName::new(std::str::from_utf8(name).ok()?)?;
            read_units.push((table, CapacityUnits::halves(u64::from_be_bytes(*halves))));
            rest = next;
        }
        Some(TokenRecord {
            expires_at: Timestamp::from_milliseconds(u64::from_be_bytes(*expires_at)),
            fingerprint: RequestFingerprint::from_bytes(*fingerprint),
            read_units,
        })
    }
}

impl TokenChange {
    pub(crate) fn write(&self, batch: &mut Batch) {
        if let Some(replaced) = self.replaced {
            batch.delete(Space::TimeToLive, &expiry_key(replaced, &self.token));
        }
        batch.put(Space::TimeToLive, &TokenRecord::key(&self.token), self.record.to_bytes());
        batch.put(Space::TimeToLive, &expiry_key(self.record.expires_at, &self.token), Vec::new());
    }
}

/// How far the records are removed whose time is over. Each removal goes on where the last one ended: what that one removed is
/// still walked over as long as the tree does not know of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ExpiredTokens {
    /// No entry by expiry lies before this key.
    RemovedBefore(Vec<u8>),
    /// A removal met damage: none is tried again until the store is opened again.
    Unreadable,
}

impl Default for ExpiredTokens {
    fn default() -> ExpiredTokens {
        ExpiredTokens::RemovedBefore(vec![BY_EXPIRY])
    }
}

impl ExpiredTokens {
    /// Removes at most `most` records whose time is over, and answers how far they are removed once `batch` is committed. Whoever
    /// records a token lets two others go: so their number stays that of the last ten minutes, and no commit grows by more than
    /// what it records. Damage fails nobody's write: it is told, and the records stay.
    ///
    /// # Errors
    /// [`StorageError::Stopped`].
    pub(crate) fn remove(
        &self,
        snapshot: &dyn Snapshot,
        now: Timestamp,
        most: usize,
        batch: &mut Batch,
    ) -> Result<ExpiredTokens, StorageError> {
        let ExpiredTokens::RemovedBefore(start) = self else { return Ok(ExpiredTokens::Unreadable) };
        let end = expiry_key(now.plus(Duration::from_millis(1)), "");
        if *start >= end {
            // The clock may have been set back: what is recorded by it expires behind this end, and perhaps before the start.
            return Ok(ExpiredTokens::RemovedBefore(end));
        }
        let range = (Bound::Included(start.as_slice()), Bound::Excluded(end.as_slice()));
        let mut removed = 0;
        let mut stopped_behind = None;
        let scanned = snapshot.scan(Space::TimeToLive, range, Direction::Forward, &mut |key, _| {
            // A token that this group records again has its old entry removed already.
            if let Some((_, token)) = key.split_at_checked(EXPIRY_PREFIX)
                && batch.get(Space::TimeToLive, key).is_none()
            {
                batch.delete(Space::TimeToLive, key);
                batch.delete(Space::TimeToLive, &[&[BY_TOKEN], token].concat());
                removed += 1;
            }
            if removed < most {
                return ControlFlow::Continue(());
            }
            // The first key behind this one.
            stopped_behind = Some([key, &[0]].concat());
            ControlFlow::Break(())
        });
        match scanned {
            Ok(()) => Ok(ExpiredTokens::RemovedBefore(stopped_behind.unwrap_or(end))),
            Err(error @ StorageError::Damaged { .. }) => {
                tracing::error!(
                    %error,
                    "client request tokens whose time is over cannot be read: they stay until the store is opened again"
                );
                Ok(ExpiredTokens::Unreadable)
            }
            Err(error) => Err(error),
        }
    }
}

/// The bytes of an entry by expiry before the token: its kind, and the time.
const EXPIRY_PREFIX: usize = 1 + 8;

fn expiry_key(expires_at: Timestamp, token: &str) -> Vec<u8> {
    [&[BY_EXPIRY], expires_at.milliseconds().to_be_bytes().as_slice(), token.as_bytes()].concat()
}

#[cfg(test)]
mod tests;
