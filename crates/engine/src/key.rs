//! Where an item lies in the `items` space: `table id | partition hash | partition key | sort key`.
//!
//! The layout is part of the format on disk (docs/on-disk/README.md). Bytes order as DynamoDB orders: partitions by
//! the hash of their key, items of a partition by their sort key. Knows no table and checks nothing: the values were
//! checked against the key schema by `key_schema`.

use std::ops::{Bound, Range};

use keywright_api::{ScalarType, ScanSegment};
use keywright_expression::Comparison;
use keywright_item::{AttributeValue, Number};
use twox_hash::XxHash3_64;

use crate::storage::Direction;

/// A table's number in storage, never used again after the table is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TableNumber(pub(crate) u64);

impl TableNumber {
    pub(crate) const PREFIX_BYTES: usize = 8;

    /// The prefix of every item of the table, and of every entry of its indexes.
    pub(crate) fn prefix(self) -> [u8; TableNumber::PREFIX_BYTES] {
        self.0.to_be_bytes()
    }
}

/// The prefix that all items with one partition key share, and nothing else.
#[derive(Clone, Debug)]
pub(crate) struct PartitionPrefix(Vec<u8>);

impl PartitionPrefix {
    pub(crate) fn new(table: TableNumber, partition_key: &AttributeValue) -> PartitionPrefix {
        let mut key_bytes = Vec::with_capacity(64);
        write_key_value(partition_key, &mut key_bytes);
        let mut bytes = Vec::with_capacity(18 + key_bytes.len() + 40);
        bytes.extend_from_slice(&table.prefix());
        bytes.extend_from_slice(&XxHash3_64::oneshot(&key_bytes).to_be_bytes());
        // At most 2,048 bytes: `key_schema` refused longer ones.
        bytes.extend_from_slice(&(key_bytes.len() as u16).to_be_bytes());
        bytes.extend_from_slice(&key_bytes);
        PartitionPrefix(bytes)
    }

    /// The storage key of the item with this sort key, or of the partition's only item.
    pub(crate) fn item(mut self, sort_key: Option<&AttributeValue>) -> Vec<u8> {
        if let Some(value) = sort_key {
            write_key_value(value, &mut self.0);
        }
        self.0
    }

    fn with(&self, sort_key: &AttributeValue) -> Vec<u8> {
        self.clone().item(Some(sort_key))
    }

    /// The storage keys whose sort key meets the condition; the whole partition without one.
    pub(crate) fn range(&self, sort_condition: Option<&Comparison>) -> KeyRange {
        let (start, end) = (Bound::Included(self.0.clone()), after_prefix(&self.0));
        let (start, end) = match sort_condition {
            None => (start, end),
            Some(Comparison::Equal(value)) => {
                let key = self.with(value);
                (Bound::Included(key.clone()), Bound::Included(key))
            }
            Some(Comparison::Less(value)) => (start, Bound::Excluded(self.with(value))),
            Some(Comparison::LessOrEqual(value)) => (start, Bound::Included(self.with(value))),
            Some(Comparison::Greater(value)) => (Bound::Excluded(self.with(value)), end),
            Some(Comparison::GreaterOrEqual(value)) => (Bound::Included(self.with(value)), end),
            Some(Comparison::Between(low, high)) => {
                (Bound::Included(self.with(low)), Bound::Included(self.with(high)))
            }
            Some(Comparison::BeginsWith(prefix)) => {
                let prefix = self.with(prefix);
                let end = after_prefix(&prefix);
                (Bound::Included(prefix), end)
            }
        };
        KeyRange { start, end }
    }
}

/// What all items of a collection share of their storage keys; `key` is that of one of them.
pub(crate) fn partition_prefix(key: &[u8]) -> &[u8] {
    let length = key
        .get(LENGTH_BYTES)
        .map_or(0, |bytes| bytes.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)));
    key.get(..LENGTH_BYTES.end + length).unwrap_or(key)
}

