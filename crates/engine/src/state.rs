//! What the parts of an engine share: storage, clock, randomness, and the published catalog.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arc_swap::{ArcSwap, Guard};
use keywright_api::{Error, ResourceNotFound};

use crate::catalog::Catalog;
use crate::clock::Clock;
use crate::index::IndexHistory;
use crate::random::Random;
use crate::storage::Storage;
use crate::table::Table;

/// One engine's shared state.
pub(crate) struct State {
    pub(crate) storage: Box<dyn Storage>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Random>,
    pub(crate) region: String,
    pub(crate) account: String,
    /// How long a table is CREATING, UPDATING or DELETING.
    pub(crate) table_delay: Duration,
    /// Where reads of indexes can be behind.
    pub(crate) index_history: Option<IndexHistory>,
    catalog: ArcSwap<Catalog>,
    stopped: AtomicBool,
}

/// The settings of a [`State`] that are not derived.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Random>,
    pub(crate) region: String,
    pub(crate) account: String,
    pub(crate) table_delay: Duration,
    pub(crate) index_history: Option<IndexHistory>,
}

impl fmt::Debug for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("State").field("region", &self.region).finish_non_exhaustive()
    }
}

impl State {
    pub(crate) fn new(storage: Box<dyn Storage>, catalog: Catalog, settings: Settings) -> State {
        let Settings { clock, random, region, account, table_delay, index_history } = settings;
        State {
            storage,
            clock,
            random,
            region,
            account,
            table_delay,
            index_history,
            catalog: ArcSwap::from_pointee(catalog),
            stopped: AtomicBool::new(false),
        }
    }

    /// The tables as of the last commit, for a moment: readers of several threads count no references and take no lock.
    pub(crate) fn catalog(&self) -> Guard<Arc<Catalog>> {
        self.catalog.load()
    }

    /// Refuses what was just read of a table that has been dropped since: its items may have been removed in part by then.
    pub(crate) fn check_still_there(&self, table: &Table) -> Result<(), Error> {
        match self.catalog().current(table) {
            Some(_) => Ok(()),
            None => Err(Error::ResourceNotFound(ResourceNotFound::Resource)),
        }
    }

    /// Makes the catalog of a committed group visible.
    pub(crate) fn publish(&self, catalog: Arc<Catalog>) {
        self.catalog.store(catalog);
    }

    /// Notes that storage failed: background work ends, since storage takes no more writes.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
