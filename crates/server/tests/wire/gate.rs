//! Files in memory whose syncs wait at a gate, so that a test decides when a write becomes durable.

use std::io;
use std::sync::{Arc, Condvar, Mutex};

use keywright_engine::files::{DirectoryLock, File, Files, LockError, MemoryFiles, Persistence};

/// Opens and closes; tells when somebody waits.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct GateState {
    closed: bool,
    waiting: usize,
}

impl Gate {
    pub(crate) fn close(&self) {
        self.state.lock().unwrap().closed = true;
    }

    pub(crate) fn open(&self) {
        self.state.lock().unwrap().closed = false;
        self.changed.notify_all();
    }

    /// Blocks until a sync waits at the closed gate.
    pub(crate) fn until_somebody_waits(&self) {
        let state = self.state.lock().unwrap();
        drop(self.changed.wait_while(state, |state| state.waiting == 0).unwrap());
    }

    fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        state.waiting += 1;
        self.changed.notify_all();
        let mut state = self.changed.wait_while(state, |state| state.closed).unwrap();
        state.waiting -= 1;
    }
}

#[derive(Debug)]
pub(crate) struct GatedFiles {
    files: MemoryFiles,
    gate: Arc<Gate>,
}

impl GatedFiles {
    pub(crate) fn new(gate: Arc<Gate>) -> GatedFiles {
        GatedFiles { files: MemoryFiles::new(), gate }
    }
}

impl Files for GatedFiles {
    fn lock(&self) -> Result<DirectoryLock, LockError> {
        self.files.lock()
    }

    fn open_or_create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        Ok(Arc::new(GatedFile { file: self.files.open_or_create(name)?, gate: Arc::clone(&self.gate) }))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
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

    /// Not what memory would say: syncs are what the gate waits for.
    fn persistence(&self) -> Persistence {
        Persistence::Lasting
    }

    fn location(&self) -> String {
        self.files.location()
    }
}

#[derive(Debug)]
struct GatedFile {
    file: Arc<dyn File>,
    gate: Arc<Gate>,
}

impl File for GatedFile {
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
        self.gate.pass();
        self.file.sync_data()
    }
}
