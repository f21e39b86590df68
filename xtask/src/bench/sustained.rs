//! Puts that go on: fresh random keys over many items with one index, and the start after a kill.
//!
//! The servers run one after another, since each keeps the disk busy. A key is never put twice, and keys come in an order that
//! looks like none, so each put changes another page of the table and of the index.

use std::thread;
use std::time::{Duration, Instant};

use super::load::{self, Measured, Measurement};
use super::peer::{Builds, Kind, Peer};
use super::report::{self, milliseconds};
use super::request::{ITEMS_IN_A_BATCH, Workload};
use super::{Options, bars};
use crate::failure::{Failure, Outcome};
use crate::workspace::Workspace;

/// Requests under way at all times.
const CONNECTIONS: usize = 16;

/// What `--quick` measures instead.
const QUICK_ITEMS: usize = 5_000;
const QUICK_SECONDS: f64 = 1.0;

/// The bars of ours, in milliseconds.
const P99_BAR: f64 = 20.0;
const GAP_BAR: f64 = 100.0;
const START_BAR: f64 = 2_000.0;

/// What one server gave.
struct Run {
    kind: Kind,
    loaded_in: Duration,
    puts: Measured,
    start_after_kill: Duration,
}

/// Stores the items, measures the puts, kills the server and starts it again.
pub(super) fn run(workspace: &Workspace, options: &Options) -> Outcome {
    let (items, seconds) = match options.quick {
        true => (QUICK_ITEMS, QUICK_SECONDS),
        false => (options.items, options.seconds.unwrap_or(60.0)),
    };
    let durable = [Kind::KeywrightDirectory, Kind::DynoxideFile];
    let kinds: Vec<Kind> = match options.only.as_slice() {
        [] => durable.to_vec(),
        only => only.to_vec(),
    };
    if let Some(kind) = kinds.iter().find(|kind| !durable.contains(kind)) {
        let message = format!("--sustained measures what is durable, and {} is not", kind.name());
        return Err(Failure::new(message));
    }
    let builds = Builds::install(workspace, &kinds)?;
    let disk = report::print_machine(builds.data_directory());
    let duration = Duration::from_secs_f64(seconds);
    let runs = kinds
        .iter()
        .map(|kind| {
            println!("{}: storing {items} items", kind.name());
            measure(&builds, *kind, items, duration)
        })
        .collect::<Outcome<Vec<Run>>>()?;

    println!(
        "\nputs of 1 KB under fresh random keys over {items} items with one index, {CONNECTIONS} connections, {seconds} s\n"
    );
    println!(
        "{:<24} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>11} {:>13} {:>12}",
        "", "loaded s", "puts/s", "p50 ms", "p99 ms", "max ms", "gap ms", "errors", "again ms", "ours / this"
    );
    let ours = runs.iter().find(|run| run.kind == Kind::KeywrightDirectory);
    for run in &runs {
        print(run, ours, disk);
    }
    let errors = runs.iter().filter_map(|run| Some((run.kind, run.puts.first_error.as_ref()?)));
    let errors: Vec<String> = errors.map(|(kind, error)| format!("{}: {error}", kind.name())).collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Failure::from_findings("puts were answered wrongly", &errors))
    }
}

fn measure(builds: &Builds, kind: Kind, items: usize, duration: Duration) -> Outcome<Run> {
    let peer = Peer::start_empty(builds, kind)?;
    let started = Instant::now();
    let batches = items.div_ceil(ITEMS_IN_A_BATCH);
    load::send_all(peer.address(), &Workload::fresh_batches(), batches, CONNECTIONS)?;
    let loaded_in = started.elapsed();
    // What was stored may still be on its way to its place.
    thread::sleep(Duration::from_secs(1));
    let puts = Measurement {
        address: peer.address(),
        workload: &Workload::fresh_puts(),
        answer: kind.answer(),
        connections: CONNECTIONS,
        duration,
    }
    .run()?;
    let (_again, start_after_kill) = peer.kill_and_start(builds)?;
    Ok(Run { kind, loaded_in, puts, start_after_kill })
}

/// A line of figures, and for ours one of bars.
fn print(run: &Run, ours: Option<&Run>, disk: bars::Disk) {
    let Run { kind, loaded_in, puts, start_after_kill } = run;
    let [p50, p99, most] = [50, 99, 100].map(|percent| milliseconds(puts.latencies.percentile(percent)));
    let (gap, again) = (milliseconds(puts.longest_gap), milliseconds(*start_after_kill));
    let ratio = ours.filter(|ours| ours.kind != *kind).map(|ours| {
        let ratio = ours.puts.operations_per_second / puts.operations_per_second;
        match bars::least_ratio("PutFresh", CONNECTIONS, *kind, disk) {
            Some(bar) => format!("{ratio:.2}  bar {bar}: {}", bars::word(ratio >= bar)),
            None => format!("{ratio:.2}"),
        }
    });
    println!(
        "{:<24} {:>8.0} {:>8.0} {p50:>8.2} {p99:>8.2} {most:>8.1} {gap:>8.1} {:>11} {again:>13.0} {:>12}",
        kind.name(),
        loaded_in.as_secs_f64(),
        puts.operations_per_second,
        puts.errors,
        ratio.unwrap_or_default(),
    );
    if *kind == Kind::KeywrightDirectory {
        println!(
            "  bars: p99 {P99_BAR} ms: {}, gap {GAP_BAR} ms: {}, again {START_BAR} ms: {}",
            bars::word(p99 < P99_BAR),
            bars::word(gap < GAP_BAR),
            bars::word(again < START_BAR),
        );
    }
}
