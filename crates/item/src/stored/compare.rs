//! Equality of stored values, with each other and with decoded ones; nothing is decoded but numbers.
//!
//! Attributes and the members of sets are stored in one order, so that equal contents come in the same places.

use super::view::{StoredList, StoredMap, StoredSet, StoredValue};
use crate::{AttributeMap, AttributeValue, Set};

impl PartialEq for StoredValue<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (StoredValue::S(one), StoredValue::S(other)) => one == other,
            (StoredValue::N(one), StoredValue::N(other)) => one == other,
            (StoredValue::B(one), StoredValue::B(other)) => one == other,
            (StoredValue::Bool(one), StoredValue::Bool(other)) => one == other,
            (StoredValue::Null, StoredValue::Null) => true,
            (StoredValue::M(one), StoredValue::M(other)) => one == other,
            (StoredValue::L(one), StoredValue::L(other)) => one == other,
            (StoredValue::Ss(one), StoredValue::Ss(other))
            | (StoredValue::Ns(one), StoredValue::Ns(other))
            | (StoredValue::Bs(one), StoredValue::Bs(other)) => one == other,
            _ => false,
        }
    }
}

impl PartialEq for StoredMap<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl PartialEq for StoredList<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl PartialEq for StoredSet<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

/// Whether the stored value is this one, which is not encoded for it.
impl PartialEq<AttributeValue> for StoredValue<'_> {
    fn eq(&self, other: &AttributeValue) -> bool {
        match (self, other) {
            (StoredValue::S(stored), AttributeValue::S(value)) => stored == value,
            (StoredValue::N(stored), AttributeValue::N(value)) => stored == value,
            (StoredValue::B(stored), AttributeValue::B(value)) => stored == value,
            (StoredValue::Bool(stored), AttributeValue::Bool(value)) => stored == value,
            (StoredValue::Null, AttributeValue::Null) => true,
            (StoredValue::M(stored), AttributeValue::M(value)) => stored == value,
            (StoredValue::L(stored), AttributeValue::L(value)) => {
                stored.len() == value.len()
                    && stored.iter().zip(value).all(|(stored, value)| stored == *value)
            }
            (StoredValue::Ss(stored), AttributeValue::Ss(value)) => same_members(
                stored,
                value,
                |member, string| matches!(member, StoredValue::S(stored) if stored == string),
            ),
            (StoredValue::Ns(stored), AttributeValue::Ns(value)) => same_members(
                stored,
                value,
                |member, number| matches!(member, StoredValue::N(stored) if stored == *number),
            ),
            (StoredValue::Bs(stored), AttributeValue::Bs(value)) => same_members(
                stored,
                value,
                |member, bytes| matches!(member, StoredValue::B(stored) if stored == bytes),
            ),
            _ => false,
        }
    }
}

/// Whether the stored map has exactly these attributes.
impl PartialEq<AttributeMap> for StoredMap<'_> {
    fn eq(&self, other: &AttributeMap) -> bool {
        self.len() == other.len()
            && self
                .iter()
                .zip(other.iter())
                .all(|((name, stored), (other_name, value))| name == other_name && stored == *value)
    }
}

fn same_members<Member>(
    stored: &StoredSet<'_>,
    members: &Set<Member>,
    same: impl Fn(StoredValue<'_>, &Member) -> bool,
) -> bool {
    stored.len() == members.len() && stored.iter().zip(members).all(|(stored, member)| same(stored, member))
}
