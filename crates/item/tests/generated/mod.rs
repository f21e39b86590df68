//! Arbitrary numbers, values and items for the property tests.

#![allow(dead_code, reason = "each test binary uses what it needs")]
#![allow(unreachable_pub, reason = "a module of test binaries")]

use keywright_item::{AttributeValue, Item, Number, Set};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;

/// A decimal of 1 to 38 digits anywhere in the range: its text, in one of the forms that a client may send.
pub fn number_text() -> impl Strategy<Value = String> {
    let digits = prop_oneof![3 => "[1-9][0-9]{0,4}", 1 => "[1-9][0-9]{0,37}"];
    let power = prop_oneof![3 => -6_i32..=6, 1 => -130_i32..=125];
    (any::<bool>(), digits, power, 0_u8..3).prop_map(|(negative, digits, power, form)| {
        let sign = if negative { "-" } else { "" };
        let (first, rest) = digits.split_at(1);
        match form {
            0 => format!("{sign}{first}.{rest}0E{power}"),
            1 => format!("{sign}{digits}e{}", power - rest.len() as i32),
            _ => format!("{sign}{}", plain(&digits, power)),
        }
    })
}

/// Digits of which the first has this power of ten, written without an exponent.
fn plain(digits: &str, power: i32) -> String {
    if power < 0 {
        return format!("0.{}{digits}", "0".repeat((-power - 1) as usize));
    }
    let integer_digits = power as usize + 1;
    if digits.len() <= integer_digits {
        format!("{digits}{}", "0".repeat(integer_digits - digits.len()))
    } else {
        format!("{}.{}", &digits[..integer_digits], &digits[integer_digits..])
    }
}

pub fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        8 => number_text().prop_map(|text| Number::parse(&text).expect("generated within the range")),
        1 => any::<i64>().prop_map(Number::from),
        1 => Just(Number::ZERO),
    ]
}

/// Strings with everything that JSON escapes, and beyond ASCII.
pub fn string() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[a-z]{0,12}", 2 => "\\PC{0,8}", 1 => vec(any::<char>(), 0..40).prop_map(String::from_iter)]
}

pub fn name() -> impl Strategy<Value = String> {
    string().prop_filter("an attribute has a name", |name| !name.is_empty())
}

pub fn value() -> impl Strategy<Value = AttributeValue> {
    let bytes = || vec(any::<u8>(), 0..24);
    let scalar = prop_oneof![
        string().prop_map(AttributeValue::S),
        number().prop_map(AttributeValue::N),
        bytes().prop_map(AttributeValue::B),
        any::<bool>().prop_map(AttributeValue::Bool),
        Just(AttributeValue::Null),
        btree_set(string(), 1..5).prop_map(|set| AttributeValue::Ss(into_set(set))),
        btree_set(number(), 1..5).prop_map(|set| AttributeValue::Ns(into_set(set))),
        btree_set(bytes(), 1..5).prop_map(|set| AttributeValue::Bs(into_set(set))),
    ];
    scalar.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(AttributeValue::L),
            btree_map(name(), inner, 0..5).prop_map(|map| AttributeValue::M(map.into_iter().collect())),
        ]
    })
}

pub fn item() -> impl Strategy<Value = Item> {
    btree_map(name(), value(), 0..8).prop_map(|map| map.into_iter().collect())
}

fn into_set<Member: Ord>(members: impl IntoIterator<Item = Member>) -> Set<Member> {
    Set::new(members.into_iter().collect()).expect("generated with members, each once")
}
