//! The partition keys that take the most: a summary of fixed size, however many keys there are.
//!
//! It is the space-saving algorithm, weighted by units: it keeps [`HotKeys::MOST`] counters, and a key that has none takes over the smallest
//! one, with what is counted there as its possible error. So a key that took more than the total divided by the number of counters is
//! always among them, and no key took less than its units without its error, or more than its units.
//!
//! A key is known by a hash with a key of its own for each process, so that nobody can read an id out of metrics, or find one by trying.
//!
//! Source: Metwally, Agrawal, El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data Streams", 2005.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};

/// Hashes partition keys, with a key of its own.
#[derive(Debug, Default)]
pub(super) struct KeyHasher(RandomState);

/// A partition key, hashed: the same for the same key of one store, and another one in every process.
///
/// [`Store::key_hash`](crate::Store::key_hash) tells whether it is that of a key which is suspected.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
/// let hottest = store.usage().hot_keys.into_iter().next().ok_or("something was written")?;
/// assert_eq!(hottest.key, store.key_hash("ORG#acme"));
/// assert_ne!(hottest.key, store.key_hash("ORG#globex"));
/// let shown = hottest.key.to_string(); // for a metric: 16 digits, which nobody reads a key out of
/// assert!(shown.len() == 16 && shown.bytes().all(|digit| digit.is_ascii_hexdigit()));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyHash(u64);

/// A partition key that took many units.
///
/// ```
/// use keywright::{HotKey, KeyHash};
///
/// /// Whether a key that is suspected is the one that is hot: its hash is that of `store.key_hash(..)`.
/// fn is_it(hot: &HotKey, suspected: KeyHash) -> bool {
///     println!("at least {} units, in {}", hot.units - hot.error, hot.index.unwrap_or("the table"));
///     hot.key == suspected
/// }
/// # let _ = is_it;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct HotKey {
    /// The global index whose partition key it is; none for one of the table, and of its local indexes.
    pub index: Option<&'static str>,
    /// The key, hashed.
    pub key: KeyHash,
    /// At most so many read and write units, as the service counted them. What a write took in indexes is in those of its key in the table.
    pub units: f64,
    /// So many of them may be those of keys that took less: at least `units - error` are its own.
    pub error: f64,
}

/// The counters of a store.
#[derive(Debug)]
pub(super) struct HotKeys {
    counters: Vec<HotKey>,
    /// Where each key is counted.
    places: HashMap<(Option<&'static str>, KeyHash), usize>,
}

impl Default for HotKeys {
    fn default() -> HotKeys {
        HotKeys { counters: Vec::with_capacity(HotKeys::MOST), places: HashMap::with_capacity(HotKeys::MOST) }
    }
}

impl KeyHasher {
    /// The hash of a partition key: of its attributes' values, one unless the key is a multi-attribute key.
    pub(super) fn hash(&self, key: &[&str]) -> KeyHash {
        KeyHash(self.0.hash_one(key))
    }
}

impl HotKeys {
    /// How many keys are counted.
    pub(super) const MOST: usize = 64;

    /// Counts what a key took.
    pub(super) fn count(&mut self, index: Option<&'static str>, key: KeyHash, units: f64) {
        if units <= 0.0 {
            return;
        }
        if let Some(counter) = self.places.get(&(index, key)).and_then(|place| self.counters.get_mut(*place))
        {
            counter.units += units;
            return;
        }
        if self.counters.len() < HotKeys::MOST {
            self.places.insert((index, key), self.counters.len());
            self.counters.push(HotKey { index, key, units, error: 0.0 });
            return;
        }
        let counters = self.counters.iter_mut().enumerate();
        let smallest = counters.min_by(|(_, one), (_, other)| one.units.total_cmp(&other.units));
        if let Some((place, counter)) = smallest {
            self.places.remove(&(counter.index, counter.key));
            self.places.insert((index, key), place);
            *counter = HotKey { index, key, units: counter.units + units, error: counter.units };
        }
    }

    /// The keys that took the most, the hottest first.
    pub(super) fn hottest(&self) -> Vec<HotKey> {
        let mut hottest = self.counters.clone();
        hottest.sort_by(|one, other| other.units.total_cmp(&one.units));
        hottest
    }

    /// Begins again; hashes stay the same.
    pub(super) fn clear(&mut self) {
        self.counters.clear();
        self.places.clear();
    }
}

impl fmt::Display for KeyHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

impl fmt::Debug for KeyHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "KeyHash({self})")
    }
}
