//! Removes the items of dropped tables, a bounded batch at a time, while no write waits.
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
pub(crate) fn step(state: &State) {
    let Some(number) = state.catalog().first_dropped() else { return };
    if let Err(error) = remove_batch(state, number) {
        tracing::error!(%error, table_number = number.0, "the items of a dropped table could not be removed");
        state.stop();
    }
}

fn remove_batch(state: &State, number: TableNumber) -> Result<(), StorageError> {
    let mut keys = Vec::with_capacity(BATCH_KEYS);
    state.storage.snapshot()?.scan(
        Space::Items,
        KeyRange::table(number).bounds(),
        Direction::Forward,
        &mut |key, _| {
            keys.push(key.to_vec());
            if keys.len() == BATCH_KEYS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    )?;
    let is_last = keys.len() < BATCH_KEYS;
    let mut batch = Batch::default();
    for key in keys {
        batch.delete(Space::Items, &key);
    }
    let mut catalog = state.catalog();
    if is_last {
        Arc::make_mut(&mut catalog).forget_dropped(number, &mut batch);
    }
    state.storage.commit(&batch)?;
    state.publish(catalog);
    Ok(())
}
