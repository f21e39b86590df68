//! The keys of an entity, rendered.

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::{
    Components, EntityShape, IndexEntryShape, IndexKey, IndexKeys, KeyRole, KeyShape, RenderError,
    TableShape, TemplateShape,
};

use super::Attributes;
use crate::error::KeyError;

/// A key as the client takes it.
pub(crate) type KeyAttributes = Attributes;

/// The keys in the table under which an item can lie.
///
/// There is one, unless the design lists numbers of shards that items were written with earlier. The item is the one under the first
/// key where there is one, in the order of [`ItemKeys::all`].
#[derive(Clone, Debug)]
pub(crate) struct ItemKeys {
    /// Under the present number of shards: where a new item is put.
    pub(crate) now: KeyAttributes,
    /// Under each earlier number that gives another key.
    pub(crate) earlier: Vec<KeyAttributes>,
}

impl ItemKeys {
    /// Every key, the present one last.
    pub(crate) fn present_last(&self) -> Vec<&KeyAttributes> {
        self.earlier.iter().chain([&self.now]).collect()
    }

    /// The keys of an item whose partition key, without a shard, and sort key are these.
    pub(crate) fn new(
        table: &TableShape<'static>,
        key: &KeyShape<'static>,
        partition_key: &str,
        sort_key: Option<&str>,
    ) -> ItemKeys {
        let of = |partition_key: String| {
            let mut attributes = KeyAttributes::with_capacity(2);
            if let (Some(attribute), Some(sort_key)) = (table.sort_key, sort_key) {
                attributes.insert(attribute.name.to_owned(), AttributeValue::S(sort_key.to_owned()));
            }
            attributes.insert(table.partition_key.name.to_owned(), AttributeValue::S(partition_key));
            attributes
        };
        let delimiter = key.partition_key.format().delimiter;
        let sort_key = sort_key.unwrap_or_default();
        let now = of(key.shards.key_to_write(partition_key, delimiter, sort_key));
        let earlier = if key.shards.earlier().is_empty() {
            Vec::new()
        } else {
            key.shards.keys_of_item(partition_key, delimiter, sort_key).into_iter().skip(1).map(of).collect()
        };
        ItemKeys { now, earlier }
    }

    /// All of them, the present one first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &KeyAttributes> {
        std::iter::once(&self.now).chain(&self.earlier)
    }
}

/// The keys in the table.
///
/// # Errors
/// When a component is missing, or cannot be written.
pub(crate) fn table_keys<Given: Components + ?Sized>(
    table: &TableShape<'static>,
    entity: &EntityShape<'static>,
    components: &Given,
) -> Result<ItemKeys, KeyError> {
    let problem = |error| KeyError::new(entity.name, table.partition_key.name, error);
    let partition_key = entity.key.render_partition_key(components).map_err(problem)?;
    let sort_key = entity.key.render_sort_key(components).map_err(problem)?;
    Ok(ItemKeys::new(table, &entity.key, &partition_key, sort_key.as_deref()))
}

/// The entity's entries in indexes whose keys are rendered from an attribute for which `is_changed` holds.
pub(crate) fn touched_indexes(
    table: &TableShape<'static>,
    entity: &EntityShape<'static>,
    is_changed: impl Fn(&str) -> bool,
) -> Vec<&'static IndexEntryShape<'static>> {
    let names_changed = |template: &TemplateShape<'static>| template.fields().any(&is_changed);
    entity
        .indexes
        .iter()
        .filter(|entry| table.index(entry.index).is_some())
        .filter(|entry| match &entry.key {
            IndexKey::Global(key) => {
                names_changed(&key.partition_key) || key.sort_key.as_ref().is_some_and(names_changed)
            }
            IndexKey::Local { sort_key } => names_changed(sort_key),
            IndexKey::Attributes => false,
        })
        .collect()
}

/// The attributes that these entries render into.
pub(crate) fn index_attribute_names(
    table: &TableShape<'static>,
    entries: &[&'static IndexEntryShape<'static>],
) -> Vec<&'static str> {
    let mut names = Vec::new();
    for entry in entries {
        let Some(index) = table.index(entry.index) else { continue };
        let IndexKeys::Rendered { partition_key, sort_key } = index.keys else { continue };
        if matches!(entry.key, IndexKey::Global(_)) {
            names.push(partition_key.name);
        }
        names.extend(sort_key.map(|attribute| attribute.name));
    }
    names
}

/// Adds what these entries render to. An entry one of whose components is absent gets nothing: its index is sparse.
pub(crate) fn index_key_attributes<Given: Components + ?Sized>(
    table: &TableShape<'static>,
    entity: &EntityShape<'static>,
    components: &Given,
    entries: &[&'static IndexEntryShape<'static>],
    attributes: &mut Attributes,
) -> Result<(), KeyError> {
    for entry in entries {
        let Some(index) = table.index(entry.index) else { continue };
        let IndexKeys::Rendered { partition_key, sort_key } = index.keys else { continue };
        match &entry.key {
            IndexKey::Global(key) => {
                let parts = sparse(rendered_parts(key, components))
                    .map_err(|error| KeyError::new(entity.name, partition_key.name, error))?;
                let Some((partition, sort)) = parts else { continue };
                attributes.insert(partition_key.name.to_owned(), AttributeValue::S(partition));
                if let (Some(attribute), Some(sort)) = (sort_key, sort) {
                    attributes.insert(attribute.name.to_owned(), AttributeValue::S(sort));
                }
            }
            IndexKey::Local { sort_key: template } => {
                let Some(attribute) = sort_key else { continue };
                let rendered = template
                    .render_sparse(KeyRole::Sort, components)
                    .map_err(|error| KeyError::new(entity.name, attribute.name, error))?;
                if let Some(sort) = rendered {
                    attributes.insert(attribute.name.to_owned(), AttributeValue::S(sort));
                }
            }
            IndexKey::Attributes => {}
        }
    }
    Ok(())
}

/// Both parts of a key, the shard in its place.
fn rendered_parts<Given: Components + ?Sized>(
    key: &KeyShape<'static>,
    components: &Given,
) -> Result<(String, Option<String>), RenderError> {
    let partition_key = key.render_partition_key(components)?;
    let sort_key = key.render_sort_key(components)?;
    let delimiter = template_delimiter(&key.partition_key);
    let written = key.shards.key_to_write(&partition_key, delimiter, sort_key.as_deref().unwrap_or(""));
    Ok((written, sort_key))
}

fn template_delimiter(template: &TemplateShape<'_>) -> keywright_key::Delimiter {
    template.format().delimiter
}

fn sparse<Parts>(rendered: Result<Parts, RenderError>) -> Result<Option<Parts>, RenderError> {
    match rendered {
        Ok(parts) => Ok(Some(parts)),
        Err(error) if error.problem() == keywright_key::RenderProblem::Absent => Ok(None),
        Err(error) => Err(error),
    }
}
