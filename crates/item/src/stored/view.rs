//! Looking into a stored item without decoding it. Nothing here allocates but the `to_` methods.

use std::fmt;

use super::cursor::{Cursor, Raw, verified, verified_number, verified_str};
use crate::{AttributeMap, AttributeValue, Number, Set};

/// One value of a stored item, borrowed from its bytes.
#[derive(Clone, Copy)]
pub enum StoredValue<'a> {
    /// A string.
    S(&'a str),
    /// A number.
    N(Number),
    /// Bytes.
    B(&'a [u8]),
    /// True or false.
    Bool(bool),
    /// Null.
    Null,
    /// A map.
    M(StoredMap<'a>),
    /// A list.
    L(StoredList<'a>),
    /// A set of strings: its members are `S`.
    Ss(StoredSet<'a>),
    /// A set of numbers: its members are `N`.
    Ns(StoredSet<'a>),
    /// A set of byte strings: its members are `B`.
    Bs(StoredSet<'a>),
}

/// Attributes of a stored item or map value, in the order of their names' bytes.
#[derive(Clone, Copy)]
pub struct StoredMap<'a> {
    contents: Contents<'a>,
}

/// The elements of a stored list.
#[derive(Clone, Copy)]
pub struct StoredList<'a> {
    contents: Contents<'a>,
}

/// The members of a stored set, in their order.
#[derive(Clone, Copy)]
pub struct StoredSet<'a> {
    contents: Contents<'a>,
    member: ReadMember,
}

/// How a member is read from its bytes.
type ReadMember = fn(&[u8]) -> StoredValue<'_>;

/// A count, and so many elements.
#[derive(Clone, Copy)]
pub(super) struct Contents<'a> {
    pub(super) count: usize,
    pub(super) elements: Cursor<'a>,
}

impl<'a> Contents<'a> {
    pub(super) fn new(mut cursor: Cursor<'a>) -> Contents<'a> {
        let count = verified(cursor.length());
        Contents { count, elements: cursor }
    }

    /// Each element, as `read` takes it from the cursor.
    fn iter<Element>(
        self,
        read: impl Fn(&mut Cursor<'a>) -> Element,
    ) -> impl ExactSizeIterator<Item = Element> {
        let mut elements = self.elements;
        (0..self.count).map(move |_| read(&mut elements))
    }
}

impl<'a> StoredValue<'a> {
    pub(super) fn of(raw: Raw<'a>) -> StoredValue<'a> {
        match raw {
            Raw::Null => StoredValue::Null,
            Raw::Bool(boolean) => StoredValue::Bool(boolean),
            Raw::String(bytes) => StoredValue::S(verified_str(bytes)),
            Raw::Number(bytes) => StoredValue::N(verified_number(bytes)),
            Raw::Binary(bytes) => StoredValue::B(bytes),
            Raw::Map(contents) => StoredValue::M(StoredMap::new(contents)),
            Raw::List(contents) => StoredValue::L(StoredList { contents: Contents::new(contents) }),
            Raw::StringSet(contents) => {
                StoredValue::Ss(StoredSet::new(contents, |bytes| StoredValue::S(verified_str(bytes))))
            }
            Raw::NumberSet(contents) => {
                StoredValue::Ns(StoredSet::new(contents, |bytes| StoredValue::N(verified_number(bytes))))
            }
            Raw::BinarySet(contents) => {
                StoredValue::Bs(StoredSet::new(contents, |bytes| StoredValue::B(bytes)))
            }
        }
    }

    /// The type's name on the wire, as [`AttributeValue::type_name`].
    #[must_use]
    pub const fn type_name(&self) -> &'static str {
        match self {
            StoredValue::S(_) => "S",
            StoredValue::N(_) => "N",
            StoredValue::B(_) => "B",
            StoredValue::Bool(_) => "BOOL",
            StoredValue::Null => "NULL",
            StoredValue::M(_) => "M",
            StoredValue::L(_) => "L",
            StoredValue::Ss(_) => "SS",
            StoredValue::Ns(_) => "NS",
            StoredValue::Bs(_) => "BS",
        }
    }

    /// The value, decoded.
    #[must_use]
    pub fn to_value(&self) -> AttributeValue {
        match self {
            StoredValue::S(string) => AttributeValue::S((*string).to_owned()),
            StoredValue::N(number) => AttributeValue::N(*number),
            StoredValue::B(bytes) => AttributeValue::B(bytes.to_vec()),
            StoredValue::Bool(boolean) => AttributeValue::Bool(*boolean),
            StoredValue::Null => AttributeValue::Null,
            StoredValue::M(map) => AttributeValue::M(map.to_map()),
            StoredValue::L(list) => AttributeValue::L(list.iter().map(|value| value.to_value()).collect()),
            StoredValue::Ss(set) => AttributeValue::Ss(set.to_set(|bytes| verified_str(bytes).to_owned())),
            StoredValue::Ns(set) => AttributeValue::Ns(set.to_set(verified_number)),
            StoredValue::Bs(set) => AttributeValue::Bs(set.to_set(<[u8]>::to_vec)),
        }
    }
}

impl<'a> StoredMap<'a> {
    pub(super) fn new(contents: Cursor<'a>) -> StoredMap<'a> {
        StoredMap { contents: Contents::new(contents) }
    }

    /// How many attributes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.contents.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of one attribute; nothing else is decoded.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<StoredValue<'a>> {
        self.entries()
            .find(|(present, _)| *present >= name.as_bytes())
            .filter(|(present, _)| *present == name.as_bytes())
            .map(|(_, raw)| StoredValue::of(raw))
    }

    /// The attributes in the order of their names' bytes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&'a str, StoredValue<'a>)> {
        self.entries().map(|(name, raw)| (verified_str(name), StoredValue::of(raw)))
    }

    /// The attributes, decoded.
    #[must_use]
    pub fn to_map(&self) -> AttributeMap {
        self.iter().map(|(name, value)| (name.to_owned(), value.to_value())).collect()
    }

    pub(super) fn entries(&self) -> impl ExactSizeIterator<Item = (&'a [u8], Raw<'a>)> {
        self.contents.iter(|cursor| {
            let name = verified(cursor.prefixed());
            (name, verified(cursor.value()))
        })
    }
}

impl<'a> StoredList<'a> {
    /// How many elements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.contents.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at a place, from 0; those before it are passed over, not decoded.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<StoredValue<'a>> {
        self.elements().nth(place).map(StoredValue::of)
    }

    /// The elements in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = StoredValue<'a>> {
        self.elements().map(StoredValue::of)
    }

    fn elements(&self) -> impl ExactSizeIterator<Item = Raw<'a>> {
        raw_elements(self.contents)
    }
}

