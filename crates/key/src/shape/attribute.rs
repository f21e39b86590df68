//! The attributes of an entity.

use crate::component::{ComponentKind, KeyComponent, KeyField};

/// One attribute of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeShape<'a> {
    /// The name that items store, and that templates, projections and filters use.
    pub name: &'a str,
    /// What the code calls it, where a rename makes that another name; the same otherwise.
    pub field: &'a str,
    /// What it can hold.
    pub kind: AttributeKind<'a>,
    /// Whether every item has it.
    pub presence: Presence,
}

/// What an attribute can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeKind<'a> {
    /// A value that can fill a component of a key.
    Component(ComponentKind<'a>),
    /// A number that fills no component, since it has no exact text: `f64`.
    Number,
    /// A set, which is stored as one: a [`Set`](crate::Set).
    Set,
    /// Anything else: nothing about it matters to keys.
    Opaque,
}

/// Whether an attribute is always there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// In every item of the entity.
    Always,
    /// In some: an `Option`. As a component it leaves the key of a sparse index out.
    Sometimes,
}

impl AttributeKind<'_> {
    /// What a message calls a value of it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            AttributeKind::Component(kind) => kind.name(),
            AttributeKind::Number => "a number",
            AttributeKind::Set => "a set",
            AttributeKind::Opaque => "of a type that nothing is known of",
        }
    }
}

impl<'a> AttributeShape<'a> {
    /// An attribute that every item has and that can fill a component.
    #[must_use]
    pub const fn component(name: &'a str, kind: ComponentKind<'a>) -> AttributeShape<'a> {
        AttributeShape { name, field: name, kind: AttributeKind::Component(kind), presence: Presence::Always }
    }

    /// An attribute that every item has and that no key uses.
    #[must_use]
    pub const fn opaque(name: &'a str) -> AttributeShape<'a> {
        AttributeShape { name, field: name, kind: AttributeKind::Opaque, presence: Presence::Always }
    }

    /// An attribute that a field of this type fills.
    #[must_use]
    pub const fn of<Field: KeyField>(name: &'a str) -> AttributeShape<'a> {
        AttributeShape::component(name, Field::Component::KIND).with_presence(Field::PRESENCE)
    }

    /// The same where the code calls it `field`.
    #[must_use]
    pub const fn with_field(self, field: &'a str) -> AttributeShape<'a> {
        AttributeShape { field, ..self }
    }

    /// The same with this presence.
    #[must_use]
    pub const fn with_presence(self, presence: Presence) -> AttributeShape<'a> {
        AttributeShape { presence, ..self }
    }
}
