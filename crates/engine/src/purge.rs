//! Removes the items of dropped tables and the entries of their indexes, a bounded batch at a time, while no write waits.
//!
//! A batch is one commit; what is left after a restart is removed then.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::key::{KeyRange, TableNumber};
use crate::state::State;
use crate::storage::{Batch, Direction, Space, StorageError};

/// Keys removed in one commit: a few milliseconds, which is what a write may have to wait.
const BATCH_KEYS: usize = 1000;

/// Removes one batch of the first dropped table, and forgets the table when it is empty.
pub(crate) fn step(state: &State) -> Step {
    let Some(number) = state.catalog().first_dropped() else { return Step::Done };
    match remove_batch(state, number) {
        Ok(()) => Step::Done,
        Err(StorageError::DiskFull { .. }) => Step::Postponed,
        Err(error) => {
            tracing::error!(%error, table_number = number.0, "the items of a dropped table could not be removed");
            state.stop();
            Step::Done
        }
    }
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Done,
    /// There is no room on the disk to write what is removed: it is to be tried again after the next write.
    Postponed,
}

fn remove_batch(state: &State, number: TableNumber) -> Result<(), StorageError> {
    let snapshot = state.storage.snapshot()?;
    let mut batch = Batch::decided_at(state.clock.now());
    let mut left = BATCH_KEYS;
    for space in [Space::Items, Space::Index] {
        if left == 0 {
            break;
        }
        snapshot.scan(space, KeyRange::table(number).bounds(), Direction::Forward, &mut |key, _| {
            batch.delete(space, key);
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
    }
    drop(snapshot);
    let is_last = left > 0;
    let mut catalog = Arc::clone(&state.catalog());
    if is_last {
        Arc::make_mut(&mut catalog).forget_dropped(number, &mut batch);
    }
    state.storage.commit(&batch)?;
    state.publish(catalog);
    Ok(())
}
