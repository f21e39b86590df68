//! What derives find out about the fields of an entity while they are compiled.

use std::marker::PhantomData;

use crate::component::{Filling, KeyComponent, KeyField};
use crate::set::{Set, SetMember};
use crate::shape::{AttributeKind, Presence};

/// An entity that stores an attribute of this type under the name with this hash.
///
/// The type is a parameter, not an associated type, since it may be less visible than the entity.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no attribute of this name with the type `{Type}`",
    label = "not what the entity stores",
    note = "give the field the name and the whole type that it has in `{Self}`, `Option` included"
)]
pub trait Attribute<const FIELD: u64, Type> {}

/// Compiles only if the entity stores an attribute of this type under the name with this hash.
pub const fn same_attribute<Entity: Attribute<FIELD, Type>, const FIELD: u64, Type>() {}

/// An entity that stores values of this type, always or sometimes, under the name with this hash, as serde writes the type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no attribute of this name with values of the type `{Type}`",
    label = "not what the entity stores",
    note = "give the field the name that the attribute has in `{Self}`, and the type of its values",
    note = "what `serialize_with` writes is no value of its field's type: give it a type of its own that serde writes so"
)]
pub trait AttributeValue<const FIELD: u64, Type> {}

/// Compiles only if the entity stores values of this type under the name with this hash.
pub const fn same_value<Entity: AttributeValue<FIELD, Type>, const FIELD: u64, Type>() {}

/// Tells whether a type can fill a component, for types that need not.
///
/// A constant of the type itself is found before that of a trait, so a field gets the first if it is a [`KeyField`]:
///
/// ```
/// use keywright_key::declare::{KindOf, Opaque as _};
/// use keywright_key::{AttributeKind, Presence};
///
/// assert!(matches!(KindOf::<Option<String>>::KIND, AttributeKind::Component(_)));
/// assert_eq!(KindOf::<Option<String>>::PRESENCE, Presence::Sometimes);
/// assert_eq!(KindOf::<f64>::KIND, AttributeKind::Number);
/// assert_eq!(KindOf::<Vec<String>>::KIND, AttributeKind::Opaque);
/// ```
pub struct KindOf<Field>(PhantomData<Field>);

impl<Field: KeyField> KindOf<Field> {
    /// The kind of the component.
    pub const KIND: AttributeKind<'static> =
        AttributeKind::Component(<Field::Component as KeyComponent>::KIND);
    /// Whether the field always has one.
    pub const PRESENCE: Presence = Field::PRESENCE;

    /// What the field fills its component with.
    pub fn filling(field: &Field) -> Filling<'_> {
        Filling::of(field)
    }
}

/// What [`KindOf`] says of types that fill no component, and that updates change in a way of their own.
macro_rules! kinds {
    ($([$($generics:tt)*] $field:ty: $kind:ident, $presence:ident;)+) => {
        $(
            impl<$($generics)*> KindOf<$field> {
                /// What it is stored as.
                pub const KIND: AttributeKind<'static> = AttributeKind::$kind;
                /// Whether it is always stored.
                pub const PRESENCE: Presence = Presence::$presence;

                /// Nothing: where a key asks for it, that has been reported.
                pub fn filling(_field: &$field) -> Filling<'_> {
                    Filling::Unknown
                }
            }
        )+
    };
}

kinds! {
    [] f32: Number, Always;
    [] f64: Number, Always;
    [] Option<f32>: Number, Sometimes;
    [] Option<f64>: Number, Sometimes;
    // One without members is not stored.
    [Member: SetMember] Set<Member>: Set, Sometimes;
    [Member: SetMember] Option<Set<Member>>: Set, Sometimes;
}

/// What [`KindOf`] says of a type that cannot fill a component.
pub trait Opaque {
    /// The type.
    type Field;
    /// Nothing that matters to keys.
    const KIND: AttributeKind<'static> = AttributeKind::Opaque;
    /// Always there, as far as is known.
    const PRESENCE: Presence = Presence::Always;

    /// Nothing: where a key asks for it, that has been reported.
    fn filling(_field: &Self::Field) -> Filling<'_> {
        Filling::Unknown
    }
}

impl<Field> Opaque for KindOf<Field> {
    type Field = Field;
}
