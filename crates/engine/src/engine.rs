//! The public face: open, call, close.
//!
//! Reads are answered on the caller's thread from a snapshot of the last commit; writes are checked and encoded there,
//! then decided by the sequencer. A write that was answered is durable and seen by every later read.

mod injected;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use keywright_api::{Operation, Request};

use self::injected::ActiveFaults;
use crate::catalog::{Catalog, LoadError};
use crate::clock::Clock;
use crate::faults::FaultReport;
use crate::files::{DiskFiles, Files};
use crate::index::IndexHistory;
use crate::operation::{self, Prepared};
use crate::options::{Options, Place};
use crate::random::Random;
use crate::reply::Reply;
use crate::sequencer::{Panicked, Sequencer};
use crate::state::{Settings, State};
use crate::storage::{
    DurableOptions, DurableStorage, MemoryStorage, OpenError as StorageOpenError, Storage, StorageError,
};

/// A DynamoDB in this process. Clones are handles to the same engine; the last one dropped closes it, and lets go of its directory.
///
/// ```
/// use keywright_api::{Operation, Request};
/// use keywright_engine::{Engine, Options};
///
/// let engine = Engine::open(Options::memory())?;
/// let create = br#"{
///     "TableName": "Music",
///     "AttributeDefinitions": [{"AttributeName": "Artist", "AttributeType": "S"}],
///     "KeySchema": [{"AttributeName": "Artist", "KeyType": "HASH"}],
///     "BillingMode": "PAY_PER_REQUEST"
/// }"#;
/// engine.call(Request::parse(Operation::CreateTable, create)?).wait()?;
///
/// let put = br#"{"TableName": "Music", "Item": {"Artist": {"S": "Arturus Ardvarkian"}}}"#;
/// engine.call(Request::parse(Operation::PutItem, put)?).wait()?;
///
/// let get = br#"{"TableName": "Music", "Key": {"Artist": {"S": "Arturus Ardvarkian"}}}"#;
/// let mut answer = Vec::new();
/// engine.call(Request::parse(Operation::GetItem, get)?).wait()?.write_json(&mut answer);
/// assert_eq!(answer, br#"{"Item":{"Artist":{"S":"Arturus Ardvarkian"}}}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    state: Arc<State>,
    sequencer: Sequencer,
    faults: Option<ActiveFaults>,
}

impl Engine {
    /// Opens the engine, or creates an empty one.
    ///
    /// # Errors
    /// When the data cannot be opened: the directory is in use by another process, or another engine in this one; it is no store, and
    /// nothing is changed in it; a later version wrote what is in it; it is damaged; the system denies access, has no room for a new
    /// store's first bytes, or fails otherwise; or there is no thread for the writes. Each text says what to do.
    pub fn open(options: Options) -> Result<Engine, OpenError> {
        let Options { place, clock, random, region, account, table_delay, storage, faults } = options;
        let faults = faults.map(ActiveFaults::start).transpose().map_err(OpenError::Thread)?;
        let storage = open_storage(place, storage, random.as_ref())?;
        let catalog = Catalog::load(storage.as_ref(), clock.now())?;
        let lag = faults.as_ref().and_then(|faults| faults.injector.longest_index_lag());
        let index_history = lag.map(IndexHistory::new);
        let settings = Settings { clock, random, region, account, table_delay, index_history };
        let state = Arc::new(State::new(storage, catalog, settings));
        let sequencer = Sequencer::start(Arc::clone(&state)).map_err(OpenError::Thread)?;
        Ok(Engine(Arc::new(Inner { state, sequencer, faults })))
    }

    /// Carries out a request.
    pub fn call(&self, request: Request) -> Reply {
        if let Some(faults) = &self.0.faults {
            return faults.call(&self.0, request);
        }
        match operation::prepare(request, &self.0.state, Duration::ZERO) {
            Ok(prepared) => self.0.answer(prepared),
            Err(error) => Reply::ready(Err(error)),
        }
    }

    /// Carries out a request as it came over the wire: the operation of its target, and its body.
    pub fn call_wire(&self, operation: Operation, body: &[u8]) -> Reply {
        match Request::parse(operation, body) {
            Ok(request) => self.call(request),
            Err(error) => Reply::ready(Err(error)),
        }
    }

