//! The tables of the benchmark.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::bars::{self, Disk};
use super::latency::{Latencies, median};
use super::load::Measured;
use super::peer::{Kind, Start};
use crate::failure::{Failure, Outcome};

/// The bars of an idle server of ours.
const START_BAR_MILLISECONDS: f64 = 20.0;
const IDLE_BAR_MEGABYTES: f64 = 15.0;

/// One measurement with its place in the tables.
pub(super) struct Cell {
    pub(super) kind: Kind,
    pub(super) operation: &'static str,
    pub(super) connections: usize,
    pub(super) result: Measured,
}

/// Says what the figures were measured on, and answers how fast the disk is, which is that of `directory`.
pub(super) fn print_machine(directory: &Path) -> Disk {
    let cores = thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let sync = sync_latency(directory);
    println!(
        "\nmachine: {cores} cores ({} {}), shared by the server and the load; a sync of 1 KB to the disk takes {}",
        std::env::consts::OS,
        std::env::consts::ARCH,
        sync.map_or_else(|| "an unknown time".to_owned(), |time| format!("{:.2} ms", milliseconds(time)))
    );
    Disk::of(sync)
}

/// The median of some appends of 1 KB, each followed by a sync.
fn sync_latency(directory: &Path) -> Option<Duration> {
    let path = directory.join("sync-probe");
    let mut file = File::create(&path).ok()?;
    let mut measured = Vec::new();
    for _ in 0..50 {
        let before = Instant::now();
        file.write_all(&[0; 1024]).ok()?;
        file.sync_data().ok()?;
        measured.push(before.elapsed());
    }
    std::fs::remove_file(path).ok()?;
    Some(Latencies::new(measured).percentile(50))
}

/// Start times and idle memory of every server, ours against the bars.
pub(super) fn print_starts(starts: &[Start]) {
    println!("\n{:<32} {:>10} {:>9} {:>9}", "start, idle", "new ms", "again ms", "idle MB");
    for start in starts {
        let slowest = start.new_milliseconds.max(start.again_milliseconds);
        let memory = start.resident_megabytes;
        let verdict = match start.kind {
            Kind::KeywrightDirectory | Kind::KeywrightMemory => {
                let met = slowest < START_BAR_MILLISECONDS
                    && memory.is_none_or(|megabytes| megabytes < IDLE_BAR_MEGABYTES);
                format!("  bar {START_BAR_MILLISECONDS} ms, {IDLE_BAR_MEGABYTES} MB: {}", bars::word(met))
            }
            _ => String::new(),
        };
        let memory = memory.map_or_else(|| "-".to_owned(), |megabytes| format!("{megabytes:.1}"));
        println!(
            "{:<32} {:>10.1} {:>9.1} {memory:>9}{verdict}",
            start.kind.name(),
            start.new_milliseconds,
            start.again_milliseconds
        );
    }
    println!();
}

/// A table for each operation and number of connections: medians over the rounds.
///
/// The last column divides the operations a second of ours, with the same promise about what was written, by the row's.
///
/// Beside the ratios that have a bar stands whether it is met.
pub(super) fn print_cells(cells: &[Cell], kinds: &[Kind], disk: Disk) {
    let mut tables: Vec<(&str, usize)> = Vec::new();
    for cell in cells {
        if !tables.contains(&(cell.operation, cell.connections)) {
            tables.push((cell.operation, cell.connections));
        }
    }
    for (operation, connections) in tables {
        let title = format!("{operation}, {connections} connections");
        println!(
            "\n{title:<32} {:>10} {:>9} {:>9} {:>8} {:>16}",
            "ops/s", "p50 ms", "p99 ms", "errors", "ours / this"
        );
        let row = |kind: Kind| {
            let of_kind = cells.iter().filter(|cell| {
                cell.kind == kind && cell.operation == operation && cell.connections == connections
            });
            Row::of(of_kind.map(|cell| &cell.result))
        };
        for kind in kinds {
            let measured = row(*kind);
            let ours = row(kind.counterpart());
            let is_peer = ours.operations_per_second > 0.0 && *kind != kind.counterpart();
            let mut verdict = String::new();
            let ratio = match measured.operations_per_second {
                _ if !is_peer => String::new(),
                // It does not have the operation.
                0.0 => "-".to_owned(),
                operations => {
                    let ratio = ours.operations_per_second / operations;
                    if let Some(bar) = bars::least_ratio(operation, connections, *kind, disk) {
                        verdict = format!("  bar {bar}: {}", bars::word(ratio >= bar));
                    }
                    format!("{ratio:.2}")
                }
            };
            println!(
                "{:<32} {:>10.0} {:>9.3} {:>9.3} {:>8} {ratio:>16}{verdict}",
                kind.name(),
                measured.operations_per_second,
                measured.median_milliseconds,
                measured.p99_milliseconds,
                measured.errors,
            );
        }
    }
}

struct Row {
    operations_per_second: f64,
    median_milliseconds: f64,
    p99_milliseconds: f64,
    errors: usize,
}

impl Row {
    fn of<'cell>(results: impl Iterator<Item = &'cell Measured>) -> Row {
        let results: Vec<_> = results.collect();
        let over_rounds =
            |value: fn(&Measured) -> f64| median(results.iter().map(|result| value(result)).collect());
        Row {
            operations_per_second: over_rounds(|result| result.operations_per_second),
            median_milliseconds: over_rounds(|result| milliseconds(result.latencies.percentile(50))),
            p99_milliseconds: over_rounds(|result| milliseconds(result.latencies.percentile(99))),
            errors: results.iter().map(|result| result.errors).sum(),
        }
    }
}

pub(super) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}

/// Fails when an answer of ours was not sound; prints the first unsound answer of each peer.
pub(super) fn check_errors(cells: &[Cell]) -> Outcome {
    let mut ours = Vec::new();
    let mut named = Vec::new();
    for cell in cells {
        let Some(error) = &cell.result.first_error else { continue };
        if named.contains(&(cell.kind, cell.operation)) {
            continue;
        }
        named.push((cell.kind, cell.operation));
        let line = format!("{}, {}: {error}", cell.kind.name(), cell.operation);
        println!("\nunsound answer: {line}");
        if matches!(cell.kind, Kind::KeywrightDirectory | Kind::KeywrightMemory) {
            ours.push(line);
        }
    }
    if ours.is_empty() { Ok(()) } else { Err(Failure::from_findings("keywright answered wrongly", &ours)) }
}
