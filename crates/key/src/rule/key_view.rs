//! A key of an entity as rules compare it: segments, with what can be written in each.

use crate::component::{Ending, Rendering, SegmentLanguage};
use crate::delimiter::Delimiter;
use crate::shape::{
    AttributeKind, AttributeShape, EntityShape, IndexKey, IndexKeys, IndexShape, KeyAttribute, Shards,
};
use crate::template::{ComponentPlace, Segment, TemplateShape};
use crate::text;

/// The key of an entity in the table or in an index.
#[derive(Clone, Copy)]
pub(crate) struct KeyView<'a> {
    pub(crate) partition: PartView<'a>,
    pub(crate) sort: Option<PartView<'a>>,
}

/// One part of a key.
#[derive(Clone, Copy)]
pub(crate) struct PartView<'a> {
    pub(crate) source: PartSource<'a>,
    pub(crate) attributes: &'a [AttributeShape<'a>],
    pub(crate) shards: Shards<'a>,
}

/// Where a part comes from.
#[derive(Clone, Copy)]
pub(crate) enum PartSource<'a> {
    Template(TemplateShape<'a>),
    /// The attributes of a multi-attribute key.
    Attributes(&'a [KeyAttribute<'a>]),
}

impl<'a> KeyView<'a> {
    /// The key of `entity` in `index`, or in the table; nothing if the entity has none there, or one of another form.
    pub(crate) const fn of(entity: &EntityShape<'a>, index: Option<&IndexShape<'a>>) -> Option<KeyView<'a>> {
        let Some(index) = index else {
            return Some(KeyView::rendered(
                entity,
                entity.key.partition_key,
                entity.key.shards,
                entity.key.sort_key,
            ));
        };
        let Some(entry) = entity.entry(index.name) else { return None };
        match (entry.key, index.keys) {
            (IndexKey::Global(key), IndexKeys::Rendered { .. }) => {
                Some(KeyView::rendered(entity, key.partition_key, key.shards, key.sort_key))
            }
            (IndexKey::Local { sort_key }, IndexKeys::Rendered { .. }) => {
                Some(KeyView::rendered(entity, entity.key.partition_key, entity.key.shards, Some(sort_key)))
            }
            (IndexKey::Attributes, IndexKeys::Attributes { partition_key, sort_key }) => {
                let attributes = entity.attributes;
                let shards = Shards::NONE;
                let partition =
                    PartView { source: PartSource::Attributes(partition_key), attributes, shards };
                let sort = PartView { source: PartSource::Attributes(sort_key), attributes, shards };
                Some(KeyView { partition, sort: Some(sort) })
            }
            _ => None,
        }
    }

    const fn rendered(
        entity: &EntityShape<'a>,
        partition_key: TemplateShape<'a>,
        shards: Shards<'a>,
        sort_key: Option<TemplateShape<'a>>,
    ) -> KeyView<'a> {
        let attributes = entity.attributes;
        KeyView {
            partition: PartView { source: PartSource::Template(partition_key), attributes, shards },
            sort: match sort_key {
                Some(template) => Some(PartView {
                    source: PartSource::Template(template),
                    attributes,
                    shards: Shards::NONE,
                }),
                None => None,
            },
        }
    }
}

impl<'a> PartView<'a> {
    /// How many segments or attributes there are, without that of a shard.
    pub(crate) const fn len(&self) -> usize {
        match self.source {
            PartSource::Template(template) => template.len(),
            PartSource::Attributes(names) => names.len(),
        }
    }

