//! The standard library's types as components.

use std::borrow::Cow;

use super::fill::{KeyComponent, ValueRefusal};
use super::kind::{ComponentKind, IntegerSize};
use super::value::ComponentValue;

macro_rules! integers {
    ($($integer:ident: $kind:ident($size:ident), $wide:ident;)+) => {
        $(
            impl KeyComponent for $integer {
                const KIND: ComponentKind<'static> = ComponentKind::$kind(IntegerSize::$size);

                fn to_value(&self) -> ComponentValue<'_> {
                    ComponentValue::$kind($wide::from(*self), IntegerSize::$size)
                }

                fn from_value(value: ComponentValue<'_>) -> Result<$integer, ValueRefusal> {
                    match value {
                        ComponentValue::$kind(wide, _) => $integer::try_from(wide)
                            .map_err(|_| ValueRefusal::new(concat!("the number does not fit into ", stringify!($integer)))),
                        other => Err(ValueRefusal::of_kind(Self::KIND, &other)),
                    }
                }
            }
        )+
    };
}

integers! {
    u8: Unsigned(Bits8), u64;
    u16: Unsigned(Bits16), u64;
    u32: Unsigned(Bits32), u64;
    u64: Unsigned(Bits64), u64;
    i8: Signed(Bits8), i64;
    i16: Signed(Bits16), i64;
    i32: Signed(Bits32), i64;
    i64: Signed(Bits64), i64;
}

macro_rules! texts {
    ($($text:ty),+) => {
        $(
            impl KeyComponent for $text {
                const KIND: ComponentKind<'static> = ComponentKind::Text;

                fn to_value(&self) -> ComponentValue<'_> {
                    ComponentValue::Text(Cow::Borrowed(self))
                }

                fn from_value(value: ComponentValue<'_>) -> Result<$text, ValueRefusal> {
                    match value {
                        ComponentValue::Text(text) => Ok(text.into_owned().into()),
                        other => Err(ValueRefusal::of_kind(Self::KIND, &other)),
                    }
                }
            }
        )+
    };
}

texts!(String, Box<str>, std::sync::Arc<str>);

impl KeyComponent for bool {
    const KIND: ComponentKind<'static> = ComponentKind::Boolean;

    fn to_value(&self) -> ComponentValue<'_> {
        ComponentValue::Boolean(*self)
    }

    fn from_value(value: ComponentValue<'_>) -> Result<bool, ValueRefusal> {
        match value {
            ComponentValue::Boolean(boolean) => Ok(boolean),
            other => Err(ValueRefusal::of_kind(Self::KIND, &other)),
        }
    }
}

impl KeyComponent for Vec<u8> {
    const KIND: ComponentKind<'static> = ComponentKind::Bytes;

    fn to_value(&self) -> ComponentValue<'_> {
        ComponentValue::Bytes(Cow::Borrowed(self))
    }

    fn from_value(value: ComponentValue<'_>) -> Result<Vec<u8>, ValueRefusal> {
        match value {
            ComponentValue::Bytes(bytes) => Ok(bytes.into_owned()),
            other => Err(ValueRefusal::of_kind(Self::KIND, &other)),
        }
    }
}

impl<const LENGTH: usize> KeyComponent for [u8; LENGTH] {
    const KIND: ComponentKind<'static> = ComponentKind::Bytes;

    fn to_value(&self) -> ComponentValue<'_> {
        ComponentValue::Bytes(Cow::Borrowed(self))
    }

    fn from_value(value: ComponentValue<'_>) -> Result<[u8; LENGTH], ValueRefusal> {
        match value {
            ComponentValue::Bytes(bytes) => <[u8; LENGTH]>::try_from(bytes.as_ref()).map_err(|_| {
                ValueRefusal::new(format!("the type holds {LENGTH} bytes, not {}", bytes.len()))
            }),
            other => Err(ValueRefusal::of_kind(Self::KIND, &other)),
        }
    }
}
