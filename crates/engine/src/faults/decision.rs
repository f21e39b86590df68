//! How a rule decides: by the seed, its own text, and the number of the call; without any state but a count of calls.
//!
//! The numbers are those of SplitMix64 from a start of the rule's own, which is the XXH3 hash (64 bits, seeded) of its text.
//! A version that decides otherwise breaks everybody's repeatable runs: docs/faults.md describes it, and a test pins it.

use twox_hash::XxHash3_64;

use crate::random::{SeededRandom, splitmix64};

/// The decisions of one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decisions {
    calls: u64,
    keys: u64,
    members: u64,
}

impl Decisions {
    /// Those of the rule with this text, `earlier` of which stand in front of it word for word.
    pub(super) fn new(seed: u64, text: &str, earlier: usize) -> Decisions {
        let start =
            |what: &str| XxHash3_64::oneshot_with_seed(seed, format!("{what}\n{earlier}\n{text}").as_bytes());
        Decisions { calls: start("calls"), keys: start("keys"), members: start("members") }
    }

    /// Whether a call is in the share; calls are counted from 1.
    pub(super) fn takes_call(self, call: u64, share: f64) -> bool {
        fraction(splitmix64(self.calls, call)) < share
    }

    /// Whether a partition key, in its bytes, is in the share.
    pub(super) fn takes_key(self, key: &[u8], share: f64) -> bool {
        fraction(splitmix64(XxHash3_64::oneshot_with_seed(self.keys, key), 1)) < share
    }

    /// So large a share of the members of a call, rounded up, in their order.
    pub(super) fn choose(self, call: u64, mut members: Vec<usize>, share: f64) -> Vec<usize> {
        // A share of a whole number of members may come out a little above it.
        const ROUNDING: f64 = 1e-9;
        let count = ((members.len() as f64 * share) - ROUNDING).ceil().max(1.0) as usize;
        let random = SeededRandom::new(splitmix64(self.members, call));
        while members.len() > count {
            // At most 100 members.
            let left_out = random.below(members.len() as u64) as usize;
            members.remove(left_out);
        }
        members
    }
}

/// A number from 0 to just below 1, by the upper 53 bits.
fn fraction(number: u64) -> f64 {
    const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
    (number >> 11) as f64 * STEP
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever wrote a seed into a test report must meet the same faults years later. The numbers were computed by a program in
    /// another language, from the description in docs/faults.md.
    #[test]
    fn decisions_are_the_same_in_every_version() {
        let decisions = Decisions::new(7, "unprocessed = 0.5, share = 0.25", 0);
        let taken: Vec<u64> = (1..=40).filter(|call| decisions.takes_call(*call, 0.25)).collect();
        assert_eq!(taken, [1, 2, 5, 13, 16, 20, 24, 25, 28, 29, 31, 35, 37]);
        let keys: Vec<u64> =
            (0..40).filter(|key: &u64| decisions.takes_key(key.to_string().as_bytes(), 0.25)).collect();
        assert_eq!(keys, [4, 7, 14, 16, 22, 30, 31, 33, 39]);
        assert_eq!(decisions.choose(1, (0..10).collect(), 0.5), [0, 1, 4, 6, 8]);
    }

    #[test]
    fn a_share_is_rounded_up_and_a_whole_number_is_not() {
        let decisions = Decisions::new(1, "", 0);
        let chosen = |members, share| decisions.choose(1, (0..members).collect(), share).len();
        for (members, share, expected) in
            [(25, 0.5, 13), (100, 0.07, 7), (10, 0.1, 1), (3, 0.01, 1), (4, 1.0, 4)]
        {
            assert_eq!(chosen(members, share), expected, "{share} of {members}");
        }
    }

    #[test]
    fn rules_with_other_words_decide_otherwise() {
        let of = |text, earlier| {
            let decisions = Decisions::new(7, text, earlier);
            (1..200).filter(|call| decisions.takes_call(*call, 0.5)).collect::<Vec<u64>>()
        };
        assert_ne!(of("a", 0), of("b", 0));
        assert_ne!(of("a", 0), of("a", 1));
        assert_eq!(of("a", 0), of("a", 0));
    }

    #[test]
    fn a_share_is_met() {
        let decisions = Decisions::new(3, "any", 0);
        let calls = (1..=100_000).filter(|call| decisions.takes_call(*call, 0.1)).count();
        let keys = (0..100_000_u32).filter(|key| decisions.takes_key(&key.to_be_bytes(), 0.1)).count();
        for taken in [calls, keys] {
            assert!((9_500..10_500).contains(&taken), "{taken}");
        }
    }
}
