//! All templates of an entity with their places, for rules that look at each.

use crate::key_role::KeyRole;
use crate::shape::{EntityShape, IndexKey, KeyPlace};
use crate::template::TemplateShape;

/// A template of an entity.
#[derive(Clone, Copy)]
pub(crate) struct PlacedTemplate<'a> {
    pub(crate) place: KeyPlace<'a>,
    pub(crate) role: KeyRole,
    pub(crate) template: TemplateShape<'a>,
}

/// How many places an entity has: two in the table and two in each index, some of them empty.
pub(crate) const fn places(entity: &EntityShape<'_>) -> usize {
    2 + 2 * entity.indexes.len()
}

/// The template at a place below [`places`].
pub(crate) const fn at<'a>(entity: &EntityShape<'a>, place: usize) -> Option<PlacedTemplate<'a>> {
    let role = if place.is_multiple_of(2) { KeyRole::Partition } else { KeyRole::Sort };
    if place < 2 {
        return placed(KeyPlace::Table, role, entity.key.partition_key, entity.key.sort_key);
    }
    let (_, rest) = entity.indexes.split_at(place / 2 - 1);
    let [entry, ..] = rest else { return None };
    let index = KeyPlace::Index(entry.index);
    match entry.key {
        IndexKey::Global(key) => placed(index, role, key.partition_key, key.sort_key),
        IndexKey::Local { sort_key } if role.is(KeyRole::Sort) => {
            Some(PlacedTemplate { place: index, role, template: sort_key })
        }
        IndexKey::Local { .. } | IndexKey::Attributes => None,
    }
}

const fn placed<'a>(
    place: KeyPlace<'a>,
    role: KeyRole,
    partition_key: TemplateShape<'a>,
    sort_key: Option<TemplateShape<'a>>,
) -> Option<PlacedTemplate<'a>> {
    match (role, sort_key) {
        (KeyRole::Partition, _) => Some(PlacedTemplate { place, role, template: partition_key }),
        (KeyRole::Sort, Some(template)) => Some(PlacedTemplate { place, role, template }),
        (KeyRole::Sort, None) => None,
    }
}

impl PlacedTemplate<'_> {
    /// Adds "the sort key "SK" in index `ByUser`" to a message.
    pub(crate) const fn named(&self, message: crate::message::Message) -> crate::message::Message {
        let message = message.say("the ").say(self.role.name()).say(" ").quote(self.template.text());
        match self.place {
            KeyPlace::Table => message,
            KeyPlace::Index(index) => message.say(" in index ").name(index),
        }
    }
}
