//! Opening: from the files of a directory to a database that is ours, or the reason why not.
//!
//! Order of refusal: lock, system errors, other program's file, damage, other program's tables, format version.

use super::backend::Backend;
use super::room::Room;
use super::{Tree, table_of};
use crate::files::{DirectoryLock, File, Files, LockError};
use crate::storage::format::{self, FORMAT_KEY, FORMAT_VERSION, Format, FormatRefusal, LOG_KEY};
use crate::storage::guard::guarded;
use crate::storage::health::Health;
use crate::storage::log::{LogRefusal, Position};
use crate::storage::{OpenError, Space, StorageError, StoreId};
use redb::{Database, ReadableDatabase, TableHandle};

/// Opens the files of a directory.
pub(in crate::storage) struct Opening<'a> {
    location: String,
    files: &'a dyn Files,
    health: &'a Health,
    room: &'a Room,
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
    /// A store of this version.
    Store(StoreId, Position),
}

impl<'a> Opening<'a> {
    pub(in crate::storage) fn new(files: &'a dyn Files, health: &'a Health, room: &'a Room) -> Opening<'a> {
        Opening { location: files.location(), files, health, room }
    }

    pub(in crate::storage) fn lock(&self) -> Result<DirectoryLock, OpenError> {
        self.files.lock().map_err(|error| match error {
            LockError::InUse => OpenError::InUse { location: self.location.clone() },
            LockError::Io(error) => self.system_refusal(&error),
        })
    }

    /// Whether the directory has no database, so that opening would create one.
    pub(in crate::storage) fn has_no_tree(&self) -> Result<bool, OpenError> {
        let exists = self.files.exists(FILE_NAME);
        exists.map(|exists| !exists).map_err(|error| self.system_refusal(&error))
    }

    /// Opens or creates the database; the caller holds the lock.
    pub(in crate::storage) fn run(&self, cache_size_bytes: usize) -> Result<Opened, OpenError> {
        guarded(|| self.open(cache_size_bytes)).unwrap_or_else(|panic| Err(self.refusal(panic)))
    }

    /// Records what a new or migrated store is. The first segment of its log is there, and nothing else of it; the names
    /// of both files are durable.
    pub(in crate::storage) fn create(
        &self,
        tree: &Tree,
        id: StoreId,
        position: Position,
    ) -> Result<(), OpenError> {
        match guarded(|| tree.create(id, position)) {
            Ok(created) => created.map_err(|error| self.redb_refusal(error)),
            Err(panic) => Err(self.refusal(panic)),
        }
    }

    /// Why the log does not open.
    pub(in crate::storage) fn log_refusal(&self, refusal: LogRefusal) -> OpenError {
        match refusal {
            LogRefusal::Damaged(place) => OpenError::Damaged { location: self.location.clone(), place },
            LogRefusal::Io(error) => self.system_refusal(&error),
        }
    }

    /// Why a store does not open whose tree is missing or new to the log, and whose log is not new.
    pub(in crate::storage) fn log_without_tree(&self, segment: &str) -> OpenError {
        self.damaged(format!(
            "it knows nothing of the log, but {segment} is of a store that has written: the file is missing, or was replaced by \
             another one"
        ))
    }

    /// Why a tree that was opened cannot be read.
    pub(in crate::storage) fn unreadable(&self, error: &StorageError) -> OpenError {
        self.refusal(error.to_string())
    }

    /// What a failure of the system comes to.
    pub(in crate::storage) fn system_refusal(&self, error: &std::io::Error) -> OpenError {
        OpenError::of_system(&self.location, error)
    }

    fn open(&self, cache_size_bytes: usize) -> Result<Opened, OpenError> {
        let file = self.files.open_or_create(FILE_NAME).map_err(|error| self.system_refusal(&error))?;
        self.check_kind(file.as_ref())?;
        let location = self.location.clone();
        let database = Database::builder()
            .set_cache_size(cache_size_bytes)
            .set_repair_callback(move |session| {
                if session.progress() == 0.0 {
                    tracing::warn!(location, "the store was not closed; verifying it");
                }
            })
            .create_with_backend(Backend::new(file, FILE_NAME, self.health.clone(), self.room.clone()))
            .map_err(|error| self.redb_refusal(error))?;
        let content = self.read_content(&database)?;
        Ok(Opened { tree: Tree::new(database, self.health.clone(), self.files.persistence()), content })
    }

    /// Refuses a file that redb did not write, and empties one whose creation was cut off.
    fn check_kind(&self, file: &dyn File) -> Result<(), OpenError> {
        let length = file.len().map_err(|error| self.system_refusal(&error))?;
        if length == 0 {
            return Ok(());
        }
        let mut magic = [0; REDB_MAGIC.len()];
        if length >= REDB_HEADER_BYTES {
            file.read_at(0, &mut magic).map_err(|error| self.system_refusal(&error))?;
        }
        if magic == REDB_MAGIC {
            return Ok(());
        }
        let unfinished = self.is_unfinished(file, length).map_err(|error| self.system_refusal(&error))?;
        if !unfinished {
            let found = format!("its {FILE_NAME} begins with other bytes than a redb file");
            return Err(OpenError::NotAStore { location: self.location.clone(), found });
        }
        file.set_len(0).map_err(|error| self.system_refusal(&error))
    }

    /// redb writes a new file's header without its magic, syncs, and then writes the magic: a file that lost power
    /// between is all zeros but for the header. It never held anything.
    fn is_unfinished(&self, file: &dyn File, length: u64) -> std::io::Result<bool> {
        if length > LARGEST_UNFINISHED_BYTES {
            return Ok(false);
        }
        let mut content = vec![0; usize::try_from(length).unwrap_or(0)];
        file.read_at(0, &mut content)?;
        let mut after_header = content.iter().skip(usize::try_from(REDB_HEADER_BYTES).unwrap_or(0));
        let starts_with_zeros = content.iter().take(REDB_MAGIC.len()).all(|byte| *byte == 0);
        Ok(starts_with_zeros && after_header.all(|byte| *byte == 0))
    }

    fn read_content(&self, database: &Database) -> Result<Content, OpenError> {
        let record = read_record(database).map_err(|error| self.redb_refusal(error))?;
        let (format, log) = match record {
            Record::Found { format, log } => (format, log),
            Record::Empty => return Ok(Content::Nothing),
            Record::Foreign(table) => {
                let found =
                    format!("its {FILE_NAME} is another program's redb file (it has a table {table:?})");
                return Err(OpenError::NotAStore { location: self.location.clone(), found });
            }
        };
        match format::decode(&format) {
            Ok(Format::Version1(id)) => Ok(Content::WithoutLog(id)),
            Ok(Format::Version2(id)) => match log.as_deref().and_then(format::decode_position) {
                Some(position) => Ok(Content::Store(id, position)),
                None => Err(self.damaged("the record of the log cannot be read".to_owned())),
            },
            Err(FormatRefusal::Damaged) => Err(self.damaged("the format record cannot be read".to_owned())),
            Err(FormatRefusal::UnknownVersion(found)) => Err(OpenError::UnknownVersion {
                location: self.location.clone(),
                found,
                known: FORMAT_VERSION,
            }),
        }
    }

    fn redb_refusal(&self, error: impl Into<redb::Error>) -> OpenError {
        match error.into() {
            redb::Error::UpgradeRequired(version) => OpenError::NotAStore {
                location: self.location.clone(),
                found: format!(
                    "its {FILE_NAME} has version {version} of redb's own format, which no keywright wrote"
                ),
            },
            error => self.refusal(error.to_string()),
        }
    }

    /// The system's failure when there was one, else damage.
    fn refusal(&self, description: String) -> OpenError {
        match self.health.failure() {
            Some(failure) => OpenError::of_kind(&self.location, failure.kind, &failure.cause),
            None => self.damaged(description),
        }
    }

    fn damaged(&self, place: String) -> OpenError {
        OpenError::Damaged { location: self.location.clone(), place: format!("{FILE_NAME}: {place}") }
    }
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

/// The name of the one file that redb has. Part of the format.
const FILE_NAME: &str = "keywright.redb";

/// What redb's files begin with.
const REDB_MAGIC: [u8; 9] = *b"redb\x1A\x0A\xA9\x0D\x0A";

/// The header of a redb file, the only bytes it writes before the magic.
const REDB_HEADER_BYTES: u64 = 320;

/// redb creates files well below this; one cut off in its creation is no longer.
const LARGEST_UNFINISHED_BYTES: u64 = 1 << 20;
