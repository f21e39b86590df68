//! Files that show each call to somebody before it happens, who may panic; and what a store tells on the caller's thread.

use keywright_engine::files::{DirectoryLock, File, Files, LockError, Persistence};
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Metadata, Subscriber};

/// What is about to be done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    OpenOrCreate,
    Remove,
    Sync,
}

type Watch = dyn Fn(&str, Call) + Send + Sync;

/// Files over others.
pub(crate) struct Watched {
    files: Arc<dyn Files>,
    watch: Arc<Watch>,
}

impl Watched {
    pub(crate) fn over(
        files: impl Files + 'static,
        watch: impl Fn(&str, Call) + Send + Sync + 'static,
    ) -> Arc<Watched> {
        Arc::new(Watched { files: Arc::new(files), watch: Arc::new(watch) })
    }
}

impl Files for Watched {
    fn lock(&self) -> Result<DirectoryLock, LockError> {
        self.files.lock()
    }

    fn open_or_create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        (self.watch)(name, Call::OpenOrCreate);
        let file = self.files.open_or_create(name)?;
        Ok(Arc::new(WatchedFile { file, name: name.to_owned(), watch: Arc::clone(&self.watch) }))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        (self.watch)(name, Call::Remove);
        self.files.remove(name)
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        self.files.exists(name)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.files.list()
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.files.sync_directory()
    }

    fn persistence(&self) -> Persistence {
        self.files.persistence()
    }

    fn location(&self) -> String {
        self.files.location()
    }
}

impl Debug for Watched {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Watched").field(&self.files).finish()
    }
}

struct WatchedFile {
    file: Arc<dyn File>,
    name: String,
    watch: Arc<Watch>,
}

impl File for WatchedFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.write_at(offset, bytes)
    }

    fn lock(&self) -> Result<(), LockError> {
        self.file.lock()
    }

    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        (self.watch)(&self.name, Call::Sync);
        self.file.sync_data()
    }
}

impl Debug for WatchedFile {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("WatchedFile").field(&self.name).finish()
    }
}

/// What was told: the message, and each field as text.
pub(crate) type Told = Vec<(String, String)>;

/// Runs something, and answers with it what was told on this thread meanwhile.
pub(crate) fn listen<Value>(run: impl FnOnce() -> Value) -> (Value, Vec<Told>) {
    /// While there is one subscriber alone, tracing asks that of the thread that comes first to an event, which may be a thread without
    /// one: nobody hears of the event from then on.
    static OTHERS: OnceLock<[Dispatch; 2]> = OnceLock::new();
    OTHERS.get_or_init(|| std::array::from_fn(|_| Dispatch::new(Listener(Arc::default()))));
    let told = Arc::<Mutex<Vec<Told>>>::default();
    let value = tracing::subscriber::with_default(Listener(Arc::clone(&told)), run);
    let told = std::mem::take(&mut *told.lock().unwrap_or_else(PoisonError::into_inner));
    (value, told)
}

/// A field of what was told.
pub(crate) fn field<'told>(told: &'told Told, name: &str) -> &'told str {
    let found = told.iter().find(|(field, _)| field == name);
    found.map_or_else(|| panic!("{told:?} has no {name}"), |(_, value)| value)
}

struct Listener(Arc<Mutex<Vec<Told>>>);

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("keywright")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(Told::new());
        event.record(&mut fields);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(fields.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Fields(Told);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.push((field.name().to_owned(), format!("{value:?}")));
    }
}
