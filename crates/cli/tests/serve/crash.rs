//! kill -9 under load, and what is there afterwards: the workload and the checks of the engine's crash suite, by HTTP; whether
//! the server syncs before it answers or not.
//!
//! The test command kills 20 times; with `KEYWRIGHT_LONG=1` it is 200, and each kill with its outcome goes to a file, a server that does
//! not open again too.
//! `KEYWRIGHT_SEED=n` decides what the clients do and after how many answers the kill comes.

use std::fmt::{self, Display};
use std::io::{Read as _, Seek as _};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use keywright_api::Operation;
use serde_json::Value;

use crate::client::Connection;
use crate::outcomes::Outcomes;
use crate::process::{Serving, serve_into};
use crate::suite::choices::Choices;
use crate::suite::client::{Answer, Client};
use crate::suite::schema::set_up;
use crate::suite::tokens::replay;
use crate::suite::verdict::Violation;
use crate::suite::workload::Worker;
use crate::suite::world::{Settled, World};

const CLIENTS: usize = 8;

/// 2026-01-01T00:00:00Z in milliseconds.
const BEGINNING: u64 = 1_767_225_600_000;
/// Between two kills. A token lives for ten minutes: through some kills, and not through all.
const ROUND_MS: u64 = 60_000;

#[test]
fn a_server_that_is_killed_under_load_holds_what_was_answered_and_nothing_by_halves() {
    let is_long = std::env::var_os("KEYWRIGHT_LONG").is_some();
    let seed = std::env::var("KEYWRIGHT_SEED").map_or(1, |seed| seed.parse::<u64>().unwrap());
    println!("seed {seed} (set KEYWRIGHT_SEED to repeat)");
    let mut told = Outcomes::new("kills");
    let directory = tempfile::tempdir().unwrap();
    let mut world = World::new(CLIENTS);
    let mut total = Settled::default();
    let mut segments = Vec::new();
    for round in 0..if is_long { 200 } else { 20 } {
        let part = format!("seed {seed}, kill {round}");
        let Some(killed) = told.run(&part, || kill(directory.path(), &mut world, seed, round)) else {
            // What is there is not known any more.
            return told.finish();
        };
        println!("{part}: {killed}");
        total.happened += killed.before.happened;
        total.did_not_happen += killed.before.did_not_happen;
        segments.push(killed.segments);
    }
    // A day later the figures are new.
    told.run("at last", || {
        let (_serving, address) = serve_at_moment(directory.path(), "2026-01-02T00:00:00Z", "fsync")?;
        let mut client = Http::open(address).unwrap();
        world.check(&mut client).map_err(in_words)?;
        world.check_statistics(&mut client).map(|()| "well").map_err(in_words)
    });
    told.say(&format!(
        "of the writes without an answer {} had happened and {} had not",
        total.happened, total.did_not_happen
    ));
    let further = segments.iter().filter(|segments| segments.count > 1).count();
    let removed = segments.windows(2).filter(|pair| pair[0].first < pair[1].first).count();
    told.say(&format!(
        "{further} kills left a further segment; between {removed} of them the tree took one, and it was removed"
    ));
    told.finish();
    assert!(total.happened > 0 && total.did_not_happen > 0, "the kills do not reach both sides of a commit");
    assert!(further > 0 && removed > 0, "the log does not go on, or the tree does not follow");
}

/// That a killed server does not open again is the worst that a kill can find, and it had no line: the test ended before.
#[test]
fn a_server_that_does_not_open_again_is_an_outcome_with_its_words() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("keywright.tree"), [7; 8_192]).unwrap();
    let failure = kill(directory.path(), &mut World::new(CLIENTS), 1, 0).unwrap_err();
    assert!(failure.starts_with("the server does not open (exit status: 1): keywright: "), "{failure}");
    assert!(failure.contains("is not a keywright store"), "{failure}");
}

/// The segments of the log that a kill left.
#[derive(Clone, Copy, Debug)]
struct Segments {
    first: u64,
    count: usize,
}

impl Segments {
    fn of(directory: &Path) -> Segments {
        let names = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let ordinals = names.filter_map(|name| u64::from_str_radix(name.strip_prefix("log-")?, 16).ok());
        let ordinals: Vec<u64> = ordinals.collect();
        Segments { first: ordinals.iter().copied().min().unwrap(), count: ordinals.len() }
    }
}

/// A kill, and what was found of the one before.
#[derive(Debug)]
#[expect(dead_code, reason = "read through Debug")]
struct Killed {
    durability: &'static str,
    before: Settled,
    sent_again: usize,
    after_answers: usize,
    answered_in_all: usize,
    without_answer: usize,
    segments: Segments,
}

