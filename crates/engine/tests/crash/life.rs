//! The rounds of one store's life: it opens, perhaps after crashes in the attempt, is checked, works, and ends somehow.

use std::sync::Arc;
use std::time::{Duration, Instant};

use keywright_api::Operation;
use keywright_engine::Engine;
use keywright_engine::clock::{Clock as _, ManualClock};
use keywright_engine::files::{Fault, FaultyFiles, MemoryFiles, Operation as FileOperation};
use keywright_engine::storage::Workers;

use crate::in_process::{Handle, calm, clock, open_with, work};
use crate::suite::choices::Choices;
use crate::suite::client::{Answer, Client as _};
use crate::suite::log::Doubt;
use crate::suite::tokens::replay;
use crate::suite::verdict::Violation;
use crate::suite::workload::count_request;
use crate::suite::world::{Settled, World};

/// What each client does in a round, unless the store ends before.
const CALLS: usize = 40;

/// How a round ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The store is closed.
    Closed,
    /// The power is cut when all calls are answered.
    Cut,
    /// A fault strikes after so many operations, if there are as many.
    Struck(Fault, u64),
    /// The disk is full after so many operations, and when room is looked for, this happens after so many more.
    FullThenStruck(u64, Fault, u64),
}

/// Those that stop the store, whoever meets them.
const STOPPING: [Fault; 5] = [
    Fault::WriteFails,
    Fault::ResizeFails,
    Fault::CreateFails,
    Fault::RemoveFails,
    Fault::DirectorySyncFails,
];

pub(crate) struct Life {
    seed: u64,
    choices: Choices,
    clock: ManualClock,
}

impl Life {
    pub(crate) fn new(seed: u64) -> Life {
        Life { seed, choices: Choices::new(seed, 1_000), clock: clock() }
    }

    /// How a round ends, and who does the store's work behind the writes.
    pub(crate) fn ending(&self) -> (Ending, Workers) {
        let within = 1 << self.choices.below(10);
        let after = self.choices.below(within) as u64;
        let ending = match self.choices.below(16) {
            0 => Ending::Closed,
            1..=2 => Ending::Cut,
            3..=4 => Ending::Struck(Fault::SyncFails, after),
            5 => Ending::Struck(Fault::DiskFull, after),
            6 => Ending::Struck(Fault::DiskFullFor { refusals: 1 + self.choices.below(20) as u64 }, after),
            7 => Ending::Struck(Fault::ReadFails, after),
            8..=9 => Ending::Struck(*self.choices.of(&STOPPING), after),
            10 => {
                let then = self.choices.of(&[Fault::WriteFails, Fault::SyncFails, Fault::RemoveFails]);
                Ending::FullThenStruck(after, *then, self.choices.below(8) as u64)
            }
            11 => {
                let within = self.choices.of(&[FileOperation::Remove, FileOperation::WriteThatNeedsRoom]);
                Ending::Struck(Fault::PowerLossIn(*within), after)
            }
            _ => Ending::Struck(Fault::PowerLoss, after),
        };
        // Who waits for room must not be who would ask whether there is any.
        let is_full = matches!(
            ending,
            Ending::Struck(Fault::DiskFull | Fault::DiskFullFor { .. }, _) | Ending::FullThenStruck(..)
        );
        let workers = if self.choices.one_in(3) && !is_full { Workers::Caller } else { Workers::Threads };
        (ending, workers)
    }

    /// The machine may fail while the store opens, more than once. Answers how often it did, and what the disk holds then.
    pub(crate) fn crash_while_opening(&self, mut disk: MemoryFiles) -> Result<(usize, MemoryFiles), String> {
        let mut crashes = 0;
        for _ in 0..self.choices.below(3) {
            let files = calm(&disk, self.seed_of_files());
            let faults = match self.choices.one_in(3) {
                true => [&STOPPING, [Fault::ListFails].as_slice()].concat(),
                false => vec![Fault::SyncFails, Fault::DiskFull, Fault::PowerLoss, Fault::PowerLoss],
            };
            let fault = self.choices.of(&faults);
            files.strike(*fault, self.choices.below(40) as u64);
            let workers = self.choices.of(&[Workers::Threads, Workers::Threads, Workers::Caller]);
            let opened = open_with(Arc::new(files.clone()), &self.clock, *workers);
            crashes += usize::from(files.has_failed());
            if let Err(error) = &opened
                && (!files.has_failed() || error.to_string().contains("is damaged"))
            {
                return Err(format!("{fault:?} while it opens: {error}"));
            }
            disk = files.restart().unwrap();
        }
        Ok((crashes, disk))
    }

    /// Opens a store whose disk is well.
    pub(crate) fn open(&self, disk: &MemoryFiles, workers: Workers) -> Result<(Engine, FaultyFiles), String> {
        let files = calm(disk, self.seed_of_files());
        let engine = open_with(Arc::new(files.clone()), &self.clock, workers);
        engine.map(|engine| (engine, files)).map_err(|error| format!("does not open: {error}"))
    }

