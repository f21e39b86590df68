//! The golden vectors: templates, values and the keys that every implementation renders.
//!
//! `golden/keys.json` was computed by another implementation, in another language; docs/keys/golden-vectors.md says what its members mean.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::ops::Bound;

use keywright_key::{
    ComponentValue, Delimiter, IntegerSize, KeyFormat, KeyRole, KeyTemplate, LetterCase, Precision,
    RenderProblem, Shards, SortKeyBounds, TimestampFormat, TimestampValue,
};
use serde_json::Value;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../golden/keys.json")).expect("JSON")
}

fn list(value: &'static Value) -> &'static [Value] {
    value.as_array().expect("an array")
}

fn string(value: &'static Value) -> &'static str {
    value.as_str().unwrap_or_else(|| panic!("a string: {value}"))
}

fn all() -> &'static Value {
    Box::leak(Box::new(vectors()))
}

fn format(value: &'static Value) -> KeyFormat {
    let delimiter = string(&value["delimiter"]).chars().next().expect("a character");
    let timestamp = value["timestamp"].as_str().map(|name| {
        *TimestampFormat::ALL.iter().find(|format| format.name() == name).expect("a timestamp's format")
    });
    let letter_case = value["case"].as_str().map(|name| match name {
        "upper" => LetterCase::Upper,
        "lower" => LetterCase::Lower,
        other => panic!("a case: {other}"),
    });
    KeyFormat { delimiter: Delimiter::new(delimiter).expect("a delimiter"), timestamp, letter_case }
}

/// Numbers that JavaScript cannot hold are strings.
fn number(value: &Value) -> i128 {
    match value.as_str() {
        Some(text) => text.parse().expect("a number"),
        None => value.as_i64().expect("a number").into(),
    }
}

fn bits(value: &'static Value) -> u128 {
    u128::from_str_radix(string(value), 16).expect("32 hexadecimal digits")
}

fn component(value: &'static Value) -> ComponentValue<'static> {
    let (kind, value) = value.as_object().expect("an object").iter().next().expect("one member");
    let unsigned = |size| ComponentValue::Unsigned(u64::try_from(number(value)).expect("u64"), size);
    let signed = |size| ComponentValue::Signed(i64::try_from(number(value)).expect("i64"), size);
    match kind.as_str() {
        "text" => ComponentValue::Text(string(value).into()),
        "u8" => unsigned(IntegerSize::Bits8),
        "u16" => unsigned(IntegerSize::Bits16),
        "u32" => unsigned(IntegerSize::Bits32),
        "u64" => unsigned(IntegerSize::Bits64),
        "i8" => signed(IntegerSize::Bits8),
        "i16" => signed(IntegerSize::Bits16),
        "i32" => signed(IntegerSize::Bits32),
        "i64" => signed(IntegerSize::Bits64),
        "timestamp" => {
            let precision = match string(&value["precision"]) {
                "days" => Precision::Days,
                "seconds" => Precision::Seconds,
                "milliseconds" => Precision::Milliseconds,
                "microseconds" => Precision::Microseconds,
                "nanoseconds" => Precision::Nanoseconds,
                other => panic!("a precision: {other}"),
            };
            let seconds = value["seconds"].as_i64().expect("seconds");
            let nanoseconds = u32::try_from(number(&value["nanoseconds"])).expect("nanoseconds");
            ComponentValue::Timestamp(
                TimestampValue::new(seconds, nanoseconds, precision).expect("a timestamp"),
            )
        }
        "ulid" => ComponentValue::Ulid(bits(value)),
        "uuid" => ComponentValue::Uuid(bits(value)),
        "enum" => {
            let words: Vec<&str> = list(&value["words"]).iter().map(string).collect();
            let index =
                words.iter().position(|word| *word == string(&value["word"])).expect("one of the words");
            ComponentValue::Enum { words: words.leak(), index }
        }
        "boolean" => ComponentValue::Boolean(value.as_bool().expect("a boolean")),
        "bytes" => {
            let digits = string(value).as_bytes();
            let byte = |pair: &[u8]| {
                u8::from_str_radix(std::str::from_utf8(pair).expect("ASCII"), 16).expect("a byte")
            };
            ComponentValue::Bytes(digits.chunks(2).map(byte).collect::<Vec<u8>>().into())
        }
        other => panic!("a kind: {other}"),
    }
}

type Values = Vec<(&'static str, ComponentValue<'static>)>;

fn values(value: &'static Value) -> Values {
    let members = value.as_object().expect("an object");
    members.iter().map(|(name, value)| (name.as_str(), component(value))).collect()
}

fn template(text: &str, format: KeyFormat) -> KeyTemplate {
    KeyTemplate::parse(text, format).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn bounds(value: &'static Value) -> SortKeyBounds {
    if let Some(ends) = value["between"].as_array() {
        return SortKeyBounds::Between {
            low: string(&ends[0]).to_owned(),
            high: string(&ends[1]).to_owned(),
        };
    }
    if let Some(prefix) = value["begins_with"].as_str() {
        return SortKeyBounds::BeginsWith(prefix.to_owned());
    }
    if let Some(low) = value["at_least"].as_str() {
        return SortKeyBounds::AtLeast(low.to_owned());
    }
    assert_eq!(value["nothing"], true, "{value}");
    SortKeyBounds::Nothing
}

#[test]
fn keys_are_rendered_and_read_back_as_the_vectors_say() {
    for case in list(&all()["templates"]) {
        let format = format(&case["format"]);
        let template = template(string(&case["template"]), format);
        let shape = template.shape();
        for vector in list(&case["keys"]) {
            let values = values(&vector["values"]);
            let key = string(&vector["key"]);
            assert_eq!(
                shape.render(KeyRole::Partition, values.as_slice()).as_deref(),
                Ok(key),
                "{}",
                case["name"]
            );
            let decoded = shape.decode(key).expect("a key of the template");
            for (name, value) in &values {
                assert_eq!(decoded.value(name, value.kind()).as_ref(), Ok(value), "{key}: {name}");
            }
        }
    }
}

#[test]
fn values_are_refused_as_the_vectors_say() {
    for case in list(&all()["templates"]) {
        let template = template(string(&case["template"]), format(&case["format"]));
        for vector in list(&case["refused"]) {
            let error = template
                .shape()
                .render(KeyRole::Partition, values(&vector["values"]).as_slice())
                .expect_err("a refusal");
            assert_eq!(error.component(), vector["component"].as_str(), "{error}");
            let problem = match error.problem() {
                RenderProblem::Empty => "empty",
                RenderProblem::HoldsReserved { .. } => "holds-reserved",
                RenderProblem::OtherCase { .. } => "other-case",
                RenderProblem::TooWide { .. } => "too-wide",
                RenderProblem::TooFine => "too-fine",
                RenderProblem::OutOfRange => "out-of-range",
                other => panic!("{other:?}"),
            };
            assert_eq!(problem, string(&vector["problem"]), "{error}");
        }
    }
}

#[test]
fn prefixes_have_the_ranges_that_the_vectors_say() {
    for case in list(&all()["templates"]) {
        for vector in list(&case["prefixes"]) {
            let template = template(string(&vector["template"]), format(&case["format"]));
            let found = template.shape().prefix(values(&vector["values"]).as_slice());
            assert_eq!(found, Ok(bounds(vector)), "{vector}");
        }
    }
}

fn end(value: &'static Value) -> Bound<ComponentValue<'static>> {
    match (value.get("including"), value.get("excluding")) {
        (Some(value), None) => Bound::Included(component(value)),
        (None, Some(value)) => Bound::Excluded(component(value)),
        (None, None) => Bound::Unbounded,
        _ => panic!("one end: {value}"),
    }
}

#[test]
fn ranges_have_the_ends_that_the_vectors_say() {
    for vector in list(&all()["ranges"]) {
        let template = template(string(&vector["template"]), format(&vector["format"]));
        let given = values(&vector["values"]);
        let found = template.shape().range(given.as_slice(), end(&vector["from"]), end(&vector["to"]));
        assert_eq!(found, Ok(bounds(vector)), "{vector}");
    }
}

#[test]
fn items_are_in_the_shards_that_the_vectors_say() {
    for vector in list(&all()["shards"]) {
        for (count, shard) in vector["shard"].as_object().expect("an object") {
            let shards = Shards::new(count.parse().expect("a number of shards")).expect("shards");
            let key = shards.key_to_write("K", Delimiter::NUMBER_SIGN, string(&vector["sort_key"]));
            assert_eq!(key, format!("K#{shard}"), "{vector}");
        }
    }
    for vector in list(&all()["shard_keys"]) {
        let number =
            |value: &Value| u16::try_from(value.as_u64().expect("a number")).expect("a number of shards");
        let earlier: Vec<u16> = list(&vector["earlier"]).iter().map(number).collect();
        let shards = Shards::with_earlier(number(&vector["count"]), &earlier).expect("shards");
        let delimiter = Delimiter::NUMBER_SIGN;
        let (key, sort_key) = (string(&vector["key"]), string(&vector["sort_key"]));
        let keys = |value: &'static Value| list(value).iter().map(string).collect::<Vec<_>>();
        assert_eq!(shards.key_to_write(key, delimiter, sort_key), string(&vector["write"]));
        assert_eq!(shards.keys_to_read(key, delimiter), keys(&vector["read"]));
        assert_eq!(shards.keys_of_item(key, delimiter, sort_key), keys(&vector["item"]));
    }
}
