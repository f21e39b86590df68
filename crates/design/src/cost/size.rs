//! How large items and index entries are.
//!
//! An item is as large as the file says. An entry of an index holds the keys of the table and of the index, and what it
//! projects. Attributes whose size the file does not give are estimated: text in keys as long as a UUID, values of a fixed
//! form by their form, and the rest of the item shared evenly by the attributes of open length. An entry is never larger
//! than its item.

use keywright_key::{
    ComponentPlace, IndexKey, IndexKeys, IntegerSize, Modifier, Precision, Projection, TableShape,
    TemplateShape, TimestampFormat,
};

use super::figure::{Figure, Gap};
use super::units::as_figure;
use crate::facts::Facts;
use crate::model::{Attribute, Entity, Index, Presence, Table, ValueType};
use crate::place::Place;

/// Text in a key: an id, as long as a UUID.
const KEY_TEXT_BYTES: u64 = 36;
/// A number, as DynamoDB stores eighteen digits.
const NUMBER_BYTES: u64 = 10;

/// The average size of an entity's items.
pub(super) fn of_item(entity: &Entity) -> Figure<u64> {
    Figure::given(entity.size.average_bytes, || Place::entity(&entity.name).member("average_size_bytes"))
}

/// The average size of an entity's entries in an index, and the share of its items that have one.
pub(super) struct Entry {
    pub(super) bytes: Figure<u64>,
    pub(super) share: Figure,
}

/// The entries of `entity` in `index`; none if it has no key there.
pub(super) fn of_entry(facts: &Facts<'_>, table: &Table, index: &Index, entity: &Entity) -> Option<Entry> {
    let table_shape = facts.table_shape(&table.name)?;
    let key = &facts.entity_shape(&entity.name)?.entry(index.name.as_str())?.key;
    let share = share_with_key(entity, key, table_shape, index);
    let whole = of_item(entity);
    let index_shape = table_shape.index(index.name.as_str())?;
    let bytes = match index_shape.projection {
        Projection::All { .. } => whole,
        Projection::KeysOnly => capped(keys_bytes(facts, table_shape, index, entity, key), &whole),
        Projection::Include(names) => {
            let keys = keys_bytes(facts, table_shape, index, entity, key);
            let mut bytes = Figure::Known(keys);
            for name in names {
                if *name == table_shape.discriminator {
                    bytes = bytes.map(|bytes| bytes + length(name) + length(&entity.discriminator));
                } else if let Some(attribute) = entity.attribute(name) {
                    let value = value_bytes(facts, entity, table_shape, attribute);
                    let share = match attribute.presence {
                        Presence::Always | Presence::Sometimes { share: None } => 1.0,
                        Presence::Sometimes { share: Some(share) } => share,
                    };
                    bytes = bytes.with(&value, |bytes, value| {
                        bytes + super::units::as_count(as_figure(length(name) + value) * share)
                    });
                }
            }
            match bytes {
                Figure::Known(bytes) => capped(bytes, &whole),
                unknown => unknown,
            }
        }
    };
    Some(Entry { bytes, share })
}

fn capped(bytes: u64, whole: &Figure<u64>) -> Figure<u64> {
    Figure::Known(whole.known().map_or(bytes, |whole| bytes.min(*whole)))
}

/// The share of the items that have every component of the key: an index holds no others.
fn share_with_key(entity: &Entity, key: &IndexKey<'_>, table: &TableShape<'_>, index: &Index) -> Figure {
    let mut least = Figure::Known(1.0);
    for name in key_fields(key, table, index) {
        let Some(Attribute { presence: Presence::Sometimes { share }, .. }) = entity.attribute(name) else {
            continue;
        };
        let share = Figure::given(*share, || {
            Place::entity(&entity.name).member("attributes").member(name).member("optional")
        });
        least = least.with(&share, |one, two| f64::min(*one, *two));
    }
    least
}