    /// Checks everything, and lets time pass or not.
    pub(crate) fn check(&self, engine: &Engine, world: &mut World) -> Result<(Settled, usize), Violation> {
        let settled = world.check(&mut Handle(engine))?;
        let sent_again = replay(world, &mut Handle(engine), self.clock.now().milliseconds())?;
        match self.choices.below(3) {
            0 => self.check_statistics(engine, world)?,
            1 => self.clock.advance(Duration::from_secs(4 * 60)),
            _ => {}
        }
        Ok((settled, sent_again))
    }

    /// Moves the clock by as much as figures are old at most, so that tokens are over too.
    pub(crate) fn check_statistics(&self, engine: &Engine, world: &World) -> Result<(), Violation> {
        self.clock.advance(Duration::from_secs(6 * 60 * 60));
        world.check_statistics(&mut Handle(engine))
    }

    /// Lets the clients work until the end of the round; answers what the disk holds then.
    pub(crate) fn work_and_crash(
        &self,
        engine: Engine,
        files: &FaultyFiles,
        world: &mut World,
        ending: Ending,
        number: usize,
    ) -> Result<MemoryFiles, String> {
        match ending {
            Ending::Struck(fault, after) => files.strike(fault, after),
            Ending::FullThenStruck(after, then, after_full) => {
                files.strike(Fault::DiskFull, after);
                files.strike_then(then, after_full);
            }
            Ending::Closed | Ending::Cut => {}
        }
        let choices = |client| Choices::new(self.seed, number as u64 * 16 + client);
        let tag = format!("{}-{number}", self.seed);
        work(&engine, world, &self.clock, &tag, choices, CALLS).map_err(|violation| violation.to_string())?;
        match ending {
            Ending::Struck(fault, _) if files.has_failed() => after_fault(&engine, files, world, fault)?,
            Ending::FullThenStruck(..) if files.has_failed() => after_two_faults(&engine, files, world)?,
            _ => goes_on(world)?,
        }
        if ending == Ending::Closed {
            engine.close().unwrap();
            drop(engine);
            return Ok(files.restart().unwrap());
        }
        let disk = files.restart().unwrap();
        drop(engine);
        match files.retried_syncs() {
            0 => Ok(disk),
            retried => Err(format!("{retried} syncs that had failed were tried again")),
        }
    }

    fn seed_of_files(&self) -> u64 {
        self.choices.below(usize::MAX) as u64
    }
}

/// What the store must do when a fault has struck.
fn after_fault(engine: &Engine, files: &FaultyFiles, world: &mut World, fault: Fault) -> Result<(), String> {
    match fault {
        // Whichever thread met it; it may be about to say so.
        Fault::SyncFails
        | Fault::WriteFails
        | Fault::ResizeFails
        | Fault::CreateFails
        | Fault::RemoveFails
        | Fault::DirectorySyncFails => {
            until(|| engine.failure().is_some(), &format!("the engine goes on after {fault:?}"))
        }
        Fault::DiskFull | Fault::DiskFullFor { .. } => {
            goes_on(world)?;
            recovers(engine, files, world)
        }
        Fault::PowerLoss | Fault::PowerLossIn(_) | Fault::ReadFails | Fault::ListFails => Ok(()),
    }
}

/// What the store must do when its disk was full and another fault was to come: with room again it writes, or it has stopped for
/// the other one. Nobody waits for ever.
fn after_two_faults(engine: &Engine, files: &FaultyFiles, world: &mut World) -> Result<(), String> {
    files.limit_bytes(None);
    let is_over = || {
        // Of a client that was answered so far: each has one call in doubt at most.
        let Some(log) = world.logs.iter_mut().find(|log| log.doubt.is_none()) else { return true };
        match Handle(engine).call(Operation::UpdateItem, &count_request()) {
            Answer::Done(_) => log.apply(&Doubt::Count),
            Answer::Unknown(_) => log.doubt = Some(Doubt::Count),
            _ => return false,
        }
        true
    };
    until(is_over, "no write is accepted though there is room, and the store has not stopped")?;
    match files.struck().map(|struck| struck.fault) {
        None | Some(Fault::DiskFull) => Ok(()),
        Some(_) => until(|| engine.failure().is_some(), "the engine goes on after the second fault"),
    }
}

/// No call was without an answer.
pub(crate) fn goes_on(world: &World) -> Result<(), String> {
    match world.logs.iter().find_map(|log| log.ended.as_ref()) {
        Some(ended) => Err(format!("a call was not answered: {ended}")),
        None => Ok(()),
    }
}

/// Once there is room, writes are accepted again, and the engine says that all is well.
pub(crate) fn recovers(engine: &Engine, files: &FaultyFiles, world: &mut World) -> Result<(), String> {
    files.limit_bytes(None);
    let log = &mut world.logs[0];
    let mut count_once = || match Handle(engine).call(Operation::UpdateItem, &count_request()) {
        Answer::Done(_) => {
            log.apply(&Doubt::Count);
            true
        }
        _ => false,
    };
    until(&mut count_once, "no write is accepted though there is room")?;
    until(|| engine.failure().is_none(), "the engine says that it is not well though there is room")
}

/// Waits for what another thread is about to do.
pub(crate) fn until(mut is_so: impl FnMut() -> bool, complaint: &str) -> Result<(), String> {
    let begun = Instant::now();
    while !is_so() {
        if begun.elapsed() > Duration::from_secs(20) {
            return Err(complaint.to_owned());
        }
        std::thread::yield_now();
    }
    Ok(())
}
