//! Values of every kind, hostile ones among them, and their order.

use std::borrow::Cow;
use std::cmp::Ordering;

use keywright_key::{ComponentKind, ComponentValue, IntegerSize, Precision, TimestampValue};
use proptest::prelude::*;

pub(crate) const WORDS: &[&str] = &["closed", "open", "opened"];

/// The kinds that templates are made of here.
pub(crate) const KINDS: &[ComponentKind<'static>] = &[
    ComponentKind::Text,
    ComponentKind::Unsigned(IntegerSize::Bits8),
    ComponentKind::Unsigned(IntegerSize::Bits16),
    ComponentKind::Unsigned(IntegerSize::Bits32),
    ComponentKind::Unsigned(IntegerSize::Bits64),
    ComponentKind::Signed(IntegerSize::Bits8),
    ComponentKind::Signed(IntegerSize::Bits16),
    ComponentKind::Signed(IntegerSize::Bits32),
    ComponentKind::Signed(IntegerSize::Bits64),
    ComponentKind::Timestamp(Precision::Days),
    ComponentKind::Timestamp(Precision::Seconds),
    ComponentKind::Timestamp(Precision::Milliseconds),
    ComponentKind::Timestamp(Precision::Microseconds),
    ComponentKind::Timestamp(Precision::Nanoseconds),
    ComponentKind::Ulid,
    ComponentKind::Uuid,
    ComponentKind::Enum(WORDS),
    ComponentKind::Boolean,
    ComponentKind::Bytes,
];

/// Text that is made to be mistaken for something else: delimiters, escapes, digits of escapes, control characters, the ends of
/// Unicode's planes. Never empty.
pub(crate) fn hostile_text() -> BoxedStrategy<String> {
    let sign = prop_oneof![
        6 => prop::sample::select(vec!['#', '$', '!', '2', '3', '4', 'a', '0', '1']),
        2 => prop::sample::select(vec![
            ' ', '"', '%', '&', '+', ',', '-', '.', '/', ':', ';', '=', '@', '_', '|', '}', '~', '{', 'A', 'Z', 'f', 'z',
        ]),
        1 => prop::sample::select(vec![
            '\0', '\u{1}', '\u{1f}', '\u{7f}', '\u{80}', 'é', '\u{7ff}', '\u{800}', '\u{ffff}', '\u{10000}', '\u{10ffff}',
        ]),
        1 => any::<char>(),
    ];
    prop::collection::vec(sign, 1..6).prop_map(|signs| signs.into_iter().collect()).boxed()
}

