//! KW0211: the version attribute of an entity is an integer that it has.

use super::{Check, Rule, Severity};
use crate::component::ComponentKind;
use crate::message::Message;
use crate::shape::{AttributeKind, EntityShape, Presence, TableShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0211",
    name: "version",
    title: "A version that cannot be counted",
    severity: Severity::Error,
    finds: "An entity whose version is an attribute that it does not have, that is optional, or that is no integer.",
    hurts: "A write that should fail because another came between would be stored.",
    example: "[entity.document]\nattributes = { title = \"string\", version = \"version?\" }",
    instead: "Add the attribute as an integer that every item has.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check<'a>(_table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    let Some(name) = entity.version else { return None };
    let Some(attribute) = entity.attribute(name) else {
        return Some(begin(entity, name).say(", which it does not have. Add the attribute, an integer."));
    };
    match (attribute.kind, attribute.presence) {
        (_, Presence::Sometimes) => Some(
            begin(entity, name).say(", which not every item has. Make it an integer that is always there."),
        ),
        (
            AttributeKind::Component(ComponentKind::Unsigned(_) | ComponentKind::Signed(_))
            | AttributeKind::Opaque,
            _,
        ) => None,
        (kind, _) => {
            Some(begin(entity, name).say(", which is ").say(kind.name()).say(". Make it an integer."))
        }
    }
}

const fn begin(entity: &EntityShape<'_>, name: &str) -> Message {
    Message::new(&RULE).name(entity.name).say(" counts versions in ").name(name)
}

enforced!(Entity);
