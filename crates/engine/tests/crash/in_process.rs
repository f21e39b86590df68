//! An engine in this process as the suite's clients see it, and how the tests here open one.

use std::sync::Arc;

use keywright_api::Operation;
use keywright_engine::clock::{Clock as _, ManualClock, Timestamp};
use keywright_engine::files::{Fault, FaultPlan, FaultyFiles, Files, MemoryFiles};
use keywright_engine::random::SeededRandom;
use keywright_engine::storage::{DurableOptions, Workers};
use keywright_engine::{Engine, OpenError, Options};
use serde_json::Value;

use crate::suite::choices::Choices;
use crate::suite::client::{Answer, Client};
use crate::suite::log::Log;
use crate::suite::verdict::Violation;
use crate::suite::workload::Worker;
use crate::suite::world::World;

pub(crate) fn clock() -> ManualClock {
    ManualClock::new(Timestamp::from_milliseconds(1_700_000_000_000))
}

/// One item in some is so large.
pub(crate) const LARGEST_BYTES: usize = 20_000;

/// A store that does within a few hundred writes what it does within many thousands by default: it freezes, applies, rolls,
/// removes segments, and holds writers up.
pub(crate) fn settings(workers: Workers) -> DurableOptions {
    DurableOptions {
        cache_size_bytes: 256 << 10,
        segment_bytes: 48 << 10,
        freeze_bytes: 64 << 10,
        freeze_log_bytes: 256 << 10,
        most_held_bytes: 96 << 10,
        workers,
        ..DurableOptions::default()
    }
}

pub(crate) fn open(files: Arc<dyn Files>, clock: &ManualClock) -> Result<Engine, OpenError> {
    open_with(files, clock, Workers::Threads)
}

pub(crate) fn open_with(
    files: Arc<dyn Files>,
    clock: &ManualClock,
    workers: Workers,
) -> Result<Engine, OpenError> {
    let options =
        Options::files(files).clock(Arc::new(clock.clone())).random(Arc::new(SeededRandom::new(42)));
    Engine::open(options.storage(settings(workers)))
}

/// Files over others, in which nothing fails until a fault is planned.
pub(crate) fn calm(files: &MemoryFiles, seed: u64) -> FaultyFiles {
    let never = FaultPlan { seed, fault: Fault::PowerLoss, at_operation: u64::MAX };
    FaultyFiles::over(files, never).unwrap()
}

/// One client of an engine.
pub(crate) struct Handle<'engine>(pub(crate) &'engine Engine);

impl Client for Handle<'_> {
    fn call(&mut self, operation: Operation, body: &Value) -> Answer {
        let mut answer = Vec::new();
        match self.0.call_wire(operation, body.to_string().as_bytes()).wait() {
            Ok(response) => {
                response.write_json(&mut answer);
                Answer::Done(serde_json::from_slice(&answer).unwrap())
            }
            Err(error) => {
                let name = error.wire_name().split('#').next_back().unwrap();
                Answer::of_error(name, &error.message().unwrap_or_default())
            }
        }
    }
}

/// All clients at work at once, until each has made so many calls or had one without an answer.
pub(crate) fn work(
    engine: &Engine,
    world: &mut World,
    clock: &ManualClock,
    run: &str,
    choices: impl Fn(u64) -> Choices + Sync,
    calls: usize,
) -> Result<(), Violation> {
    let now = clock.now().milliseconds();
    let worker = |log: &mut Log| {
        let choices = choices(log.number as u64);
        let run = run.to_owned();
        Worker { client: Box::new(Handle(engine)), log, choices, now, run, largest_bytes: LARGEST_BYTES }
            .work(calls)
    };
    std::thread::scope(|scope| {
        let worker = &worker;
        let clients: Vec<_> = world.logs.iter_mut().map(|log| scope.spawn(move || worker(log))).collect();
        clients.into_iter().try_for_each(|client| client.join().unwrap())
    })
}
