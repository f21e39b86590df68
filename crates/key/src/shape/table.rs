//! The table: its keys, its indexes, and the entities and patterns that it lists.

use super::entity::EntityShape;
use super::index::IndexShape;
use super::pattern::PatternShape;
use crate::format::KeyFormat;
use crate::nearest::Nearest;
use crate::text;

/// A table and everything that is declared for it.
#[derive(Clone, Copy, Debug)]
pub struct TableShape<'a> {
    /// What the code calls it.
    pub name: &'a str,
    /// The attribute of the partition key.
    pub partition_key: KeyAttribute<'a>,
    /// The attribute of the sort key, if the table has one.
    pub sort_key: Option<KeyAttribute<'a>>,
    /// How its keys are written.
    pub format: KeyFormat,
    /// The attribute that says which entity an item is.
    pub discriminator: &'a str,
    /// Whether the table is shared by tenants.
    pub tenancy: Tenancy<'a>,
    /// The attribute that the table's time to live looks at.
    pub time_to_live: Option<&'a str>,
    /// What its stream carries, if somebody reads one.
    pub stream: Option<StreamView>,
    /// Its secondary indexes.
    pub indexes: &'a [IndexShape<'a>],
    /// Its entities.
    pub entities: &'a [&'a EntityShape<'a>],
    /// Its access patterns.
    pub patterns: &'a [&'a PatternShape<'a>],
}

/// What a stream record carries beside the keys.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_StreamSpecification.html>
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamView {
    /// Nothing.
    KeysOnly,
    /// The item as it was.
    OldImage,
    /// The item as it is.
    NewImage,
    /// Both.
    NewAndOldImages,
}

/// Whether a table is shared by tenants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tenancy<'a> {
    /// There are no tenants.
    None,
    /// This attribute of every entity says whose an item is.
    Attribute(&'a str),
}

/// An attribute of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyAttribute<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it holds.
    pub attribute_type: AttributeType,
}

/// What DynamoDB allows in a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeType {
    /// `S`: rendered keys are always strings.
    String,
    /// `N`
    Number,
    /// `B`
    Binary,
}

impl<'a> KeyAttribute<'a> {
    /// A string attribute.
    #[must_use]
    pub const fn string(name: &'a str) -> KeyAttribute<'a> {
        KeyAttribute { name, attribute_type: AttributeType::String }
    }

    /// A number attribute.
    #[must_use]
    pub const fn number(name: &'a str) -> KeyAttribute<'a> {
        KeyAttribute { name, attribute_type: AttributeType::Number }
    }

    /// A binary attribute.
    #[must_use]
    pub const fn binary(name: &'a str) -> KeyAttribute<'a> {
        KeyAttribute { name, attribute_type: AttributeType::Binary }
    }
}

impl<'a> TableShape<'a> {
    /// A table with `pk`, `sk`, the standard format and the discriminator `entity`, without tenants and anything else.
    #[must_use]
    pub const fn new(name: &'a str) -> TableShape<'a> {
        TableShape {
            name,
            partition_key: KeyAttribute::string("pk"),
            sort_key: Some(KeyAttribute::string("sk")),
            format: KeyFormat::STANDARD,
            discriminator: "entity",
            tenancy: Tenancy::None,
            time_to_live: None,
            stream: None,
            indexes: &[],
            entities: &[],
            patterns: &[],
        }
    }

    /// The same with these key attributes.
    #[must_use]
    pub const fn with_key(
        self,
        partition_key: KeyAttribute<'a>,
        sort_key: Option<KeyAttribute<'a>>,
    ) -> TableShape<'a> {
        TableShape { partition_key, sort_key, ..self }
    }

    /// The same with keys written like this.
    #[must_use]
    pub const fn with_format(self, format: KeyFormat) -> TableShape<'a> {
        TableShape { format, ..self }
    }

    /// The same with this discriminator attribute.
    #[must_use]
    pub const fn with_discriminator(self, discriminator: &'a str) -> TableShape<'a> {
        TableShape { discriminator, ..self }
    }

    /// The same, shared by tenants that this attribute names.
    #[must_use]
    pub const fn with_tenant(self, attribute: &'a str) -> TableShape<'a> {
        TableShape { tenancy: Tenancy::Attribute(attribute), ..self }
    }

    /// The same with this attribute as the time to live.
    #[must_use]
    pub const fn with_time_to_live(self, attribute: &'a str) -> TableShape<'a> {
        TableShape { time_to_live: Some(attribute), ..self }
    }

    /// The same with a stream that carries this.
    #[must_use]
    pub const fn with_stream(self, view: StreamView) -> TableShape<'a> {
        TableShape { stream: Some(view), ..self }
    }

    /// The same with these indexes.
    #[must_use]
    pub const fn with_indexes(self, indexes: &'a [IndexShape<'a>]) -> TableShape<'a> {
        TableShape { indexes, ..self }
    }

    /// The same with these entities.
    #[must_use]
    pub const fn with_entities(self, entities: &'a [&'a EntityShape<'a>]) -> TableShape<'a> {
        TableShape { entities, ..self }
    }

    /// The same with these patterns.
    #[must_use]
    pub const fn with_patterns(self, patterns: &'a [&'a PatternShape<'a>]) -> TableShape<'a> {
        TableShape { patterns, ..self }
    }

    /// The entity with this name.
    #[must_use]
    pub const fn entity(&self, name: &str) -> Option<&'a EntityShape<'a>> {
        let mut rest = self.entities;
        while let [entity, later @ ..] = rest {
            if text::equal(entity.name, name) {
                return Some(entity);
            }
            rest = later;
        }
        None
    }

    /// The index with this name.
    #[must_use]
    pub const fn index(&self, name: &str) -> Option<&'a IndexShape<'a>> {
        let mut rest = self.indexes;
        while let [index, later @ ..] = rest {
            if text::equal(index.name, name) {
                return Some(index);
            }
            rest = later;
        }
        None
    }

    /// What the name of an index that is not there was meant to be.
    pub(crate) const fn nearest_index<'n>(&self, asked: &'n str) -> Nearest<'n>
    where
        'a: 'n,
    {
        let (mut meant, mut rest) = (Nearest::to(asked), self.indexes);
        while let [index, later @ ..] = rest {
            meant = meant.or(index.name);
            rest = later;
        }
        meant
    }
}
