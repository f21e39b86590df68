//! The stored form: it holds what was stored, is looked into without decoding, and damage is refused.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod generated;

use keywright_item::json::{Reader, write_map};
use keywright_item::{AttributeMap, AttributeValue, Item, Number, StoredItem, StoredItemRef, StoredValue};
use proptest::prelude::*;

/// An item with a value of every type. The bytes below are its stored form, and `docs/on-disk/item.md` reads them.
const EVERY_TYPE: &str = r#"{"bool":{"BOOL":true},"bytes":{"B":"AP8="},"list":{"L":[{"S":"a"},{"BOOL":false}]},
    "map":{"M":{"k":{"N":"-1.5"}}},"null":{"NULL":true},"numbers":{"NS":["-1","0","100"]},"pk":{"S":"ORG#1"},
    "sets":{"BS":["AQ==","Ag=="]},"tags":{"SS":["a","b"]}}"#;

/// Written by format 1. Never change these bytes: items on disks hold such bytes.
const EVERY_TYPE_FORMAT_1: &str = "
    3551b390 01 48000000 09
    04 626f6f6c 02
    05 6279746573 05 02 00ff
    04 6c697374 07 05000000 02 03 01 61 01
    03 6d6170 06 08000000 01 01 6b 04 03 3e6433
    04 6e756c6c 00
    07 6e756d62657273 09 09000000 03 02 3e64 01 80 02 c202
    02 706b 03 05 4f52472331
    04 73657473 0a 05000000 02 01 01 01 02
    04 74616773 08 05000000 02 01 61 01 62
";

fn item(json: &str) -> Item {
    Reader::new(json.as_bytes()).attribute_map().expect("DynamoDB JSON").expect("an item")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let digits: Vec<u8> = hexadecimal.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).expect("ASCII"), 16).expect("hexadecimal"))
        .collect()
}

/// Puts the right checksum on bytes that somebody made up.
fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = crc32fast::hash(&bytes[4..]);
    bytes[..4].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn items_of_format_1_are_still_read() {
    let stored = StoredItem::open(bytes(EVERY_TYPE_FORMAT_1)).expect("format 1");
    assert_eq!(stored.decode(), item(EVERY_TYPE));
}

#[test]
fn format_1_is_what_is_written() {
    assert_eq!(
        hexadecimal(StoredItem::encode(&item(EVERY_TYPE)).bytes()),
        EVERY_TYPE_FORMAT_1.replace([' ', '\n'], "")
    );
}

#[test]
fn an_item_without_attributes_has_a_stored_form() {
    let stored = StoredItem::encode(&Item::new());
    assert_eq!(StoredItem::open(stored.bytes().to_vec()), Ok(stored.clone()));
    assert_eq!(stored.size_bytes(), 0);
    assert_eq!(stored.decode(), Item::new());
    let mut json = Vec::new();
    stored.write_json(&mut json);
    assert_eq!(json, b"{}");
}

