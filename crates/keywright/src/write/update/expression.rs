//! The update expression of a change, and the keys of indexes that follow from it.

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::{self, Entity, Table};
use keywright_key::{ChangeAction, Components, Filling};

use crate::error::WriteError;
use crate::expression::Placeholders;
use crate::item::{Attributes, index_attribute_names, index_key_attributes, touched_indexes};

/// What fills the keys of indexes after a change: what was changed, and beside it what names the item.
pub(crate) struct Changed<'a, Changes, Known> {
    pub(crate) changes: &'a Changes,
    pub(crate) known: &'a Known,
}

impl<Changes: Components, Known: Components> Components for Changed<'_, Changes, Known> {
    fn filling(&self, field: &str) -> Filling<'_> {
        match self.changes.filling(field) {
            Filling::Unknown => self.known.filling(field),
            filling => filling,
        }
    }
}

/// The clauses of an update expression, while they are put together.
#[derive(Debug, Default)]
pub(super) struct UpdateExpression {
    set: Vec<String>,
    add: Vec<String>,
    delete: Vec<String>,
    remove: Vec<String>,
    placeholders: usize,
}

impl UpdateExpression {
    pub(super) fn set(&mut self, placeholders: &mut Placeholders, attribute: &str, value: AttributeValue) {
        self.change(placeholders, attribute, ChangeAction::Set, Some(value));
    }

    /// Adds one change. A value that is not there removes the attribute.
    pub(super) fn change(
        &mut self,
        placeholders: &mut Placeholders,
        attribute: &str,
        action: ChangeAction,
        value: Option<AttributeValue>,
    ) {
        let value = value.filter(|value| !matches!(value, AttributeValue::Null(_)));
        if value.is_none() && !matches!(action, ChangeAction::Set | ChangeAction::Remove) {
            // Nothing is added, subtracted, appended or taken out. A name in the request that is not used would be refused.
            return;
        }
        let place = format!("u{}", self.placeholders);
        self.placeholders += 1;
        let name = placeholders.name(&place, attribute);
        let Some(value) = value else {
            self.remove.push(name);
            return;
        };
        let value = placeholders.value(&place, value);
        match action {
            ChangeAction::Set => self.set.push(format!("{name} = {value}")),
            ChangeAction::SetIfAbsent => self.set.push(format!("{name} = if_not_exists({name}, {value})")),
            // `ADD` begins from nothing by itself; so does this.
            ChangeAction::Subtract => {
                let zero = placeholders.value(&format!("{place}e"), AttributeValue::N("0".to_owned()));
                self.set.push(format!("{name} = if_not_exists({name}, {zero}) - {value}"));
            }
            ChangeAction::Append => {
                let empty = placeholders.value(&format!("{place}e"), AttributeValue::L(Vec::new()));
                self.set.push(format!("{name} = list_append(if_not_exists({name}, {empty}), {value})"));
            }
            ChangeAction::Add => self.add.push(format!("{name} {value}")),
            ChangeAction::DeleteFrom => self.delete.push(format!("{name} {value}")),
            ChangeAction::Remove => self.remove.push(name),
        }
    }

    /// Renders anew the keys of the indexes whose templates name a changed attribute; one that lost a component goes.
    pub(super) fn index_keys<TableType: Table, Changes: declare::Update<Table = TableType>>(
        &mut self,
        placeholders: &mut Placeholders,
        components: &impl Components,
    ) -> Result<(), WriteError> {
        let (table, entity) = (TableType::SHAPE, Changes::Entity::SHAPE);
        let is_changed = |field: &str| Changes::SHAPE.changes.iter().any(|change| change.attribute == field);
        let mut rendered = Attributes::new();
        let touched = touched_indexes(&table, &entity, is_changed);
        index_key_attributes(&table, &entity, components, &touched, &mut rendered)?;
        // A key attribute that is the entity's own value is set with the change itself.
        let names = index_attribute_names(&table, &touched).into_iter().filter(|name| !is_changed(name));
        for attribute in names {
            let value = rendered.remove(attribute);
            let action = if value.is_some() { ChangeAction::Set } else { ChangeAction::Remove };
            self.change(placeholders, attribute, action, value);
        }
        Ok(())
    }

    pub(super) fn text(&self) -> String {
        let clauses =
            [("SET", &self.set), ("ADD", &self.add), ("DELETE", &self.delete), ("REMOVE", &self.remove)];
        let written: Vec<String> = clauses
            .into_iter()
            .filter(|(_, parts)| !parts.is_empty())
            .map(|(word, parts)| format!("{word} {}", parts.join(", ")))
            .collect();
        written.join(" ")
    }
}
