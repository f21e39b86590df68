//! Over how many values a key is spread at one moment, as far as a design shows it.

use keywright_key::{IndexKey, IndexKeys, Modifier, Precision, TemplateShape, TimestampFormat};

use super::reads::shards_in;
use crate::facts::Facts;
use crate::model::{Entity, Index, Table, ValueType};

/// A partition key of an entity, in the table or in an index.
#[derive(Clone, Debug)]
pub(crate) struct PartitionKey<'a> {
    /// As the file writes it; the attributes of a multi-attribute key are joined by a comma.
    pub(crate) text: String,
    /// Its components.
    pub(crate) components: Vec<Component<'a>>,
    /// Over how many keys its items are written now.
    pub(crate) shards: u16,
}

/// A component of a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Component<'a> {
    pub(crate) field: &'a str,
    pub(crate) modifier: Modifier,
}

/// What tells the values of a key apart at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nature {
    /// Nothing: there is one value.
    One,
    /// The tenant alone.
    Tenant,
    /// So many values, for each tenant where the tenant is in the key.
    Few(u64),
    /// Some field with many values.
    Many,
}

impl<'a> PartitionKey<'a> {
    /// The partition key of `entity` in `index`, or in the table; none if it has none there.
    pub(crate) fn of(
        facts: &Facts<'a>,
        table: &Table,
        entity: &Entity,
        index: Option<&Index>,
    ) -> Option<PartitionKey<'a>> {
        let shape = facts.entity_shape(&entity.name)?;
        let shards = shards_in(entity, index).count();
        let template = match index {
            None => shape.key.partition_key,
            Some(index) => match &shape.entry(index.name.as_str())?.key {
                IndexKey::Global(key) => key.partition_key,
                IndexKey::Local { .. } => shape.key.partition_key,
                IndexKey::Attributes => {
                    let table = facts.table_shape(&table.name)?;
                    let IndexKeys::Attributes { partition_key, .. } = table.index(index.name.as_str())?.keys
                    else {
                        return None;
                    };
                    let names: Vec<&str> = partition_key.iter().map(|attribute| attribute.name).collect();
                    let components =
                        names.iter().map(|field| Component { field, modifier: Modifier::None }).collect();
                    return Some(PartitionKey { text: names.join(", "), components, shards });
                }
            },
        };
        Some(PartitionKey { text: template.text().to_owned(), components: components(&template), shards })
    }

    /// The names of its fields.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &'a str> {
        self.components.iter().map(|component| component.field)
    }

    /// What tells its values apart at one moment.
    pub(crate) fn nature(&self, facts: &Facts<'_>, entity: &Entity) -> Nature {
        nature(facts, entity, &self.components)
    }

    /// Whether the tenant is in it.
    pub(crate) fn has_tenant(&self, facts: &Facts<'_>) -> bool {
        self.fields().any(|field| is_tenant(facts, field))
    }

    /// The first component that is a time so coarse that all writes of a moment have the same.
    pub(crate) fn coarse_time(&self, entity: &Entity) -> Option<Component<'a>> {
        self.components.iter().copied().find(|component| is_coarse_time(entity, *component))
    }
}

/// What tells the items of `entity` apart at one moment: its whole key in the table.
pub(crate) fn of_whole_key(facts: &Facts<'_>, entity: &Entity) -> Nature {
    let Some(shape) = facts.entity_shape(&entity.name) else { return Nature::Many };
    let mut all = components(&shape.key.partition_key);
    if let Some(sort_key) = &shape.key.sort_key {
        all.extend(components(sort_key));
    }
    nature(facts, entity, &all)
}

/// The components of a template.
pub(crate) fn components<'a>(template: &TemplateShape<'a>) -> Vec<Component<'a>> {
    (0..template.len())
        .filter_map(|place| template.segment(place)?.component)
        .map(|component| Component { field: component.field, modifier: component.modifier })
        .collect()
}

fn nature(facts: &Facts<'_>, entity: &Entity, components: &[Component<'_>]) -> Nature {
    let mut values: u64 = 1;
    let mut has_tenant = false;
    for component in components {
        if is_tenant(facts, component.field) {
            has_tenant = true;
        } else if !is_coarse_time(entity, *component) {
            match entity.attribute(component.field).map(|attribute| &attribute.value_type) {
                Some(ValueType::Boolean) => values = values.saturating_mul(2),
                Some(ValueType::Enum(words)) => {
                    values = values.saturating_mul(u64::try_from(words.len()).unwrap_or(u64::MAX).max(1));
                }
                _ => return Nature::Many,
            }
        }
    }
    match (has_tenant, values) {
        (false, 1) => Nature::One,
        (true, 1) => Nature::Tenant,
        (_, values) => Nature::Few(values),
    }
}

fn is_tenant(facts: &Facts<'_>, field: &str) -> bool {
    facts.tenants().is_some_and(|tenants| tenants.attribute == *field)
}

/// Whether the component is a time in days or seconds: what happens now is written with one value.
fn is_coarse_time(entity: &Entity, component: Component<'_>) -> bool {
    let coarse = |format: TimestampFormat| {
        matches!(format, TimestampFormat::Date | TimestampFormat::Seconds | TimestampFormat::UnixSeconds)
    };
    match (component.modifier, entity.attribute(component.field)) {
        (Modifier::Timestamp(format), _) => coarse(format),
        (_, Some(attribute)) => match &attribute.value_type {
            ValueType::Timestamp(precision) => matches!(precision, Precision::Days | Precision::Seconds),
            ValueType::TimeToLive => true,
            _ => false,
        },
        (_, None) => false,
    }
}
