//! The seeds of the crash tests.

use std::fmt::Display;

use crate::outcomes::Outcomes;

/// Runs 100 seeds, 1,000 in the long form, or with `KEYWRIGHT_SEED=n` that one. All of them run, whatever becomes of one.
pub(crate) fn each_seed<Outcome: Display>(
    outcomes: &mut Outcomes,
    run: impl Fn(u64) -> Result<Outcome, String>,
) -> Vec<Outcome> {
    let one = std::env::var("KEYWRIGHT_SEED").ok().map(|seed| seed.parse::<u64>().unwrap());
    let is_long = std::env::var_os("KEYWRIGHT_LONG").is_some();
    let seeds = match one {
        Some(seed) => seed..seed + 1,
        None => 0..if is_long { 1_000 } else { 100 },
    };
    let ran = seeds.filter_map(|seed| {
        let outcome = outcomes.run(&format!("seed {seed}"), || run(seed))?;
        if one.is_some() {
            println!("seed {seed}: {outcome}");
        }
        Some(outcome)
    });
    ran.collect()
}
