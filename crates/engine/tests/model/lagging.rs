//! Indexes that lag by a fault: each global one is what its definition makes of the table as it was so long ago, and each local
//! one is never behind.

use std::sync::Arc;
use std::time::Duration;

use keywright_engine::clock::{Clock, ManualClock, Timestamp};
use keywright_engine::faults::{Fault, Faults, Rule};
use keywright_engine::{Engine, Options};

use crate::definitions::{Client, check_index, table};
use crate::plan::{Item, TablePlan};
use crate::seeds::{Choices, Runs};

const CLIENTS: u64 = 3;
const ROUNDS: u64 = 12;
/// What each client writes while the clock stands still.
const WRITES: usize = 5;
const LAG: Duration = Duration::from_millis(250);
/// Between two rounds: more of them than one lie within the lag, now and then none.
const STEPS: [u64; 5] = [1, 50, 100, 249, 400];

#[test]
fn an_index_that_lags_is_its_definition_over_the_table_as_it_was() {
    Runs { short: 30, long: 1_000 }.each(run);
}

fn run(seed: u64) {
    let choices = Choices::new(seed, 100);
    let plan = TablePlan::random(&choices);
    println!("{plan:?}");
    let clock = ManualClock::new(Timestamp::from_milliseconds(1_700_000_000_000));
    let faults = Faults::new(seed).rule(Rule::new(Fault::IndexLag(LAG))).unwrap();
    let engine = Engine::open(Options::memory().clock(Arc::new(clock.clone())).faults(faults)).unwrap();
    plan.create(&engine);
    let mut past: Vec<(Timestamp, Vec<Item>)> = vec![(clock.now(), Vec::new())];
    for round in 0..ROUNDS {
        clock.advance(Duration::from_millis(*choices.of(&STEPS)));
        std::thread::scope(|scope| {
            for number in 0..CLIENTS {
                let client = Client::new(&engine, &plan, Choices::new(seed, round * CLIENTS + number));
                scope.spawn(move || (0..WRITES).for_each(|_| client.write()));
            }
        });
        past.push((clock.now(), table(&engine)));
        check(&engine, &plan, &past, clock.now(), &choices);
        let later = Duration::from_millis(choices.below(300) as u64);
        clock.advance(later);
        check(&engine, &plan, &past, clock.now(), &choices);
    }
}

/// Compares each index with the last of the tables that it may show.
fn check(
    engine: &Engine,
    plan: &TablePlan,
    past: &[(Timestamp, Vec<Item>)],
    now: Timestamp,
    choices: &Choices,
) {
    let (_, current) = past.last().unwrap();
    let (_, seen) = past.iter().rfind(|(at, _)| at.plus(LAG) <= now).unwrap_or(&past[0]);
    for index in &plan.indexes {
        check_index(engine, index, if index.is_local { current } else { seen }, choices);
    }
}
