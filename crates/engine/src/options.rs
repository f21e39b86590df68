//! Where an engine keeps its data, and what it takes for clock, randomness and files.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::{Clock, SystemClock};
use crate::faults::Faults;
use crate::files::Files;
use crate::memory;
use crate::random::{Random, SystemRandom};
use crate::storage::{Durability, DurableOptions};

/// How to open an engine.
///
/// ```
/// use keywright_engine::{Engine, Options};
///
/// let engine = Engine::open(Options::memory())?;
/// engine.close()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Options {
    pub(crate) place: Place,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Random>,
    pub(crate) region: String,
    pub(crate) account: String,
    pub(crate) table_delay: Duration,
    pub(crate) storage: DurableOptions,
    pub(crate) faults: Option<Faults>,
}

#[derive(Debug)]
pub(crate) enum Place {
    Memory,
    Directory(PathBuf),
    Files(Arc<dyn Files>),
}

/// Files of the caller's are mostly in memory: a cache beside them only holds what one commit changes.
const FILES_CACHE_BYTES: usize = 4 << 20;

impl Options {
    /// Durable, in one directory, which is created when it does not exist. One engine at a time opens it.
    pub fn directory(path: impl Into<PathBuf>) -> Options {
        Options::at(Place::Directory(path.into()), memory::page_cache_bytes())
    }

    /// In memory, without files; gone when the engine is dropped.
    pub fn memory() -> Options {
        Options::at(Place::Memory, 0)
    }

    /// Durable on files of the caller's, such as files that fail from a seed.
    pub fn files(files: Arc<dyn Files>) -> Options {
        Options::at(Place::Files(files), FILES_CACHE_BYTES)
    }

    /// The clock that tells and waits for time; the system's by default.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Options {
        self.clock = clock;
        self
    }

    /// The source of table ids and request ids; the system's by default.
    #[must_use]
    pub fn random(mut self, random: Arc<dyn Random>) -> Options {
        self.random = random;
        self
    }

    /// The region in ARNs; `us-east-1` by default.
    #[must_use]
    pub fn region(mut self, region: impl Into<String>) -> Options {
        self.region = region.into();
        self
    }

    /// The account in ARNs, twelve digits; `000000000000` by default.
    #[must_use]
    pub fn account(mut self, account: impl Into<String>) -> Options {
        self.account = account.into();
        self
    }

    /// How long a new table is CREATING, a changed one UPDATING, and a deleted one DELETING, on the engine's clock; zero by
    /// default.
    ///
    /// On Amazon DynamoDB it takes seconds. While a table is CREATING or DELETING, its items cannot be read or written.
    #[must_use]
    pub fn table_delay(mut self, delay: Duration) -> Options {
        self.table_delay = delay;
        self
    }

    /// How many bytes of the pages of files are kept in memory at most; a quarter of the memory by default for a directory, of the
    /// machine's or of what this process's control group is limited to. Only what was read or written is kept: a small store stays small. A
    /// read of a page that is not among them asks the system.
    #[must_use]
    pub fn cache_size_bytes(mut self, bytes: usize) -> Options {
        self.storage.cache_size_bytes = bytes;
        self
    }

    /// When a write is answered; after it was synced by default. In memory it says nothing.
    ///
    /// ```
    /// use keywright_engine::Options;
    /// use keywright_engine::storage::Durability;
    ///
    /// let options = Options::directory("data").durability(Durability::Buffered);
    /// ```
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Options {
        self.storage.durability = durability;
        self
    }

    /// How data is stored in files, for tests and measurements: replaces what was said of it so far.
    #[must_use]
    pub fn storage(mut self, options: DurableOptions) -> Options {
        self.storage = options;
        self
    }

    /// By which rules calls fail; by default none does.
    #[must_use]
    pub fn faults(mut self, faults: Faults) -> Options {
        self.faults = Some(faults);
        self
    }

    fn at(place: Place, cache_size_bytes: usize) -> Options {
        Options {
            place,
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom),
            region: "us-east-1".to_owned(),
            account: "000000000000".to_owned(),
            table_delay: Duration::ZERO,
            storage: DurableOptions { cache_size_bytes, ..DurableOptions::default() },
            faults: None,
        }
    }
}
