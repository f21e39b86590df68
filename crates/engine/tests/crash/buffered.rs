//! Stores that answer before they sync: a power loss takes the last writes, and leaves what was there at some moment before.
//!
//! Each client's items are those after one of its calls, transactions are whole, and indexes and balances fit, since what is
//! left is the beginning of what the store decided. A close and an end of the process lose nothing; the latter is shown by
//! killing a server.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::sync::Arc;
use std::time::Duration;

use keywright_engine::clock::{Clock as _, ManualClock};
use keywright_engine::files::{Fault, FaultyFiles, MemoryFiles};
use keywright_engine::random::SeededRandom;
use keywright_engine::storage::{Durability, DurableOptions, Workers};
use keywright_engine::{Engine, Options};

use crate::each_seed::each_seed;
use crate::in_process::{Handle, LARGEST_BYTES, calm, clock, settings};
use crate::outcomes::Outcomes;
use crate::suite::choices::Choices;
use crate::suite::client::{Item, number};
use crate::suite::found::Found;
use crate::suite::log::{Log, Place};
use crate::suite::schema::{THINGS, set_up};
use crate::suite::verdict::{Kind, Violation};
use crate::suite::workload::{Next, Worker};
use crate::suite::world::World;

const CLIENTS: usize = 3;
const ROUNDS: usize = 3;
const CALLS: usize = 40;

#[test]
fn a_power_loss_takes_only_the_last_writes_of_a_store_that_answers_before_it_syncs() {
    let mut told = Outcomes::new("buffered");
    let outcomes = each_seed(&mut told, run);
    let lost = outcomes.iter().map(|outcome| outcome.lost).sum::<usize>();
    let kept = outcomes.iter().map(|outcome| outcome.kept).sum::<usize>();
    told.say(&format!(
        "{} seeds: {kept} answered calls were there after a power loss, and {lost} were not",
        outcomes.len()
    ));
    told.finish();
    assert!(outcomes.len() == 1 || (lost > 0 && kept > lost), "{lost} lost, {kept} kept");
}

/// Of the calls that were answered.
#[derive(Default)]
struct Outcome {
    kept: usize,
    lost: usize,
}

impl Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} kept, {} lost, well", self.kept, self.lost)
    }
}

/// A client's items and tables at some moment.
type Moment = (BTreeMap<Place, Item>, BTreeSet<String>);

fn run(seed: u64) -> Result<Outcome, String> {
    let (choices, clock, mut world) = (Choices::new(seed, 2_000), clock(), World::new(CLIENTS));
    let workers = *choices.of(&[Workers::Threads, Workers::Caller]);
    let (mut disk, mut outcome) = (MemoryFiles::new(), Outcome::default());
    for round in 0..ROUNDS {
        let at = |failure: &dyn Display| format!("round {round}, {workers:?}: {failure}");
        let files = calm(&disk, seed * 8 + round as u64);
        let engine = open(&files, &clock, workers).map_err(|failure| at(&failure))?;
        if round == 0 {
            set_up(&mut Handle(&engine)).map_err(|violation| at(&violation))?;
            // What is closed is durable.
            engine.close().unwrap();
            drop(engine);
            disk = files.restart().unwrap();
            continue;
        }
        files.strike(Fault::PowerLoss, choices.below(1 << choices.below(9)) as u64);
        let moments =
            work(&engine, &mut world, &clock, seed * 8 + round as u64).map_err(|violation| at(&violation))?;
        disk = files.restart().unwrap();
        drop(engine);

        let files = calm(&disk, seed);
        let engine = open(&files, &clock, workers).map_err(|failure| at(&failure))?;
        adopt(&mut world, &engine, &moments, &mut outcome).map_err(|violation| at(&violation))?;
        world.check(&mut Handle(&engine)).map_err(|violation| at(&violation))?;
        clock.advance(Duration::from_secs(6 * 60 * 60));
        world.check_statistics(&mut Handle(&engine)).map_err(|violation| at(&violation))?;
    }
    Ok(outcome)
}

fn open(files: &FaultyFiles, clock: &ManualClock, workers: Workers) -> Result<Engine, String> {
    let options = DurableOptions { durability: Durability::Buffered, ..settings(workers) };
    let options = Options::files(Arc::new(files.clone())).clock(Arc::new(clock.clone())).storage(options);
    let opened = Engine::open(options.random(Arc::new(SeededRandom::new(42))));
    opened.map_err(|error| format!("does not open: {error}"))
}

/// All clients at work; answers what each of them had before its first call, and after each.
fn work(
    engine: &Engine,
    world: &mut World,
    clock: &ManualClock,
    run: u64,
) -> Result<Vec<Vec<Moment>>, Violation> {
    let now = clock.now().milliseconds();
    let client = |log: &mut Log| {
        let choices = Choices::new(run, log.number as u64);
        let client = Box::new(Handle(engine));
        let mut worker =
            Worker { client, log, choices, now, run: run.to_string(), largest_bytes: LARGEST_BYTES };
        let moment = |worker: &Worker<'_>| (worker.log.items.clone(), worker.log.tables.clone());
        let mut moments = vec![moment(&worker)];
        for _ in 0..CALLS {
            let next = worker.step()?;
            moments.push(moment(&worker));
            if next == Next::End {
                break;
            }
        }
        Ok(moments)
    };
    let client = &client;
    std::thread::scope(|scope| {
        let clients: Vec<_> = world.logs.iter_mut().map(|log| scope.spawn(move || client(log))).collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    })
}

/// Lets each client forget what the power loss took; what is there must be of one moment.
fn adopt(
    world: &mut World,
    engine: &Engine,
    moments: &[Vec<Moment>],
    outcome: &mut Outcome,
) -> Result<(), Violation> {
    let found = Found::read(&mut Handle(engine))?;
    for (log, moments) in world.logs.iter_mut().zip(moments) {
        let items = found.items.iter().filter(|(place, _)| log.owns(place));
        let items: BTreeMap<Place, Item> = items.map(|(place, item)| (place.clone(), item.clone())).collect();
        let tables: BTreeSet<String> =
            found.tables.iter().filter(|name| log.owns_table(name)).cloned().collect();
        let there = (items, tables);
        // The latest one; if there is none, then the call without an answer happened, or the check that follows finds out.
        let place = moments.iter().rposition(|moment| *moment == there);
        if let Some(place) = place {
            (log.items, log.tables) = there;
            log.doubt = None;
            outcome.lost += moments.len() - 1 - place;
        }
        outcome.kept += place.unwrap_or(moments.len() - 1);
        log.sent.clear();
        log.highest_count = 0;
    }
    adopt_count(world, &found)
}

/// The counter is at most what it was and what was added to it.
fn adopt_count(world: &mut World, found: &Found) -> Result<(), Violation> {
    let place = Place { table: THINGS.to_owned(), pk: "counter".to_owned(), sk: 0 };
    let count = found.items.get(&place).and_then(|item| number(item, "n"));
    let most = world.count + world.logs.iter().map(|log| log.counted + 1).sum::<i64>();
    match count {
        Some(count) if (world.count..=most).contains(&count) => {
            world.count = count;
            world.logs.iter_mut().for_each(|log| log.counted = 0);
            Ok(())
        }
        count => Err(Violation::new(Kind::Counter, format!("{count:?}, from {} to {most}", world.count))),
    }
}
