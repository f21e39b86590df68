//! The key that a pattern reads by: of the table or of an index, as the returned entities have it.

use keywright_key::declare::{ReadItems, Table};
use keywright_key::{EntityShape, IndexKey, IndexKeys, KeyAttribute, KeyShape, PatternShape, TableShape};

/// The key of what a pattern reads.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one while a request is written, and it is never moved"
)]
pub(crate) enum ReadKey {
    /// Attributes that are rendered.
    Rendered {
        /// The returned entity's name, for messages.
        entity: &'static str,
        /// The templates.
        key: KeyShape<'static>,
        /// The attribute of the partition key.
        partition_key: &'static str,
        /// The attribute of the sort key.
        sort_key: Option<&'static str>,
    },
    /// Attributes that items have anyway.
    Attributes {
        /// All of them by equality.
        partition_key: &'static [KeyAttribute<'static>],
    },
}

impl ReadKey {
    /// The key that a pattern reads by.
    pub(crate) fn of<Pattern: ReadItems>() -> ReadKey {
        let (table, pattern) = (<Pattern::Table as Table>::SHAPE, Pattern::SHAPE);
        match find(&table, &pattern) {
            Some(key) => key,
            None => {
                unreachable!("rules KW0305 and KW0308 hold that what a pattern returns is in what it reads")
            }
        }
    }
}

fn find(table: &TableShape<'static>, pattern: &PatternShape<'static>) -> Option<ReadKey> {
    let returned = pattern.returns.first()?;
    let entity: &EntityShape<'static> = table.entity(returned.entity)?;
    let Some(index) = pattern.index else {
        return Some(ReadKey::Rendered {
            entity: entity.name,
            key: entity.key,
            partition_key: table.partition_key.name,
            sort_key: table.sort_key.map(|attribute| attribute.name),
        });
    };
    let (index, entry) = (table.index(index)?, entity.entry(index)?);
    Some(match (index.keys, entry.key) {
        (IndexKeys::Attributes { partition_key, .. }, _) => ReadKey::Attributes { partition_key },
        (IndexKeys::Rendered { partition_key, sort_key }, IndexKey::Global(key)) => ReadKey::Rendered {
            entity: entity.name,
            key,
            partition_key: partition_key.name,
            sort_key: sort_key.map(|attribute| attribute.name),
        },
        (IndexKeys::Rendered { sort_key: attribute, .. }, IndexKey::Local { sort_key }) => {
            ReadKey::Rendered {
                entity: entity.name,
                key: KeyShape { sort_key: Some(sort_key), ..entity.key },
                partition_key: table.partition_key.name,
                sort_key: attribute.map(|attribute| attribute.name),
            }
        }
        (IndexKeys::Rendered { .. }, IndexKey::Attributes) => return None,
    })
}
