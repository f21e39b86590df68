//! Opening: from the files of a directory to a database that is ours, or the reason why not.
//!
//! Order of refusal: lock, system errors, other program's file, damage, other program's tables, format version.

use super::backend::Backend;
use super::format::{self, FORMAT_KEY, FORMAT_VERSION, FormatRefusal, StoreId};
use super::guard::guarded;
use super::health::Health;
use super::redb_storage::{begin_write, table_of};
use super::{OpenError, Space};
use crate::files::{DirectoryLock, File, Files, LockError, Persistence};
use crate::random::Random;
use redb::{Database, ReadableDatabase, TableHandle};

pub(super) struct Opening<'a> {
    location: String,
    files: &'a dyn Files,
    health: &'a Health,
}

impl<'a> Opening<'a> {
    pub(super) fn new(files: &'a dyn Files, health: &'a Health) -> Opening<'a> {
        Opening { location: files.location(), files, health }
    }

    pub(super) fn lock(&self) -> Result<DirectoryLock, OpenError> {
        self.files.lock().map_err(|error| match error {
            LockError::InUse => OpenError::InUse { location: self.location.clone() },
            LockError::Io(error) => self.system_refusal(&error),
        })
    }

    /// Opens or creates the database; the caller holds the lock.
    pub(super) fn run(
        &self,
        cache_size_bytes: usize,
        random: &dyn Random,
    ) -> Result<(Database, StoreId), OpenError> {
        guarded(|| self.open(cache_size_bytes, random)).unwrap_or_else(|panic| Err(self.refusal(panic)))
    }

    fn open(&self, cache_size_bytes: usize, random: &dyn Random) -> Result<(Database, StoreId), OpenError> {
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
            .create_with_backend(Backend::new(file, FILE_NAME, self.health.clone()))
            .map_err(|error| self.redb_refusal(error))?;
        let id = match self.read_format(&database)? {
            Some(id) => id,
            None => self.write_format(&database, random)?,
        };
        Ok((database, id))
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

    /// `None` when the database is new.
    fn read_format(&self, database: &Database) -> Result<Option<StoreId>, OpenError> {
        let record = read_record(database).map_err(|error| self.redb_refusal(error))?;
        let bytes = match record {
            Record::Found(bytes) => bytes,
            Record::Empty => return Ok(None),
            Record::Foreign(table) => {
                let found =
                    format!("its {FILE_NAME} is another program's redb file (it has a table {table:?})");
                return Err(OpenError::NotAStore { location: self.location.clone(), found });
            }
        };
        match format::decode(&bytes) {
            Ok(id) => Ok(Some(id)),
            Err(FormatRefusal::Damaged) => Err(self.damaged("the format record cannot be read".to_owned())),
            Err(FormatRefusal::UnknownVersion(found)) => Err(OpenError::UnknownVersion {
                location: self.location.clone(),
                found,
                known: FORMAT_VERSION,
            }),
        }
    }

    /// Makes the file's name durable, then creates the tables and the format record in one commit.
    fn write_format(&self, database: &Database, random: &dyn Random) -> Result<StoreId, OpenError> {
        self.files.sync_directory().map_err(|error| {
            self.health.stop_on("syncing the directory", &error);
            self.system_refusal(&error)
        })?;
        let id = StoreId::draw(random);
        create_tables(database, self.files.persistence(), &format::encode(id))
            .map_err(|error| self.redb_refusal(error))?;
        Ok(id)
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

    fn system_refusal(&self, error: &std::io::Error) -> OpenError {
        OpenError::of_system(&self.location, error)
    }
}

enum Record {
    Found(Vec<u8>),
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
            Ok(table.get(FORMAT_KEY)?.map_or(foreign, |value| Record::Found(value.value().to_vec())))
        }
        Err(redb::TableError::Storage(error)) => Err(error.into()),
        Err(_) => Ok(foreign),
    }
}

fn create_tables(database: &Database, persistence: Persistence, record: &[u8]) -> Result<(), redb::Error> {
    let transaction = begin_write(database, persistence)?;
    for space in Space::ALL {
        transaction.open_table(table_of(space))?;
    }
    transaction.open_table(table_of(Space::Meta))?.insert(FORMAT_KEY, record)?;
    transaction.commit()?;
    Ok(())
}

/// The name of the one file that redb has. Part of the format.
const FILE_NAME: &str = "keywright.redb";

/// What redb's files begin with.
const REDB_MAGIC: [u8; 9] = *b"redb\x1A\x0A\xA9\x0D\x0A";

/// The header of a redb file, the only bytes it writes before the magic.
const REDB_HEADER_BYTES: u64 = 320;

/// redb creates files well below this; one cut off in its creation is no longer.
const LARGEST_UNFINISHED_BYTES: u64 = 1 << 20;
