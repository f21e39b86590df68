//! The kinds of files that the suite runs on, and what its tests share.

use keywright_engine::files::{DiskFiles, FaultyFiles, Files, MemoryFiles};
use keywright_engine::random::SeededRandom;
use keywright_engine::storage::{
    Batch, Change, Direction, DurableOptions, DurableStorage, MemoryStorage, OpenError, Snapshot, Space,
    Storage, StorageError, Workers,
};
use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};
use std::sync::Arc;
use tempfile::TempDir;

/// Small enough that in these tests pages are evicted and read again, segments are filled, and layers move.
pub(crate) const SMALL: DurableOptions = DurableOptions {
    durability: keywright_engine::storage::Durability::Fsync,
    cache_size_bytes: 256 << 10,
    segment_bytes: 64 << 10,
    freeze_bytes: 32 << 10,
    freeze_log_bytes: 512 << 10,
    most_held_bytes: 256 << 10,
    workers: Workers::Caller,
};

/// Where a store lives. Every arm must pass the whole suite.
pub(crate) enum Arm {
    Memory(MemoryFiles),
    Disk(TempDir),
    Faulty(FaultyFiles),
}

impl Arm {
    /// One empty directory of each kind.
    pub(crate) fn all() -> [Arm; 3] {
        [
            Arm::Memory(MemoryFiles::new()),
            Arm::Disk(TempDir::new().unwrap()),
            Arm::Faulty(FaultyFiles::counting(1)),
        ]
    }

    pub(crate) fn files(&self) -> Arc<dyn Files> {
        match self {
            Arm::Memory(files) => Arc::new(files.clone()),
            Arm::Disk(directory) => Arc::new(DiskFiles::new(directory.path().join("data")).unwrap()),
            Arm::Faulty(files) => Arc::new(files.clone()),
        }
    }

    pub(crate) fn open(&self) -> Result<DurableStorage, OpenError> {
        let workers = match self {
            Arm::Disk(_) => Workers::Threads,
            Arm::Memory(_) | Arm::Faulty(_) => Workers::Caller,
        };
        open_with(self.files(), DurableOptions { workers, ..SMALL })
    }
}

/// A store with the directory that it lives in, if it has one.
pub(crate) struct Store {
    pub(crate) storage: Box<dyn Storage>,
    _place: Option<Arm>,
}

/// One empty store of each kind: on each kind of files, and in memory without any.
pub(crate) fn stores() -> Vec<Store> {
    let on_files = |arm: Arm| Store { storage: Box::new(arm.open().unwrap()), _place: Some(arm) };
    let mut stores: Vec<Store> = Arm::all().into_iter().map(on_files).collect();
    stores.push(Store { storage: Box::new(MemoryStorage::new()), _place: None });
    stores
}

pub(crate) fn open(files: Arc<dyn Files>) -> Result<DurableStorage, OpenError> {
    open_with(files, SMALL)
}

pub(crate) fn open_with(files: Arc<dyn Files>, options: DurableOptions) -> Result<DurableStorage, OpenError> {
    DurableStorage::open(files, options, &SeededRandom::new(42))
}

/// Everything in a store but its own records.
pub(crate) type Model = BTreeMap<(Space, Vec<u8>), Vec<u8>>;

pub(crate) fn apply(model: &mut Model, batch: &Batch) {
    for space in Space::ALL {
        for (key, change) in batch.iter(space) {
            let place = (space, key.to_vec());
            match change {
                Change::Put(value) => model.insert(place, value.clone()),
                Change::Delete => model.remove(&place),
            };
        }
    }
}

pub(crate) fn read_all(storage: &dyn Storage) -> Result<Model, StorageError> {
    let snapshot = storage.snapshot()?;
    let mut all = Model::new();
    for space in Space::ALL {
        for (key, value) in scan(snapshot.as_ref(), space, everything(), Direction::Forward)? {
            all.insert((space, key), value);
        }
    }
    for own in [b"format".as_slice(), b"log"] {
        all.remove(&(Space::Meta, own.to_vec()));
    }
    Ok(all)
}

pub(crate) type Entry = (Vec<u8>, Vec<u8>);

pub(crate) fn scan(
    snapshot: &dyn Snapshot,
    space: Space,
    range: (Bound<&[u8]>, Bound<&[u8]>),
    direction: Direction,
) -> Result<Vec<Entry>, StorageError> {
    let mut entries = Vec::new();
    snapshot.scan(space, range, direction, &mut |key, value| {
        entries.push((key.to_vec(), value.to_vec()));
        ControlFlow::Continue(())
    })?;
    Ok(entries)
}

pub(crate) fn get(storage: &dyn Storage, space: Space, key: &[u8]) -> Option<Vec<u8>> {
    let mut value = None;
    let found =
        storage.snapshot().unwrap().get(space, key, &mut |bytes| value = Some(bytes.to_vec())).unwrap();
    assert_eq!(found, value.is_some());
    value
}

pub(crate) fn put(space: Space, key: &[u8], value: &[u8]) -> Batch {
    let mut batch = Batch::default();
    batch.put(space, key, value.to_vec());
    batch
}

pub(crate) fn everything() -> (Bound<&'static [u8]>, Bound<&'static [u8]>) {
    (Bound::Unbounded, Bound::Unbounded)
}

/// All bytes of a file.
pub(crate) fn file_content(files: &MemoryFiles, name: &str) -> Vec<u8> {
    let file = files.open_or_create(name).unwrap();
    let mut bytes = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
    file.read_at(0, &mut bytes).unwrap();
    bytes
}
