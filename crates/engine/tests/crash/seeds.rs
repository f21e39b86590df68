//! A hundred stores that crash three times each.

use std::fmt::{self, Display};
use std::sync::Arc;
use std::time::{Duration, Instant};

use keywright_engine::Engine;
use keywright_engine::clock::{Clock as _, ManualClock};
use keywright_engine::files::{Fault, FaultyFiles, MemoryFiles};

use crate::in_process::{Handle, calm, clock, open, work};
use crate::outcomes::each_seed;
use crate::suite::choices::Choices;
use crate::suite::schema::set_up;
use crate::suite::tokens::replay;
use crate::suite::verdict::Violation;
use crate::suite::world::{Settled, World};

const CLIENTS: usize = 4;
const ROUNDS: usize = 3;
/// What each client does in a round, unless the store ends before.
const CALLS: usize = 40;

#[test]
fn a_store_that_crashes_holds_what_was_answered_and_nothing_by_halves() {
    let outcomes = each_seed("seeds", run);
    if outcomes.len() > 1 {
        let total = |count: fn(&Round) -> usize| {
            outcomes.iter().flat_map(|outcome| &outcome.0).map(count).sum::<usize>()
        };
        let (happened, not) =
            (total(|round| round.settled.happened), total(|round| round.settled.did_not_happen));
        println!(
            "{} seeds: of the writes without an answer {happened} had happened and {not} had not",
            outcomes.len()
        );
        assert!(happened > 0 && not > 0, "the faults do not reach both sides of a commit");
        assert!(total(|round| round.crashes_while_opening) > 0 && total(|round| round.sent_again) > 0);
    }
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// It is closed.
    Closed,
    /// The power is cut when all calls are answered.
    Cut,
    /// A fault strikes within so many operations.
    Struck(Fault, u64),
}

/// What became of one round.
struct Round {
    ending: Ending,
    has_struck: bool,
    crashes_while_opening: usize,
    answered: usize,
    sent_again: usize,
    settled: Settled,
}

/// What became of a seed.
struct Outcome(Vec<Round>);

impl Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for round in &self.0 {
            let struck = if round.has_struck { "struck" } else { "not met" };
            write!(
                formatter,
                "[{:?} {struck}, {} answered, {} crashes while opening, {} sent again, in doubt {} happened {} not] ",
                round.ending,
                round.answered,
                round.crashes_while_opening,
                round.sent_again,
                round.settled.happened,
                round.settled.did_not_happen
            )?;
        }
        Ok(())
    }
}

fn run(seed: u64) -> Result<Outcome, String> {
    let run = Run { seed, choices: Choices::new(seed, 1_000), clock: clock() };
    let mut world = World::new(CLIENTS);
    let mut disk = MemoryFiles::new();
    let mut rounds = Vec::new();
    for number in 0..ROUNDS {
        let ending = run.ending();
        let (crashes_while_opening, opened) = run.crash_while_opening(disk, ending)?;
        let files = calm(&opened, run.choices.seed());
        let engine = open(Arc::new(files.clone()), &run.clock)
            .map_err(|error| format!("round {number} does not open: {error}"))?;
        let at = |violation: Violation| format!("round {number}, {ending:?}: {violation}");
        let (settled, sent_again) = match number {
            0 => set_up(&mut Handle(&engine)).map(|()| (Settled::default(), 0)),
            _ => run.check(&engine, &mut world),
        }
        .map_err(at)?;
        let answered = world.logs.iter().map(|log| log.answered).sum::<usize>();
        disk = run.work_and_crash(engine, &files, &mut world, ending, number)?;
        let answered = world.logs.iter().map(|log| log.answered).sum::<usize>() - answered;
        let has_struck = matches!(ending, Ending::Struck(..)) && files.has_failed();
        rounds.push(Round { ending, has_struck, crashes_while_opening, answered, sent_again, settled });
    }
    let (_, opened) = run.crash_while_opening(disk, Ending::Cut)?;
    let engine =
        open(Arc::new(opened), &run.clock).map_err(|error| format!("does not open at last: {error}"))?;
    run.check(&engine, &mut world).map_err(|violation| format!("at last: {violation}"))?;
    run.check_statistics(&engine, &mut world).map_err(|violation| format!("at last: {violation}"))?;
    Ok(Outcome(rounds))
}

