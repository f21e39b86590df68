//! What patterns give back.

#[doc(hidden)]
pub use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{AccessPattern, GivenValues};

/// What a pattern's items become: one type for one returned entity or projection, an enum for several.
pub trait ReadItems: AccessPattern + GivenValues {
    /// An item that was read.
    type Item;

    /// The item, by what its discriminator says; nothing if that is no entity which the pattern returns.
    ///
    /// # Errors
    /// When the item is not what its type says.
    fn read<'de, Source: Deserializer<'de>>(
        discriminator: &str,
        item: Source,
    ) -> Option<Result<Self::Item, Source::Error>>;
}

/// What an enum of items is cloned by, if all that it can hold can be.
///
/// A bound on a type without parameters has to hold, or it does not compile, unless it is a bound for every lifetime: that is
/// all the lifetime is for.
#[doc(hidden)]
pub trait CloneItem<'any> {
    /// The same once more.
    #[must_use]
    fn clone_item(&self) -> Self;
}

impl<Item: Clone> CloneItem<'_> for Item {
    fn clone_item(&self) -> Item {
        self.clone()
    }
}