/// A value of `kind`: small and large, so that equal and neighbouring values occur.
pub(crate) fn value(kind: ComponentKind<'static>) -> BoxedStrategy<ComponentValue<'static>> {
    match kind {
        ComponentKind::Text => hostile_text().prop_map(|text| ComponentValue::Text(Cow::Owned(text))).boxed(),
        ComponentKind::Unsigned(size) => {
            let largest = match size {
                IntegerSize::Bits8 => u64::from(u8::MAX),
                IntegerSize::Bits16 => u64::from(u16::MAX),
                IntegerSize::Bits32 => u64::from(u32::MAX),
                IntegerSize::Bits64 => u64::MAX,
            };
            prop_oneof![0..=12_u64, largest - 2..=largest, 0..=largest]
                .prop_map(move |number| ComponentValue::Unsigned(number, size))
                .boxed()
        }
        ComponentKind::Signed(size) => {
            let largest = match size {
                IntegerSize::Bits8 => i64::from(i8::MAX),
                IntegerSize::Bits16 => i64::from(i16::MAX),
                IntegerSize::Bits32 => i64::from(i32::MAX),
                IntegerSize::Bits64 => i64::MAX,
            };
            prop_oneof![
                -12..=12_i64,
                largest - 2..=largest,
                -largest - 1..=-largest + 2,
                -largest - 1..=largest
            ]
            .prop_map(move |number| ComponentValue::Signed(number, size))
            .boxed()
        }
        ComponentKind::Timestamp(precision) => timestamp(precision),
        ComponentKind::Ulid => bits().prop_map(ComponentValue::Ulid).boxed(),
        ComponentKind::Uuid => bits().prop_map(ComponentValue::Uuid).boxed(),
        ComponentKind::Enum(words) => {
            (0..words.len()).prop_map(move |index| ComponentValue::Enum { words, index }).boxed()
        }
        ComponentKind::Boolean => any::<bool>().prop_map(ComponentValue::Boolean).boxed(),
        ComponentKind::Bytes => {
            let byte = prop_oneof![0..4_u8, 0xfc..=0xff_u8, any::<u8>()];
            prop::collection::vec(byte, 1..5)
                .prop_map(|bytes| ComponentValue::Bytes(Cow::Owned(bytes)))
                .boxed()
        }
    }
}

fn bits() -> BoxedStrategy<u128> {
    prop_oneof![0..3_u128, u128::MAX - 2..=u128::MAX, any::<u128>()].boxed()
}

fn timestamp(precision: Precision) -> BoxedStrategy<ComponentValue<'static>> {
    let (seconds_step, nanoseconds_step) = match precision {
        Precision::Days => (86_400, 0),
        Precision::Seconds => (1, 0),
        Precision::Milliseconds => (1, 1_000_000),
        Precision::Microseconds => (1, 1000),
        Precision::Nanoseconds => (1, 1),
    };
    let first = -62_167_219_200_i64;
    let last = 253_402_300_799_i64;
    let seconds =
        prop_oneof![-100_000..100_000_i64, first..first + 100_000, last - 100_000..=last, first..=last];
    (seconds, 0..1_000_000_000_u32)
        .prop_map(move |(seconds, nanoseconds)| {
            let seconds = seconds.div_euclid(seconds_step) * seconds_step;
            let nanoseconds =
                nanoseconds.checked_div(nanoseconds_step).map_or(0, |steps| steps * nanoseconds_step);
            ComponentValue::Timestamp(TimestampValue::new(seconds, nanoseconds, precision).expect("a second"))
        })
        .boxed()
}

/// The order of two values of one kind.
pub(crate) fn compare(one: &ComponentValue<'_>, other: &ComponentValue<'_>) -> Ordering {
    match (one, other) {
        (ComponentValue::Text(one), ComponentValue::Text(other)) => one.as_bytes().cmp(other.as_bytes()),
        (ComponentValue::Unsigned(one, _), ComponentValue::Unsigned(other, _)) => one.cmp(other),
        (ComponentValue::Signed(one, _), ComponentValue::Signed(other, _)) => one.cmp(other),
        (ComponentValue::Timestamp(one), ComponentValue::Timestamp(other)) => one.cmp(other),
        (ComponentValue::Ulid(one), ComponentValue::Ulid(other))
        | (ComponentValue::Uuid(one), ComponentValue::Uuid(other)) => one.cmp(other),
        (ComponentValue::Enum { index: one, .. }, ComponentValue::Enum { index: other, .. }) => {
            one.cmp(other)
        }
        (ComponentValue::Boolean(one), ComponentValue::Boolean(other)) => one.cmp(other),
        (ComponentValue::Bytes(one), ComponentValue::Bytes(other)) => one.cmp(other),
        _ => panic!("two kinds have no order: {one:?}, {other:?}"),
    }
}

/// The same value with everything that it borrows copied.
pub(crate) fn own(value: &ComponentValue<'_>) -> ComponentValue<'static> {
    match value {
        ComponentValue::Text(text) => ComponentValue::Text(Cow::Owned(text.to_string())),
        ComponentValue::Bytes(bytes) => ComponentValue::Bytes(Cow::Owned(bytes.to_vec())),
        ComponentValue::Enum { index, .. } => ComponentValue::Enum { words: WORDS, index: *index },
        ComponentValue::Unsigned(number, size) => ComponentValue::Unsigned(*number, *size),
        ComponentValue::Signed(number, size) => ComponentValue::Signed(*number, *size),
        ComponentValue::Timestamp(timestamp) => ComponentValue::Timestamp(*timestamp),
        ComponentValue::Ulid(bits) => ComponentValue::Ulid(*bits),
        ComponentValue::Uuid(bits) => ComponentValue::Uuid(*bits),
        ComponentValue::Boolean(boolean) => ComponentValue::Boolean(*boolean),
    }
}
