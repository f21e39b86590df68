//! Opening: from the files of a directory to a database that is ours, or the reason why not.
//!
//! Order of refusal: lock, system errors, other program's file, damage, other program's tables, format version.

use super::backend::Backend;
use super::kind::{Found, Kind};
use super::room::Room;
use super::{Tree, table_of};
use crate::files::{DirectoryLock, Files, LockError};
use crate::storage::counters::Counters;
use crate::storage::format::{self, FORMAT_KEY, FORMAT_VERSION, Format, FormatRefusal, LOG_KEY};
use crate::storage::guard::guarded;
use crate::storage::health::Health;
use crate::storage::log::{LogRefusal, Position};
use crate::storage::{OpenError, Space, StorageError, StoreId};
use redb::{Database, ReadableDatabase, TableHandle};
use std::sync::Arc;

/// Opens the files of a directory.
pub(in crate::storage) struct Opening<'a> {
    location: String,
    pub(super) files: &'a dyn Files,
    health: &'a Health,
    room: &'a Room,
    counters: &'a Arc<Counters>,
}

/// An open database, and what it says of itself.
pub(in crate::storage) struct Opened {
    pub(in crate::storage) tree: Tree,
    pub(in crate::storage) content: Content,
}

/// What a database holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::storage) enum Content {
    /// Nothing: it was just created.
    Nothing,
    /// A store of format version 1, which had no log.
    WithoutLog(StoreId),
    /// A store with a log, which the tree has up to there.
    Store(StoreId, Position),
}