    /// The attribute that fills the component at `place`, if there is one.
    pub(crate) const fn field(&self, place: usize) -> Option<&'a str> {
        match self.source {
            PartSource::Template(template) => match template.segment(place) {
                Some(Segment { component: Some(component), .. }) => Some(component.field),
                _ => None,
            },
            PartSource::Attributes(names) => match attribute_at(names, place) {
                Some(attribute) => Some(attribute.name),
                None => None,
            },
        }
    }

    /// Where the component is that `field` fills.
    pub(crate) const fn place_of(&self, field: &str) -> Option<usize> {
        let mut place = 0;
        while place < self.len() {
            if let Some(name) = self.field(place)
                && text::equal(name, field)
            {
                return Some(place);
            }
            place += 1;
        }
        None
    }

    /// The template, if there is one.
    pub(crate) const fn template(&self) -> Option<TemplateShape<'a>> {
        match self.source {
            PartSource::Template(template) => Some(template),
            PartSource::Attributes(_) => None,
        }
    }

    /// Adds the template's text, or the attributes' names, to a message.
    pub(crate) const fn named(&self, message: crate::message::Message) -> crate::message::Message {
        match self.source {
            PartSource::Template(template) => message.quote(template.text()),
            PartSource::Attributes(names) => {
                let mut message = message;
                let mut rest = names;
                while let [attribute, later @ ..] = rest {
                    message = message.name(attribute.name);
                    if !later.is_empty() {
                        message = message.say(", ");
                    }
                    rest = later;
                }
                message
            }
        }
    }

    /// What can be written in the segment at `place`.
    pub(crate) const fn language(&self, place: usize) -> SegmentLanguage<'a> {
        match self.source {
            PartSource::Template(template) => language(template, place, self.attributes),
            PartSource::Attributes(_) => UNKNOWN,
        }
    }

    /// Whether some value of this part can be equal to some value of the other.
    pub(crate) const fn can_equal(&self, other: &PartView<'_>) -> bool {
        if let (PartSource::Template(one), PartSource::Template(two)) = (&self.source, &other.source)
            && one.format().delimiter.byte() == two.format().delimiter.byte()
            && one.has_other_text(two, one.len())
        {
            return false;
        }
        (self.shards.has_unsharded()
            && other.shards.has_unsharded()
            && self.segments_can_equal(None, other, None))
            || (self.shards.has_unsharded()
                && other.shards.is_sharded()
                && self.segments_can_equal(None, other, Some(SHARD)))
            || (self.shards.is_sharded()
                && other.shards.has_unsharded()
                && self.segments_can_equal(Some(SHARD), other, None))
            || (self.shards.is_sharded()
                && other.shards.is_sharded()
                && self.segments_can_equal(Some(SHARD), other, Some(SHARD)))
    }

    const fn segments_can_equal(
        &self,
        shard: Option<SegmentLanguage<'_>>,
        other: &PartView<'_>,
        other_shard: Option<SegmentLanguage<'_>>,
    ) -> bool {
        match (self.source, other.source) {
            (PartSource::Template(one), PartSource::Template(two)) => {
                // With two delimiters nothing is provable; another rule reports that.
                if one.format().delimiter.byte() != two.format().delimiter.byte() {
                    return true;
                }
            }
            // Of attributes no more is known than their names, and those are the index's.
            _ => return true,
        }
        let length = self.len() + shard.is_some() as usize;
        if length != other.len() + other_shard.is_some() as usize {
            return false;
        }
        let mut place = 0;
        while place < length {
            let one = match shard {
                Some(shard) if place == self.len() => shard,
                _ => self.language(place),
            };
            let two = match other_shard {
                Some(shard) if place == other.len() => shard,
                _ => other.language(place),
            };
            if !one.intersects(&two) {
                return false;
            }
            place += 1;
        }
        true
    }
}

const UNKNOWN: SegmentLanguage<'static> =
    SegmentLanguage { literal: "", ending: Ending::Unknown, delimiter: Delimiter::NUMBER_SIGN };

/// The number of a shard: digits, under every delimiter.
const SHARD: SegmentLanguage<'static> = SegmentLanguage {
    literal: "",
    ending: Ending::Component(Rendering::Decimal),
    delimiter: Delimiter::NUMBER_SIGN,
};

/// What can be written in a segment of a template that is filled by these attributes.
pub(crate) const fn language<'a>(
    template: TemplateShape<'a>,
    place: usize,
    attributes: &'a [AttributeShape<'a>],
) -> SegmentLanguage<'a> {
    let delimiter = template.format().delimiter;
    let Some(segment) = template.segment(place) else { return UNKNOWN };
    let ending = match segment.component {
        None => Ending::Nothing,
        Some(component) => match rendering(template, component, attributes) {
            Some(rendering) => Ending::Component(rendering),
            None => Ending::Unknown,
        },
    };
    SegmentLanguage { literal: segment.literal, ending, delimiter }
}

/// How a component is written; nothing if its attribute is not there or cannot be written so.
pub(crate) const fn rendering<'a>(
    template: TemplateShape<'_>,
    component: ComponentPlace<'_>,
    attributes: &'a [AttributeShape<'a>],
) -> Option<Rendering<'a>> {
    match kind_of(attributes, component.field) {
        Some(AttributeKind::Component(kind)) => {
            match Rendering::of(kind, component.modifier, template.format()) {
                Ok(rendering) => Some(rendering),
                Err(_) => None,
            }
        }
        Some(AttributeKind::Number | AttributeKind::Set | AttributeKind::Opaque) | None => None,
    }
}

/// The kind of the attribute with this name.
pub(crate) const fn kind_of<'a>(
    attributes: &'a [AttributeShape<'a>],
    name: &str,
) -> Option<AttributeKind<'a>> {
    let mut rest = attributes;
    while let [attribute, later @ ..] = rest {
        if text::equal(attribute.name, name) {
            return Some(attribute.kind);
        }
        rest = later;
    }
    None
}

const fn attribute_at<'a>(names: &'a [KeyAttribute<'a>], place: usize) -> Option<&'a KeyAttribute<'a>> {
    if place >= names.len() {
        return None;
    }
    let (_, rest) = names.split_at(place);
    rest.first()
}
