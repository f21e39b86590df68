//! The load: connections, each with one request under way at all times, for a fixed time. A thread drives several.

use std::thread;
use std::time::{Duration, Instant};

use super::connection::Connection;
use super::lane::{Exchange, Lane};
use super::latency::Latencies;
use super::request::Workload;
use crate::failure::{Attempt, Failure, Outcome};

/// A thread that drove one connection would wait for each answer by itself, and waking it would cost the machine, which the
/// server shares, more than most servers take to answer.
const CONNECTIONS_OF_A_THREAD: usize = 8;

/// One cell of the benchmark, to be run.
pub(super) struct Measurement<'run> {
    pub(super) address: &'run str,
    pub(super) workload: &'run Workload,
    pub(super) answer: ExpectedAnswer,
    pub(super) connections: usize,
    pub(super) duration: Duration,
}

/// What a sound answer looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpectedAnswer {
    /// Status 200, and a body of the length that the request asks for.
    Items,
    /// Status 200: the bare server has no items.
    Status,
}

/// What a cell gave.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) operations_per_second: f64,
    pub(super) latencies: Latencies,
    /// The longest time in which no connection got a sound answer.
    pub(super) longest_gap: Duration,
    /// Answers that were not sound, and the first of them as text.
    pub(super) errors: usize,
    pub(super) first_error: Option<String>,
}

#[derive(Default)]
struct ThreadResult {
    answers: Vec<SoundAnswer>,
    errors: usize,
    first_error: Option<String>,
}

/// When an answer came, from the start of the load, and how long it took.
#[derive(Clone, Copy)]
struct SoundAnswer {
    at: Duration,
    took: Duration,
}

impl Measurement<'_> {
    /// Runs the load.
    ///
    /// # Errors
    /// When a connection breaks. An answer that is not sound is counted and the load goes on.
    pub(super) fn run(&self) -> Outcome<Measured> {
        let started = Instant::now();
        let results = thread::scope(|scope| {
            let numbers: Vec<usize> = (0..self.connections).collect();
            let threads: Vec<_> = numbers
                .chunks(CONNECTIONS_OF_A_THREAD)
                .map(|numbers| {
                    let numbers = numbers.to_vec();
                    scope.spawn(move || self.drive(started, &numbers))
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| {
                    thread.join().unwrap_or_else(|_| Err(Failure::new("a thread of the load panicked")))
                })
                .collect::<Outcome<Vec<ThreadResult>>>()
        })?;
        let took = started.elapsed();
        let mut answers = Vec::new();
        let mut measured = (0, None);
        for result in results {
            answers.extend(result.answers);
            measured.0 += result.errors;
            measured.1 = measured.1.or(result.first_error);
        }
        Ok(Measured {
            operations_per_second: answers.len() as f64 / took.as_secs_f64(),
            longest_gap: longest_gap(answers.iter().map(|answer| answer.at).collect(), took),
            latencies: Latencies::new(answers.into_iter().map(|answer| answer.took).collect()),
            errors: measured.0,
            first_error: measured.1,
        })
    }

    /// Drives the connections of these numbers until the time is over and their last requests are answered.
    fn drive(&self, started: Instant, numbers: &[usize]) -> Outcome<ThreadResult> {
        let what = format!("{} on {}", self.workload.operation(), self.address);
        let mut lane = Lane::open(self.address, numbers.len()).attempt(&what)?;
        let mut choices: Vec<Choice> = numbers.iter().map(|number| Choice::new(*number)).collect();
        let mut result = ThreadResult::default();
        let end = Instant::now() + self.duration;
        let next = |place: usize, choices: &mut [Choice], request: &mut Vec<u8>| {
            let choice = choices.get_mut(place).map(Choice::next).unwrap_or_default();
            self.workload.write_request(choice, request);
        };
        for place in 0..numbers.len() {
            lane.send(place, |request| next(place, &mut choices, request)).attempt(&what)?;
        }
        while let Some(exchange) = lane.receive().attempt(&what)? {
            result.count(self, started, &exchange);
            let (place, answered_at) = (exchange.place, exchange.answered_at);
            if answered_at < end {
                lane.send(place, |request| next(place, &mut choices, request)).attempt(&what)?;
            }
        }
        Ok(result)
    }
}

impl ThreadResult {
    fn count(&mut self, measurement: &Measurement<'_>, started: Instant, exchange: &Exchange<'_>) {
        let Exchange { sent_at, answered_at, answer, .. } = exchange;
        let is_sound =
            measurement.answer == ExpectedAnswer::Status || measurement.workload.is_sound(answer.body);
        if answer.status == 200 && is_sound {
            self.answers.push(SoundAnswer { at: *answered_at - started, took: *answered_at - *sent_at });
            return;
        }
        self.errors += 1;
        if self.first_error.is_none() {
            let body = String::from_utf8_lossy(answer.body).chars().take(200).collect::<String>();
            self.first_error = Some(format!("{} {body}", answer.status));
        }
    }
}

/// Sends so many requests of a workload, shared among the connections.
///
/// # Errors
/// When a connection breaks, or an answer is not sound: what is to be there must be there.
pub(super) fn send_all(address: &str, workload: &Workload, requests: usize, connections: usize) -> Outcome {
    let send = |number: usize| -> Outcome {
        let what = format!("{} on {address}", workload.operation());
        let mut connection = Connection::open(address).attempt(&what)?;
        let mut request = Vec::new();
        for choice in (number..requests).step_by(connections) {
            workload.write_request(choice, &mut request);
            let answer = connection.exchange(&request).attempt(&what)?;
            if answer.status != 200 || !workload.is_sound(answer.body) {
                let body = String::from_utf8_lossy(answer.body).chars().take(200).collect::<String>();
                return Err(Failure::new(format!("{what}: {} {body}", answer.status)));
            }
        }
        Ok(())
    };
    let send = &send;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..connections).map(|number| scope.spawn(move || send(number))).collect();
        threads.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err(Failure::new("a thread of the load panicked")))
        })
    })
}

/// The longest time without an answer, from the start of the load to its end.
fn longest_gap(mut answers: Vec<Duration>, end: Duration) -> Duration {
    answers.sort_unstable();
    answers.push(end);
    let mut last = Duration::ZERO;
    let gaps = answers.into_iter().map(|at| at.saturating_sub(std::mem::replace(&mut last, at)));
    gaps.max().unwrap_or_default()
}

/// The same sequence of requests in every run: a xorshift generator, started by the number of the connection.
struct Choice(u64);

impl Choice {
    fn new(number: usize) -> Choice {
        Choice(0x9E37_79B9_7F4A_7C15 ^ ((number as u64 + 1) << 17))
    }

    fn next(&mut self) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_found_at_the_start_between_answers_and_at_the_end() {
        let gap = |answers: &[u64], end| {
            let answers = answers.iter().copied().map(Duration::from_millis).collect();
            longest_gap(answers, Duration::from_millis(end)).as_millis()
        };
        assert_eq!(gap(&[50, 60, 61], 70), 50);
        assert_eq!(gap(&[61, 5, 10], 70), 51);
        assert_eq!(gap(&[5, 10], 70), 60);
        assert_eq!(gap(&[], 70), 70);
    }
}
