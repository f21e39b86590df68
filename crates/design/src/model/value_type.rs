//! Types of attributes.

use keywright_key::{IntegerSize, Precision};

/// What an attribute holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// Text: `string`.
    Text,
    /// An integer from 0 up: `u8` to `u64`.
    Unsigned(IntegerSize),
    /// An integer: `i8` to `i64`.
    Signed(IntegerSize),
    /// A number of up to 38 digits, which cannot be in a template: `number`.
    Number,
    /// A point in time: `timestamp` (milliseconds), `timestamp-seconds`, `timestamp-microseconds`, `timestamp-nanoseconds`, `date`.
    Timestamp(Precision),
    /// `ulid`
    Ulid,
    /// `uuid`
    Uuid,
    /// One of these words, in this order: `["open", "done"]`.
    Enum(Vec<String>),
    /// `boolean`
    Boolean,
    /// `bytes`
    Bytes,
    /// Seconds since 1970, at which the item expires: `time-to-live`.
    TimeToLive,
    /// The version that optimistic concurrency compares: `version`.
    Version,
    /// A number that `ADD` changes: `counter`.
    Counter,
    /// A list: `list`.
    List,
    /// A map: `map`.
    Map,
    /// A set of texts: `string-set`.
    StringSet,
    /// A set of numbers: `number-set`.
    NumberSet,
    /// A set of bytes: `binary-set`.
    BinarySet,
}

/// Whether every item has the attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Presence {
    /// Every one.
    Always,
    /// Some: the type in the file ends with `?`.
    Sometimes {
        /// The share of items that have it, from 0 to 1, if the file says so.
        share: Option<f64>,
    },
}
