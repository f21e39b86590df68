//! How types fill components, and how an item or a pattern says what fills which.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use super::kind::ComponentKind;
use super::value::ComponentValue;
use crate::shape::Presence;

/// A type whose values can fill a component of a key.
///
/// Two different values must give two different [`ComponentValue`]s, and `from_value` must undo `to_value`.
///
/// ```
/// use keywright_key::{ComponentKind, ComponentValue, KeyComponent, ValueRefusal};
///
/// struct TeamId(String);
///
/// impl KeyComponent for TeamId {
///     const KIND: ComponentKind<'static> = ComponentKind::Text;
///
///     fn to_value(&self) -> ComponentValue<'_> {
///         self.0.to_value()
///     }
///
///     fn from_value(value: ComponentValue<'_>) -> Result<TeamId, ValueRefusal> {
///         String::from_value(value).map(TeamId)
///     }
/// }
/// ```
///
/// [`component_newtype`](crate::component_newtype) writes the same.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot fill a component of a key",
    label = "not text, an integer, a timestamp, a ULID, a UUID, an enum of words, a boolean or bytes",
    note = "for a type of your own that wraps one of those, write `keywright_key::component_newtype!({Self}(..))`; for an enum, `component_enum!`",
    note = "floating-point numbers are refused on purpose: they have no exact text"
)]
pub trait KeyComponent: Sized {
    /// What kind of value it gives, always the same.
    const KIND: ComponentKind<'static>;

    /// The value that fills the component.
    fn to_value(&self) -> ComponentValue<'_>;

    /// The value that filled the component when the key was written; its kind is [`KeyComponent::KIND`].
    ///
    /// # Errors
    /// [`ValueRefusal`] for what the type does not hold.
    fn from_value(value: ComponentValue<'_>) -> Result<Self, ValueRefusal>;
}

/// A field that fills a component: a [`KeyComponent`], or an `Option` of one for the key of a sparse index.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot fill a component of a key",
    label = "not text, an integer, a timestamp, a ULID, a UUID, an enum of words, a boolean or bytes, nor an `Option` of one",
    note = "for a type of your own that wraps one of those, write `keywright_key::component_newtype!({Self}(..))`; for an enum, `component_enum!`"
)]
pub trait KeyField: Sized {
    /// The type of the component.
    type Component: KeyComponent;
    /// Whether the field always has one.
    const PRESENCE: Presence;

    /// The component, if there is one.
    fn component(&self) -> Option<&Self::Component>;

    /// The field that has this component; nothing if it needs one and has none.
    fn from_component(component: Option<Self::Component>) -> Option<Self>;
}

impl<Type: KeyComponent> KeyField for Type {
    type Component = Type;
    const PRESENCE: Presence = Presence::Always;

    fn component(&self) -> Option<&Type> {
        Some(self)
    }

    fn from_component(component: Option<Type>) -> Option<Type> {
        component
    }
}

impl<Type: KeyComponent> KeyField for Option<Type> {
    type Component = Type;
    const PRESENCE: Presence = Presence::Sometimes;

    fn component(&self) -> Option<&Type> {
        self.as_ref()
    }

    fn from_component(component: Option<Type>) -> Option<Option<Type>> {
        Some(component)
    }
}

/// What fills the components of templates: an item, a pattern, or the tenant beside one of them.
///
/// Pairs ask the first, then the second; a slice of names and values is what programs use that have no types.
pub trait Components {
    /// What fills the component `field`.
    fn filling(&self, field: &str) -> Filling<'_>;
}

/// What fills a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filling<'a> {
    /// This value.
    Value(ComponentValue<'a>),
    /// Nothing: the field is an `Option` without a value.
    Absent,
    /// There is no such field.
    Unknown,
}

impl<'a> Filling<'a> {
    /// What a field fills its component with.
    pub fn of<Field: KeyField>(field: &'a Field) -> Filling<'a> {
        match field.component() {
            Some(component) => Filling::Value(component.to_value()),
            None => Filling::Absent,
        }
    }
}

impl<Inner: Components + ?Sized> Components for &Inner {
    fn filling(&self, field: &str) -> Filling<'_> {
        (**self).filling(field)
    }
}

impl<First: Components, Second: Components> Components for (First, Second) {
    fn filling(&self, field: &str) -> Filling<'_> {
        match self.0.filling(field) {
            Filling::Unknown => self.1.filling(field),
            known => known,
        }
    }
}

impl Components for [(&str, ComponentValue<'_>)] {
    fn filling(&self, field: &str) -> Filling<'_> {
        self.iter()
            .find(|(name, _)| *name == field)
            .map_or(Filling::Unknown, |(_, value)| Filling::Value(value.clone()))
    }
}

impl Components for () {
    fn filling(&self, _field: &str) -> Filling<'_> {
        Filling::Unknown
    }
}

/// Why a type does not hold the value that a key has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueRefusal {
    text: Cow<'static, str>,
}

impl ValueRefusal {
    /// A refusal that says what the type holds: "an organization id has 26 characters".
    #[must_use]
    pub fn new(text: impl Into<Cow<'static, str>>) -> ValueRefusal {
        ValueRefusal { text: text.into() }
    }

    /// The refusal of a value of another kind than the type's.
    #[must_use]
    pub fn of_kind(expected: ComponentKind<'_>, found: &ComponentValue<'_>) -> ValueRefusal {
        ValueRefusal::new(format!("the type holds {}, not {}", expected.name(), found.kind().name()))
    }
}

impl fmt::Display for ValueRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl Error for ValueRefusal {}
