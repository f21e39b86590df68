//! The kinds of components. Each has an order of its values, and a way of writing them that keeps it.

use super::rendering::Rendering;
use crate::format::KeyFormat;
use crate::template::Modifier;
use crate::text;

/// What kind of value fills a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComponentKind<'a> {
    /// Any text that is not empty, in the order of its UTF-8 bytes.
    Text,
    /// An integer from 0 up.
    Unsigned(IntegerSize),
    /// An integer of either sign.
    Signed(IntegerSize),
    /// A point in time, from the year 0 to the year 9999.
    Timestamp(Precision),
    /// 128 bits, written as a ULID.
    Ulid,
    /// 128 bits, written as a UUID.
    Uuid,
    /// One of these words, in the order in which they stand.
    Enum(&'a [&'a str]),
    /// False, then true.
    Boolean,
    /// Any bytes, at least one, in their order.
    Bytes,
}

/// How many bits an integer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerSize {
    /// 8 bits.
    Bits8,
    /// 16 bits.
    Bits16,
    /// 32 bits.
    Bits32,
    /// 64 bits.
    Bits64,
}

/// The smallest difference that a type of timestamps can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// Days.
    Days,
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    Microseconds,
    /// Nanoseconds.
    Nanoseconds,
}

impl IntegerSize {
    /// The digits of the largest unsigned integer.
    pub(crate) const fn unsigned_width(self) -> u8 {
        match self {
            IntegerSize::Bits8 => 3,
            IntegerSize::Bits16 => 5,
            IntegerSize::Bits32 => 10,
            IntegerSize::Bits64 => 20,
        }
    }

    /// The digits of the signed integer that is farthest from 0.
    pub(crate) const fn signed_width(self) -> u8 {
        match self {
            IntegerSize::Bits8 => 3,
            IntegerSize::Bits16 => 5,
            IntegerSize::Bits32 => 10,
            IntegerSize::Bits64 => 19,
        }
    }

    /// The largest unsigned integer.
    pub(crate) const fn unsigned_maximum(self) -> u64 {
        match self {
            IntegerSize::Bits8 => u8::MAX as u64,
            IntegerSize::Bits16 => u16::MAX as u64,
            IntegerSize::Bits32 => u32::MAX as u64,
            IntegerSize::Bits64 => u64::MAX,
        }
    }

    /// The largest signed integer; the smallest is one below its negation.
    pub(crate) const fn signed_maximum(self) -> i64 {
        match self {
            IntegerSize::Bits8 => i8::MAX as i64,
            IntegerSize::Bits16 => i16::MAX as i64,
            IntegerSize::Bits32 => i32::MAX as i64,
            IntegerSize::Bits64 => i64::MAX,
        }
    }
}

impl ComponentKind<'_> {
    /// What a message calls it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            ComponentKind::Text => "text",
            ComponentKind::Unsigned(IntegerSize::Bits8) => "u8",
            ComponentKind::Unsigned(IntegerSize::Bits16) => "u16",
            ComponentKind::Unsigned(IntegerSize::Bits32) => "u32",
            ComponentKind::Unsigned(IntegerSize::Bits64) => "u64",
            ComponentKind::Signed(IntegerSize::Bits8) => "i8",
            ComponentKind::Signed(IntegerSize::Bits16) => "i16",
            ComponentKind::Signed(IntegerSize::Bits32) => "i32",
            ComponentKind::Signed(IntegerSize::Bits64) => "i64",
            ComponentKind::Timestamp(Precision::Days) => "date",
            ComponentKind::Timestamp(Precision::Seconds) => "timestamp in seconds",
            ComponentKind::Timestamp(Precision::Milliseconds) => "timestamp in milliseconds",
            ComponentKind::Timestamp(Precision::Microseconds) => "timestamp in microseconds",
            ComponentKind::Timestamp(Precision::Nanoseconds) => "timestamp in nanoseconds",
            ComponentKind::Ulid => "ULID",
            ComponentKind::Uuid => "UUID",
            ComponentKind::Enum(_) => "enum",
            ComponentKind::Boolean => "boolean",
            ComponentKind::Bytes => "bytes",
        }
    }

    /// Whether values of this kind sort as keys the way they sort as values, written under `modifier` in a template of
    /// `format`; nothing if they cannot be written so.
    ///
    /// ```
    /// use keywright_key::{ComponentKind, IntegerSize, KeyFormat, Modifier};
    ///
    /// let points = ComponentKind::Unsigned(IntegerSize::Bits32);
    /// assert_eq!(points.is_ordered(Modifier::None, KeyFormat::STANDARD), Some(true));
    /// assert_eq!(points.is_ordered(Modifier::Raw, KeyFormat::STANDARD), Some(false));
    /// ```
    #[must_use]
    pub const fn is_ordered(self, modifier: Modifier, format: KeyFormat) -> Option<bool> {
        match Rendering::of(self, modifier, format) {
            Ok(rendering) => Some(rendering.is_ordered()),
            Err(_) => None,
        }
    }

    /// Whether both are the same kind, in a constant.
    #[must_use]
    pub const fn is(&self, other: &ComponentKind<'_>) -> bool {
        match (self, other) {
            (ComponentKind::Unsigned(one), ComponentKind::Unsigned(two))
            | (ComponentKind::Signed(one), ComponentKind::Signed(two)) => *one as u8 == *two as u8,
            (ComponentKind::Timestamp(one), ComponentKind::Timestamp(two)) => *one as u8 == *two as u8,
            (ComponentKind::Enum(one), ComponentKind::Enum(two)) => same_words(one, two),
            (ComponentKind::Text, ComponentKind::Text)
            | (ComponentKind::Ulid, ComponentKind::Ulid)
            | (ComponentKind::Uuid, ComponentKind::Uuid)
            | (ComponentKind::Boolean, ComponentKind::Boolean)
            | (ComponentKind::Bytes, ComponentKind::Bytes) => true,
            _ => false,
        }
    }
}

const fn same_words(left: &[&str], right: &[&str]) -> bool {
    let (mut left, mut right) = (left, right);
    loop {
        match (left, right) {
            ([], []) => return true,
            ([one, later_left @ ..], [other, later_right @ ..]) if text::equal(one, other) => {
                left = later_left;
                right = later_right;
            }
            _ => return false,
        }
    }
}
