//! KW0211: the version attribute of an entity is a `u64` that it has.

use super::{Check, Rule, Severity};
use crate::component::{ComponentKind, IntegerSize};
use crate::message::Message;
use crate::shape::{AttributeKind, EntityShape, Presence, TableShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0211",
    name: "version",
    title: "A version that cannot be counted",
    severity: Severity::Error,
    finds: "An entity whose version is an attribute that it does not have, that is optional, or that is no `u64`.",
    hurts: "A write that should fail because another came between would be stored. A version that is counted beyond what its type holds \
            makes the item unreadable, for good: in a `u8` that is the 256th write.",
    example: "[entity.document]\nattributes = { title = \"string\", version = \"version?\" }",
    instead: "Add the attribute as a `u64` that every item has; in a design file its type is `version`.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check<'a>(_table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    let Some(name) = entity.version else { return None };
    let Some(attribute) = entity.attribute(name) else {
        return Some(begin(entity, name).say(", which it does not have. Add the attribute, a `u64`."));
    };
    match (attribute.kind, attribute.presence) {
        (_, Presence::Sometimes) => {
            Some(begin(entity, name).say(", which not every item has. Make it one that is always there."))
        }
        (AttributeKind::Component(ComponentKind::Unsigned(IntegerSize::Bits64)), _) => None,
        (kind, _) => Some(begin(entity, name).say(", which is ").say(kind.name()).say(". Make it a `u64`.")),
    }
}

const fn begin(entity: &EntityShape<'_>, name: &str) -> Message {
    Message::new(&RULE).name(entity.name).say(" counts versions in ").name(name)
}

enforced!(Entity);