#[test]
fn values_are_looked_at_without_decoding_the_item() {
    let stored = StoredItem::encode(&item(EVERY_TYPE));
    assert!(matches!(stored.get("bool"), Some(StoredValue::Bool(true))));
    assert!(matches!(stored.get("bytes"), Some(StoredValue::B([0, 255]))));
    assert!(matches!(stored.get("null"), Some(StoredValue::Null)));
    assert!(matches!(stored.get("pk"), Some(StoredValue::S("ORG#1"))));
    for absent in ["", "a", "boo", "bool2", "zzz"] {
        assert!(stored.get(absent).is_none());
    }
    let Some(StoredValue::L(list)) = stored.get("list") else { panic!("not a list") };
    assert_eq!(list.len(), 2);
    assert!(matches!(list.get(0), Some(StoredValue::S("a"))));
    assert!(matches!(list.get(1), Some(StoredValue::Bool(false))));
    assert!(list.get(2).is_none());
    let Some(StoredValue::M(map)) = stored.get("map") else { panic!("not a map") };
    assert!(matches!(map.get("k"), Some(StoredValue::N(number)) if number.to_string() == "-1.5"));
    assert_eq!((map.len(), map.is_empty(), list.is_empty()), (1, false, false));
    let Some(StoredValue::Ns(numbers)) = stored.get("numbers") else { panic!("not a number set") };
    let numbers: Vec<_> = numbers.iter().map(|member| member.to_value()).collect();
    assert_eq!(numbers, [-1_i64, 0, 100].map(|number| AttributeValue::N(Number::from(number))));
    let names: Vec<_> = stored.attributes().iter().map(|(name, value)| (name, value.type_name())).collect();
    let expected = [
        ("bool", "BOOL"),
        ("bytes", "B"),
        ("list", "L"),
        ("map", "M"),
        ("null", "NULL"),
        ("numbers", "NS"),
        ("pk", "S"),
        ("sets", "BS"),
        ("tags", "SS"),
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_projection_has_the_named_attributes_that_exist() {
    let stored = StoredItem::encode(&item(EVERY_TYPE));
    let projection = stored.project(["tags", "absent", "pk"]);
    assert_eq!(projection, item(r#"{"pk":{"S":"ORG#1"},"tags":{"SS":["a","b"]}}"#));
}

/// A disk returned a stored value with one bit changed, and the store handed it out as data: redb does not check what
/// it reads. An item checks itself.
#[test]
fn every_changed_bit_and_every_lost_byte_is_noticed() {
    let stored = StoredItem::encode(&item(EVERY_TYPE)).into_bytes();
    for position in 0..stored.len() {
        for bit in 0..8 {
            let mut changed = stored.clone();
            changed[position] ^= 1 << bit;
            assert!(StoredItem::open(changed).is_err(), "bit {bit} of byte {position}");
        }
        assert!(StoredItemRef::open(&stored[..position]).is_err(), "cut at byte {position}");
    }
    let mut longer = stored.clone();
    longer.push(0);
    assert!(StoredItem::open(longer).is_err());
}

#[test]
fn an_unknown_format_is_named() {
    let mut stored = StoredItem::encode(&item(EVERY_TYPE)).into_bytes();
    stored[4] = 2;
    let damage = StoredItem::open(with_checksum(stored)).expect_err("format 2 does not exist");
    assert_eq!(damage.to_string(), "the stored item has an unknown format at byte 4");
}

/// Somebody who can compute a checksum must not be able to make the reader panic, or allocate what is not there.
#[test]
fn bytes_with_a_right_checksum_and_a_wrong_structure_are_refused() {
    // Each is what follows the header: a count, then attributes.
    for (attributes, what) in [
        ("", "the stored item ends early"),
        ("01", "the stored item ends early"),
        ("ffffffff0f", "the stored item ends early"),
        ("ffffffffff", "a length is too large"),
        ("00 00", "there is more than was counted"),
        ("01 0161 0b", "a value has an unknown tag"),
        ("01 01ff 00", "a string is not UTF-8"),
        ("02 0162 00 0161 00", "attributes are out of order"),
        ("02 0161 00 0161 00", "attributes are out of order"),
        ("01 0161 03 7f", "a length goes past the end of the stored item"),
        ("01 0161 03 01 ff", "a string is not UTF-8"),
        ("01 0161 04 01 c1", "a number has no digits"),
        ("01 0161 04 02 c101", "a number is not in its normal form"),
        ("01 0161 06 ffffffff 00", "a length goes past the end of the stored item"),
        ("01 0161 07 05000000 ffffffff0f", "the stored item ends early"),
        ("01 0161 07 02000000 0100 ff", "there is more than was counted"),
        ("01 0161 08 01000000 00", "a set is empty"),
        ("01 0161 08 05000000 02 0162 0161", "the members of a set are out of order"),
        ("01 0161 0a 05000000 02 0161 0161", "the members of a set are out of order"),
        ("01 0161 03 0162", "the stored item's size is not the size of its attributes"),
    ] {
        let damage = StoredItem::open(with_checksum(bytes(&format!("00000000 01 00000000 {attributes}"))))
            .expect_err(attributes);
        assert_eq!(damage.what(), what, "{attributes}");
    }
}

#[test]
fn nesting_beyond_the_limit_is_refused_before_it_uses_stack() {
    // A null in a list in a list in a list ...
    let mut contents = vec![0];
    while contents.len() < 10_000 {
        let mut list = vec![7];
        list.extend((contents.len() as u32 + 1).to_le_bytes());
        list.push(1);
        list.extend(contents);
        contents = list;
    }
    let mut stored = bytes("00000000 01 00000000 01 0161");
    stored.extend(contents);
    let damage = StoredItem::open(with_checksum(stored)).expect_err("more than 32 levels");
    assert_eq!(damage.what(), "values nest too deep");
}

/// The deepest item that a request can hold can be stored, on a small stack.
#[test]
fn the_deepest_item_that_is_accepted_can_be_stored_and_read() {
    let run = || {
        let json = format!(r#"{{"a":{}{{"S":"leaf"}}{}}}"#, r#"{"M":{"n":"#.repeat(31), "}}".repeat(31));
        let item = item(&json);
        let stored = StoredItem::open(StoredItem::encode(&item).into_bytes()).expect("what was encoded");
        assert_eq!(stored.decode(), item);
        let mut written = Vec::new();
        stored.write_json(&mut written);
        assert_eq!(String::from_utf8(written), Ok(json));
    };
    let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(run).expect("a thread");
    thread.join().expect("32 levels need little stack");
}

proptest! {
    #[test]
    fn what_is_stored_is_what_is_read(item in generated::item()) {
        let stored = StoredItem::open(StoredItem::encode(&item).into_bytes());
        let stored = stored.expect("what was encoded");
        prop_assert_eq!(stored.decode(), item.clone());
        prop_assert_eq!(stored.size_bytes(), item.size_bytes());
        let borrowed = StoredItemRef::open(stored.bytes()).expect("what was encoded");
        prop_assert_eq!(borrowed.to_owned(), stored.clone());
        for (name, value) in item.iter() {
            prop_assert_eq!(stored.get(name).map(|found| found.to_value()), Some(value.clone()));
        }
        let half: AttributeMap =
            item.iter().step_by(2).map(|(name, value)| (name.to_owned(), value.clone())).collect();
        let names: Vec<_> = half.iter().map(|(name, _)| name).collect();
        prop_assert_eq!(stored.project(names), half);
    }

    /// A condition compares stored values as they lie there; it must answer as if it had decoded both.
    #[test]
    fn stored_values_are_equal_when_they_are_equal_decoded(one in generated::item(), other in generated::item()) {
        let (stored, stored_other) = (StoredItem::encode(&one), StoredItem::encode(&other));
        prop_assert!(stored.attributes() == one && stored.attributes() == stored.clone().attributes());
        prop_assert_eq!(stored.attributes() == other, one == other);
        for (_, value) in one.iter().chain(other.iter()) {
            for (name, decoded) in one.iter() {
                let found = stored.get(name).expect("an attribute of the item");
                prop_assert_eq!(found == *value, decoded == value);
                for (name, decoded_other) in other.iter() {
                    let found_other = stored_other.get(name).expect("an attribute of the item");
                    prop_assert_eq!(found == found_other, decoded == decoded_other);
                }
            }
        }
    }

    #[test]
    fn the_json_of_a_stored_item_is_the_json_of_the_item(item in generated::item()) {
        let (mut stored, mut direct) = (Vec::new(), Vec::new());
        StoredItem::encode(&item).write_json(&mut stored);
        write_map(&item, &mut direct);
        prop_assert_eq!(String::from_utf8(stored), String::from_utf8(direct));
    }

    #[test]
    fn a_changed_byte_is_noticed(
        item in generated::item(), at in any::<prop::sample::Index>(), change in 1_u8..,
    ) {
        let mut bytes = StoredItem::encode(&item).into_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= change;
        prop_assert!(StoredItemRef::open(&bytes).is_err());
    }

    #[test]
    fn made_up_bytes_are_no_item_or_a_whole_one(mut bytes in proptest::collection::vec(any::<u8>(), 9..80)) {
        prop_assert!(StoredItemRef::open(&bytes).is_err());
        bytes[4] = 1;
        look_into(with_checksum(bytes));
    }

    #[test]
    fn a_changed_byte_under_a_right_checksum_is_noticed_or_harmless(
        item in generated::item(), at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let mut bytes = StoredItem::encode(&item).into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        look_into(with_checksum(bytes));
    }
}

/// Whatever opens can be read in every way, and has one form.
fn look_into(bytes: Vec<u8>) {
    let Ok(stored) = StoredItem::open(bytes) else { return };
    let item = stored.decode();
    assert_eq!(stored.size_bytes(), item.size_bytes());
    let mut json = Vec::new();
    stored.write_json(&mut json);
    assert!(!format!("{stored:?}").is_empty());
    for (name, _) in item.iter() {
        assert!(stored.get(name).is_some());
    }
}
