//! Attributes that an index does not project, read back from the keys that were rendered from them.
//!
//! An index always holds its own keys and the table's, so what a key is made of can be returned from it.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::{
    AttributeKind, ComponentValue, Components, EntityShape, Filling, IndexKey, IndexKeys, KeyFormat, KeyRole,
    KeyShape, TableShape, TemplateShape,
};

use super::Attributes;

/// What the keys of an item in an index hold and its attributes do not.
pub(crate) fn read_back(
    table: &TableShape<'static>,
    entity: &EntityShape<'static>,
    index: &str,
    attributes: &Attributes,
) -> Attributes {
    let mut reader = Reader { entity, attributes, read: Attributes::new() };
    reader.read_key(&entity.key, table.partition_key.name, table.sort_key.map(|attribute| attribute.name));
    if let Some(index) = table.index(index)
        && let IndexKeys::Rendered { partition_key, sort_key } = index.keys
        && let Some(entry) = entity.entry(index.name)
    {
        let sort_key = sort_key.map(|attribute| attribute.name);
        match &entry.key {
            IndexKey::Global(key) => reader.read_key(key, partition_key.name, sort_key),
            IndexKey::Local { sort_key: template } => reader.read(template, sort_key, None),
            IndexKey::Attributes => {}
        }
    }
    reader.read
}

struct Reader<'a> {
    entity: &'a EntityShape<'static>,
    attributes: &'a Attributes,
    read: Attributes,
}

impl Reader<'_> {
    fn read_key(&mut self, key: &KeyShape<'static>, partition_key: &str, sort_key: Option<&str>) {
        self.read(&key.partition_key, Some(partition_key), Some(key));
        if let Some(template) = &key.sort_key {
            self.read(template, sort_key, None);
        }
    }

    /// Reads what the attribute `name` was rendered from. A key that was not rendered from the template gives nothing.
    fn read(
        &mut self,
        template: &TemplateShape<'static>,
        name: Option<&str>,
        sharded: Option<&KeyShape<'static>>,
    ) {
        let Some(AttributeValue::S(written)) = name.and_then(|name| self.attributes.get(name)) else {
            return;
        };
        let unsharded = sharded
            .filter(|key| key.shards.is_sharded())
            .and_then(|key| key.shards.without_shard(written, template.format().delimiter));
        let Some(decoded) = template.decode(written).ok().or_else(|| template.decode(unsharded?).ok()) else {
            return;
        };
        for field in template.fields() {
            let Some(AttributeKind::Component(kind)) =
                self.entity.attribute(field).map(|attribute| attribute.kind)
            else {
                continue;
            };
            if self.attributes.contains_key(field) || self.read.contains_key(field) {
                continue;
            }
            if let Some(value) = decoded.value(field, kind).ok().and_then(stored) {
                self.read.insert(field.to_owned(), value);
            }
        }
    }
}

/// The value as serde writes its type.
fn stored(value: ComponentValue<'_>) -> Option<AttributeValue> {
    Some(match value {
        ComponentValue::Text(text) => AttributeValue::S(text.into_owned()),
        ComponentValue::Unsigned(number, _) => AttributeValue::N(number.to_string()),
        ComponentValue::Signed(number, _) => AttributeValue::N(number.to_string()),
        ComponentValue::Boolean(boolean) => AttributeValue::Bool(boolean),
        ComponentValue::Bytes(bytes) => AttributeValue::B(Blob::new(bytes.into_owned())),
        ComponentValue::Enum { words, index } => AttributeValue::S((*words.get(index)?).to_owned()),
        // Each of them writes the text that a key holds in the standard format.
        text @ (ComponentValue::Timestamp(_) | ComponentValue::Ulid(_) | ComponentValue::Uuid(_)) => {
            let template = TemplateShape::of("{value}", KeyFormat::STANDARD);
            AttributeValue::S(template.render(KeyRole::Sort, &One(text)).ok()?)
        }
    })
}

/// The one component of a template that has one.
struct One<'v>(ComponentValue<'v>);

impl Components for One<'_> {
    fn filling(&self, _field: &str) -> Filling<'_> {
        Filling::Value(self.0.clone())
    }
}
