//! The design in the form of the key crate's shapes, so that its rules are run here and not written again.
//!
//! Shapes borrow the design's texts; their lists live in an arena. A pattern that scans has no shape, and none that returns only
//! what lies in other tables: a rule of the design says so, and the key crate's rules see only what lies in the pattern's table.

use std::collections::HashMap;

use bumpalo::Bump;
use keywright_key::{
    self as key, AttributeKind, AttributeShape, ComponentKind, DeviationShape, EntityShape, FilterShape,
    GivenShape, IndexEntryShape, IndexKey, IndexShape, KeyPlace, KeyShape, PatternShape, Precision,
    RangeShape, ReadOperation, ReturnShape, TableShape, Tenancy, TenantScope,
};

use crate::model::{
    Attribute, AttributeName, AttributeTest, Bound, Design, Deviation, DeviationKey, Entity, EntityName,
    EntryKey, Index, IndexEntry, IndexKeys, KeyAttribute, Pattern, PatternOperation, Presence, Projection,
    Purpose, Range, Returned, ReturnedAttributes, SortKeyCondition, Table, TableName, Tenants, ValueType,
};

/// The tables of a design as the key crate's rules see them.
#[derive(Debug)]
pub struct Shapes<'a> {
    tables: Vec<TableShape<'a>>,
}

impl<'a> Shapes<'a> {
    /// The shapes of `design`; lists are kept in `arena`.
    pub fn new(design: &'a Design, arena: &'a Bump) -> Shapes<'a> {
        let tables = design.entities.iter().map(|entity| (entity.name.as_str(), &entity.table)).collect();
        let shaper = Shaper { design, arena, tables: &tables };
        Shapes { tables: design.tables.iter().map(|table| shaper.table(table)).collect() }
    }

    /// The shapes, in the order of the file.
    pub fn tables(&self) -> &[TableShape<'a>] {
        &self.tables
    }
}

/// What making a shape needs.
#[derive(Clone, Copy)]
struct Shaper<'a, 's> {
    design: &'a Design,
    arena: &'a Bump,
    /// The table of each entity.
    tables: &'s HashMap<&'a str, &'a TableName>,
}

