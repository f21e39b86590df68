//! Secondary indexes.

use super::table::KeyAttribute;

/// A secondary index of a table.
#[derive(Clone, Copy, Debug)]
pub struct IndexShape<'a> {
    /// What the code calls it.
    pub name: &'a str,
    /// Global or local.
    pub reach: IndexReach,
    /// Its key attributes.
    pub keys: IndexKeys<'a>,
    /// What it holds beside the keys.
    pub projection: Projection<'a>,
}

/// Whether an index has partitions of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexReach {
    /// With partitions of its own; reads are eventually consistent only.
    Global,
    /// Within the table's partitions; a collection may have 10 GB.
    Local,
}

/// The key attributes of an index.
///
/// Source: "Multi-attribute keys" in
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html>.
#[derive(Clone, Copy, Debug)]
pub enum IndexKeys<'a> {
    /// One attribute each, which entities render a template into.
    Rendered {
        /// The partition key; that of a local index is the table's.
        partition_key: KeyAttribute<'a>,
        /// The sort key, if there is one.
        sort_key: Option<KeyAttribute<'a>>,
    },
    /// Up to four attributes each, which entities have anyway.
    Attributes {
        /// One to four attributes; a query gives all of them by equality.
        partition_key: &'a [KeyAttribute<'a>],
        /// None to four attributes; a query gives them from left to right, the last one by a range if it likes.
        sort_key: &'a [KeyAttribute<'a>],
    },
}

/// What an index holds beside the keys of the table and its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Projection<'a> {
    /// Nothing.
    KeysOnly,
    /// These attributes.
    Include(&'a [&'a str]),
    /// Everything: the table is paid for twice, so there has to be a reason.
    All {
        /// Why.
        reason: &'a str,
    },
}

impl<'a> IndexShape<'a> {
    /// A global index with rendered keys.
    #[must_use]
    pub const fn global(
        name: &'a str,
        partition_key: KeyAttribute<'a>,
        sort_key: Option<KeyAttribute<'a>>,
    ) -> IndexShape<'a> {
        let keys = IndexKeys::Rendered { partition_key, sort_key };
        IndexShape { name, reach: IndexReach::Global, keys, projection: Projection::KeysOnly }
    }

    /// A local index with a rendered sort key; `partition_key` is the table's.
    #[must_use]
    pub const fn local(
        name: &'a str,
        partition_key: KeyAttribute<'a>,
        sort_key: KeyAttribute<'a>,
    ) -> IndexShape<'a> {
        let keys = IndexKeys::Rendered { partition_key, sort_key: Some(sort_key) };
        IndexShape { name, reach: IndexReach::Local, keys, projection: Projection::KeysOnly }
    }

    /// A global index on attributes that entities have anyway.
    #[must_use]
    pub const fn multi_attribute(
        name: &'a str,
        partition_key: &'a [KeyAttribute<'a>],
        sort_key: &'a [KeyAttribute<'a>],
    ) -> IndexShape<'a> {
        let keys = IndexKeys::Attributes { partition_key, sort_key };
        IndexShape { name, reach: IndexReach::Global, keys, projection: Projection::KeysOnly }
    }

    /// The same with this projection.
    #[must_use]
    pub const fn with_projection(self, projection: Projection<'a>) -> IndexShape<'a> {
        IndexShape { projection, ..self }
    }
}
