//! Entities.

use std::collections::HashSet;

use keywright_key::{KeyFormat, Shards};

use super::{Reader, load};
use crate::file::members::{Entry, Members, Part};
use crate::model::{
    Attribute, AttributeName, Entity, EntityName, EntryKey, IndexEntry, IndexName, ItemSize, OwnedShards,
    Presence, Template, ValueType,
};
use crate::words;

/// An entity: `[entity.NAME]`.
pub(super) fn read(entry: &Entry<'_>, reader: &mut Reader<'_>) -> Option<Entity> {
    let members = entry.part.members()?;
    let table = reader.table_of(&members, "an entity");
    let format = table.as_ref().map_or(KeyFormat::STANDARD, |table| reader.format_of(table));
    let partition_key = members.part("partition_key").and_then(|part| reader.template(part, format));
    let sort_key = members.part("sort_key").and_then(|part| reader.template(part, format));
    let indexes: Vec<IndexEntry> =
        members.entries("index").iter().filter_map(|index| index_entry(index, format, reader)).collect();
    let listed: Vec<Attribute> = members.entries("attributes").iter().filter_map(attribute).collect();
    let partition_key = partition_key?;
    let attributes = with_template_fields(listed, &partition_key, sort_key.as_ref(), &indexes);
    Some(Entity {
        name: EntityName::new(entry.name).ok()?,
        table: table?,
        discriminator: members.text("discriminator").unwrap_or(entry.name).to_owned(),
        partition_key,
        sort_key,
        shards: shards(&members),
        indexes,
        attributes,
        size: ItemSize {
            average_bytes: members.whole("average_size_bytes"),
            largest_bytes: members.whole("largest_size_bytes"),
        },
        count: load::count(&members),
        writes: load::writes(&members, "writes"),
        purpose: members.word("purpose", &words::PURPOSES).unwrap_or_default(),
    })
}

fn shards(members: &Members<'_>) -> OwnedShards {
    let count = members.part("shards").and_then(|part| match part.members() {
        Some(counts) => {
            let earlier: Vec<u16> = counts.elements("earlier").into_iter().filter_map(Part::whole).collect();
            Shards::with_earlier(counts.whole("count")?, &earlier)
                .ok()
                .map(|shards| OwnedShards::new(&shards))
        }
        None => Shards::new(part.whole()?).ok().map(|shards| OwnedShards::new(&shards)),
    });
    count.unwrap_or_else(|| OwnedShards::new(&Shards::NONE))
}

fn index_entry(entry: &Entry<'_>, format: KeyFormat, reader: &mut Reader<'_>) -> Option<IndexEntry> {
    let index = IndexName::new(entry.name).ok()?;
    let Some(members) = entry.part.members() else {
        return Some(IndexEntry { index, key: EntryKey::Attributes });
    };
    let partition_key = members.part("partition_key").map(|part| reader.template(part, format));
    let sort_key = members.part("sort_key").map(|part| reader.template(part, format));
    let key = match (partition_key, sort_key) {
        (Some(partition_key), sort_key) => EntryKey::Global {
            partition_key: partition_key?,
            sort_key: sort_key.flatten(),
            shards: shards(&members),
        },
        (None, Some(sort_key)) => {
            if let Some(part) = members.part("shards") {
                let wrong = "a key in a local index has no `shards` of its own";
                reader.conflict(
                    part.range(),
                    wrong,
                    "write them in the entity: its partition key is the table's",
                );
            }
            EntryKey::Local { sort_key: sort_key? }
        }
        (None, None) => {
            let wrong = format!("the key in the index `{index}` has no template");
            let instead = "write `partition_key` and `sort_key`, `sort_key` alone for a local index, or `true` for an index \
                           on attributes that items have anyway";
            reader.conflict(members.range(), wrong, instead);
            return None;
        }
    };
    Some(IndexEntry { index, key })
}

fn attribute(entry: &Entry<'_>) -> Option<Attribute> {
    let name = AttributeName::new(entry.name).ok()?;
    let (value_type, presence, average_bytes) = match entry.part.members() {
        Some(members) => {
            (value_type(members.part("type")?)?.0, presence(&members), members.whole("average_bytes"))
        }
        None => {
            let (value_type, presence) = value_type(entry.part)?;
            (value_type, presence, None)
        }
    };
    Some(Attribute { name, value_type, presence, average_bytes })
}

/// A type, with `?` after it or not, or a list of words.
fn value_type(part: Part<'_>) -> Option<(ValueType, Presence)> {
    if part.is_list() {
        let words = part.elements().into_iter().filter_map(|word| word.text().map(str::to_owned)).collect();
        return Some((ValueType::Enum(words), Presence::Always));
    }
    let text = part.text()?;
    let (bare, presence) = match text.strip_suffix('?') {
        Some(bare) => (bare, Presence::Sometimes { share: None }),
        None => (text, Presence::Always),
    };
    Some((words::VALUE_TYPES.choice(bare)?, presence))
}

fn presence(members: &Members<'_>) -> Presence {
    match members.part("optional") {
        Some(part) if part.boolean() == Some(true) => Presence::Sometimes { share: None },
        Some(part) if part.number().is_some() => Presence::Sometimes { share: part.number() },
        _ => Presence::Always,
    }
}

/// The attributes that are listed, after those that only templates name: strings that every item has.
fn with_template_fields(
    listed: Vec<Attribute>,
    partition_key: &Template,
    sort_key: Option<&Template>,
    indexes: &[IndexEntry],
) -> Vec<Attribute> {
    let of_indexes = indexes.iter().flat_map(|entry| match &entry.key {
        EntryKey::Global { partition_key, sort_key, .. } => vec![Some(partition_key), sort_key.as_ref()],
        EntryKey::Local { sort_key } => vec![Some(sort_key)],
        EntryKey::Attributes => Vec::new(),
    });
    let mut known: HashSet<AttributeName> = listed.iter().map(|attribute| attribute.name.clone()).collect();
    let mut attributes = Vec::new();
    for template in [Some(partition_key), sort_key].into_iter().chain(of_indexes).flatten() {
        for name in template.shape().fields().filter_map(|field| AttributeName::new(field).ok()) {
            if known.insert(name.clone()) {
                attributes.push(Attribute {
                    name,
                    value_type: ValueType::Text,
                    presence: Presence::Always,
                    average_bytes: None,
                });
            }
        }
    }
    attributes.extend(listed);
    attributes
}
