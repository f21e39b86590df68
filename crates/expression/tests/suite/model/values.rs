//! Values from small pools, so that two of them are often equal, or of one type and in an order.

use keywright_item::{AttributeMap, AttributeValue, Number, Set};
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};

/// The names of attributes, at the top and in maps.
pub(super) const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "é#.x"];

const STRINGS: [&str; 7] = ["", "a", "ab", "abc", "b", "é", "\u{10002}"];
const NUMBERS: [&str; 8] =
    ["-1", "0", "0.5", "1", "2", "10", "9e125", "99999999999999999999999999999999999999"];
const BINARIES: [&[u8]; 5] = [&[], &[1], &[1, 2], &[0x7F], &[0x80]];

pub(super) fn scalar() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![
        select(STRINGS.to_vec()).prop_map(|string| AttributeValue::S(string.to_owned())),
        number(),
        select(BINARIES.to_vec()).prop_map(|bytes| AttributeValue::B(bytes.to_vec())),
    ]
}

pub(super) fn number() -> impl Strategy<Value = AttributeValue> {
    select(NUMBERS.to_vec()).prop_map(|number| AttributeValue::N(Number::parse(number).unwrap()))
}

pub(super) fn any_set() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![
        1 => subsequence(STRINGS.to_vec(), 1..STRINGS.len())
            .prop_map(|strings| AttributeValue::Ss(set(strings.into_iter().map(str::to_owned)))),
        1 => subsequence(NUMBERS.to_vec(), 1..NUMBERS.len())
            .prop_map(|numbers| AttributeValue::Ns(set(numbers.into_iter().map(|number| Number::parse(number).unwrap())))),
        1 => subsequence(BINARIES.to_vec(), 1..BINARIES.len())
            .prop_map(|binaries| AttributeValue::Bs(set(binaries.into_iter().map(<[u8]>::to_vec)))),
    ]
}

/// Any value, containers among them.
pub(super) fn attribute_value() -> impl Strategy<Value = AttributeValue> {
    let leaf = prop_oneof![
        4 => scalar(),
        1 => any::<bool>().prop_map(AttributeValue::Bool),
        1 => Just(AttributeValue::Null),
        3 => any_set(),
    ];
    let value = leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(AttributeValue::L),
            prop::collection::vec((any::<Index>(), inner), 0..4).prop_map(|attributes| {
                let named = |(index, value): (Index, _)| ((*index.get(&NAMES)).to_owned(), value);
                AttributeValue::M(attributes.into_iter().map(named).collect::<AttributeMap>())
            }),
        ]
    });
    // More lists than chance would make: their elements move.
    prop_oneof![5 => value, 1 => prop::collection::vec(scalar(), 2..6).prop_map(AttributeValue::L)]
}

fn set<Member: Ord>(members: impl Iterator<Item = Member>) -> Set<Member> {
    Set::new(members.collect()).unwrap()
}
