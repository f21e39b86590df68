//! Bytes as DynamoDB has them.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use crate::component::{ComponentKind, ComponentValue, KeyComponent, ValueRefusal};

/// Bytes that are stored as such (`B`). A `Vec<u8>` is stored as a list of numbers, which takes several times the space.
///
/// ```
/// use keywright_key::Bytes;
///
/// let digest = Bytes(vec![0xca, 0xfe]);
/// assert_eq!(digest.first(), Some(&0xca));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub Vec<u8>);

impl Deref for Bytes {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl DerefMut for Bytes {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes(bytes)
    }
}

impl KeyComponent for Bytes {
    const KIND: ComponentKind<'static> = ComponentKind::Bytes;

    fn to_value(&self) -> ComponentValue<'_> {
        ComponentValue::Bytes(Cow::Borrowed(&self.0))
    }

    fn from_value(value: ComponentValue<'_>) -> Result<Bytes, ValueRefusal> {
        Vec::from_value(value).map(Bytes)
    }
}

#[cfg(feature = "serde")]
mod with_serde {
    use std::fmt;

    use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
    use serde::ser::{Serialize, Serializer};

    use super::Bytes;

    impl Serialize for Bytes {
        fn serialize<Target: Serializer>(&self, target: Target) -> Result<Target::Ok, Target::Error> {
            target.serialize_bytes(&self.0)
        }
    }

    impl<'de> Deserialize<'de> for Bytes {
        fn deserialize<Source: Deserializer<'de>>(source: Source) -> Result<Bytes, Source::Error> {
            source.deserialize_byte_buf(BytesRead)
        }
    }

    struct BytesRead;

    impl<'de> Visitor<'de> for BytesRead {
        type Value = Bytes;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("bytes")
        }

        fn visit_bytes<Failure>(self, bytes: &[u8]) -> Result<Bytes, Failure> {
            Ok(Bytes(bytes.to_vec()))
        }

        fn visit_byte_buf<Failure>(self, bytes: Vec<u8>) -> Result<Bytes, Failure> {
            Ok(Bytes(bytes))
        }

        /// What formats without bytes make of them.
        fn visit_seq<Source: SeqAccess<'de>>(self, mut source: Source) -> Result<Bytes, Source::Error> {
            let mut bytes = Vec::new();
            while let Some(byte) = source.next_element()? {
                bytes.push(byte);
            }
            Ok(Bytes(bytes))
        }
    }
}
