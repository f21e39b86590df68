//! The seeds of the runs.

pub(crate) use crate::choices::Choices;

/// How many runs a test has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs {
    /// In the test command.
    pub(crate) short: u64,
    /// With `KEYWRIGHT_LONG=1`.
    pub(crate) long: u64,
}

impl Runs {
    /// Runs with each seed, or with that of `KEYWRIGHT_SEED` only; the seed of a run that fails is the last one printed.
    pub(crate) fn each(self, run: impl Fn(u64)) {
        if let Ok(seed) = std::env::var("KEYWRIGHT_SEED") {
            let seed = seed.parse().unwrap();
            println!("seed {seed}");
            return run(seed);
        }
        let long = std::env::var_os("KEYWRIGHT_LONG").is_some();
        for seed in 0..if long { self.long } else { self.short } {
            println!("seed {seed}");
            run(seed);
        }
    }
}
