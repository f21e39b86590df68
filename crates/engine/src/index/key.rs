//! Where an entry lies in the `index` space: `table | index | partition hash | partition attributes | sort attributes | key
//! of the item`.
//!
//! The layout is part of the format on disk (docs/on-disk/README.md). Each attribute's bytes end in themselves and order as
//! their values do, so that entries order by the sort attributes, the most significant first, and at last by the place of
//! their item in the table. Checks nothing.

use std::ops::Bound;

use keywright_api::ScanSegment;
use keywright_expression::Comparison;
use keywright_item::{AttributeValue, Number, StoredValue};
use twox_hash::XxHash3_64;

use super::IndexNumber;
use crate::key::{KeyRange, TableNumber, after_prefix};

/// Ends the bytes of a string or binary, within which a zero byte is followed by `ESCAPED`.
const END: [u8; 2] = [0, 1];
const ESCAPED: u8 = u8::MAX;

/// A value of a key attribute, borrowed from wherever it is.
#[derive(Clone, Copy)]
pub(super) enum KeyValue<'value> {
    Bytes(&'value [u8]),
    Number(Number),
}

impl<'value> KeyValue<'value> {
    /// The value, if it is one of the types of keys.
    pub(super) fn of(value: &'value AttributeValue) -> Option<KeyValue<'value>> {
        match value {
            AttributeValue::S(text) => Some(KeyValue::Bytes(text.as_bytes())),
            AttributeValue::B(binary) => Some(KeyValue::Bytes(binary)),
            AttributeValue::N(number) => Some(KeyValue::Number(*number)),
            _ => None,
        }
    }

    pub(super) fn of_stored(value: StoredValue<'value>) -> Option<KeyValue<'value>> {
        match value {
            StoredValue::S(text) => Some(KeyValue::Bytes(text.as_bytes())),
            StoredValue::B(binary) => Some(KeyValue::Bytes(binary)),
            StoredValue::N(number) => Some(KeyValue::Number(number)),
            _ => None,
        }
    }

    pub(super) fn size_bytes(self) -> usize {
        match self {
            KeyValue::Bytes(bytes) => bytes.len(),
            KeyValue::Number(number) => number.size_bytes(),
        }
    }

    pub(super) fn is_empty(self) -> bool {
        matches!(self, KeyValue::Bytes([]))
    }

    /// The value's bytes, ended.
    fn write(self, out: &mut Vec<u8>) {
        match self {
            KeyValue::Number(number) => number.write_ordered(out),
            KeyValue::Bytes(bytes) => {
                write_escaped(bytes, out);
                out.extend_from_slice(&END);
            }
        }
    }

    /// What the bytes of every value begin with that begins with this one.
    fn write_beginning(self, out: &mut Vec<u8>) {
        match self {
            KeyValue::Number(number) => number.write_ordered(out),
            KeyValue::Bytes(bytes) => write_escaped(bytes, out),
        }
    }
}

fn write_escaped(bytes: &[u8], out: &mut Vec<u8>) {
    for byte in bytes {
        out.push(*byte);
        if *byte == 0 {
            out.push(ESCAPED);
        }
    }
}

/// The prefix that all entries with these values of the partition attributes share, and nothing else.
#[derive(Clone, Debug)]
pub(crate) struct EntryPartition(Vec<u8>);

impl EntryPartition {
    /// The partition of values that the key schema check let pass.
    pub(crate) fn new<'value>(
        table: TableNumber,
        index: IndexNumber,
        values: impl IntoIterator<Item = &'value AttributeValue>,
    ) -> EntryPartition {
        EntryPartition::of(table, index, values.into_iter().map(checked))
    }

    pub(super) fn of<'value>(
        table: TableNumber,
        index: IndexNumber,
        values: impl IntoIterator<Item = KeyValue<'value>>,
    ) -> EntryPartition {
        let mut partition = Vec::with_capacity(64);
        values.into_iter().for_each(|value| value.write(&mut partition));
        let mut bytes = Vec::with_capacity(20 + partition.len() + 128);
        bytes.extend_from_slice(&index_prefix(table, index));
        bytes.extend_from_slice(&XxHash3_64::oneshot(&partition).to_be_bytes());
        bytes.extend_from_slice(&partition);
        EntryPartition(bytes)
    }

    /// The key of the entry of the item that lies at `item_key`.
    pub(super) fn entry<'value>(
        mut self,
        sort: impl IntoIterator<Item = KeyValue<'value>>,
        item_key: &[u8],
    ) -> Vec<u8> {
        sort.into_iter().for_each(|value| value.write(&mut self.0));
        // Entries of one index are of one table.
        self.0.extend_from_slice(item_key.get(TableNumber::PREFIX_BYTES..).unwrap_or_default());
        self.0
    }

    /// The keys of the entries that meet the conditions on the first sort attributes, all but the last of which are
    /// equalities.
    pub(crate) fn range(mut self, conditions: &[Comparison]) -> KeyRange {
        let mut conditions = conditions.iter();
        let last = loop {
            match conditions.next() {
                Some(Comparison::Equal(value)) => checked(value).write(&mut self.0),
                other => break other,
            }
        };
        let with = |value: &AttributeValue| {
            let mut bytes = self.0.clone();
            checked(value).write(&mut bytes);
            bytes
        };
        let (start, end) = (Bound::Included(self.0.clone()), after_prefix(&self.0));
        let (start, end) = match last {
            None => (start, end),
            Some(Comparison::Equal(_)) => unreachable!("equalities extend the prefix"),
            Some(Comparison::Less(value)) => (start, Bound::Excluded(with(value))),
            Some(Comparison::LessOrEqual(value)) => (start, after_prefix(&with(value))),
            Some(Comparison::Greater(value)) => (from_end(after_prefix(&with(value))), end),
            Some(Comparison::GreaterOrEqual(value)) => (Bound::Included(with(value)), end),
            Some(Comparison::Between(low, high)) => (Bound::Included(with(low)), after_prefix(&with(high))),
            Some(Comparison::BeginsWith(value)) => {
                let mut bytes = self.0.clone();
                checked(value).write_beginning(&mut bytes);
                let end = after_prefix(&bytes);
                (Bound::Included(bytes), end)
            }
        };
        KeyRange { start, end }
    }
}

/// The entries of an index whose partition's hash is in the segment's share of all hashes.
pub(crate) fn segment_range(table: TableNumber, index: IndexNumber, segment: ScanSegment) -> KeyRange {
    KeyRange::segment(&index_prefix(table, index), segment)
}

fn index_prefix(table: TableNumber, index: IndexNumber) -> Vec<u8> {
    [table.prefix().as_slice(), &index.0.to_be_bytes()].concat()
}

/// The start of what lies behind the end of another range.
fn from_end(end: Bound<Vec<u8>>) -> Bound<Vec<u8>> {
    match end {
        Bound::Excluded(key) => Bound::Included(key),
        Bound::Included(key) => Bound::Excluded(key),
        // Behind a prefix of nothing but the highest byte lies nothing; a table's number is never that high.
        Bound::Unbounded => Bound::Unbounded,
    }
}

fn checked(value: &AttributeValue) -> KeyValue<'_> {
    match KeyValue::of(value) {
        Some(value) => value,
        None => unreachable!("the key schema check lets only S, N and B through"),
    }
}
