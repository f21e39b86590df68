//! Write sharding: the items of one partition key spread over several.
//!
//! A shard is a last segment of the partition key, its number in decimal: `ORG#1#0` to `ORG#1#7`. Which shard an item
//! is in depends on its sort key alone, so that it can be found again. The number of shards may change: earlier numbers
//! are kept in the design, and reads look there too.

use std::fmt;

use crate::delimiter::Delimiter;

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

    /// The partition key to write an item with: `key`, rendered, and the shard that follows from the item's sort key.
    ///
    /// ```
    /// use keywright_key::{Delimiter, Shards};
    ///
    /// let shards = Shards::of(8, &[]);
    /// assert_eq!(shards.key_to_write("TOPIC#news", Delimiter::NUMBER_SIGN, "2026-05-01"), "TOPIC#news#7");
    /// ```
    #[must_use]
    pub fn key_to_write(&self, key: &str, delimiter: Delimiter, sort_key: &str) -> String {
        sharded(key, delimiter, self.count, shard_of(sort_key, self.count))
    }

    /// The partition key of one shard of those that are written now: of what is spread by choice, and added up when it is read.
    /// `number` beyond them begins again at the first.
    ///
    /// ```
    /// use keywright_key::{Delimiter, Shards};
    ///
    /// let shards = Shards::of(8, &[2]);
    /// assert_eq!(shards.key_of_shard("VIEWS#home", Delimiter::NUMBER_SIGN, 7), "VIEWS#home#7");
    /// assert_eq!(shards.key_of_shard("VIEWS#home", Delimiter::NUMBER_SIGN, 8), "VIEWS#home#0");
    /// assert_eq!(Shards::NONE.key_of_shard("VIEWS#home", Delimiter::NUMBER_SIGN, 8), "VIEWS#home");
    /// ```
    #[must_use]
    pub fn key_of_shard(&self, key: &str, delimiter: Delimiter, number: u16) -> String {
        sharded(key, delimiter, self.count, number % self.count)
    }

    /// The partition keys under which an item with this sort key can be, the one that it would be written with now first.
    #[must_use]
    pub fn keys_of_item(&self, key: &str, delimiter: Delimiter, sort_key: &str) -> Vec<String> {
        let mut keys: Vec<String> = Vec::new();
        for count in std::iter::once(self.count).chain(self.earlier.iter().copied()) {
            let candidate = sharded(key, delimiter, count, shard_of(sort_key, count));
            if !keys.contains(&candidate) {
                keys.push(candidate);
            }
        }
        keys
    }

    /// Every partition key to read for all items of `key`, each once: its shards, and the key without one if there are such items.
    #[must_use]
    pub fn keys_to_read(&self, key: &str, delimiter: Delimiter) -> Vec<String> {
        let unsharded = self.has_unsharded().then(|| key.to_owned());
        let largest = self.largest();
        let numbers = if largest > 1 { 0..largest } else { 0..0 };
        unsharded.into_iter().chain(numbers.map(|shard| sharded(key, delimiter, largest, shard))).collect()
    }

    /// The key without its shard; nothing if `key` has no segment that is one of the shards.
    #[must_use]
    pub fn without_shard<'k>(&self, key: &'k str, delimiter: Delimiter) -> Option<&'k str> {
        let (rest, number) = key.rsplit_once(delimiter.character())?;
        let shard = number.parse::<u16>().ok()?;
        (self.is_sharded() && shard < self.largest() && shard.to_string() == number).then_some(rest)
    }

    /// How many bytes the delimiter and the number of a shard have at most; none without shards.
    pub(super) fn longest_suffix_bytes(&self) -> usize {
        if self.is_sharded() { 1 + (self.largest() - 1).to_string().len() } else { 0 }
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

/// The shard, of `count`, in which an item with this sort key is: FNV-1a with 32 bits, modulo `count`.
fn shard_of(sort_key: &str, count: u16) -> u16 {
    let hash = sort_key
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    // A remainder is below its divisor.
    u16::try_from(hash % u32::from(count)).unwrap_or(0)
}

fn sharded(key: &str, delimiter: Delimiter, count: u16, shard: u16) -> String {
    if count == 1 { key.to_owned() } else { format!("{key}{}{shard}", delimiter.character()) }
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
