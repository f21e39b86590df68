//! What an entity is there for, where the data layer keeps its items by itself: claims, counters, locks, buckets and tokens.
//!
//! The words are those of `keywright.toml`.

use crate::text;

/// What an entity is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose<'a> {
    /// Data.
    Data,
    /// The key of a request that has effect once.
    Claim,
    /// A lock with a lease and a fencing token.
    Lock,
    /// A counter in this attribute, each increment of which counts once.
    ExactCounter {
        /// The attribute that holds the count.
        count: &'a str,
    },
    /// A counter in this attribute that a lost answer may leave off by what was added.
    ApproximateCounter {
        /// The attribute that holds the count.
        count: &'a str,
    },
    /// The bucket of a rate limit.
    RateLimit,
    /// A token that is used once.
    SingleUseToken,
}

impl<'a> Purpose<'a> {
    /// The word in `keywright.toml` and in derives.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Purpose::Data => "data",
            Purpose::Claim => "claim",
            Purpose::Lock => "lock",
            Purpose::ExactCounter { .. } => "exact-counter",
            Purpose::ApproximateCounter { .. } => "approximate-counter",
            Purpose::RateLimit => "rate-limit",
            Purpose::SingleUseToken => "single-use-token",
        }
    }

    /// What a message calls an item of it.
    pub(crate) const fn noun(&self) -> &'static str {
        match self {
            Purpose::Data => "data",
            Purpose::Claim => "a claim",
            Purpose::Lock => "a lock",
            Purpose::ExactCounter { .. } | Purpose::ApproximateCounter { .. } => "a counter",
            Purpose::RateLimit => "the bucket of a rate limit",
            Purpose::SingleUseToken => "a token that is used once",
        }
    }

    /// The attribute that holds the count of a counter.
    #[must_use]
    pub const fn count(&self) -> Option<&'a str> {
        match self {
            Purpose::ExactCounter { count } | Purpose::ApproximateCounter { count } => Some(count),
            Purpose::Data | Purpose::Claim | Purpose::Lock | Purpose::RateLimit | Purpose::SingleUseToken => {
                None
            }
        }
    }

    /// Whether the data layer decides when its items expire.
    pub(crate) const fn sets_time_to_live(&self) -> bool {
        matches!(self, Purpose::Claim | Purpose::RateLimit | Purpose::SingleUseToken)
    }

    /// Whether the data layer keeps this attribute of its items, which no update changes.
    pub(crate) const fn keeps(&self, attribute: &str, time_to_live: Option<&str>) -> bool {
        if let Some(count) = self.count()
            && text::equal(count, attribute)
        {
            return true;
        }
        match time_to_live {
            Some(time_to_live) => self.sets_time_to_live() && text::equal(time_to_live, attribute),
            None => false,
        }
    }
}
