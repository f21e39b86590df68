//! ULIDs.

use crate::component::{ComponentKind, ComponentValue, KeyComponent, ValueRefusal};

impl KeyComponent for ::ulid::Ulid {
    const KIND: ComponentKind<'static> = ComponentKind::Ulid;

    fn to_value(&self) -> ComponentValue<'_> {
        ComponentValue::Ulid(u128::from(*self))
    }

    fn from_value(value: ComponentValue<'_>) -> Result<::ulid::Ulid, ValueRefusal> {
        match value {
            ComponentValue::Ulid(bits) => Ok(::ulid::Ulid::from(bits)),
            other => Err(ValueRefusal::of_kind(Self::KIND, &other)),
        }
    }
}
