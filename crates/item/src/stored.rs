//! The stored form of an item: its attributes in one run of bytes behind a checksum.
//!
//! `docs/on-disk/item.md` describes the bytes. They are verified once, wholly, when they are opened: the checksum and
//! the structure. After that every look into them is infallible, borrows, and decodes only what it is asked for.

mod compare;
mod cursor;
mod encode;
mod json;
mod verify;
mod view;

use std::fmt;

use crate::{Damage, Item};
use cursor::{Cursor, verified};

pub use view::{StoredList, StoredMap, StoredSet, StoredValue};

/// The format that is written, and the only one so far. It is the first byte behind the checksum.
const FORMAT: u8 = 1;
/// Checksum (4), format (1), size (4).
const HEADER_BYTES: usize = 9;

/// An item in its stored form.
///
/// ```
/// use keywright_item::{AttributeValue, Item, StoredItem, StoredValue};
///
/// let mut item = Item::new();
/// item.insert("pk".to_owned(), AttributeValue::S("ORG#1".to_owned()));
/// let stored = StoredItem::encode(&item);
/// assert_eq!(stored.size_bytes(), item.size_bytes());
/// assert!(matches!(stored.get("pk"), Some(StoredValue::S("ORG#1"))));
///
/// let mut bytes = stored.bytes().to_vec();
/// bytes[10] ^= 1;
/// assert!(StoredItem::open(bytes).is_err());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct StoredItem {
    /// Verified, or written by `encode`.
    bytes: Vec<u8>,
}

/// A borrowed item in its stored form: [`StoredItem`] without the copy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct StoredItemRef<'a> {
    /// Verified, or written by `encode`.
    bytes: &'a [u8],
}

impl StoredItem {
    /// The stored form of an item whose values nest at most [`NESTING_LIMIT`](crate::NESTING_LIMIT) levels deep;
    /// deeper ones are refused where they come in, and would be refused by `open`.
    #[must_use]
    pub fn encode(item: &Item) -> StoredItem {
        StoredItem { bytes: encode::encode(item) }
    }

    /// Takes bytes for a stored item, after verifying all of them.
    ///
    /// # Errors
    /// [`Damage`] when they are not what [`encode`](StoredItem::encode) wrote.
    pub fn open(bytes: Vec<u8>) -> Result<StoredItem, Damage> {
        verify::verify(&bytes)?;
        Ok(StoredItem { bytes })
    }

    /// The bytes to store.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes to store, without a copy.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The item, borrowed.
    #[must_use]
    pub fn as_ref(&self) -> StoredItemRef<'_> {
        StoredItemRef { bytes: &self.bytes }
    }

    /// As [`StoredItemRef::size_bytes`].
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.as_ref().size_bytes()
    }

    /// As [`StoredItemRef::attributes`].
    #[must_use]
    pub fn attributes(&self) -> StoredMap<'_> {
        self.as_ref().attributes()
    }

    /// As [`StoredItemRef::get`].
    #[must_use]
    pub fn get(&self, name: &str) -> Option<StoredValue<'_>> {
        self.as_ref().get(name)
    }

    /// As [`StoredItemRef::project`].
    #[must_use]
    pub fn project<'name>(&self, names: impl IntoIterator<Item = &'name str>) -> Item {
        self.as_ref().project(names)
    }

    /// As [`StoredItemRef::decode`].
    #[must_use]
    pub fn decode(&self) -> Item {
        self.as_ref().decode()
    }

    /// As [`StoredItemRef::write_json`].
    pub fn write_json(&self, out: &mut Vec<u8>) {
        self.as_ref().write_json(out);
    }
}

impl<'a> StoredItemRef<'a> {
    /// Takes bytes for a stored item, after verifying all of them.
    ///
    /// # Errors
    /// [`Damage`] when they are not what [`StoredItem::encode`] wrote.
    pub fn open(bytes: &'a [u8]) -> Result<StoredItemRef<'a>, Damage> {
        verify::verify(bytes)?;
        Ok(StoredItemRef { bytes })
    }

    /// The bytes to store.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The item with bytes of its own.
    #[must_use]
    pub fn to_owned(&self) -> StoredItem {
        StoredItem { bytes: self.bytes.to_vec() }
    }

    /// The item's size as DynamoDB counts it ([`AttributeMap::size_bytes`](crate::AttributeMap::size_bytes)); it is stored, not computed.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        verified(Header::read(self.bytes)).size_bytes
    }

    /// The attributes.
    #[must_use]
    pub fn attributes(&self) -> StoredMap<'a> {
        StoredMap::new(Cursor::new(self.bytes.get(HEADER_BYTES..).unwrap_or_default(), HEADER_BYTES))
    }

    /// The value of one attribute; nothing else is decoded.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<StoredValue<'a>> {
        self.attributes().get(name)
    }

    /// An item of those of the named attributes that exist.
    #[must_use]
    pub fn project<'name>(&self, names: impl IntoIterator<Item = &'name str>) -> Item {
        let attributes = self.attributes();
        names
            .into_iter()
            .filter_map(|name| attributes.get(name).map(|value| (name.to_owned(), value.to_value())))
            .collect()
    }

    /// The whole item, decoded.
    #[must_use]
    pub fn decode(&self) -> Item {
        self.attributes().to_map()
    }

    /// Appends the item as DynamoDB JSON, `{"pk":{"S":"text"}}`, straight from the stored bytes.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        out.reserve(self.json_bytes());
        json::write_map(&self.attributes(), out);
    }

    /// About how long its JSON is: names and values, and some bytes around each.
    #[must_use]
    pub fn json_bytes(&self) -> usize {
        self.bytes.len() + self.bytes.len() / 4 + 32
    }
}

/// What stands before the attributes.
struct Header {
    checksum: u32,
    format: u8,
    size_bytes: usize,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Header, Damage> {
        let mut cursor = Cursor::new(bytes, 0);
        Ok(Header {
            checksum: cursor.fixed_u32()?,
            format: cursor.byte()?,
            size_bytes: cursor.fixed_u32()? as usize,
        })
    }
}

impl fmt::Debug for StoredItem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().fmt(formatter)
    }
}

impl fmt::Debug for StoredItemRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.attributes().fmt(formatter)
    }
}
