//! Calls for some time, on one thread or several.

use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use crate::scene::{Call, Choice, Scene};

/// How long single calls took, in microseconds.
#[derive(Default)]
pub(crate) struct Latencies(Vec<f64>);

impl Latencies {
    pub(crate) fn extend(&mut self, more: Latencies) {
        self.0.extend(more.0);
    }

    /// The smallest latency that `percent` of the calls did not exceed.
    pub(crate) fn percentile(&mut self, percent: usize) -> f64 {
        self.0.sort_unstable_by(f64::total_cmp);
        let rank = (self.0.len() * percent).div_ceil(100);
        self.0[rank.saturating_sub(1)]
    }
}

/// Calls on this thread, each timed; at least one.
pub(crate) fn latencies(scene: &Scene, call: Call, time: Duration) -> Latencies {
    let mut choice = Choice::new(0);
    let mut answer = Vec::new();
    let mut measured = Vec::new();
    let end = Instant::now() + time;
    loop {
        let body = scene.request(call, &mut choice);
        let before = Instant::now();
        black_box(scene.answer(call, &body, &mut answer));
        let after = Instant::now();
        measured.push((after - before).as_secs_f64() * 1e6);
        scene.check(call, &answer);
        if after >= end {
            return Latencies(measured);
        }
    }
}

/// The calls of all threads together, a second.
pub(crate) fn calls_per_second(scene: &Scene, call: Call, time: Duration, threads: usize) -> f64 {
    // Each thread as many, whether there is another one or not; few where nothing is measured.
    let prepared = if time > Duration::from_millis(10) { PREPARED / call.threads() } else { 1 };
    let all_are_ready = &Barrier::new(threads);
    thread::scope(|scope| {
        let drive = |number| move || drive(scene, call, time, number, prepared, all_are_ready);
        let running: Vec<_> = (0..threads).map(|number| scope.spawn(drive(number))).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}

/// Of many items, more than what the processor's caches hold is asked for by all threads together: else one thread would have the caches to
/// itself, and two would not.
const PREPARED: usize = 131_072;

fn drive(
    scene: &Scene,
    call: Call,
    time: Duration,
    number: usize,
    prepared: usize,
    all_are_ready: &Barrier,
) -> f64 {
    let mut choice = Choice::new(number);
    let mut answer = Vec::new();
    // Prepared, so that the threads make calls and not requests.
    let mut bodies: Vec<Vec<u8>> = (0..prepared).map(|_| scene.request(call, &mut choice)).collect();
    all_are_ready.wait();
    let started = Instant::now();
    let mut calls = 0_u32;
    while started.elapsed() < time || calls == 0 {
        let place = calls as usize % prepared;
        scene.renew(call, &mut bodies[place]);
        black_box(scene.answer(call, &bodies[place], &mut answer));
        calls += 1;
    }
    f64::from(calls) / started.elapsed().as_secs_f64()
}

/// The middle of `values` (the upper one of two).
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}
