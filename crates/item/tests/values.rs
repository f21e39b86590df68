//! Attribute values: what is refused and with which words, what they cost, and their order.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod generated;

use keywright_item::json::{Checked, Reader, ValueRefusal, write_map, write_value};
use keywright_item::{AttributeMap, AttributeValue, Number, Set, SetError};
use proptest::prelude::*;

fn read(json: &str) -> Checked<AttributeValue> {
    let mut reader = Reader::new(json.as_bytes());
    let value = reader.attribute_value().unwrap_or_else(|error| panic!("{json}: {error}"));
    reader.finish().expect("the value is the whole body");
    value
}

fn refusal(json: &str) -> String {
    match read(json) {
        Ok(value) => panic!("{json} was accepted as {value:?}"),
        Err(refusal) => refusal.to_string(),
    }
}

fn read_map(json: &str) -> Checked<AttributeMap> {
    Reader::new(json.as_bytes()).attribute_map().unwrap_or_else(|error| panic!("{json}: {error}"))
}

#[test]
fn each_type_is_read_by_its_name_on_the_wire() {
    for (json, type_name) in [
        (r#"{"S":"text"}"#, "S"),
        (r#"{"N":"1"}"#, "N"),
        (r#"{"B":"AQI="}"#, "B"),
        (r#"{"BOOL":true}"#, "BOOL"),
        (r#"{"NULL":true}"#, "NULL"),
        (r#"{"M":{"a":{"S":"b"}}}"#, "M"),
        (r#"{"L":[{"S":"a"},{"N":"1"}]}"#, "L"),
        (r#"{"SS":["a","b"]}"#, "SS"),
        (r#"{"NS":["1","2"]}"#, "NS"),
        (r#"{"BS":["AQ==","Ag=="]}"#, "BS"),
    ] {
        let value = read(json).expect(json);
        assert_eq!(value.type_name(), type_name);
        let mut written = Vec::new();
        write_value(&value, &mut written);
        assert_eq!(String::from_utf8(written).as_deref(), Ok(json));
    }
}

/// Ministack refused a string set with an empty member, older moto refused every empty string. The service takes both;
/// what it refuses is a set without members (ministack 1039, and the public suite on AWS).
#[test]
fn empty_strings_and_bytes_are_values_and_members_of_sets() {
    for json in [
        r#"{"S":""}"#,
        r#"{"B":""}"#,
        r#"{"SS":[""]}"#,
        r#"{"BS":[""]}"#,
        r#"{"L":[{"S":""},{"S":"hello"}]}"#,
        r#"{"M":{}}"#,
        r#"{"L":[]}"#,
    ] {
        read(json).expect(json);
    }
    let prefix = "One or more parameter values were invalid: ";
    assert_eq!(refusal(r#"{"SS":[]}"#), format!("{prefix}An string set  may not be empty"));
    assert_eq!(refusal(r#"{"NS":[]}"#), format!("{prefix}An number set  may not be empty"));
    assert_eq!(refusal(r#"{"BS":[]}"#), format!("{prefix}Binary sets should not be empty"));
    assert_eq!(refusal(r#"{"NS":[""]}"#), "The parameter cannot be converted to a numeric value");
    assert_eq!(read(r#"{"M":{"inner":{"SS":[]}}}"#), Err(ValueRefusal::EmptyStringSet));
    assert_eq!(read(r#"{"L":[{"BS":[]}]}"#), Err(ValueRefusal::EmptyBinarySet));
}

#[test]
fn a_member_that_occurs_twice_is_refused_with_the_members_as_sent() {
    let prefix = "One or more parameter values were invalid: ";
    assert_eq!(
        refusal(r#"{"SS":["a","a"]}"#),
        format!("{prefix}Input collection [a, a] contains duplicates.")
    );
    assert_eq!(
        refusal(r#"{"SS":["b","a","b"]}"#),
        format!("{prefix}Input collection [b, a, b] contains duplicates.")
    );
    assert_eq!(
        refusal(r#"{"BS":["Yg==","Yg=="]}"#),
        format!("{prefix}Input collection [Yg==, Yg==]of type BS contains duplicates.")
    );
    assert_eq!(refusal(r#"{"NS":["1","1"]}"#), "Input collection contains duplicates");
    // Two spellings of one number are the same member.
    assert_eq!(read(r#"{"NS":["100","1e2"]}"#), Err(ValueRefusal::DuplicateNumbers));
}

#[test]
fn a_null_in_a_set_is_refused() {
    assert_eq!(
        refusal(r#"{"SS":["a",null]}"#),
        "One or more parameter values were invalid: An string set may not have a null string as a member"
    );
    assert_eq!(read(r#"{"NS":[null]}"#), Err(ValueRefusal::NullInNumberSet));
    assert_eq!(read(r#"{"BS":["QQ==",null]}"#), Err(ValueRefusal::NullInBinarySet));
}

#[test]
fn a_value_has_exactly_one_type() {
    let none = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
    for json in [
        r"{}",
        r#"{"a":""}"#,
        r#"{"S":null}"#,
        r#"{"M":{"a":{}}}"#,
        r#"{"L":[{}]}"#,
        r#"{"L":[{"a":[1,{}]}]}"#,
        "null",
    ] {
        assert_eq!(refusal(json), none, "{json}");
    }
    let several = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes";
    assert_eq!(refusal(r#"{"S":"a","N":"1"}"#), several);
    // What is wrong with one of them comes first.
    assert_eq!(refusal(r#"{"S":"a","N":"b"}"#), "The parameter cannot be converted to a numeric value: b");
    // A member that is null, or that the service does not know, is no type.
    assert_eq!(read(r#"{"S":"a","N":null,"X":[]}"#), Ok(AttributeValue::S("a".to_owned())));
}

/// For two months of 2026 two regions took `{"NULL": false}`; since then every region refuses it again.
#[test]
fn null_must_be_true() {
    let text =
        "One or more parameter values were invalid: Null attribute value types must have the value of true";
    assert_eq!(refusal(r#"{"NULL":false}"#), text);
    assert_eq!(refusal(r#"{"NULL":"no"}"#), text);
    assert_eq!(read(r#"{"NULL":"yes"}"#), Ok(AttributeValue::Null));
}

/// An application stored ever deeper trees until the service refused one (aws-sdk-js 3721); an emulator took one level
/// more than the service (dynoxide 110). The value itself is level 1, and 32 is the last level.
#[test]
fn a_leaf_at_level_32_is_accepted_and_at_level_33_refused() {
    for (open, close) in [(r#"{"M":{"n":"#, "}}"), (r#"{"L":["#, "]}")] {
        let nested = |wraps: usize| format!(r#"{}{{"S":"leaf"}}{}"#, open.repeat(wraps), close.repeat(wraps));
        read(&nested(31)).expect("31 levels around a leaf");
        assert_eq!(
            refusal(&nested(32)),
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond \
             supported limit"
        );
        assert_eq!(read_map(&format!(r#"{{"data":{}}}"#, nested(32))), Err(ValueRefusal::TooDeep));
        // Deeper than any stack of ours.
        assert_eq!(read(&nested(100_000)), Err(ValueRefusal::TooDeep));
    }
    // The first in the order of the document.
    let deep = format!(r#"{}{{"N":"abc"}}{}"#, r#"{"L":["#.repeat(40), "]}".repeat(40));
    assert_eq!(read(&format!(r#"{{"L":[{deep},{{"N":"abc"}}]}}"#)), Err(ValueRefusal::TooDeep));
    assert!(matches!(read(&format!(r#"{{"L":[{{"N":"abc"}},{deep}]}}"#)), Err(ValueRefusal::Number(_))));
}

#[test]
fn an_attribute_s_name_has_1_to_65535_bytes_at_every_level() {
    let map = |name: &str| read_map(&format!(r#"{{"{name}":{{"S":"x"}}}}"#));
    let nested = |name: &str| read(&format!(r#"{{"M":{{"{name}":{{"S":"x"}}}}}}"#));
    for length in [1, 65_535] {
        assert!(map(&"n".repeat(length)).is_ok() && nested(&"n".repeat(length)).is_ok());
    }
    assert_eq!(map(""), Err(ValueRefusal::EmptyName));
    assert_eq!(nested(""), Err(ValueRefusal::EmptyName));
    assert_eq!(map(&"n".repeat(65_536)), Err(ValueRefusal::NameTooLong));
    assert_eq!(nested(&"n".repeat(65_536)), Err(ValueRefusal::NameTooLong));
    assert_eq!(
        ValueRefusal::NameTooLong.to_string(),
        "Attribute name is too large, must be less than 65536 bytes"
    );
}

#[test]
fn of_a_name_that_occurs_twice_the_last_value_counts() {
    let map = read_map(r#"{"b":{"S":"1"},"a":{"S":"2"},"b":{"S":"3"}}"#).expect("a map");
    assert_eq!(map.get("b"), Some(&AttributeValue::S("3".to_owned())));
    assert_eq!(map.len(), 2);
}

/// The sizes are those of AWS's page on item sizes, which gives a list or map 3 bytes and each of its elements 1 more.
#[test]
fn sizes_are_counted_as_the_service_counts_them() {
    for (json, bytes) in [
        (r#"{"S":""}"#, 0),
        (r#"{"S":"caf\u00e9"}"#, 5),
        (r#"{"N":"-42"}"#, 3),
        (r#"{"B":"AQI="}"#, 2),
        (r#"{"BOOL":false}"#, 1),
        (r#"{"NULL":true}"#, 1),
        (r#"{"L":[]}"#, 3),
        (r#"{"M":{}}"#, 3),
        (r#"{"L":[{"S":"ab"},{"NULL":true}]}"#, 3 + 2 + 2 + 1),
        (r#"{"M":{"name":{"S":"ab"}}}"#, 3 + 1 + 4 + 2),
        (r#"{"SS":["a","bc"]}"#, 3),
        (r#"{"NS":["1","123"]}"#, 2 + 3),
        (r#"{"BS":["AQ==","AQI="]}"#, 3),
    ] {
        assert_eq!(read(json).expect(json).size_bytes(), bytes, "{json}");
    }
    let item = read_map(r#"{"pk":{"S":"abc"},"n":{"N":"100.5"}}"#).expect("an item");
    assert_eq!(item.size_bytes(), 2 + 3 + 1 + 4);
}

/// An item of 400 KB may hold as many empty strings: nothing that fits an item is too large to be read.
#[test]
fn a_list_that_fills_an_item_is_read_and_a_larger_one_is_not_kept() {
    let list = |count: usize| format!(r#"{{"l":{{"L":[{}]}}}}"#, vec![r#"{"S":""}"#; count].join(","));
    assert_eq!(read_map(&list(409_590)).map(|map| map.len()), Ok(1));
    assert_eq!(read_map(&list(500_000)), Err(ValueRefusal::TooLarge));
    assert_eq!(ValueRefusal::TooLarge.to_string(), "Item size has exceeded the maximum allowed size");
    // A wrong value further on is reported instead: the service checks values before sizes.
    let wrong = format!(r#"{},"x":{{"N":"b"}}}}"#, list(500_000).strip_suffix('}').expect("a map"));
    assert!(matches!(read_map(&wrong), Err(ValueRefusal::Number(_))));
    let strings = format!(r#"{{"S":"{}"}}"#, "x".repeat(3 * 1024 * 1024));
    assert_eq!(read(&strings), Err(ValueRefusal::TooLarge));
}

/// Emulators on JavaScript and on base64 text ordered these wrongly: U+FF61 is before U+10002 in UTF-8 but after it in
/// UTF-16, and bytes compare unsigned (dynalite 22, scylladb 6573).
#[test]
fn members_of_sets_are_in_the_order_of_their_bytes() {
    let AttributeValue::Ss(strings) = read(r#"{"SS":["\ud800\udc02","\uff61","a","B"]}"#).expect("a set")
    else {
        panic!("not a string set")
    };
    assert_eq!(strings.as_slice(), ["B", "a", "\u{ff61}", "\u{10002}"]);
    // 7F, 80, 0100, 01FF, 02
    let AttributeValue::Bs(bytes) = read(r#"{"BS":["fw==","gA==","AQA=","Af8=","Ag=="]}"#).expect("a set")
    else {
        panic!("not a binary set")
    };
    assert_eq!(bytes.as_slice(), [vec![1, 0], vec![1, 0xFF], vec![2], vec![0x7F], vec![0x80]]);
    let AttributeValue::Ns(numbers) = read(r#"{"NS":["10","-0.6","2","-0.7"]}"#).expect("a set") else {
        panic!("not a number set")
    };
    assert_eq!(numbers.iter().map(Number::to_string).collect::<Vec<_>>(), ["-0.7", "-0.6", "2", "10"]);
}

#[test]
fn a_set_is_never_empty_and_has_each_member_once() {
    assert_eq!(Set::<u8>::new(Vec::new()), Err(SetError::Empty));
    assert_eq!(Set::new(vec![2, 1, 2]), Err(SetError::Duplicate));
    let set = Set::new(vec!["b".to_owned(), "a".to_owned()]).expect("a set");
    assert!(set.contains("a") && !set.contains("c"));
    assert_eq!(set.len(), 2);
    assert_eq!(set.into_vec(), ["a", "b"]);
}

#[test]
fn attributes_are_kept_in_the_order_of_their_names_bytes() {
    let mut map = AttributeMap::new();
    for name in ["b", "\u{10002}", "B", "\u{ff61}", "a"] {
        assert_eq!(map.insert(name.to_owned(), AttributeValue::Null), None);
    }
    let names: Vec<_> = map.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["B", "a", "b", "\u{ff61}", "\u{10002}"]);
    assert_eq!(map.insert("a".to_owned(), AttributeValue::Bool(true)), Some(AttributeValue::Null));
    assert_eq!(map.remove("a"), Some(AttributeValue::Bool(true)));
    assert_eq!(map.remove("a"), None);
    assert_eq!(map.get("a"), None);
    assert_eq!(map.len(), 4);
}

proptest! {
    #[test]
    fn an_item_survives_the_trip_through_json(item in generated::item()) {
        let mut json = Vec::new();
        write_map(&item, &mut json);
        let mut reader = Reader::new(&json);
        prop_assert_eq!(reader.attribute_map(), Ok(Ok(item)));
        prop_assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn a_map_is_the_same_however_it_is_built(item in generated::item(), seed in any::<u64>()) {
        let mut attributes: Vec<_> = item.clone().into_iter().collect();
        if !attributes.is_empty() {
            let middle = seed as usize % attributes.len();
            attributes.rotate_left(middle);
        }
        let mut inserted = AttributeMap::new();
        for (name, value) in attributes.clone() {
            inserted.insert(name, value);
        }
        prop_assert_eq!(&inserted, &item);
        prop_assert_eq!(attributes.into_iter().collect::<AttributeMap>(), item);
    }
}
