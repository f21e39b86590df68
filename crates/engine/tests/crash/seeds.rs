//! A hundred stores that crash three times each, and whenever they open.

use std::fmt::{self, Display};
use std::sync::Arc;

use keywright_engine::files::{Fault, Files, MemoryFiles, Operation, Struck};
use keywright_engine::storage::Workers;

use crate::each_seed::each_seed;
use crate::events;
use crate::in_process::Handle;
use crate::life::{Ending, Life};
use crate::outcomes::Outcomes;
use crate::suite::schema::set_up;
use crate::suite::world::{Settled, World};

const CLIENTS: usize = 4;
const ROUNDS: usize = 3;

#[test]
fn a_store_that_crashes_holds_what_was_answered_and_nothing_by_halves() {
    let events = events::count();
    let mut told = Outcomes::new("seeds");
    let outcomes = each_seed(&mut told, run);
    let is_suite = outcomes.len() > 1;
    if is_suite {
        tell_coverage(&outcomes, &mut told);
        told.say(&events.to_string());
    }
    told.finish();
    if is_suite {
        check_coverage(&outcomes);
        events.check();
    }
}

fn total(outcomes: &[Outcome], count: fn(&Round) -> usize) -> usize {
    outcomes.iter().flat_map(|outcome| &outcome.rounds).map(count).sum()
}

/// How many power losses met something.
fn met(outcomes: &[Outcome], meets: Meets) -> usize {
    let struck =
        outcomes.iter().flat_map(|outcome| &outcome.rounds).filter_map(|round| round.struck.as_ref());
    struck.filter(|struck| is_power_loss(struck) && meets(struck)).count()
}

fn tell_coverage(outcomes: &[Outcome], told: &mut Outcomes) {
    let total = |count| total(outcomes, count);
    let segments = outcomes.iter().map(|outcome| outcome.segments).sum::<u64>();
    told.say(&format!(
        "{} seeds, {} of {} faults struck, {} crashes while opening, {} answered, {} refused by a full disk; of the writes \
         without an answer {} had happened and {} had not; {} transactions sent again; {segments} segments",
        outcomes.len(),
        total(|round| usize::from(round.struck.is_some())),
        total(|round| usize::from(matches!(round.ending, Ending::Struck(..) | Ending::FullThenStruck(..)))),
        total(|round| round.crashes_while_opening),
        total(|round| round.answered),
        total(|round| round.refused),
        total(|round| round.settled.happened),
        total(|round| round.settled.did_not_happen),
        total(|round| round.sent_again),
    ));
    for (what, meets) in MOMENTS {
        told.say(&format!("{} power losses met {what}", met(outcomes, meets)));
    }
}

/// A suite whose faults meet nothing would always pass.
fn check_coverage(outcomes: &[Outcome]) {
    let total = |count| total(outcomes, count);
    let (happened, not) =
        (total(|round| round.settled.happened), total(|round| round.settled.did_not_happen));
    assert!(happened > 0 && not > 0, "the faults do not reach both sides of a commit");
    assert!(total(|round| round.crashes_while_opening) > 0, "no store crashed while it opened");
    assert!(total(|round| round.refused) > 0, "no disk was full");
    let second = |round: &Round| {
        matches!(round.ending, Ending::FullThenStruck(..))
            && round.struck.as_ref().is_some_and(|struck| struck.fault != Fault::DiskFull)
    };
    assert!(
        outcomes.iter().flat_map(|outcome| &outcome.rounds).any(second),
        "no disk failed after it was full"
    );
    for (what, meets) in MOMENTS {
        assert!(met(outcomes, meets) > 0, "no power loss met {what}");
    }
}

fn is_power_loss(struck: &Struck) -> bool {
    matches!(struck.fault, Fault::PowerLoss | Fault::PowerLossIn(_))
}

/// What is under way when power is lost.
type Meets = fn(&Struck) -> bool;

