//! What patterns give back.

use serde::Deserializer;

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
