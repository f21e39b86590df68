//! What one client knows of its own: everything it was told, and what it was doing when it was told no more.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::client::Item;
use super::schema::{EXTRA, RECEIPTS, THINGS};

/// Where an item is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) table: String,
    pub(crate) pk: String,
    pub(crate) sk: i64,
}

/// A new state of one item; `None` is no item.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) place: Place,
    pub(crate) after: Option<Item>,
}

/// A call without an answer.
#[derive(Clone, Debug)]
pub(crate) enum Doubt {
    /// Of one item, or a transaction: all of it happened or nothing.
    Whole(Vec<Change>),
    /// A batch: each part of it happened or not.
    Each(Vec<Change>),
    /// One more on the counter.
    Count,
    Create(String),
    Delete(String),
}

/// A transaction that was sent with a token.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) body: Value,
    pub(crate) changes: Vec<Change>,
    /// Whether it was answered; if not, it is the client's doubt.
    pub(crate) is_answered: bool,
    /// When, in milliseconds of the store's clock.
    pub(crate) at: u64,
}

/// One client's log.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    pub(crate) number: usize,
    /// Its own tables.
    pub(crate) tables: BTreeSet<String>,
    pub(crate) items: BTreeMap<Place, Item>,
    /// How often it was told that it counted, and the most that it was told.
    pub(crate) counted: i64,
    pub(crate) highest_count: i64,
    pub(crate) sent: Vec<Sent>,
    pub(crate) doubt: Option<Doubt>,
    /// What the call came to that ended its last run, if one did.
    pub(crate) ended: Option<String>,
    /// Grows with each write, so that no two ever write the same.
    pub(crate) stamp: u64,
    /// Answered writes, and those that a full disk refused.
    pub(crate) answered: usize,
    pub(crate) refused_by_full_disk: usize,
}

impl Log {
    pub(crate) fn new(number: usize) -> Log {
        Log { number, ..Log::default() }
    }

    /// The partition of its items, in every table.
    pub(crate) fn partition(&self) -> String {
        format!("client {}", self.number)
    }

    pub(crate) fn thing(&self, sk: i64) -> Place {
        self.place(THINGS, sk)
    }

    pub(crate) fn receipt(&self, sk: i64) -> Place {
        self.place(RECEIPTS, sk)
    }

    pub(crate) fn place(&self, table: &str, sk: i64) -> Place {
        Place { table: table.to_owned(), pk: self.partition(), sk }
    }

    /// The name of one of its own tables.
    pub(crate) fn table(&self, number: usize) -> String {
        format!("{EXTRA}{}-{number}", self.number)
    }

    /// Whether only this client writes there.
    pub(crate) fn owns(&self, place: &Place) -> bool {
        place.pk == self.partition()
    }

    pub(crate) fn owns_table(&self, name: &str) -> bool {
        name.starts_with(&self.table(0)[..self.table(0).len() - 1])
    }

    /// The items after some changes.
    pub(crate) fn items_after(&self, changes: &[Change]) -> BTreeMap<Place, Item> {
        let mut items = self.items.clone();
        changes.iter().for_each(|change| change.apply(&mut items));
        items
    }

    /// Notes that a call was answered.
    pub(crate) fn apply(&mut self, done: &Doubt) {
        self.answered += 1;
        match done {
            Doubt::Whole(changes) | Doubt::Each(changes) => {
                changes.iter().for_each(|change| change.apply(&mut self.items));
            }
            Doubt::Count => self.counted += 1,
            Doubt::Create(table) => drop(self.tables.insert(table.clone())),
            Doubt::Delete(table) => {
                self.tables.remove(table);
                self.items.retain(|place, _| place.table != *table);
            }
        }
    }
}

impl Change {
    pub(crate) fn apply(&self, items: &mut BTreeMap<Place, Item>) {
        match &self.after {
            Some(item) => items.insert(self.place.clone(), item.clone()),
            None => items.remove(&self.place),
        };
    }
}

impl Place {
    pub(crate) fn key(&self) -> Value {
        json!({"pk": {"S": self.pk}, "sk": {"N": self.sk.to_string()}})
    }

    /// An item without attributes beside its key.
    pub(crate) fn bare_item(&self) -> Map<String, Value> {
        self.key().as_object().unwrap().clone()
    }
}