/// The partition key's value in the storage key of an item.
pub(crate) fn partition_value(key: &[u8], kind: ScalarType) -> Option<AttributeValue> {
    let bytes = partition_prefix(key).get(LENGTH_BYTES.end..)?;
    match kind {
        ScalarType::S => String::from_utf8(bytes.to_vec()).ok().map(AttributeValue::S),
        ScalarType::N => Number::read_ordered(bytes).ok().map(|(number, _)| AttributeValue::N(number)),
        ScalarType::B => Some(AttributeValue::B(bytes.to_vec())),
    }
}

/// Where a storage key has the length of its partition key: behind table and hash.
const LENGTH_BYTES: Range<usize> = 16..18;

/// A range of storage keys, possibly empty.
#[derive(Clone, Debug)]
pub(crate) struct KeyRange {
    pub(crate) start: Bound<Vec<u8>>,
    pub(crate) end: Bound<Vec<u8>>,
}

impl KeyRange {
    /// All items of a table.
    pub(crate) fn table(table: TableNumber) -> KeyRange {
        KeyRange::prefix(&table.prefix())
    }

    /// All keys that begin so.
    pub(crate) fn prefix(prefix: &[u8]) -> KeyRange {
        KeyRange { start: Bound::Included(prefix.to_vec()), end: after_prefix(prefix) }
    }

    /// The keys behind a prefix whose partition's hash is in the segment's share of all hashes.
    pub(crate) fn segment(prefix: &[u8], segment: ScanSegment) -> KeyRange {
        let whole = KeyRange::prefix(prefix);
        let (number, total) = (u128::from(segment.number()), u128::from(segment.total().get()));
        // The first hash of a segment; that of the segment behind the last one is no hash.
        let first = |number: u128| ((number << u64::BITS) / total).try_into().ok();
        let key = |hash: u64| [prefix, &hash.to_be_bytes()].concat();
        KeyRange {
            start: first(number).map_or(whole.start, |hash| Bound::Included(key(hash))),
            end: first(number + 1).map_or(whole.end, |hash| Bound::Excluded(key(hash))),
        }
    }

    /// Narrows the range to what lies behind this key, which need not be the key of an item any more.
    pub(crate) fn continue_after(&mut self, key: Vec<u8>, direction: Direction) {
        match direction {
            Direction::Forward => self.start = Bound::Excluded(key),
            Direction::Backward => self.end = Bound::Excluded(key),
        }
    }

    pub(crate) fn contains(&self, key: &[u8]) -> bool {
        let after_start = match &self.start {
            Bound::Included(start) => start.as_slice() <= key,
            Bound::Excluded(start) => start.as_slice() < key,
            Bound::Unbounded => true,
        };
        let before_end = match &self.end {
            Bound::Included(end) => key <= end.as_slice(),
            Bound::Excluded(end) => key < end.as_slice(),
            Bound::Unbounded => true,
        };
        after_start && before_end
    }

    pub(crate) fn bounds(&self) -> (Bound<&[u8]>, Bound<&[u8]>) {
        (self.start.as_ref().map(Vec::as_slice), self.end.as_ref().map(Vec::as_slice))
    }
}

/// A key value's bytes; their order is the order of the values.
fn write_key_value(value: &AttributeValue, bytes: &mut Vec<u8>) {
    match value {
        AttributeValue::S(text) => bytes.extend_from_slice(text.as_bytes()),
        AttributeValue::N(number) => number.write_ordered(bytes),
        AttributeValue::B(binary) => bytes.extend_from_slice(binary),
        other => unreachable!("the key schema check lets only S, N and B through, not {}", other.type_name()),
    }
}

/// The end of the range of all keys that begin with `prefix`.
pub(crate) fn after_prefix(prefix: &[u8]) -> Bound<Vec<u8>> {
    let kept = prefix.iter().rposition(|byte| *byte != u8::MAX);
    match kept.and_then(|position| prefix.get(..=position)) {
        None => Bound::Unbounded,
        Some(kept) => {
            let mut end = kept.to_vec();
            if let Some(last) = end.last_mut() {
                *last += 1;
            }
            Bound::Excluded(end)
        }
    }
}
