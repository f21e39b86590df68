//! Removes the items of dropped tables and the entries of their indexes, a bounded batch at a time, while no write waits.
//!
//! A batch is one commit; what is left after a restart is removed then.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::catalog::Catalog;
use crate::key::{KeyRange, TableNumber};
use crate::state::State;
use crate::storage::{Batch, Direction, Space, StorageError};

/// Keys removed in one commit: a few milliseconds, which is what a write may have to wait.
const BATCH_KEYS: usize = 1000;

/// How far dropped tables are emptied. Each batch goes on where the last one ended: what that one removed is still walked over
/// as long as the tree does not know of it.
#[derive(Debug, Default)]
pub(crate) struct Purge {
    reached: Option<Place>,
    /// Those of which something could not be read: the rest of them stays until the store is opened again.
    unreadable: BTreeSet<TableNumber>,
}

/// Nothing of the table is left up to this key of this space, nor in the space before it.
#[derive(Clone, Debug)]
struct Place {
    table: TableNumber,
    space: Space,
    key: Vec<u8>,
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Done,
    /// There is no room on the disk to write what is removed: it is to be tried again after the next write.
    Postponed,
}

impl Purge {
    /// Whether there is a table to be emptied.
    pub(crate) fn has_work(&self, catalog: &Catalog) -> bool {
        self.next(catalog).is_some()
    }

    /// Removes one batch of the first dropped table, and forgets the table when it is empty.
    pub(crate) fn step(&mut self, state: &State) -> Step {
        let Some(number) = self.next(&state.catalog()) else { return Step::Done };
        let error = match self.remove_batch(state, number) {
            Ok(()) => return Step::Done,
            Err(StorageError::DiskFull { .. }) => return Step::Postponed,
            Err(error) => error,
        };
        tracing::error!(%error, table_number = number.0, "the items of a dropped table could not be removed");
        match error {
            StorageError::Damaged { .. } => drop(self.unreadable.insert(number)),
            _ => state.stop(),
        }
        Step::Done
    }

    fn next(&self, catalog: &Catalog) -> Option<TableNumber> {
        catalog.dropped().find(|number| !self.unreadable.contains(number))
    }

    fn remove_batch(&mut self, state: &State, number: TableNumber) -> Result<(), StorageError> {
        let snapshot = state.storage.snapshot()?;
        let mut batch = Batch::decided_at(state.clock.now());
        let mut left = BATCH_KEYS;
        let mut reached = self.reached.clone().filter(|reached| reached.table == number);
        for space in [Space::Items, Space::Index] {
            if left == 0 {
                break;
            }
            let mut range = KeyRange::table(number);
            match &reached {
                Some(place) if place.space > space => continue,
                Some(place) if place.space == space => {
                    range.continue_after(place.key.clone(), Direction::Forward);
                }
                _ => {}
            }
            let mut last = Vec::new();
            snapshot.scan(space, range.bounds(), Direction::Forward, &mut |key, _| {
                batch.delete(space, key);
                left -= 1;
                if left > 0 {
                    return ControlFlow::Continue(());
                }
                last.extend_from_slice(key);
                ControlFlow::Break(())
            })?;
            if left == 0 {
                reached = Some(Place { table: number, space, key: last });
            }
        }
        drop(snapshot);
        let is_last = left > 0;
        let mut catalog = Arc::clone(&state.catalog());
        if is_last {
            Arc::make_mut(&mut catalog).forget_dropped(number, &mut batch);
        }
        state.storage.commit(&batch)?;
        state.publish(catalog);
        self.reached = reached;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
