//! What an update changes, as its rules look at it: one change at a time; and what conditions and updates say of a wrong name.

use super::key_view::{KeyView, PartView};
use super::{key_changed, managed_attribute};
use crate::message::Message;
use crate::nearest::Nearest;
use crate::shape::{ChangeAction, ChangeShape, EntityShape, IndexKey, TableShape, UpdateShape};
use crate::text;

/// A change of an update, with the entity that it is a change of.
#[derive(Clone, Copy)]
pub(crate) struct Change<'a> {
    pub(crate) change: &'a ChangeShape<'a>,
    pub(crate) entity: &'a EntityShape<'a>,
}

impl<'a> Change<'a> {
    /// The change at `place`; nothing if there is none, or if the table does not list the entity, which is reported elsewhere.
    pub(crate) const fn at(
        table: &TableShape<'a>,
        update: &UpdateShape<'a>,
        place: usize,
    ) -> Option<Change<'a>> {
        if place >= update.changes.len() {
            return None;
        }
        let (_, rest) = update.changes.split_at(place);
        match (rest.first(), table.entity(update.entity)) {
            (Some(change), Some(entity)) => Some(Change { change, entity }),
            _ => None,
        }
    }

    /// The same for what can be changed at all; what cannot is reported by the rules that say why.
    pub(crate) const fn of_changeable(
        table: &TableShape<'a>,
        update: &UpdateShape<'a>,
        place: usize,
    ) -> Option<Change<'a>> {
        let is_fixed = key_changed::check_change(table, update, place).is_some()
            || managed_attribute::check_change(table, update, place).is_some();
        if is_fixed { None } else { Change::at(table, update, place) }
    }

    /// Adds what the update does to the attribute: "`Rename` sets `name`".
    pub(crate) const fn said(&self, message: Message, update: &UpdateShape<'_>) -> Message {
        let verb = match self.change.action {
            ChangeAction::Set | ChangeAction::SetIfAbsent => " sets ",
            ChangeAction::Add => " adds to ",
            ChangeAction::Subtract => " subtracts from ",
            ChangeAction::Append => " appends to ",
            ChangeAction::DeleteFrom => " deletes from ",
            ChangeAction::Remove => " removes ",
        };
        message.name(update.name).say(verb).name(self.change.attribute)
    }
}

/// The keys in indexes that an entity renders from its attributes.
pub(crate) struct RenderedKeys<'a, 't> {
    table: &'t TableShape<'a>,
    entity: &'a EntityShape<'a>,
    place: usize,
}

/// The key of an entity in one index.
#[derive(Clone, Copy)]
pub(crate) struct RenderedKey<'a> {
    pub(crate) index: &'a str,
    /// The partition key, if the index has one of its own.
    pub(crate) partition: Option<PartView<'a>>,
    pub(crate) sort: Option<PartView<'a>>,
}

impl<'a, 't> RenderedKeys<'a, 't> {
    pub(crate) const fn of(table: &'t TableShape<'a>, entity: &'a EntityShape<'a>) -> RenderedKeys<'a, 't> {
        RenderedKeys { table, entity, place: 0 }
    }

    pub(crate) const fn next(&mut self) -> Option<RenderedKey<'a>> {
        while self.place < self.entity.indexes.len() {
            let (_, rest) = self.entity.indexes.split_at(self.place);
            self.place += 1;
            if let Some(entry) = rest.first()
                && let Some(index) = self.table.index(entry.index)
                && let Some(KeyView { partition, sort }) = KeyView::of(self.entity, Some(index))
            {
                let partition = match entry.key {
                    IndexKey::Global(_) => Some(partition),
                    IndexKey::Local { .. } => None,
                    // Attributes are what they are: nothing is rendered.
                    IndexKey::Attributes => continue,
                };
                return Some(RenderedKey { index: index.name, partition, sort });
            }
        }
        None
    }
}

impl<'a> RenderedKey<'a> {
    /// Whether the key has a component that the attribute fills.
    pub(crate) const fn is_made_of(&self, attribute: &str) -> bool {
        is_made_of(self.partition, attribute) || is_made_of(self.sort, attribute)
    }

    /// The part of the key at `place`: first the partition key, then the sort key.
    pub(crate) const fn part(&self, place: usize) -> Option<PartView<'a>> {
        match place {
            0 => self.partition,
            1 => self.sort,
            _ => None,
        }
    }
}

pub(crate) const fn is_made_of(part: Option<PartView<'_>>, attribute: &str) -> bool {
    match part {
        Some(part) => part.place_of(attribute).is_some(),
        None => false,
    }
}

/// Whether the update changes the attribute.
pub(crate) const fn changes(update: &UpdateShape<'_>, attribute: &str) -> bool {
    let mut rest = update.changes;
    while let [change, later @ ..] = rest {
        if text::equal(change.attribute, attribute) {
            return true;
        }
        rest = later;
    }
    false
}

/// Adds that the entity has no attribute of this name, and which one was probably meant.
pub(crate) const fn has_none_called(message: Message, entity: &EntityShape<'_>, asked: &str) -> Message {
    let (mut meant, mut rest) = (Nearest::to(asked), entity.attributes);
    while let [attribute, later @ ..] = rest {
        meant = meant.or(attribute.name);
        rest = later;
    }
    let message = message.say(", and ").name(entity.name).say(" has no attribute of that name. ");
    match meant.found() {
        Some(name) => message.say("Did you mean ").name(name).say("?"),
        None => message.say("Correct the name, or add the attribute."),
    }
}
