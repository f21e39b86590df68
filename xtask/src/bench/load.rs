//! The load: a thread a connection, each with one request under way at all times, for a fixed time.

use std::thread;
use std::time::{Duration, Instant};

use super::connection::Connection;
use super::latency::Latencies;
use super::request::Workload;
use crate::failure::{Attempt, Failure, Outcome};

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
    /// Answers that were not sound, and the first of them as text.
    pub(super) errors: usize,
    pub(super) first_error: Option<String>,
}

#[derive(Default)]
struct ThreadResult {
    latencies: Vec<Duration>,
    errors: usize,
    first_error: Option<String>,
}

impl Measurement<'_> {
    /// Runs the load.
    ///
    /// # Errors
    /// When a connection breaks. An answer that is not sound is counted and the load goes on.
    pub(super) fn run(&self) -> Outcome<Measured> {
        let started = Instant::now();
        let results = thread::scope(|scope| {
            let threads: Vec<_> =
                (0..self.connections).map(|number| scope.spawn(move || self.drive(number))).collect();
            threads
                .into_iter()
                .map(|thread| {
                    thread.join().unwrap_or_else(|_| Err(Failure::new("a thread of the load panicked")))
                })
                .collect::<Outcome<Vec<ThreadResult>>>()
        })?;
        let took = started.elapsed();
        let mut latencies = Vec::new();
        let mut measured = (0, None);
        for result in results {
            latencies.extend(result.latencies);
            measured.0 += result.errors;
            measured.1 = measured.1.or(result.first_error);
        }
        Ok(Measured {
            operations_per_second: latencies.len() as f64 / took.as_secs_f64(),
            latencies: Latencies::new(latencies),
            errors: measured.0,
            first_error: measured.1,
        })
    }

    fn drive(&self, number: usize) -> Outcome<ThreadResult> {
        let what = format!("{} on {}", self.workload.operation(), self.address);
        let mut connection = Connection::open(self.address).attempt(&what)?;
        let mut result = ThreadResult::default();
        let mut choice = Choice::new(number);
        let end = Instant::now() + self.duration;
        let mut request = Vec::new();
        loop {
            self.workload.write_request(choice.next(), &mut request);
            let before = Instant::now();
            if before >= end {
                return Ok(result);
            }
            let answer = connection.exchange(&request).attempt(&what)?;
            let is_sound = self.answer == ExpectedAnswer::Status || self.workload.is_sound(answer.body);
            let after = Instant::now();
            if answer.status == 200 && is_sound {
                result.latencies.push(after - before);
            } else {
                result.errors += 1;
                if result.first_error.is_none() {
                    let body = String::from_utf8_lossy(answer.body).chars().take(200).collect::<String>();
                    result.first_error = Some(format!("{} {body}", answer.status));
                }
            }
        }
    }
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