    /// The engine's clock.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.0.state.clock
    }

    /// The engine's source of randomness.
    pub fn random(&self) -> &Arc<dyn Random> {
        &self.0.state.random
    }

    /// The region in the engine's ARNs.
    pub fn region(&self) -> &str {
        &self.0.state.region
    }

    /// The rules of its faults, with what they have seen and done so far; `None` where they are off.
    pub fn faults(&self) -> Option<FaultReport> {
        self.0.faults.as_ref().map(|faults| faults.injector.report())
    }

    /// Why the engine serves no requests, or no writes: a failed disk, a fault or [`close`](Engine::close), until it is opened
    /// again; a full disk, until there is room, which is looked for when this is asked. `None` while all is well.
    ///
    /// ```
    /// use keywright_engine::{Engine, Options};
    ///
    /// let engine = Engine::open(Options::memory())?;
    /// assert_eq!(engine.failure(), None);
    /// engine.close()?;
    /// assert!(engine.failure().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn failure(&self) -> Option<String> {
        match self.0.state.storage.writable() {
            Err(error) => Some(error.to_string()),
            Ok(()) => self.0.sequencer.is_closed().then(|| "the engine takes no more writes".to_owned()),
        }
    }

    /// Finishes the writes that are queued, refuses later ones, and brings what the log of a directory holds into its tree, so that the
    /// next open has nothing to do. It takes as long as that: there may be 64 MiB of it.
    ///
    /// Reads go on. The directory is let go of when the last handle is dropped, and can be opened again then. Who drops all handles
    /// without this has the same done, and does not learn how it went. Every call answers how the first one ended.
    ///
    /// # Errors
    /// When the engine had stopped before, such as by a failed sync, or stops now. The next open goes on from the log, as after a kill.
    ///
    /// ```
    /// use keywright_engine::{Engine, Options};
    ///
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("data");
    /// let engine = Engine::open(Options::directory(&path))?;
    /// assert!(Engine::open(Options::directory(&path)).is_err(), "one engine at a time has it");
    /// engine.close()?;
    /// drop(engine);
    /// Engine::open(Options::directory(&path))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn close(&self) -> Result<(), CloseError> {
        let ended = self.0.sequencer.close();
        // What stopped the storage says more than that a panic followed from it.
        self.0.state.storage.close().map_err(CloseError::Storage)?;
        ended.map_err(|Panicked| CloseError::Panicked)
    }
}

fn open_storage(
    place: Place,
    options: DurableOptions,
    random: &dyn Random,
) -> Result<Box<dyn Storage>, StorageOpenError> {
    let files: Arc<dyn Files> = match place {
        Place::Memory => return Ok(Box::new(MemoryStorage::new())),
        Place::Directory(path) => Arc::new(DiskFiles::new(path)?),
        Place::Files(files) => files,
    };
    Ok(Box::new(DurableStorage::open(files, options, random)?))
}

impl Inner {
    /// Answers a request that passed everything which can be checked without the sequencer.
    fn answer(&self, prepared: Prepared) -> Reply {
        match prepared {
            Prepared::Answer(response) => Reply::ready(Ok(response)),
            Prepared::Write(write) => self.sequencer.submit(write),
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // It has been said. The storage closes when it is dropped.
        let _ = self.sequencer.close();
    }
}

/// Why a close did not finish everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CloseError {
    /// The storage had stopped, or stopped when it was closed.
    Storage(StorageError),
    /// A fault of the engine ended its writes by a panic.
    Panicked,
}

impl fmt::Display for CloseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CloseError::Storage(error) => error.fmt(formatter),
            CloseError::Panicked => formatter.write_str("a fault of the engine ended its writes by a panic"),
        }
    }
}

impl std::error::Error for CloseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CloseError::Storage(error) => Some(error),
            CloseError::Panicked => None,
        }
    }
}

/// Why an engine cannot be opened.
#[derive(Debug)]
pub enum OpenError {
    /// The files cannot be opened as a store.
    Storage(StorageOpenError),
    /// The store opened, but cannot be read.
    Read(StorageError),
    /// A record about a table cannot be read.
    DamagedCatalog {
        /// The record's key in the `meta` space.
        key: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A record about a table is whole, and holds what this version does not know: a later one wrote it.
    UnknownCatalog {
        /// The record's key in the `meta` space.
        key: String,
        /// What is not known.
        reason: String,
    },
    /// The system gave no thread for the writes, or for calls that faults delay.
    Thread(std::io::Error),
}

impl fmt::Display for OpenError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Storage(error) => error.fmt(formatter),
            OpenError::Read(error) => error.fmt(formatter),
            OpenError::DamagedCatalog { key, reason } => write!(
                formatter,
                "the record `{key}` of the store is damaged: {reason}; restore the data directory from a backup"
            ),
            OpenError::UnknownCatalog { key, reason } => write!(
                formatter,
                "the record `{key}` of the store holds what this version does not know ({reason}): use a newer keywright. No data \
                 was changed"
            ),
            OpenError::Thread(error) => {
                write!(formatter, "a thread of the engine cannot be started: {error}")
            }
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            OpenError::Storage(error) => Some(error),
            OpenError::Read(error) => Some(error),
            OpenError::Thread(error) => Some(error),
            OpenError::DamagedCatalog { .. } | OpenError::UnknownCatalog { .. } => None,
        }
    }
}

impl From<StorageOpenError> for OpenError {
    fn from(error: StorageOpenError) -> OpenError {
        OpenError::Storage(error)
    }
}

impl From<LoadError> for OpenError {
    fn from(error: LoadError) -> OpenError {
        match error {
            LoadError::Storage(error) => OpenError::Read(error),
            LoadError::Damaged(key, reason) => OpenError::DamagedCatalog { key, reason },
            LoadError::Unknown(key, reason) => OpenError::UnknownCatalog { key, reason },
        }
    }
}
