//! Randomness as a parameter: ids, jitter and injected faults come from a [`Random`].
//!
//! Nothing here is meant for keys or secrets.

use std::cell::RefCell;
use std::fmt::{self, Debug, Display, Formatter};
use std::sync::atomic::{AtomicU64, Ordering};

/// A source of random numbers.
///
/// ```
/// use keywright_engine::random::{Random, SeededRandom};
///
/// let first = SeededRandom::new(7);
/// let second = SeededRandom::new(7);
/// assert_eq!(first.next_u64(), second.next_u64());
/// assert_eq!(first.to_string(), "seed 7");
/// ```
pub trait Random: Send + Sync + Debug {
    /// The next number; every value is equally likely.
    fn next_u64(&self) -> u64;
}

/// The randomness of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn next_u64(&self) -> u64 {
        thread_local! {
            static DRAWN: RefCell<Drawn> = const { RefCell::new(Drawn { bytes: [0; DRAWN_BYTES], unused: 0 }) };
        }
        DRAWN.with_borrow_mut(Drawn::next)
    }
}

/// Drawn at once, since a system call for each number would be a large part of a request.
const DRAWN_BYTES: usize = 256;

/// Bytes of the system's randomness, of one thread.
struct Drawn {
    bytes: [u8; DRAWN_BYTES],
    /// How many numbers of them were not handed out yet, from the start.
    unused: usize,
}

impl Drawn {
    #[expect(
        clippy::expect_used,
        reason = "a system without randomness could not have started a process: the standard library's hash maps need it"
    )]
    fn next(&mut self) -> u64 {
        if self.unused == 0 {
            getrandom::fill(&mut self.bytes).expect("the operating system provides randomness");
            self.unused = DRAWN_BYTES / 8;
        }
        self.unused -= 1;
        let (numbers, _) = self.bytes.as_chunks();
        match numbers.get(self.unused) {
            Some(number) => u64::from_ne_bytes(*number),
            None => unreachable!("there are as many numbers as were counted when they were drawn"),
        }
    }
}

/// A repeatable sequence (SplitMix64): the same seed gives the same numbers on every machine.
///
/// Its `Display` is the seed, for the message of a failed run. Threads that share one get each number once, in
/// the order of their calls.
pub struct SeededRandom {
    seed: u64,
    state: AtomicU64,
}

impl SeededRandom {
    /// The sequence of `seed`, from its beginning.
    pub const fn new(seed: u64) -> SeededRandom {
        SeededRandom { seed, state: AtomicU64::new(seed) }
    }

    /// The seed that this sequence was started from.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// A number from 0 to `bound` - 1, or 0 when `bound` is 0. The bias is below `bound` / 2^64.
    pub fn below(&self, bound: u64) -> u64 {
        let product = u128::from(self.next_u64()) * u128::from(bound);
        u64::try_from(product >> 64).unwrap_or(u64::MAX)
    }
}

impl Random for SeededRandom {
    fn next_u64(&self) -> u64 {
        mix(self.state.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP))
    }
}

/// The number at a place of SplitMix64's sequence from `seed`, counted from 1.
pub(crate) const fn splitmix64(seed: u64, place: u64) -> u64 {
    mix(seed.wrapping_add(STEP.wrapping_mul(place)))
}

const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

const fn mix(state: u64) -> u64 {
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

impl Debug for SeededRandom {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SeededRandom").field("seed", &self.seed).finish_non_exhaustive()
    }
}

impl Display for SeededRandom {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "seed {}", self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_seeded_sequence_is_the_published_splitmix64() {
        // The first outputs for seed 1234567 in the reference implementation of SplitMix64.
        let random = SeededRandom::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        assert_eq!([1, 2, 3].map(|place| splitmix64(1_234_567, place)).as_slice(), first);
    }

    #[test]
    fn a_bounded_number_stays_below_its_bound() {
        let random = SeededRandom::new(1);
        assert!((0..1_000).all(|_| random.below(7) < 7));
        assert_eq!(random.below(0), 0);
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn the_system_does_not_repeat_itself_within_what_is_drawn_at_once_or_beyond() {
        let drawn: BTreeSet<u64> = (0..1_000).map(|_| SystemRandom.next_u64()).collect();
        assert_eq!(drawn.len(), 1_000);
        let of_another_thread = std::thread::spawn(|| SystemRandom.next_u64()).join().unwrap();
        assert!(!drawn.contains(&of_another_thread));
    }
}