struct Run {
    seed: u64,
    choices: Choices,
    clock: ManualClock,
}

impl Run {
    fn ending(&self) -> Ending {
        let within = 1 << self.choices.below(10);
        let after = self.choices.below(within) as u64;
        match self.choices.below(12) {
            0 => Ending::Closed,
            1..=2 => Ending::Cut,
            3..=4 => Ending::Struck(Fault::SyncFails, after),
            5 => Ending::Struck(Fault::DiskFull, after),
            6 => Ending::Struck(Fault::DiskFullFor { refusals: 1 + self.choices.below(20) as u64 }, after),
            7 => Ending::Struck(Fault::ReadFails, after),
            _ => Ending::Struck(Fault::PowerLoss, after),
        }
    }

    /// The machine may fail while the store opens, more than once.
    fn crash_while_opening(
        &self,
        mut disk: MemoryFiles,
        ending: Ending,
    ) -> Result<(usize, MemoryFiles), String> {
        let mut crashes = 0;
        for _ in 0..self.choices.below(3) {
            let files = calm(&disk, self.choices.seed());
            let fault = match self.choices.below(6) {
                0 => Fault::SyncFails,
                1 => Fault::DiskFull,
                _ => Fault::PowerLoss,
            };
            files.strike(fault, self.choices.below(40) as u64);
            let opened = open(Arc::new(files.clone()), &self.clock);
            crashes += usize::from(files.has_failed());
            if let Err(error) = &opened
                && (!files.has_failed() || error.to_string().contains("is damaged"))
            {
                return Err(format!("after {ending:?}, and {fault:?} while it opens: {error}"));
            }
            disk = files.restart().unwrap();
        }
        Ok((crashes, disk))
    }

    fn check(&self, engine: &Engine, world: &mut World) -> Result<(Settled, usize), Violation> {
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
    fn check_statistics(&self, engine: &Engine, world: &mut World) -> Result<(), Violation> {
        self.clock.advance(Duration::from_secs(6 * 60 * 60));
        world.check_statistics(&mut Handle(engine))
    }

    /// Lets the clients work until the end of the round; answers what the disk holds then.
    fn work_and_crash(
        &self,
        engine: Engine,
        files: &FaultyFiles,
        world: &mut World,
        ending: Ending,
        number: usize,
    ) -> Result<MemoryFiles, String> {
        if let Ending::Struck(fault, after) = ending {
            files.strike(fault, after);
        }
        let choices = |client| Choices::new(self.seed, number as u64 * 16 + client);
        let tag = format!("{}-{number}", self.seed);
        let worked = work(&engine, world, &self.clock, &tag, choices, CALLS);
        worked.map_err(|violation| format!("while round {number} ran, {ending:?}: {violation}"))?;
        if let Ending::Struck(fault, _) = ending
            && files.has_failed()
        {
            after_fault(&engine, fault)
                .map_err(|failure| format!("round {number}, {ending:?}: {failure}"))?;
        }
        if ending == Ending::Closed {
            engine.close();
            drop(engine);
            return Ok(files.restart().unwrap());
        }
        let disk = files.restart().unwrap();
        drop(engine);
        match files.retried_syncs() {
            0 => Ok(disk),
            retried => {
                Err(format!("round {number}, {ending:?}: {retried} syncs that had failed were tried again"))
            }
        }
    }
}

/// A failed sync ends the engine, whichever thread met it.
fn after_fault(engine: &Engine, fault: Fault) -> Result<(), String> {
    match fault {
        Fault::SyncFails => {
            within_seconds(|| engine.failure().is_some(), "the engine goes on after a failed sync")
        }
        Fault::PowerLoss | Fault::ReadFails | Fault::DiskFull | Fault::DiskFullFor { .. } => Ok(()),
    }
}

/// Waits for what another thread is about to do.
fn within_seconds(mut is_so: impl FnMut() -> bool, complaint: &str) -> Result<(), String> {
    let begun = Instant::now();
    while !is_so() {
        if begun.elapsed() > Duration::from_secs(10) {
            return Err(complaint.to_owned());
        }
        std::thread::yield_now();
    }
    Ok(())
}
