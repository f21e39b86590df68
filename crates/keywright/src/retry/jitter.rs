//! By how much pauses are shortened: a draw of its own for each.

use std::sync::atomic::{AtomicU64, Ordering};

/// Where the draws come from that pauses are shortened by, so that callers who were throttled together do not come back together.
///
/// ```
/// use keywright::{Jitter, RetryPolicy};
///
/// // A test whose pauses are the same in every run.
/// let repeatable = RetryPolicy { jitter: Jitter::Seeded(7), ..RetryPolicy::default() };
/// # assert_ne!(repeatable, RetryPolicy::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Jitter {
    /// The system's randomness.
    #[default]
    System,
    /// A sequence that this seed decides.
    Seeded(u64),
}

/// Draws numbers.
#[derive(Debug)]
pub(super) struct Draws {
    jitter: Jitter,
    /// How many were drawn.
    drawn: AtomicU64,
}

impl Draws {
    pub(super) const fn new(jitter: Jitter) -> Draws {
        Draws { jitter, drawn: AtomicU64::new(0) }
    }

    /// A number from 0 to 1; 1 if the system gives no random bytes.
    pub(super) fn next(&self) -> f64 {
        let bits = match self.jitter {
            Jitter::System => {
                let mut bytes = [0_u8; 4];
                match getrandom::fill(&mut bytes) {
                    Ok(()) => u32::from_le_bytes(bytes),
                    Err(_) => u32::MAX,
                }
            }
            Jitter::Seeded(seed) => mixed(seed, self.drawn.fetch_add(1, Ordering::Relaxed)),
        };
        f64::from(bits) / f64::from(u32::MAX)
    }
}

/// The bits of one draw of a seed: SplitMix64.
///
/// Source: <https://doi.org/10.1145/2714064.2660195>
const fn mixed(seed: u64, number: u64) -> u32 {
    let state = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let bits = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 32) as u32
}
