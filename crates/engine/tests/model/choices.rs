//! What is drawn from the seed of a run.

use keywright_engine::random::{Random, SeededRandom};

/// The random choices of one client of one run.
pub(crate) struct Choices(SeededRandom);

impl Choices {
    /// Those of a client; no two clients of any two runs of a test make the same ones.
    pub(crate) fn new(seed: u64, client: u64) -> Choices {
        // One step of the generator, so that neighbouring numbers have nothing in common.
        let mixed = SeededRandom::new(seed << 16 | client).next_u64();
        Choices(SeededRandom::new(mixed))
    }

    /// A number below `bound`.
    pub(crate) fn below(&self, bound: usize) -> usize {
        usize::try_from(self.0.below(bound as u64)).unwrap()
    }

    /// True once in so many times.
    pub(crate) fn one_in(&self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub(crate) fn of<'choices, Choice>(&self, choices: &'choices [Choice]) -> &'choices Choice {
        &choices[self.below(choices.len())]
    }

    /// So many different ones of these, in any order.
    pub(crate) fn several<Choice: Clone>(&self, choices: &[Choice], count: usize) -> Vec<Choice> {
        let mut left = choices.to_vec();
        (0..count.min(left.len())).map(|_| left.swap_remove(self.below(left.len()))).collect()
    }
}
