//! What BatchGetItem and BatchWriteItem have in common: their requests come by table.
//!
//! Invariants: tables keep the order of the request, and of a table that is there twice the last one counts; no more
//! tables are kept than a batch can have requests, since each has one at least.

use keywright_item::json::{ObjectType, Reader, SerializationError};

use crate::constraint::Constraints;
use crate::{TableName, Validation};

/// `RequestItems` as it was sent.
#[derive(Debug)]
pub(super) struct ByTable<Entry> {
    tables: Vec<(String, Entry)>,
    /// Whether there are more tables than can have requests.
    more: bool,
}

impl<Entry> ByTable<Entry> {
    /// Reads the map, at most `most` of its tables; `read` reads the requests of one table.
    pub(super) fn read<'body>(
        reader: &mut Reader<'body>,
        expected: ObjectType,
        most: usize,
        mut read: impl FnMut(&mut Reader<'body>) -> Result<Entry, SerializationError>,
    ) -> Result<Option<Self>, SerializationError> {
        reader.optional(|reader| {
            let mut map = Self { tables: Vec::new(), more: false };
            reader.object(expected, |name, reader| {
                if let Some(entry) = reader.optional(&mut read)? {
                    map.insert(name, entry, most);
                }
                Ok::<(), SerializationError>(())
            })?;
            Ok(map)
        })
    }

    fn insert(&mut self, name: &str, entry: Entry, most: usize) {
        if let Some((_, held)) = self.tables.iter_mut().find(|(held, _)| held == name) {
            *held = entry;
        } else if self.tables.len() < most {
            self.tables.push((name.to_owned(), entry));
        } else {
            self.more = true;
        }
    }

    pub(super) fn has_more(&self) -> bool {
        self.more
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.tables.iter().map(|(name, entry)| (name.as_str(), entry))
    }

    /// The tables' names, if all of them are names; `shown` prints the map.
    pub(super) fn names(
        &self,
        constraints: &mut Constraints,
        shown: impl FnOnce() -> String,
    ) -> Vec<TableName> {
        let names: Vec<&str> = self.tables.iter().map(|(name, _)| name.as_str()).collect();
        constraints.table_names("requestItems", &names, shown)
    }

    /// The entries under names that satisfied their constraints. Refuses a table that is there by its name and by its
    /// Amazon Resource Name as well.
    pub(super) fn named(self, names: Vec<TableName>) -> Result<Vec<(TableName, Entry)>, Validation> {
        for (place, name) in names.iter().enumerate() {
            if names.iter().take(place).any(|earlier| earlier == name) {
                return Err(Validation::TableNamedTwice { name: name.clone() });
            }
        }
        Ok(names.into_iter().zip(self.tables.into_iter().map(|(_, entry)| entry)).collect())
    }
}
