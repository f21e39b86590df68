//! `cargo bench -p keywright-engine`: calls of an engine in this process, without the SDK: JSON in, JSON out.
//!
//! Four engines are open together, in memory and on a directory, with few and with many items of 1 KB; rounds visit them in
//! turn, so that a slow minute of the machine hits all. `docs/benchmarks.md` says how to call it and what the figures mean.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark that fails says where, and printing is its work"
)]

mod measure;
mod scene;

use std::time::Duration;

use measure::{Latencies, calls_per_second, latencies, median};
use scene::{Call, Place, Scene};

/// The bars: the median of a call on one thread, in memory and with few items, in microseconds.
const BARS: [(Call, f64); 2] = [(Call::GetItem, 4.0), (Call::Query20, 20.0)];
/// Two threads that read do at least so many times what one does.
const TWO_THREADS_BAR: f64 = 1.7;
/// With many items a call takes at most so many times what it takes with few.
const MANY_ITEMS_BAR: f64 = 2.0;

/// How much is measured.
struct Plan {
    few: usize,
    many: usize,
    rounds: usize,
    slice: Duration,
    calls: Vec<Call>,
    places: Vec<Place>,
}

impl Plan {
    /// `cargo test` runs benchmarks, too: once and briefly, to see that they work. In `cargo bench -- 100000 GetItem memory`
    /// the number is that of the many items, and names restrict what is called and where.
    fn of_arguments() -> Plan {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let is_measuring = arguments.iter().any(|argument| argument == "--bench");
        let (few, many) = if is_measuring { (10_000, 1_000_000) } else { (200, 400) };
        let (rounds, slice) = if is_measuring { (9, 300) } else { (1, 1) };
        let is_named = |name: &str| arguments.iter().any(|argument| argument == name);
        let calls: Vec<Call> = Call::ALL.into_iter().filter(|call| is_named(call.name())).collect();
        let places: Vec<Place> = Place::ALL.into_iter().filter(|place| is_named(place.name())).collect();
        Plan {
            few,
            many: arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(many),
            rounds,
            slice: Duration::from_millis(slice),
            calls: if calls.is_empty() { Call::ALL.to_vec() } else { calls },
            places: if places.is_empty() { Place::ALL.to_vec() } else { places },
        }
    }
}

/// What the rounds gave for one call on one engine.
#[derive(Default)]
struct Cell {
    latencies: Latencies,
    one_thread: Vec<f64>,
    more_threads: Vec<f64>,
}

fn main() {
    let plan = Plan::of_arguments();
    let scenes: Vec<Scene> = plan
        .places
        .iter()
        .flat_map(|place| [(*place, plan.few), (*place, plan.many)])
        .map(|(place, items)| Scene::new(place, items))
        .collect();
    println!(
        "{:<8} {:<10} {:>9} {:>9} {:>9} {:>9} {:>11} {:>14}",
        "call", "in", "items", "p50 µs", "p99 µs", "max µs", "calls/s", "more threads"
    );
    for call in &plan.calls {
        let mut cells: Vec<Cell> = scenes.iter().map(|_| Cell::default()).collect();
        for round in 0..plan.rounds {
            for turn in 0..scenes.len() {
                // Each round begins with another engine, so that none always follows the same neighbour.
                let place = (turn + round) % scenes.len();
                let (scene, cell) = (&scenes[place], &mut cells[place]);
                cell.latencies.extend(latencies(scene, *call, plan.slice));
                cell.one_thread.push(calls_per_second(scene, *call, plan.slice, 1));
                cell.more_threads.push(calls_per_second(scene, *call, plan.slice, call.threads()));
            }
        }
        print(*call, &scenes, cells);
    }
}

/// A line for each engine, and how the bars are met.
fn print(call: Call, scenes: &[Scene], cells: Vec<Cell>) {
    let mut medians = Vec::new();
    for (scene, mut cell) in scenes.iter().zip(cells) {
        let one = median(cell.one_thread);
        let ratio = median(cell.more_threads) / one;
        let [p50, p99, most] = [50, 99, 100].map(|percent| cell.latencies.percentile(percent));
        let mut verdict = String::new();
        if call.is_read() {
            verdict = format!("  bar {TWO_THREADS_BAR}: {}", word(ratio >= TWO_THREADS_BAR));
        }
        if let Some((_, bar)) = BARS.iter().find(|(of, _)| *of == call) {
            verdict.push_str(&format!("; bar {bar} µs: {}", word(p50 < *bar)));
        }
        let more = format!("{} x {ratio:.2}", call.threads());
        println!(
            "{:<8} {:<10} {:>9} {p50:>9.2} {p99:>9.2} {most:>9.0} {one:>11.0} {more:>14}{verdict}",
            call.name(),
            scene.place().name(),
            scene.items(),
        );
        medians.push((scene.place(), p50));
    }
    for pair in medians.chunks_exact(2) {
        let (place, many_to_few) = (pair[0].0, pair[1].1 / pair[0].1);
        let verdict = word(many_to_few <= MANY_ITEMS_BAR);
        println!(
            "         {:<10} many items / few: {many_to_few:.2}  bar {MANY_ITEMS_BAR}: {verdict}",
            place.name()
        );
    }
}

fn word(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}
