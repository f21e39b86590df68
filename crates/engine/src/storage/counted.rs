//! A store of the tests that counts the steps of its scans: what was removed stays in its place, as in a store whose tree does not
//! know of it yet, and a scan walks over it.

use super::batch::Change;
use super::{Batch, Direction, KeyRange, ScanVisitor, Snapshot, Space, Storage, StorageError};
use std::collections::BTreeMap;
use std::ops::RangeBounds;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

type Place = (Space, Vec<u8>);
type Entries = BTreeMap<Place, Option<Vec<u8>>>;

#[derive(Clone, Debug, Default)]
pub(crate) struct CountedStorage {
    entries: Arc<Mutex<Arc<Entries>>>,
    steps: Arc<AtomicUsize>,
    damaged: Arc<Mutex<Option<Place>>>,
}

impl CountedStorage {
    /// From now on no scan gets over this key.
    pub(crate) fn damage(&self, space: Space, key: &[u8]) {
        *self.damaged.lock().unwrap() = Some((space, key.to_vec()));
    }

    /// The keys that all scans have met so far, removed ones too.
    pub(crate) fn steps(&self) -> usize {
        self.steps.load(Ordering::Relaxed)
    }

    /// The keys that are there.
    pub(crate) fn keys(&self, space: Space) -> Vec<Vec<u8>> {
        let entries = Arc::clone(&self.entries.lock().unwrap());
        let there = entries.iter().filter(|((of, _), value)| *of == space && value.is_some());
        there.map(|((_, key), _)| key.clone()).collect()
    }
}

impl Storage for CountedStorage {
    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, StorageError> {
        let entries = Arc::clone(&self.entries.lock().unwrap());
        let damaged = self.damaged.lock().unwrap().clone();
        Ok(Box::new(CountedSnapshot { entries, steps: Arc::clone(&self.steps), damaged }))
    }

    fn commit(&self, batch: &Batch) -> Result<(), StorageError> {
        let mut entries = self.entries.lock().unwrap();
        let entries = Arc::make_mut(&mut entries);
        for space in Space::ALL {
            for (key, change) in batch.iter(space) {
                let value = match change {
                    Change::Put(value) => Some(value.clone()),
                    Change::Delete => None,
                };
                entries.insert((space, key.to_vec()), value);
            }
        }
        Ok(())
    }

    fn commits_at_once(&self) -> bool {
        true
    }

    fn writable(&self) -> Result<(), StorageError> {
        Ok(())
    }

    fn close(&self) -> Result<(), StorageError> {
        Ok(())
    }
}

struct CountedSnapshot {
    entries: Arc<Entries>,
    steps: Arc<AtomicUsize>,
    damaged: Option<Place>,
}

impl Snapshot for CountedSnapshot {
    fn get(&self, space: Space, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageError> {
        let value = self.entries.get(&(space, key.to_vec())).and_then(Option::as_deref);
        Ok(value.map(visit).is_some())
    }

    fn scan(
        &self,
        space: Space,
        range: KeyRange<'_>,
        direction: Direction,
        visit: &mut ScanVisitor<'_>,
    ) -> Result<(), StorageError> {
        assert_eq!(direction, Direction::Forward, "nothing here goes backward");
        let met = self.entries.iter().filter(|((of, key), _)| *of == space && range.contains(key.as_slice()));
        for (place, value) in met {
            if self.damaged.as_ref() == Some(place) {
                return Err(StorageError::Damaged { place: "a page of the test's".into() });
            }
            let (_, key) = place;
            self.steps.fetch_add(1, Ordering::Relaxed);
            if let Some(value) = value
                && visit(key, value).is_break()
            {
                break;
            }
        }
        Ok(())
    }
}
