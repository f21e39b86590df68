//! Entities: the kinds of items of a table, with their keys.

use super::attribute::AttributeShape;
use super::deviation::{DeviationShape, KeyPlace};
use super::purpose::Purpose;
use super::shards::Shards;
use super::stamp::StampShape;
use crate::component::Components;
use crate::key_role::KeyRole;
use crate::template::{RenderError, TemplateShape};
use crate::text;

/// One kind of item.
#[derive(Clone, Copy, Debug)]
pub struct EntityShape<'a> {
    /// What the code calls it: `Member`.
    pub name: &'a str,
    /// What the table's discriminator attribute holds: `member`.
    pub discriminator: &'a str,
    /// The key in the table.
    pub key: KeyShape<'a>,
    /// The keys in indexes, at most one for each index.
    pub indexes: &'a [IndexEntryShape<'a>],
    /// Its attributes, without those that keys are rendered into.
    pub attributes: &'a [AttributeShape<'a>],
    /// The attribute that holds when an item expires, if items do.
    pub time_to_live: Option<&'a str>,
    /// The attribute that counts versions, if the entity has optimistic concurrency.
    pub version: Option<&'a str>,
    /// The attribute that says when an item was stored first.
    pub created: Option<StampShape<'a>>,
    /// The attribute that says when an item was written last.
    pub updated: Option<StampShape<'a>>,
    /// The keys that do not hold the tenant.
    pub deviations: &'a [DeviationShape<'a>],
    /// What it is there for.
    pub purpose: Purpose<'a>,
    /// The entities whose items hold a value for one item of this one, by their names: its reservations.
    pub unique: &'a [&'a str],
    /// The entity whose reservation this one is, by its name.
    pub reservation_of: Option<&'a str>,
}

/// A key of the table, as an entity renders it.
#[derive(Clone, Copy, Debug)]
pub struct KeyShape<'a> {
    /// The partition key.
    pub partition_key: TemplateShape<'a>,
    /// Over how many partition keys the items of one are spread.
    pub shards: Shards<'a>,
    /// The sort key, if the table has one.
    pub sort_key: Option<TemplateShape<'a>>,
}

/// An entity in an index.
#[derive(Clone, Copy, Debug)]
pub struct IndexEntryShape<'a> {
    /// The name of the index.
    pub index: &'a str,
    /// The key there.
    pub key: IndexKey<'a>,
}

/// A key of an index, as an entity gives it.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "shapes are copied while a program is compiled, and few are ever in memory"
)]
pub enum IndexKey<'a> {
    /// Rendered into the attributes of a global index.
    Global(KeyShape<'a>),
    /// Rendered into the sort key of a local index; the partition key is the table's.
    Local {
        /// The sort key.
        sort_key: TemplateShape<'a>,
    },
    /// The entity's own attributes, as the index names them: a multi-attribute key.
    Attributes,
}

impl<'a> KeyShape<'a> {
    /// A partition key and a sort key.
    #[must_use]
    pub const fn new(partition_key: TemplateShape<'a>, sort_key: TemplateShape<'a>) -> KeyShape<'a> {
        KeyShape { partition_key, shards: Shards::NONE, sort_key: Some(sort_key) }
    }

    /// A partition key alone.
    #[must_use]
    pub const fn partition_only(partition_key: TemplateShape<'a>) -> KeyShape<'a> {
        KeyShape { partition_key, shards: Shards::NONE, sort_key: None }
    }

    /// The same over these shards.
    #[must_use]
    pub const fn with_shards(self, shards: Shards<'a>) -> KeyShape<'a> {
        KeyShape { shards, ..self }
    }
}

impl KeyShape<'_> {
    /// The partition key without its shard, with room left for one: [`Shards`] gives the keys to write and to read.
    ///
    /// # Errors
    /// [`RenderError`] as for rendering.
    pub fn render_partition_key<Given: Components + ?Sized>(
        &self,
        components: &Given,
    ) -> Result<String, RenderError> {
        let reserved = self.shards.longest_suffix_bytes();
        self.partition_key.render_within(KeyRole::Partition.longest_bytes() - reserved, components)
    }

    /// The sort key, if there is one.
    ///
    /// # Errors
    /// [`RenderError`] as for rendering.
    pub fn render_sort_key<Given: Components + ?Sized>(
        &self,
        components: &Given,
    ) -> Result<Option<String>, RenderError> {
        self.sort_key.map(|template| template.render(KeyRole::Sort, components)).transpose()
    }
}