/// The attributes that a key in an index is made of.
pub(super) fn key_fields<'a>(key: &IndexKey<'a>, table: &TableShape<'a>, index: &Index) -> Vec<&'a str> {
    match key {
        IndexKey::Global(key) => {
            key.partition_key.fields().chain(key.sort_key.iter().flat_map(TemplateShape::fields)).collect()
        }
        IndexKey::Local { sort_key } => sort_key.fields().collect(),
        IndexKey::Attributes => match table.index(index.name.as_str()).map(|index| index.keys) {
            Some(IndexKeys::Attributes { partition_key, sort_key }) => {
                partition_key.iter().chain(sort_key).map(|attribute| attribute.name).collect()
            }
            Some(IndexKeys::Rendered { .. }) | None => Vec::new(),
        },
    }
}

/// The keys of the table and of the index, with their names.
fn keys_bytes(
    facts: &Facts<'_>,
    table: &TableShape<'_>,
    index: &Index,
    entity: &Entity,
    key: &IndexKey<'_>,
) -> u64 {
    let rendered = |template: &TemplateShape<'_>| rendered_bytes(template, entity);
    let own = match (key, table.index(index.name.as_str()).map(|index| index.keys)) {
        (IndexKey::Global(key), Some(IndexKeys::Rendered { partition_key, sort_key })) => {
            length(partition_key.name)
                + rendered(&key.partition_key)
                + sort_key.map_or(0, |attribute| length(attribute.name))
                + key.sort_key.as_ref().map_or(0, rendered)
        }
        (IndexKey::Local { sort_key }, Some(IndexKeys::Rendered { sort_key: attribute, .. })) => {
            attribute.map_or(0, |attribute| length(attribute.name)) + rendered(sort_key)
        }
        (IndexKey::Attributes, Some(IndexKeys::Attributes { partition_key, sort_key })) => partition_key
            .iter()
            .chain(sort_key)
            .filter_map(|key| entity.attribute(key.name))
            .map(|attribute| {
                length(attribute.name.as_str()) + given_bytes(attribute).unwrap_or(KEY_TEXT_BYTES)
            })
            .sum(),
        _ => 0,
    };
    own + table_key_bytes(facts, table, entity)
}

fn table_key_bytes(facts: &Facts<'_>, table: &TableShape<'_>, entity: &Entity) -> u64 {
    let Some(shape) = facts.entity_shape(&entity.name) else { return 0 };
    length(table.partition_key.name)
        + rendered_bytes(&shape.key.partition_key, entity)
        + table.sort_key.map_or(0, |attribute| length(attribute.name))
        + shape.key.sort_key.map_or(0, |template| rendered_bytes(&template, entity))
}

/// How long a rendered key is.
fn rendered_bytes(template: &TemplateShape<'_>, entity: &Entity) -> u64 {
    let joined = template.len() - 1;
    let segments = (0..template.len()).filter_map(|place| template.segment(place)).map(|segment| {
        length(segment.literal)
            + segment.component.map_or(0, |component| component_bytes(component, template, entity))
    });
    segments.sum::<u64>() + u64::try_from(joined).unwrap_or(0)
}

fn component_bytes(component: ComponentPlace<'_>, template: &TemplateShape<'_>, entity: &Entity) -> u64 {
    match component.modifier {
        Modifier::Width(digits) => u64::from(digits),
        Modifier::Timestamp(format) => timestamp_bytes(format),
        Modifier::None | Modifier::Raw | Modifier::Case(_) => {
            match entity.attribute(component.field).map(|attribute| &attribute.value_type) {
                Some(ValueType::Unsigned(size)) => digits(*size),
                Some(ValueType::Signed(size)) => digits(*size) + 1,
                Some(ValueType::Version | ValueType::Counter) => digits(IntegerSize::Bits64),
                Some(ValueType::Timestamp(precision)) => {
                    timestamp_bytes(template.format().timestamp.unwrap_or_else(|| own_format(*precision)))
                }
                Some(ValueType::TimeToLive) => timestamp_bytes(TimestampFormat::Seconds),
                Some(ValueType::Boolean) => 5,
                Some(_) | None => {
                    entity.attribute(component.field).and_then(given_bytes).unwrap_or(KEY_TEXT_BYTES)
                }
            }
        }
    }
}