impl Display for Killed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, formatter)
    }
}

fn in_words(violation: Violation) -> String {
    violation.to_string()
}

/// Starts the server, checks what is there, lets the clients work, and kills it.
fn kill(directory: &Path, world: &mut World, seed: u64, round: u64) -> Result<Killed, String> {
    let moment = format!("2026-01-01T{:02}:{:02}:00Z", round / 60, round % 60);
    let choices = Choices::new(seed, round * 64 + 63);
    // The system outlives the process: what it has been given, it has.
    let durability = *choices.of(&["fsync", "buffered"]);
    let (serving, address) = serve_at_moment(directory, &moment, durability)?;
    let now = BEGINNING + round * ROUND_MS;
    let mut client = Http::open(address).unwrap();
    let (before, sent_again) = match round {
        0 => set_up(&mut client).map(|()| (Settled::default(), 0)).map_err(in_words)?,
        _ => {
            (world.check(&mut client).map_err(in_words)?, replay(world, &mut client, now).map_err(in_words)?)
        }
    };
    // Somewhere within the first groups, or after some hundred writes; in some rounds of so many bytes that the log rolls and
    // the tree grows meanwhile.
    let after_answers = 1 + choices.below(400);
    let largest_bytes = *choices.of(&[2_000, 20_000, 300_000, 300_000]);
    let answers = AtomicUsize::new(0);
    thread::scope(|scope| {
        let workers: Vec<_> = world
            .logs
            .iter_mut()
            .map(|log| {
                let choices = Choices::new(seed, round * 64 + log.number as u64);
                let run = format!("{seed}-{round}");
                let answers = &answers;
                scope.spawn(move || {
                    let Ok(client) = Http::open(address) else { return Ok(()) };
                    let client = Box::new(Http { answers: Some(answers), ..client });
                    Worker { client, log, choices, now, run, largest_bytes }.work(usize::MAX)
                })
            })
            .collect();
        while answers.load(Ordering::Relaxed) < after_answers {
            assert!(workers.iter().any(|worker| !worker.is_finished()), "nobody works in round {round}");
            thread::yield_now();
        }
        serving.kill();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap())
    })
    .map_err(in_words)?;
    Ok(Killed {
        durability,
        before,
        sent_again,
        after_answers,
        answered_in_all: world.logs.iter().map(|log| log.answered).sum(),
        without_answer: world.logs.iter().filter(|log| log.ended.is_some()).count(),
        segments: Segments::of(directory),
    })
}

/// The server, or the words with which it ended.
fn serve_at_moment(
    directory: &Path,
    moment: &str,
    durability: &str,
) -> Result<(Serving, SocketAddr), String> {
    let clock = format!("frozen@{moment}");
    let data = directory.to_str().unwrap();
    let arguments = ["--format", "json", "--data", data, "--clock", &clock, "--durability", durability];
    let mut errors = tempfile::tempfile().unwrap();
    let mut serving = serve_into(errors.try_clone().unwrap(), &arguments);
    let line = serving.line();
    if line.is_empty() {
        let (ended, mut words) = (serving.wait(), String::new());
        errors.rewind().unwrap();
        errors.read_to_string(&mut words).unwrap();
        return Err(format!("the server does not open ({ended}): {words}"));
    }
    let greeting: Value = serde_json::from_str(&line).unwrap();
    Ok((serving, greeting["address"].as_str().unwrap().parse().unwrap()))
}

/// A client with a connection of its own.
struct Http<'run> {
    connection: Connection,
    /// Counts what is answered.
    answers: Option<&'run AtomicUsize>,
}

impl Http<'_> {
    fn open(address: SocketAddr) -> std::io::Result<Http<'static>> {
        Ok(Http { connection: Connection::open(address)?, answers: None })
    }
}

impl Client for Http<'_> {
    fn call(&mut self, operation: Operation, body: &Value) -> Answer {
        let (status, answer) = match self.connection.call(operation.name(), &body.to_string()) {
            Ok(answer) => answer,
            Err(error) => return Answer::Unknown(error.to_string()),
        };
        let answer: Value = serde_json::from_str(&answer).unwrap();
        if status == 200 {
            if let Some(answers) = self.answers {
                answers.fetch_add(1, Ordering::Relaxed);
            }
            return Answer::Done(answer);
        }
        let name = answer["__type"].as_str().unwrap().split('#').next_back().unwrap();
        let message = answer.get("message").or(answer.get("Message")).and_then(Value::as_str);
        Answer::of_error(name, message.unwrap_or_default())
    }
}
