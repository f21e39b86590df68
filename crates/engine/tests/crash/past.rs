//! A store with a past: what is on its disk after some work, and what its clients were told of it.

use std::ops::{Bound, ControlFlow};
use std::sync::Arc;

use keywright_engine::clock::{Clock as _, ManualClock};
use keywright_engine::files::MemoryFiles;
use keywright_engine::random::SeededRandom;
use keywright_engine::storage::{Batch, Direction, DurableStorage, Space, Storage, Workers};

use crate::in_process::{Handle, calm, clock, open, settings, work};
use crate::suite::choices::Choices;
use crate::suite::schema::set_up;
use crate::suite::tokens::replay;
use crate::suite::verdict::Violation;
use crate::suite::world::World;

const CLIENTS: usize = 2;
const CALLS: usize = 60;

pub(crate) struct Past {
    pub(crate) disk: MemoryFiles,
    pub(crate) world: World,
    pub(crate) clock: ManualClock,
}

/// How a store ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Closed,
    /// By a power loss after the last answer.
    Cut,
}

impl Past {
    /// A store on which two clients worked, and where nothing failed.
    pub(crate) fn new(seed: u64, end: End) -> Past {
        let (clock, mut world) = (clock(), World::new(CLIENTS));
        let files = calm(&MemoryFiles::new(), seed);
        let engine = open(Arc::new(files.clone()), &clock).unwrap();
        set_up(&mut Handle(&engine)).unwrap();
        let choices = |client| Choices::new(seed, client);
        work(&engine, &mut world, &clock, &seed.to_string(), choices, CALLS).unwrap();
        if end == End::Closed {
            engine.close().unwrap();
            drop(engine);
            return Past { disk: files.restart().unwrap(), world, clock };
        }
        let disk = files.restart().unwrap();
        drop(engine);
        Past { disk, world, clock }
    }

    /// Does something behind the clients' backs by an engine.
    pub(crate) fn by_engine(&self, act: impl FnOnce(&mut Handle<'_>)) {
        let engine = open(Arc::new(self.disk.clone()), &self.clock).unwrap();
        act(&mut Handle(&engine));
        engine.close().unwrap();
    }

    /// Does something behind the engine's back: `choose` answers what becomes of an entry of this space, and the first one of
    /// which something becomes is the last one that it sees.
    pub(crate) fn in_storage(&self, space: Space, choose: impl Fn(&[u8], &[u8]) -> Option<Doctored>) {
        let disk = Arc::new(self.disk.clone());
        let storage = DurableStorage::open(disk, settings(Workers::Caller), &SeededRandom::new(1)).unwrap();
        let mut batch = Batch::default();
        let everything = (Bound::Unbounded, Bound::Unbounded);
        storage
            .snapshot()
            .unwrap()
            .scan(space, everything, Direction::Forward, &mut |key, value| match choose(key, value) {
                Some(Doctored::Deleted) => {
                    batch.delete(space, key);
                    ControlFlow::Break(())
                }
                Some(Doctored::Changed(value)) => {
                    batch.put(space, key, value);
                    ControlFlow::Break(())
                }
                None => ControlFlow::Continue(()),
            })
            .unwrap();
        assert!(!batch.is_empty(), "nothing was doctored");
        storage.commit(&batch).unwrap();
    }

    /// Opens the store and holds it against what its clients were told.
    pub(crate) fn check(&mut self) -> Result<(), Violation> {
        let engine = open(Arc::new(self.disk.clone()), &self.clock).unwrap();
        self.world.check(&mut Handle(&engine))?;
        replay(&mut self.world, &mut Handle(&engine), self.clock.now().milliseconds())?;
        self.clock.advance(std::time::Duration::from_secs(6 * 60 * 60));
        self.world.check_statistics(&mut Handle(&engine))
    }
}

/// What becomes of an entry.
pub(crate) enum Doctored {
    Deleted,
    Changed(Vec<u8>),
}

/// Whether bytes contain others.
pub(crate) fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
