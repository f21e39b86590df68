//! `cargo xtask bench`: keywright beside its peers, measured in one interleaved run on this machine.
//!
//! Every server runs during the whole measurement. A round visits every operation and number of connections, and there
//! each server in turn, so that a slow minute of the machine hits all of them. Figures are medians over the rounds.
//! The durable pair is keywright on a directory and dynoxide on a file; the others keep items in memory.

mod bars;
mod check_time;
mod connection;
mod lane;
mod latency;
mod load;
mod peer;
mod report;
mod request;
mod sustained;

use std::time::Duration;

use clap::ValueEnum;

use crate::failure::{Failure, Outcome};
use crate::workspace::Workspace;

use self::load::Measurement;
use self::peer::Kind;
use self::request::Workload;

/// How long to measure.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// One short round: shows that it works, not how fast anything is
    #[arg(long)]
    quick: bool,
    /// Rounds over all servers
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds for each server, operation and number of connections in a round [default: 1, or 60 with --sustained]
    #[arg(long)]
    seconds: Option<f64>,
    /// Measure how long `cargo check` takes with the derives, and nothing else
    #[arg(long, conflicts_with_all = ["quick", "only", "operation"])]
    check_time: bool,
    /// Measure puts of fresh random keys over many items with an index, and how long a start takes after a kill; nothing else
    #[arg(long, conflicts_with_all = ["check_time", "operation", "rounds"])]
    sustained: bool,
    /// With --sustained, how many items are there before
    #[arg(long, default_value_t = 1_000_000, requires = "sustained")]
    items: usize,
    /// Measure only this server (repeat it for more)
    #[arg(long, value_name = "SERVER")]
    only: Vec<Kind>,
    /// Measure only this operation, by its name in the tables (repeat it for more)
    #[arg(long, value_name = "OPERATION")]
    operation: Vec<String>,
}

/// The numbers of connections, each with a request under way at all times.
const CONNECTIONS: &[usize] = &[1, 16];

/// Installs the peers, starts every server, measures, and prints the tables.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Outcome {
    if options.check_time {
        return check_time::run(workspace);
    }
    if options.sustained {
        return sustained::run(workspace, options);
    }
    let workloads = choose(&options.operation)?;
    let seconds = options.seconds.unwrap_or(1.0);
    let (rounds, seconds) = if options.quick { (1, 0.2) } else { (options.rounds.max(1), seconds) };
    let kinds = if options.only.is_empty() { Kind::value_variants() } else { &options.only };
    let builds = peer::Builds::install(workspace, kinds)?;
    let disk = report::print_machine(builds.data_directory());
    let starts = kinds.iter().map(|kind| peer::measure_start(&builds, *kind)).collect::<Outcome<Vec<_>>>()?;
    report::print_starts(&starts);

    let peers = kinds.iter().map(|kind| peer::Peer::start(&builds, *kind)).collect::<Outcome<Vec<_>>>()?;
    let mut cells = Vec::new();
    for round in 0..rounds {
        println!("round {} of {rounds}", round + 1);
        for workload in &workloads {
            for &connections in CONNECTIONS {
                for turn in 0..peers.len() {
                    // Each round begins with another server, so that none always follows the same neighbour.
                    let Some(peer) = peers.get((turn + round) % peers.len()) else { continue };
                    let measurement = Measurement {
                        address: peer.address(),
                        workload,
                        answer: peer.kind().answer(),
                        connections,
                        duration: Duration::from_secs_f64(seconds),
                    };
                    cells.push(report::Cell {
                        kind: peer.kind(),
                        operation: workload.operation(),
                        connections,
                        result: measurement.run()?,
                    });
                }
            }
        }
    }
    report::print_cells(&cells, kinds, disk);
    report::check_errors(&cells)
}

/// The workloads of these operations; all of them when none is named.
fn choose(operations: &[String]) -> Outcome<Vec<Workload>> {
    let mut workloads = Workload::all();
    let names: Vec<&str> = workloads.iter().map(Workload::operation).collect();
    if let Some(unknown) = operations.iter().find(|name| !names.contains(&name.as_str())) {
        let names = names.join(", ");
        return Err(Failure::new(format!("no operation is called `{unknown}`; there are {names}")));
    }
    workloads.retain(|workload| {
        operations.is_empty() || operations.iter().any(|name| name == workload.operation())
    });
    Ok(workloads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_chosen_by_their_names_and_an_unknown_one_is_refused() {
        let chosen = choose(&["BatchGet100".to_owned()]).expect("it exists");
        assert_eq!(chosen.iter().map(Workload::operation).collect::<Vec<_>>(), ["BatchGet100"]);
        assert!(choose(&[]).expect("all").len() > 10);
        let failure = choose(&["BatchGet".to_owned()]).expect_err("no such operation");
        assert!(failure.to_string().contains("TransactWrite10"), "{failure}");
    }
}