/// How long a value is that the file gives a size, or that has a fixed form; none for others.
fn given_bytes(attribute: &Attribute) -> Option<u64> {
    attribute.average_bytes.or_else(|| fixed_bytes(&attribute.value_type))
}

/// How long a value is that has a fixed form; none for one of open length.
fn fixed_bytes(value_type: &ValueType) -> Option<u64> {
    match value_type {
        ValueType::Unsigned(size) | ValueType::Signed(size) => Some(digits(*size).div_ceil(2) + 1),
        ValueType::Number | ValueType::Version | ValueType::Counter => Some(NUMBER_BYTES),
        ValueType::Timestamp(precision) => Some(timestamp_bytes(own_format(*precision))),
        ValueType::TimeToLive => Some(6),
        ValueType::Ulid => Some(26),
        ValueType::Uuid => Some(36),
        ValueType::Enum(words) => words.iter().map(|word| length(word)).max(),
        ValueType::Boolean => Some(1),
        ValueType::Text
        | ValueType::Bytes
        | ValueType::List
        | ValueType::Map
        | ValueType::StringSet
        | ValueType::NumberSet
        | ValueType::BinarySet => None,
    }
}

/// How long a value is; one of open length has its share of what the item has beside the others.
fn value_bytes(
    facts: &Facts<'_>,
    entity: &Entity,
    table: &TableShape<'_>,
    attribute: &Attribute,
) -> Figure<u64> {
    let is_in_key = |attribute: &Attribute| is_in_table_key(facts, entity, attribute);
    let fixed = |attribute: &Attribute| {
        given_bytes(attribute).or_else(|| is_in_key(attribute).then_some(KEY_TEXT_BYTES))
    };
    if let Some(bytes) = fixed(attribute) {
        return Figure::Known(bytes);
    }
    of_item(entity).map(|whole| {
        let named: u64 = entity.attributes.iter().map(|attribute| length(attribute.name.as_str())).sum();
        let known: u64 = entity.attributes.iter().filter_map(fixed).sum();
        let open = entity.attributes.iter().filter(|attribute| fixed(attribute).is_none()).count();
        let rest = whole.saturating_sub(named + known + table_key_bytes(facts, table, entity));
        rest / u64::try_from(open.max(1)).unwrap_or(1)
    })
}

fn is_in_table_key(facts: &Facts<'_>, entity: &Entity, attribute: &Attribute) -> bool {
    facts.entity_shape(&entity.name).is_some_and(|shape| {
        let sort_key = shape.key.sort_key.iter().flat_map(TemplateShape::fields);
        shape.key.partition_key.fields().chain(sort_key).any(|field| attribute.name == *field)
    })
}

const fn digits(size: IntegerSize) -> u64 {
    match size {
        IntegerSize::Bits8 => 3,
        IntegerSize::Bits16 => 5,
        IntegerSize::Bits32 => 10,
        IntegerSize::Bits64 => 20,
    }
}

const fn own_format(precision: Precision) -> TimestampFormat {
    match precision {
        Precision::Days => TimestampFormat::Date,
        Precision::Seconds => TimestampFormat::Seconds,
        Precision::Milliseconds => TimestampFormat::Milliseconds,
        Precision::Microseconds => TimestampFormat::Microseconds,
        Precision::Nanoseconds => TimestampFormat::Nanoseconds,
    }
}

const fn timestamp_bytes(format: TimestampFormat) -> u64 {
    match format {
        TimestampFormat::Date | TimestampFormat::UnixSeconds => 10,
        TimestampFormat::UnixMilliseconds => 13,
        TimestampFormat::Seconds => 20,
        TimestampFormat::Milliseconds => 24,
        TimestampFormat::Microseconds => 27,
        TimestampFormat::Nanoseconds => 30,
    }
}

fn length(text: &str) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}

/// How many items an entity has.
pub(super) fn count(entity: &Entity) -> Figure {
    Figure::given(entity.count.total, || Place::entity(&entity.name).member("count"))
        .map(|count| as_figure(*count))
}

/// That an entity is not there.
pub(super) fn no_entity<Value>(name: &str) -> Figure<Value> {
    Figure::missing(Gap::NoSuch(format!("entity `{name}`")))
}
