//! The seeds of the crash tests, and a file with every outcome of the long form.

use std::fmt::Display;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs 100 seeds; with `KEYWRIGHT_LONG=1` 1,000, whose outcomes go to a file; with `KEYWRIGHT_SEED=n` that one. All of them
/// run, whatever becomes of one.
pub(crate) fn each_seed<Outcome: Display>(
    name: &str,
    run: impl Fn(u64) -> Result<Outcome, String>,
) -> Vec<Outcome> {
    let one = std::env::var("KEYWRIGHT_SEED").ok().map(|seed| seed.parse::<u64>().unwrap());
    let is_long = std::env::var_os("KEYWRIGHT_LONG").is_some() && one.is_none();
    let path = format!("{}/crash-{name}.txt", env!("CARGO_TARGET_TMPDIR"));
    let mut file = is_long.then(|| std::fs::File::create(&path).unwrap());
    let seeds = match one {
        Some(seed) => seed..seed + 1,
        None => 0..if is_long { 1_000 } else { 100 },
    };
    let (mut outcomes, mut failed) = (Vec::new(), Vec::new());
    for seed in seeds {
        let outcome =
            catch_unwind(AssertUnwindSafe(|| run(seed))).unwrap_or_else(|_| Err("a panic".to_owned()));
        let line = match &outcome {
            Ok(outcome) => format!("seed {seed}: {outcome}"),
            Err(failure) => format!("seed {seed}: FAILED: {failure}"),
        };
        if outcome.is_err() || one.is_some() {
            println!("{line}");
        }
        if let Some(file) = &mut file {
            writeln!(file, "{line}").unwrap();
        }
        match outcome {
            Ok(outcome) => outcomes.push(outcome),
            Err(_) => failed.push(seed),
        }
    }
    if is_long {
        println!("every seed and its outcome: {path}");
    }
    assert!(failed.is_empty(), "failed with the seeds {failed:?}; KEYWRIGHT_SEED=n repeats one");
    outcomes
}