impl<'a> Shaper<'a, '_> {
    fn list<Shape: Copy>(self, shapes: impl Iterator<Item = Shape>) -> &'a [Shape] {
        self.arena.alloc_slice_copy(&shapes.collect::<Vec<Shape>>())
    }

    fn table(self, table: &'a Table) -> TableShape<'a> {
        let entities = self.design.entities.iter().filter(|entity| entity.table == table.name);
        let patterns = self.design.patterns.iter().filter(|pattern| pattern.table == table.name);
        TableShape {
            name: table.name.as_str(),
            partition_key: key_attribute(&table.partition_key),
            sort_key: table.sort_key.as_ref().map(key_attribute),
            format: table.format,
            discriminator: table.discriminator.as_str(),
            tenancy: match self.design.tenancy.chosen() {
                Some(tenants) => Tenancy::Attribute(tenants.attribute.as_str()),
                None => Tenancy::None,
            },
            time_to_live: table.time_to_live.chosen().map(AttributeName::as_str),
            stream: table.stream.chosen().copied(),
            indexes: self.list(table.indexes.iter().map(|index| self.index(index))),
            entities: self.list(entities.map(|entity| &*self.arena.alloc(self.entity(entity)))),
            patterns: self.list(
                patterns.filter_map(|pattern| self.pattern(pattern)).map(|shape| &*self.arena.alloc(shape)),
            ),
        }
    }

    fn index(self, index: &'a Index) -> IndexShape<'a> {
        IndexShape {
            name: index.name.as_str(),
            reach: index.reach,
            keys: match &index.keys {
                IndexKeys::Rendered { partition_key, sort_key } => key::IndexKeys::Rendered {
                    partition_key: key_attribute(partition_key),
                    sort_key: sort_key.as_ref().map(key_attribute),
                },
                IndexKeys::Attributes { partition_key, sort_key } => key::IndexKeys::Attributes {
                    partition_key: self.list(partition_key.iter().map(key_attribute)),
                    sort_key: self.list(sort_key.iter().map(key_attribute)),
                },
            },
            projection: match &index.projection {
                Projection::KeysOnly => key::Projection::KeysOnly,
                Projection::Include(names) => key::Projection::Include(self.names(names)),
                Projection::All { reason } => key::Projection::All { reason },
            },
        }
    }

    fn entity(self, entity: &'a Entity) -> EntityShape<'a> {
        EntityShape {
            name: entity.name.as_str(),
            discriminator: &entity.discriminator,
            key: KeyShape {
                partition_key: entity.partition_key.shape(),
                shards: entity.shards.shape(),
                sort_key: entity.sort_key.as_ref().map(|template| template.shape()),
            },
            indexes: self.list(entity.indexes.iter().map(index_entry)),
            attributes: self.list(entity.attributes.iter().map(|attribute| self.attribute(attribute))),
            time_to_live: entity.time_to_live().map(|attribute| attribute.name.as_str()),
            version: entity.version().map(|attribute| attribute.name.as_str()),
            // A file says what is stored, not who writes it.
            created: None,
            updated: None,
            purpose: purpose(entity),
            deviations: self.list(
                self.design
                    .tenancy
                    .chosen()
                    .map_or(&[][..], |Tenants { deviations, .. }| deviations)
                    .iter()
                    .filter(|deviation| deviation.entity == entity.name)
                    .map(deviation_shape),
            ),
            // Reservations are entities of the file; what holds them is what programs say.
            unique: &[],
            reservation_of: None,
        }
    }

    fn attribute(self, attribute: &'a Attribute) -> AttributeShape<'a> {
        let name = attribute.name.as_str();
        AttributeShape {
            name,
            field: name,
            kind: match (self.component_kind(&attribute.value_type), &attribute.value_type) {
                (Some(kind), _) => AttributeKind::Component(kind),
                (None, ValueType::Number) => AttributeKind::Number,
                (None, ValueType::StringSet | ValueType::NumberSet | ValueType::BinarySet) => {
                    AttributeKind::Set
                }
                (None, _) => AttributeKind::Opaque,
            },
            presence: match attribute.presence {
                Presence::Always => key::Presence::Always,
                Presence::Sometimes { .. } => key::Presence::Sometimes,
            },
        }
    }

    /// The kind of component that a type can fill; none if it cannot be in a template.
    fn component_kind(self, value_type: &'a ValueType) -> Option<ComponentKind<'a>> {
        Some(match value_type {
            ValueType::Text => ComponentKind::Text,
            ValueType::Unsigned(size) => ComponentKind::Unsigned(*size),
            ValueType::Signed(size) => ComponentKind::Signed(*size),
            ValueType::Timestamp(precision) => ComponentKind::Timestamp(*precision),
            ValueType::TimeToLive => ComponentKind::Timestamp(Precision::Seconds),
            ValueType::Ulid => ComponentKind::Ulid,
            ValueType::Uuid => ComponentKind::Uuid,
            ValueType::Enum(words) => ComponentKind::Enum(self.list(words.iter().map(String::as_str))),
            ValueType::Boolean => ComponentKind::Boolean,
            ValueType::Bytes => ComponentKind::Bytes,
            ValueType::Version | ValueType::Counter => ComponentKind::Unsigned(key::IntegerSize::Bits64),
            ValueType::Number
            | ValueType::List
            | ValueType::Map
            | ValueType::StringSet
            | ValueType::NumberSet
            | ValueType::BinarySet => return None,
        })
    }

    fn pattern(self, pattern: &'a Pattern) -> Option<PatternShape<'a>> {
        let operation = match pattern.operation {
            PatternOperation::Get => ReadOperation::GetItem,
            PatternOperation::Query => ReadOperation::Query,
            PatternOperation::Scan { .. } => return None,
        };
        let lies_elsewhere = |entity: &EntityName| {
            self.tables.get(entity.as_str()).is_some_and(|table| **table != pattern.table)
        };
        let returned = || pattern.returns.iter().filter(|returned| !lies_elsewhere(&returned.entity));
        if returned().next().is_none() && !pattern.returns.is_empty() {
            return None;
        }
        Some(PatternShape {
            name: pattern.name.as_str(),
            operation,
            index: pattern.index.as_ref().map(|index| index.as_str()),
            returns: self.list(returned().map(|returned| self.returned(returned))),
            skips: self.list(
                pattern.skips.iter().filter(|entity| !lies_elsewhere(entity)).map(|entity| entity.as_str()),
            ),
            given: self.list(pattern.given.iter().map(|name| GivenShape::untyped(name))),
            sort_key: self.sort_key_condition(&pattern.sort_key),
            consistency: pattern.consistency,
            filter: pattern.filter.as_ref().map_or(FilterShape::NONE, |filter| FilterShape {
                attributes: self.names(&filter.attributes),
                given: self.list(filter.given.iter().map(String::as_str)),
            }),
            // In a file it follows from the deviations.
            tenants: TenantScope::Unstated,
        })
    }

    fn returned(self, returned: &'a Returned) -> ReturnShape<'a> {
        let entity = returned.entity.as_str();
        match &returned.attributes {
            ReturnedAttributes::Whole => ReturnShape::whole(entity),
            ReturnedAttributes::Only(names) => ReturnShape::only(entity, self.names(names)),
        }
    }

    fn sort_key_condition(self, condition: &'a SortKeyCondition) -> key::SortKeyCondition<'a> {
        match condition {
            SortKeyCondition::Any => key::SortKeyCondition::Any,
            SortKeyCondition::Equals(template) => key::SortKeyCondition::Equals(template.shape()),
            SortKeyCondition::StartsWith(template) => key::SortKeyCondition::StartsWith(template.shape()),
            SortKeyCondition::Range { template, range } => {
                key::SortKeyCondition::Range { template: template.shape(), range: range_shape(range) }
            }
            SortKeyCondition::Attributes(conditions) => {
                key::SortKeyCondition::Attributes(self.list(conditions.iter().map(|condition| {
                    key::AttributeCondition {
                        attribute: condition.attribute.as_str(),
                        test: match &condition.test {
                            AttributeTest::Equal => key::AttributeTest::Equal,
                            AttributeTest::BeginsWith(given) => key::AttributeTest::BeginsWith(given),
                            AttributeTest::Range(range) => key::AttributeTest::Range(range_shape(range)),
                        },
                    }
                })))
            }
        }
    }

    fn names(self, names: &'a [AttributeName]) -> &'a [&'a str] {
        self.list(names.iter().map(AttributeName::as_str))
    }
}

/// What the entity is there for, as far as the data layer keeps such items by itself.
fn purpose(entity: &Entity) -> key::Purpose<'_> {
    let counters = || entity.attributes.iter().filter(|attribute| attribute.value_type == ValueType::Counter);
    let count = || counters().next().map(|attribute| attribute.name.as_str());
    match entity.purpose {
        Purpose::Claim => key::Purpose::Claim,
        Purpose::Lock => key::Purpose::Lock,
        Purpose::RateLimit => key::Purpose::RateLimit,
        Purpose::SingleUseToken => key::Purpose::SingleUseToken,
        Purpose::ExactCounter => {
            count().map_or(key::Purpose::Data, |count| key::Purpose::ExactCounter { count })
        }
        Purpose::ApproximateCounter => {
            count().map_or(key::Purpose::Data, |count| key::Purpose::ApproximateCounter { count })
        }
        Purpose::Data | Purpose::Audit | Purpose::Ephemeral => key::Purpose::Data,
    }
}

fn key_attribute(attribute: &KeyAttribute) -> key::KeyAttribute<'_> {
    key::KeyAttribute { name: attribute.name.as_str(), attribute_type: attribute.attribute_type }
}

fn index_entry(entry: &IndexEntry) -> IndexEntryShape<'_> {
    IndexEntryShape {
        index: entry.index.as_str(),
        key: match &entry.key {
            EntryKey::Global { partition_key, sort_key, shards } => IndexKey::Global(KeyShape {
                partition_key: partition_key.shape(),
                shards: shards.shape(),
                sort_key: sort_key.as_ref().map(|template| template.shape()),
            }),
            EntryKey::Local { sort_key } => IndexKey::Local { sort_key: sort_key.shape() },
            EntryKey::Attributes => IndexKey::Attributes,
        },
    }
}

fn deviation_shape(deviation: &Deviation) -> DeviationShape<'_> {
    DeviationShape {
        key: match &deviation.key {
            DeviationKey::Table => KeyPlace::Table,
            DeviationKey::Index(index) => KeyPlace::Index(index.as_str()),
        },
        reason: &deviation.reason,
    }
}

fn range_shape(range: &Range) -> RangeShape<'_> {
    RangeShape { from: bound_shape(&range.from), to: bound_shape(&range.to) }
}

fn bound_shape(bound: &Bound) -> key::BoundShape<'_> {
    match bound {
        Bound::Open => key::BoundShape::Open,
        Bound::Including(name) => key::BoundShape::Including(name),
        Bound::Excluding(name) => key::BoundShape::Excluding(name),
    }
}
