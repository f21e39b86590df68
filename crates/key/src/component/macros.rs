//! Components of an application's own: newtypes and enums.

/// Makes a newtype fill components as what it wraps does.
///
/// ```
/// use keywright_key::component_newtype;
///
/// pub struct TeamId(String);
///
/// component_newtype!(TeamId(String));
/// ```
#[macro_export]
macro_rules! component_newtype {
    ($newtype:ident($inner:ty)) => {
        impl $crate::KeyComponent for $newtype {
            const KIND: $crate::ComponentKind<'static> = <$inner as $crate::KeyComponent>::KIND;

            fn to_value(&self) -> $crate::ComponentValue<'_> {
                <$inner as $crate::KeyComponent>::to_value(&self.0)
            }

            fn from_value(
                value: $crate::ComponentValue<'_>,
            ) -> ::core::result::Result<$newtype, $crate::ValueRefusal> {
                match <$inner as $crate::KeyComponent>::from_value(value) {
                    ::core::result::Result::Ok(inner) => ::core::result::Result::Ok($newtype(inner)),
                    ::core::result::Result::Err(refusal) => ::core::result::Result::Err(refusal),
                }
            }
        }
    };
}

/// Makes an enum without data fill components, each value by its word.
///
/// Every value must be named, or it does not compile. The order of the list is the order of the values; where the words
/// sort in it, the enum can be ranged over.
///
/// ```
/// use keywright_key::component_enum;
///
/// #[derive(Clone, Copy)]
/// pub enum Status {
///     Open,
///     Closed,
/// }
///
/// component_enum!(Status { Closed = "closed", Open = "open" });
/// ```
#[macro_export]
macro_rules! component_enum {
    ($enumeration:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        const _: () = {
            const WORDS: &[&str] = &[$($word),+];

            impl $crate::KeyComponent for $enumeration {
                const KIND: $crate::ComponentKind<'static> = $crate::ComponentKind::Enum(WORDS);

                fn to_value(&self) -> $crate::ComponentValue<'_> {
                    let index = match self {
                        $($enumeration::$variant => const { $crate::ComponentValue::place_of_word(WORDS, $word) },)+
                    };
                    $crate::ComponentValue::Enum { words: WORDS, index }
                }

                fn from_value(
                    value: $crate::ComponentValue<'_>,
                ) -> ::core::result::Result<$enumeration, $crate::ValueRefusal> {
                    match value.word() {
                        $(::core::option::Option::Some($word) => ::core::result::Result::Ok($enumeration::$variant),)+
                        _ => ::core::result::Result::Err($crate::ValueRefusal::of_kind(
                            <$enumeration as $crate::KeyComponent>::KIND,
                            &value,
                        )),
                    }
                }
            }
        };
    };
}