#[expect(clippy::len_without_is_empty, reason = "a set is never empty")]
impl<'a> StoredSet<'a> {
    fn new(contents: Cursor<'a>, member: ReadMember) -> StoredSet<'a> {
        StoredSet { contents: Contents::new(contents), member }
    }

    /// How many members there are: at least 1.
    #[must_use]
    pub fn len(&self) -> usize {
        self.contents.count
    }

    /// The members in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = StoredValue<'a>> {
        let member = self.member;
        raw_members(self.contents).map(member)
    }

    fn to_set<Member: Ord>(self, member: impl Fn(&'a [u8]) -> Member) -> Set<Member> {
        Set::new(raw_members(self.contents).map(member).collect())
            .unwrap_or_else(|error| unreachable!("the item was verified when it was opened, but: {error}"))
    }
}

/// The elements of a list, not looked into.
pub(super) fn raw_elements(contents: Contents<'_>) -> impl ExactSizeIterator<Item = Raw<'_>> {
    contents.iter(|cursor| verified(cursor.value()))
}

/// The members of a set, not looked into.
pub(super) fn raw_members(contents: Contents<'_>) -> impl ExactSizeIterator<Item = &[u8]> {
    contents.iter(|cursor| verified(cursor.prefixed()))
}

impl fmt::Debug for StoredValue<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_value().fmt(formatter)
    }
}

impl fmt::Debug for StoredMap<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
    }
}

impl fmt::Debug for StoredList<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

impl fmt::Debug for StoredSet<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}