impl<'a> Opening<'a> {
    pub(in crate::storage) fn new(
        files: &'a dyn Files,
        health: &'a Health,
        room: &'a Room,
        counters: &'a Arc<Counters>,
    ) -> Opening<'a> {
        Opening { location: files.location(), files, health, room, counters }
    }

    pub(in crate::storage) fn lock(&self) -> Result<DirectoryLock, OpenError> {
        self.files.lock().map_err(|error| self.lock_refusal(error))
    }

    fn lock_refusal(&self, error: LockError) -> OpenError {
        match error {
            LockError::InUse => OpenError::InUse { location: self.location.clone() },
            LockError::Io(error) => self.system_refusal(&error),
        }
    }

    /// Whether the directory has no database, so that opening would create one.
    pub(in crate::storage) fn has_no_tree(&self) -> Result<bool, OpenError> {
        Ok(!self.exists(Kind::Sealed)? && !self.exists(Kind::Plain)?)
    }

    /// Opens or creates the database; the caller holds the lock.
    pub(in crate::storage) fn run(&self, cache_size_bytes: usize) -> Result<Opened, OpenError> {
        self.guarded(Kind::Plain, || self.migrate(cache_size_bytes))?;
        let (database, content) = self.guarded(Kind::Sealed, || self.open(Kind::Sealed, cache_size_bytes))?;
        Ok(Opened { tree: Tree::new(database, self.health.clone(), self.files.persistence()), content })
    }

    /// Records what a new or migrated store is. The first segment of its log is there, and nothing else of it; the names
    /// of both files are durable.
    pub(in crate::storage) fn create(
        &self,
        tree: &Tree,
        id: StoreId,
        position: Position,
    ) -> Result<(), OpenError> {
        self.guarded(Kind::Sealed, || {
            tree.create(id, position).map_err(|error| self.redb_refusal(Kind::Sealed, error))
        })
    }

    /// Why the log does not open.
    pub(in crate::storage) fn log_refusal(&self, refusal: LogRefusal) -> OpenError {
        match refusal {
            LogRefusal::Damaged(place) => OpenError::Damaged { location: self.location.clone(), place },
            LogRefusal::Unknown(place) => {
                OpenError::UnknownContent { location: self.location.clone(), place }
            }
            LogRefusal::Io(error) => self.system_refusal(&error),
        }
    }

    /// Why a store does not open whose tree is missing or new to the log, and whose log is not new.
    pub(in crate::storage) fn log_without_tree(&self, segment: &str) -> OpenError {
        self.damaged(Kind::Sealed, format!(
            "it knows nothing of the log, but {segment} is of a store that has written: the file is missing, or was replaced by \
             another one"
        ))
    }

    /// Why a tree that was opened cannot be read.
    pub(in crate::storage) fn unreadable(&self, error: &StorageError) -> OpenError {
        self.refusal(Kind::Sealed, error.to_string())
    }

    /// What a failure of the system comes to: that which stopped the store, if one did.
    pub(in crate::storage) fn system_refusal(&self, error: &std::io::Error) -> OpenError {
        self.stopped().unwrap_or_else(|| OpenError::of_system(&self.location, error))
    }

    /// The refusal that what stopped the store comes to, if something did.
    fn stopped(&self) -> Option<OpenError> {
        let failure = self.health.failure()?;
        Some(OpenError::of_kind(&self.location, failure.kind, &failure.cause))
    }

    /// Whether there is a file of a kind.
    pub(super) fn exists(&self, kind: Kind) -> Result<bool, OpenError> {
        self.files.exists(kind.name()).map_err(|error| self.system_refusal(&error))
    }

    /// Opens or creates the database in a file of a kind. The file is locked as long as the database is open: the lock of the directory
    /// is on a file that anybody may remove, and of one directory alone.
    pub(super) fn open(&self, kind: Kind, cache_size_bytes: usize) -> Result<(Database, Content), OpenError> {
        let refused = |error| self.system_refusal(&error);
        let file = self.files.open_or_create(kind.name()).map_err(refused)?;
        file.lock().map_err(|error| self.lock_refusal(error))?;
        match kind.look_at(file.as_ref()).map_err(refused)? {
            Found::Itself => {}
            Found::Unfinished => file.set_len(0).map_err(refused)?,
            Found::Foreign(words) => return Err(self.foreign(kind, words)),
            Found::Damaged => {
                return Err(self.damaged(kind, "the checksum at offset 0 does not fit".to_owned()));
            }
        }
        let file = kind.for_redb(file, self.health, self.counters).map_err(refused)?;
        let location = self.location.clone();
        let database = Database::builder()
            .set_cache_size(cache_size_bytes)
            // What is copied gets checksums: it must be what was written.
            .set_check_integrity_on_open(kind == Kind::Plain)
            .set_repair_callback(move |session| {
                if session.progress() == 0.0 {
                    tracing::warn!(location, "the store was not closed; verifying it");
                }
            })
            .create_with_backend(Backend::new(file, kind.name(), self.health.clone(), self.room.clone()))
            .map_err(|error| self.redb_refusal(kind, error))?;
        let content = self.read_content(kind, &database)?;
        Ok((database, content))
    }

    /// Runs what uses redb, whose panics are refusals.
    fn guarded<Value>(
        &self,
        kind: Kind,
        call: impl FnOnce() -> Result<Value, OpenError>,
    ) -> Result<Value, OpenError> {
        guarded(call).unwrap_or_else(|panic| Err(self.refusal(kind, panic)))
    }

    fn read_content(&self, kind: Kind, database: &Database) -> Result<Content, OpenError> {
        let record = read_record(database).map_err(|error| self.redb_refusal(kind, error))?;
        let (format, log) = match record {
            Record::Found { format, log } => (format, log),
            Record::Empty => return Ok(Content::Nothing),
            Record::Foreign(table) => {
                let words = format!("is another program's redb file (it has a table {table:?})");
                return Err(self.foreign(kind, &words));
            }
        };
        match format::decode(&format) {
            Ok(Format::WithoutLog(id)) => Ok(Content::WithoutLog(id)),
            Ok(Format::WithoutChecksums(id) | Format::Present(id)) => {
                match log.as_deref().and_then(format::decode_position) {
                    Some(position) => Ok(Content::Store(id, position)),
                    None => Err(self.damaged(kind, unreadable_record("log"))),
                }
            }
            Err(FormatRefusal::Damaged) => Err(self.damaged(kind, unreadable_record("format"))),
            Err(FormatRefusal::UnknownVersion(found)) => Err(OpenError::UnknownVersion {
                location: self.location.clone(),
                found,
                known: FORMAT_VERSION,
            }),
        }
    }

    /// What an error of redb comes to.
    pub(super) fn redb_refusal(&self, kind: Kind, error: impl Into<redb::Error>) -> OpenError {
        match error.into() {
            redb::Error::UpgradeRequired(version) => {
                let words = format!("has version {version} of redb's own format, which no keywright wrote");
                self.foreign(kind, &words)
            }
            error => self.refusal(kind, error.to_string()),
        }
    }

    /// The system's failure when there was one, else damage.
    fn refusal(&self, kind: Kind, description: String) -> OpenError {
        let damaged = || self.damaged(kind, self.health.damage().unwrap_or(description));
        self.stopped().unwrap_or_else(damaged)
    }

    fn damaged(&self, kind: Kind, place: String) -> OpenError {
        let names_a_file = [Kind::Sealed, Kind::Plain].into_iter().any(|kind| place.contains(kind.name()));
        let place = if names_a_file { place } else { format!("{}: {place}", kind.name()) };
        OpenError::Damaged { location: self.location.clone(), place }
    }

    /// A file of somebody else's.
    pub(super) fn foreign(&self, kind: Kind, words: &str) -> OpenError {
        OpenError::NotAStore {
            location: self.location.clone(),
            found: format!("its {} {words}", kind.name()),
        }
    }
}

fn unreadable_record(key: &str) -> String {
    format!("the record `{key}` of the table `meta` cannot be read")
}

enum Record {
    Found {
        format: Vec<u8>,
        log: Option<Vec<u8>>,
    },
    /// No tables at all.
    Empty,
    /// Tables, one of which this is, and no record.
    Foreign(String),
}

fn read_record(database: &Database) -> Result<Record, redb::Error> {
    let transaction = database.begin_read()?;
    let names: Vec<String> = transaction.list_tables()?.map(|table| table.name().to_owned()).collect();
    let multimaps = transaction.list_multimap_tables()?.count();
    let Some(first) = names.first() else {
        return Ok(if multimaps == 0 {
            Record::Empty
        } else {
            Record::Foreign("of several values a key".to_owned())
        });
    };
    let foreign = Record::Foreign(names.iter().find(|name| *name != "meta").unwrap_or(first).clone());
    match transaction.open_table(table_of(Space::Meta)) {
        Ok(table) => {
            let log = table.get(LOG_KEY)?.map(|value| value.value().to_vec());
            let format = table.get(FORMAT_KEY)?.map(|value| value.value().to_vec());
            Ok(format.map_or(foreign, |format| Record::Found { format, log }))
        }
        Err(redb::TableError::Storage(error)) => Err(error.into()),
        Err(_) => Ok(foreign),
    }
}
