//! The keys of an entity in indexes: `index(ByUser, partition_key = "..", sort_key = "..")`.

use syn::parse::ParseStream;
use syn::{LitStr, Path, Result, Token};

use super::{Shards, read_earlier, read_shards};
use crate::option::{self, Options};
use crate::template::Template;

const OPTIONS: Options = Options {
    owner: "index",
    once: &["partition_key", "sort_key", "shards", "earlier_shards", "deviation"],
    repeated: &[],
};

/// One index that an entity is in.
pub(super) struct IndexEntry {
    /// The type of the index.
    pub(super) index: Path,
    /// The templates of its key.
    pub(super) key: EntryKey,
    /// Why the key does not hold the tenant.
    pub(super) deviation: Option<LitStr>,
}

/// How an entity is keyed in an index.
pub(super) enum EntryKey {
    /// Rendered, in a global index.
    Global { partition_key: Template, sort_key: Option<Template>, shards: Shards },
    /// Rendered, in a local index.
    Local { sort_key: Template },
    /// By attributes that the table names.
    Attributes,
}

impl IndexEntry {
    /// Reads what stands between the parentheses.
    pub(super) fn read(input: ParseStream<'_>) -> Result<IndexEntry> {
        let index: Path = input.parse().map_err(|_| {
            input.error("here the type of the index is expected: `index(ByUser, partition_key = \"..\")`")
        })?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        let (mut partition_key, mut sort_key, mut deviation) = (None, None, None);
        let mut shards = Shards::default();
        let mut of_shards = None;
        OPTIONS.read_list(input, &mut Vec::new(), &mut |option, input| {
            match option.to_string().as_str() {
                "partition_key" => partition_key = Some(option::text(option, input)?),
                "sort_key" => sort_key = Some(option::text(option, input)?),
                "deviation" => deviation = Some(option::text(option, input)?),
                "shards" => {
                    of_shards = Some(option.clone());
                    shards.count = Some(read_shards(option::number(option, input)?)?);
                }
                "earlier_shards" => {
                    of_shards = Some(option.clone());
                    shards.earlier = read_earlier(option::list(option, input)?)?;
                }
                other => unreachable!("the list of options has no `{other}`"),
            }
            Ok(())
        })?;
        let sort_key = sort_key.map(|literal| Template { literal });
        let key = match (partition_key, sort_key, of_shards) {
            (Some(literal), sort_key, _) => {
                EntryKey::Global { partition_key: Template { literal }, sort_key, shards }
            }
            (None, _, Some(option)) => {
                return Err(syn::Error::new(
                    option.span(),
                    "shards are of a partition key, and the entity gives none in this index: the one of a local index is \
                     the table's, and attributes are not sharded",
                ));
            }
            (None, Some(sort_key), None) => EntryKey::Local { sort_key },
            (None, None, None) => EntryKey::Attributes,
        };
        Ok(IndexEntry { index, key, deviation })
    }

    /// Whether its key is rendered from the attribute.
    pub(super) fn names(&self, name: &str) -> bool {
        match &self.key {
            EntryKey::Global { partition_key, sort_key, .. } => {
                partition_key.names(name) || sort_key.as_ref().is_some_and(|template| template.names(name))
            }
            EntryKey::Local { sort_key } => sort_key.names(name),
            EntryKey::Attributes => false,
        }
    }

    /// The shards of its partition key; none where that is the table's or not rendered.
    pub(super) const fn shards(&self) -> Option<&Shards> {
        match &self.key {
            EntryKey::Global { shards, .. } => Some(shards),
            EntryKey::Local { .. } | EntryKey::Attributes => None,
        }
    }

    /// Whether its partition key is the table's.
    pub(super) const fn is_local(&self) -> bool {
        matches!(self.key, EntryKey::Local { .. })
    }

    /// Whether its partition key is given a number of shards.
    pub(super) fn is_sharded(&self) -> bool {
        matches!(&self.key, EntryKey::Global { shards, .. } if shards.count.is_some())
    }

    /// Whether the index is keyed by attributes.
    pub(super) fn is_of_attributes(&self) -> bool {
        matches!(self.key, EntryKey::Attributes)
    }
}