/// The moments that a crash must meet for a suite to say something about them.
const MOMENTS: [(&str, Meets); 4] = [
    ("a frame", |struck| is_of_log(struck) && struck.operation == Operation::Overwrite),
    ("an apply", |struck| struck.file.as_deref() == Some("keywright.tree")),
    ("a segment that was being prepared", |struck| {
        is_of_log(struck) && struck.operation == Operation::WriteThatNeedsRoom
    }),
    ("a removal", |struck| struck.operation == Operation::Remove),
];

fn is_of_log(struck: &Struck) -> bool {
    struck.file.as_ref().is_some_and(|name| name.starts_with("log-"))
}

/// What became of one round.
struct Round {
    ending: Ending,
    workers: Workers,
    struck: Option<Struck>,
    crashes_while_opening: usize,
    answered: usize,
    refused: usize,
    sent_again: usize,
    settled: Settled,
}

/// What became of a seed.
struct Outcome {
    rounds: Vec<Round>,
    /// How many segments its log has had.
    segments: u64,
}

impl Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for round in &self.rounds {
            let struck = if round.struck.is_some() { "struck" } else { "not met" };
            write!(
                formatter,
                "[{} crashes while opening; of what was in doubt {} happened and {} not; {} sent again; {:?}, {:?} {struck}, {} \
                 answered, {} refused] ",
                round.crashes_while_opening,
                round.settled.happened,
                round.settled.did_not_happen,
                round.sent_again,
                round.workers,
                round.ending,
                round.answered,
                round.refused,
            )?;
        }
        write!(formatter, "{} segments, well", self.segments)
    }
}

fn run(seed: u64) -> Result<Outcome, String> {
    let life = Life::new(seed);
    let mut world = World::new(CLIENTS);
    let mut disk = MemoryFiles::new();
    let mut outcome = Outcome { rounds: Vec::new(), segments: 0 };
    for number in 0..ROUNDS {
        let (ending, workers) = life.ending();
        let (crashes_while_opening, opened) =
            life.crash_while_opening(disk).map_err(|failure| format!("before round {number}: {failure}"))?;
        let (engine, files) =
            life.open(&opened, workers).map_err(|failure| format!("round {number}: {failure}"))?;
        let checked = match number {
            0 => set_up(&mut Handle(&engine)).map(|()| (Settled::default(), 0)),
            _ => life.check(&engine, &mut world),
        };
        let (settled, sent_again) = checked.map_err(|violation| format!("round {number}: {violation}"))?;
        let (answered, refused) = counts(&world);
        disk = life
            .work_and_crash(engine, &files, &mut world, ending, number)
            .map_err(|failure| format!("round {number}, {workers:?}, {ending:?}: {failure}"))?;
        let (answered, refused) = (counts(&world).0 - answered, counts(&world).1 - refused);
        outcome.segments = outcome.segments.max(last_segment(&disk));
        outcome.rounds.push(Round {
            ending,
            workers,
            struck: files.struck(),
            crashes_while_opening,
            answered,
            refused,
            sent_again,
            settled,
        });
    }
    let (_, opened) = life.crash_while_opening(disk).map_err(|failure| format!("at last: {failure}"))?;
    let (engine, _files) =
        life.open(&opened, Workers::Threads).map_err(|failure| format!("at last: {failure}"))?;
    life.check(&engine, &mut world).map_err(|violation| format!("at last: {violation}"))?;
    life.check_statistics(&engine, &world).map_err(|violation| format!("at last: {violation}"))?;
    Ok(outcome)
}

/// Writes that were answered, and that a full disk refused.
fn counts(world: &World) -> (usize, usize) {
    let sum = |(answered, refused), log: &crate::suite::log::Log| {
        (answered + log.answered, refused + log.refused_by_full_disk)
    };
    world.logs.iter().fold((0, 0), sum)
}

fn last_segment(disk: &MemoryFiles) -> u64 {
    let ordinal = |name: &String| u64::from_str_radix(name.strip_prefix("log-")?, 16).ok();
    Arc::new(disk.clone()).list().unwrap().iter().filter_map(ordinal).max().unwrap_or(0)
}
