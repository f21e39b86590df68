//! UUIDs.

use crate::component::{ComponentKind, ComponentValue, KeyComponent, ValueRefusal};

impl KeyComponent for ::uuid::Uuid {
    const KIND: ComponentKind<'static> = ComponentKind::Uuid;

    fn to_value(&self) -> ComponentValue<'_> {
        ComponentValue::Uuid(self.as_u128())
    }

    fn from_value(value: ComponentValue<'_>) -> Result<::uuid::Uuid, ValueRefusal> {
        match value {
            ComponentValue::Uuid(bits) => Ok(::uuid::Uuid::from_u128(bits)),
            other => Err(ValueRefusal::of_kind(Self::KIND, &other)),
        }
    }
}