impl<'a> EntityShape<'a> {
    /// An entity with these attributes and this key, in no index.
    #[must_use]
    pub const fn new(
        name: &'a str,
        discriminator: &'a str,
        key: KeyShape<'a>,
        attributes: &'a [AttributeShape<'a>],
    ) -> EntityShape<'a> {
        EntityShape {
            name,
            discriminator,
            key,
            indexes: &[],
            attributes,
            time_to_live: None,
            version: None,
            created: None,
            updated: None,
            deviations: &[],
            purpose: Purpose::Data,
            unique: &[],
            reservation_of: None,
        }
    }

    /// The same with keys in these indexes.
    #[must_use]
    pub const fn with_indexes(self, indexes: &'a [IndexEntryShape<'a>]) -> EntityShape<'a> {
        EntityShape { indexes, ..self }
    }

    /// The same with this attribute as the time to live.
    #[must_use]
    pub const fn with_time_to_live(self, attribute: &'a str) -> EntityShape<'a> {
        EntityShape { time_to_live: Some(attribute), ..self }
    }

    /// The same with this attribute as the version.
    #[must_use]
    pub const fn with_version(self, attribute: &'a str) -> EntityShape<'a> {
        EntityShape { version: Some(attribute), ..self }
    }

    /// The same with this stamp of the first write.
    #[must_use]
    pub const fn with_created(self, stamp: StampShape<'a>) -> EntityShape<'a> {
        EntityShape { created: Some(stamp), ..self }
    }

    /// The same with this stamp of the last write.
    #[must_use]
    pub const fn with_updated(self, stamp: StampShape<'a>) -> EntityShape<'a> {
        EntityShape { updated: Some(stamp), ..self }
    }

    /// The same with these deviations.
    #[must_use]
    pub const fn with_deviations(self, deviations: &'a [DeviationShape<'a>]) -> EntityShape<'a> {
        EntityShape { deviations, ..self }
    }

    /// The same, there for this.
    #[must_use]
    pub const fn with_purpose(self, purpose: Purpose<'a>) -> EntityShape<'a> {
        EntityShape { purpose, ..self }
    }

    /// The same with these reservations.
    #[must_use]
    pub const fn with_unique(self, unique: &'a [&'a str]) -> EntityShape<'a> {
        EntityShape { unique, ..self }
    }

    /// The same as a reservation of this entity.
    #[must_use]
    pub const fn with_reservation_of(self, owner: &'a str) -> EntityShape<'a> {
        EntityShape { reservation_of: Some(owner), ..self }
    }

    /// The attribute that items store as `name`.
    #[must_use]
    pub const fn attribute(&self, name: &str) -> Option<&'a AttributeShape<'a>> {
        let mut rest = self.attributes;
        while let [attribute, later @ ..] = rest {
            if text::equal(attribute.name, name) {
                return Some(attribute);
            }
            rest = later;
        }
        None
    }

    /// The key in the index with this name.
    #[must_use]
    pub const fn entry(&self, index: &str) -> Option<&'a IndexEntryShape<'a>> {
        let mut rest = self.indexes;
        while let [entry, later @ ..] = rest {
            if text::equal(entry.index, index) {
                return Some(entry);
            }
            rest = later;
        }
        None
    }

    /// The deviation that is declared for a key: items that are found by it must be verified when they are read.
    #[must_use]
    pub const fn deviation(&self, key: KeyPlace<'_>) -> Option<&'a DeviationShape<'a>> {
        let mut rest = self.deviations;
        while let [deviation, later @ ..] = rest {
            if deviation.key.is(&key) {
                return Some(deviation);
            }
            rest = later;
        }
        None
    }
}
