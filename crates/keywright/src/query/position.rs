//! Where a read begins and goes on: start keys, and the cursors that hold them.

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use keywright_key::declare::{ReadItems, Table};
use keywright_key::{
    AttributeKind, EntityShape, IndexKey, IndexKeys, KeyFormat, KeyShape, LetterCase, TableShape,
    TemplateShape, TimestampFormat,
};

use super::Query;
use crate::cursor::{Context, Cursor, CursorError, open, seal};
use crate::item::{Attributes, KeyAttributes};
use crate::tenant::Identity;

impl<TableType, Pattern> Query<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType>,
{
    /// The start key that a cursor holds.
    pub(super) fn open_cursor(
        &self,
        context: &Context,
        cursor: &Cursor,
    ) -> Result<KeyAttributes, CursorError> {
        let shared = self.tenant.shared();
        open(&shared.cursor_keys, context, cursor, shared.clock.seconds())
    }

    /// A cursor that holds a start key.
    pub(super) fn seal_cursor(
        &self,
        context: &Context,
        position: &KeyAttributes,
    ) -> Result<Cursor, CursorError> {
        let shared = self.tenant.shared();
        let expires_at = shared.clock.seconds().saturating_add(shared.cursors_valid_for.as_secs());
        seal(&shared.cursor_keys, context, position, expires_at)
    }

    /// What a cursor of this read is bound to: the tenant, the pattern with what it asks for, the order, and the shapes of its keys.
    pub(super) fn context(&self, request: &QueryFluentBuilder) -> Context {
        let mut context = Context::new();
        let shape = Pattern::SHAPE;
        context.bind(self.tenant.shared().table_name.as_bytes());
        context.bind(shape.name.as_bytes());
        context.bind(shape.index.unwrap_or_default().as_bytes());
        if let Identity::Tenant { stored, .. } = self.tenant.identity() {
            context.bind_value(stored);
        }
        for text in [request.get_key_condition_expression(), request.get_filter_expression()] {
            context.bind(text.as_deref().unwrap_or_default().as_bytes());
        }
        context.bind(if request.get_scan_index_forward().unwrap_or(true) { b"forward" } else { b"backward" });
        // What is projected changes nothing of where a page ends.
        let names = request.get_expression_attribute_names().iter().flatten();
        let mut names: Vec<_> = names.filter(|(placeholder, _)| !placeholder.starts_with("#p")).collect();
        names.sort();
        for (placeholder, name) in names {
            context.bind(placeholder.as_bytes());
            context.bind(name.as_bytes());
        }
        let mut values: Vec<_> = request.get_expression_attribute_values().iter().flatten().collect();
        values.sort_by_key(|(placeholder, _)| *placeholder);
        for (placeholder, value) in values {
            context.bind(placeholder.as_bytes());
            context.bind_value(value);
        }
        let table = TableType::SHAPE;
        for name in key_names(&table, shape.index) {
            context.bind(name.as_bytes());
        }
        for returned in shape.returns {
            let Some(entity) = table.entity(returned.entity) else { continue };
            bind_keys(&mut context, entity, shape.index);
        }
        context
    }

    /// The start key that lies at an item: its key in the table, and in the index that is read.
    pub(super) fn start_key_at(&self, attributes: &Attributes) -> Option<KeyAttributes> {
        key_names(&TableType::SHAPE, Pattern::SHAPE.index)
            .into_iter()
            .map(|name| Some((name.to_owned(), attributes.get(name)?.clone())))
            .collect()
    }
}

/// Binds to how the keys of a start key are written: those of the table, and those of the index that is read. The number of shards is no part of
/// it, since a cursor outlives a change of that.
fn bind_keys(context: &mut Context, entity: &EntityShape<'static>, index: Option<&str>) {
    let mut bind = |key: &KeyShape<'static>| {
        bind_template(context, entity, Some(&key.partition_key));
        bind_template(context, entity, key.sort_key.as_ref());
    };
    bind(&entity.key);
    match index.and_then(|index| entity.entry(index)).map(|entry| entry.key) {
        Some(IndexKey::Global(key)) => bind(&key),
        Some(IndexKey::Local { sort_key }) => bind_template(context, entity, Some(&sort_key)),
        // The attributes are what they are.
        Some(IndexKey::Attributes) | None => {}
    }
}

/// Binds to a template, how it is written, and the kinds of what fills it.
fn bind_template(
    context: &mut Context,
    entity: &EntityShape<'static>,
    template: Option<&TemplateShape<'static>>,
) {
    let Some(template) = template else { return context.bind(b"") };
    context.bind(template.text().as_bytes());
    let KeyFormat { delimiter, timestamp, letter_case } = template.format();
    context.bind(&[delimiter.byte()]);
    context.bind(timestamp.map_or("", TimestampFormat::name).as_bytes());
    context.bind(match letter_case {
        Some(LetterCase::Upper) => b"upper",
        Some(LetterCase::Lower) => b"lower",
        None => b"",
    });
    for field in template.fields() {
        let kind = entity.attribute(field).map(|attribute| attribute.kind);
        context.bind(match &kind {
            Some(AttributeKind::Component(kind)) => kind.name().as_bytes(),
            Some(AttributeKind::Number | AttributeKind::Set | AttributeKind::Opaque) | None => b"",
        });
    }
}

/// The attributes of a start key: the keys of the table, and those of the index that is read.
pub(super) fn key_names(table: &TableShape<'static>, index: Option<&str>) -> Vec<&'static str> {
    let mut names = vec![table.partition_key.name];
    names.extend(table.sort_key.map(|attribute| attribute.name));
    match index.and_then(|index| table.index(index)).map(|index| index.keys) {
        Some(IndexKeys::Rendered { partition_key, sort_key }) => {
            names.push(partition_key.name);
            names.extend(sort_key.map(|attribute| attribute.name));
        }
        Some(IndexKeys::Attributes { partition_key, sort_key }) => {
            names.extend(partition_key.iter().chain(sort_key).map(|attribute| attribute.name));
        }
        None => {}
    }
    names
}
