//! KW0104: a table's key is made of attributes that every item has.

use super::placed_template::{at, places};
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, KeyPlace, Presence, TableShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0104",
    name: "optional-component",
    title: "An optional attribute in the key of a table",
    severity: Severity::Error,
    finds: "A component of a table's partition key or sort key that is an `Option`.",
    hurts: "An item without the attribute has no key. In a sparse index that is what is wanted: the item is not in the \
            index. In the table the item could not be stored.",
    example: "[entity.task]\nsort_key = \"TASK#{assignee_id}\"\nattributes = { assignee_id = \"string?\" }",
    instead: "Key the table by attributes that are always there, and put the optional one into a sparse index.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check(_table: &TableShape<'_>, entity: &EntityShape<'_>) -> Option<Message> {
    let mut place = 0;
    while place < places(entity) {
        if let Some(placed) = at(entity, place)
            && placed.place.is(&KeyPlace::Table)
        {
            let mut segment = 0;
            while let Some(part) = placed.template.segment(segment) {
                if let Some(component) = part.component
                    && let Some(attribute) = entity.attribute(component.field)
                    && matches!(attribute.presence, Presence::Sometimes)
                {
                    let message =
                        placed.named(Message::new(&RULE)).say(" of ").name(entity.name).say(" has ");
                    return Some(message.name(attribute.name).say(
                        ", which not every item has, and an item without a key cannot be stored. Key the table by \
                         attributes that are always there, and put this one into a sparse index.",
                    ));
                }
                segment += 1;
            }
        }
        place += 1;
    }
    None
}

enforced!(Entity);
