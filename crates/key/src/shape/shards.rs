//! Write sharding: the items of one partition key spread over several.
//!
//! A shard is a last segment of the partition key, its number in decimal: `ORG#1#0` to `ORG#1#7`. Which shard an item
//! is in depends on its sort key alone, so that it can be found again. The number of shards may change: earlier numbers
//! are kept in the design, and reads look there too.

use std::fmt;

/// Over how many partition keys the items of one are spread, now and earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shards<'a> {
    count: u16,
    earlier: &'a [u16],
}

/// Why numbers of shards cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidShards {
    /// A number is 0, or above [`Shards::MOST`].
    Count,
}

impl<'a> Shards<'a> {
    /// The most shards: each is one Query more for every read.
    pub const MOST: u16 = 1000;

    /// No shards: the partition key has no further segment.
    pub const NONE: Shards<'static> = Shards { count: 1, earlier: &[] };

    /// `count` shards; 1 is a partition key without shards.
    ///
    /// # Errors
    /// When `count` is 0 or above [`Shards::MOST`].
    pub const fn new(count: u16) -> Result<Shards<'static>, InvalidShards> {
        Shards::with_earlier(count, &[])
    }

    /// `count` shards now, and `earlier` numbers that items were written with; 1 is a partition key without shards.
    ///
    /// # Errors
    /// When one of the numbers is 0 or above [`Shards::MOST`].
    pub const fn with_earlier(count: u16, earlier: &'a [u16]) -> Result<Shards<'a>, InvalidShards> {
        if count == 0 || count > Shards::MOST {
            return Err(InvalidShards::Count);
        }
        let mut rest = earlier;
        while let [one, later @ ..] = rest {
            if *one == 0 || *one > Shards::MOST {
                return Err(InvalidShards::Count);
            }
            rest = later;
        }
        Ok(Shards { count, earlier })
    }

    /// The same for constants.
    ///
    /// # Panics
    /// Where [`Shards::with_earlier`] gives an error; in a constant this stops the compilation.
    #[must_use]
    #[track_caller]
    #[expect(clippy::panic, reason = "a panic is the one way in which a constant function reports")]
    pub const fn of(count: u16, earlier: &'a [u16]) -> Shards<'a> {
        match Shards::with_earlier(count, earlier) {
            Ok(shards) => shards,
            Err(error) => panic!("{}", error.text()),
        }
    }

    /// The number that items are written with now.
    #[must_use]
    pub const fn count(&self) -> u16 {
        self.count
    }

    /// The numbers that items were written with earlier.
    #[must_use]
    pub const fn earlier(&self) -> &'a [u16] {
        self.earlier
    }

    /// Whether some items have a shard in their key.
    #[must_use]
    pub const fn is_sharded(&self) -> bool {
        self.largest() > 1
    }

    /// Whether some items have no shard in their key.
    #[must_use]
    pub const fn has_unsharded(&self) -> bool {
        let mut rest = self.earlier;
        while let [one, later @ ..] = rest {
            if *one == 1 {
                return true;
            }
            rest = later;
        }
        self.count == 1
    }

    /// The largest number of shards, now and earlier.
    #[must_use]
    pub const fn largest(&self) -> u16 {
        let mut largest = self.count;
        let mut rest = self.earlier;
        while let [one, later @ ..] = rest {
            if *one > largest {
                largest = *one;
            }
            rest = later;
        }
        largest
    }

    /// Whether both are the same, in a constant.
    pub(crate) const fn is(&self, other: &Shards<'_>) -> bool {
        let (mut mine, mut others) = (self.earlier, other.earlier);
        while let ([one, later @ ..], [two, later_others @ ..]) = (mine, others) {
            if *one != *two {
                return false;
            }
            mine = later;
            others = later_others;
        }
        self.count == other.count && mine.is_empty() && others.is_empty()
    }
}

impl InvalidShards {
    /// The error's text.
    #[must_use]
    pub const fn text(self) -> &'static str {
        "a number of shards is from 1 to 1,000, and 1 means a partition key without shards: compute it from the \
         expected writes a second, 1,000 for each shard"
    }
}

impl fmt::Display for InvalidShards {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text())
    }
}

impl std::error::Error for InvalidShards {}
