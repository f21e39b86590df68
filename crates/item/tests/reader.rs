//! The reader of request bodies: its refusals, word for word, and that no body harms it.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod generated;

use keywright_item::json::{ListType, ObjectType, Reader, SerializationError, write_map, write_string};
use proptest::prelude::*;

const CAST: &str = "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class \
    java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module \
    java.base of loader 'bootstrap')";

type Outcome = Result<(), SerializationError>;

fn message(json: &str, read: impl FnOnce(&mut Reader<'_>) -> Outcome) -> String {
    let refused = read(&mut Reader::new(json.as_bytes())).expect_err(json);
    refused.message().unwrap_or_else(|| panic!("{json}: {refused}"))
}

/// What the service answered to every kind of JSON in every kind of place (dynalite's tests, ported from AWS).
#[test]
fn a_wrong_kind_of_json_is_refused_in_the_service_s_words() {
    type Read = fn(&mut Reader<'_>) -> Outcome;
    let kinds = ["\"23\"", "true", "false", "23", "-2147483648", "34.56", "[]", "{}"];
    let structure = "Start of structure or map found where not expected";
    let table: [(&str, Read, [&str; 8]); 9] = [
        (
            "a string",
            |reader| reader.string().map(drop),
            [
                "",
                "TRUE_VALUE cannot be converted to String",
                "FALSE_VALUE cannot be converted to String",
                "NUMBER_VALUE cannot be converted to String",
                "NUMBER_VALUE cannot be converted to String",
                "DECIMAL_VALUE cannot be converted to String",
                "Unrecognized collection type class java.lang.String",
                structure,
            ],
        ),
        (
            "a boolean",
            |reader| reader.boolean().map(drop),
            [
                "Unexpected token received from parser",
                "",
                "",
                "NUMBER_VALUE cannot be converted to Boolean",
                "NUMBER_VALUE cannot be converted to Boolean",
                "DECIMAL_VALUE cannot be converted to Boolean",
                "Unrecognized collection type class java.lang.Boolean",
                structure,
            ],
        ),
        (
            "an integer",
            |reader| reader.integer().map(drop),
            [
                "STRING_VALUE cannot be converted to Integer",
                "TRUE_VALUE cannot be converted to Integer",
                "FALSE_VALUE cannot be converted to Integer",
                "",
                "",
                "",
                "Unrecognized collection type class java.lang.Integer",
                structure,
            ],
        ),
        (
            "a long",
            |reader| reader.long().map(drop),
            [
                "STRING_VALUE cannot be converted to Long",
                "TRUE_VALUE cannot be converted to Long",
                "FALSE_VALUE cannot be converted to Long",
                "",
                "",
                "",
                "Unrecognized collection type class java.lang.Long",
                structure,
            ],
        ),
        (
            "a list",
            |reader| reader.array(ListType::Member, Reader::skip),
            [
                "Unexpected field type",
                "Unexpected field type",
                "Unexpected field type",
                "Unexpected field type",
                "Unexpected field type",
                "Unexpected field type",
                "",
                structure,
            ],
        ),
        (
            "a list in a map",
            |reader| reader.array(ListType::Element, Reader::skip),
            [CAST, CAST, CAST, CAST, CAST, CAST, "", structure],
        ),
        (
            "a structure",
            |reader| members(reader, ObjectType::Structure("ProvisionedThroughput")),
            [
                "Unexpected field type",
                "Unexpected field type",
                "Unexpected field type",
                "Unexpected field type",
                "Unexpected field type",
                "Unexpected field type",
                "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.ProvisionedThroughput",
                "",
            ],
        ),
        (
            "a structure in a list",
            |reader| members(reader, ObjectType::Element("KeySchemaElement")),
            [
                "Unexpected value type in payload",
                "Unexpected value type in payload",
                "Unexpected value type in payload",
                "Unexpected value type in payload",
                "Unexpected value type in payload",
                "Unexpected value type in payload",
                "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.KeySchemaElement",
                "",
            ],
        ),
        (
            "an attribute value",
            |reader| reader.attribute_value().map(drop),
            [
                "Unexpected value type in payload",
                "Unexpected value type in payload",
                "Unexpected value type in payload",
                "Unexpected value type in payload",
                "Unexpected value type in payload",
                "Unexpected value type in payload",
                "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue",
                "",
            ],
        ),
    ];
    for (place, read, expected) in table {
        for (kind, expected) in kinds.into_iter().zip(expected) {
            if expected.is_empty() {
                assert_eq!(read(&mut Reader::new(kind.as_bytes())), Ok(()), "{kind} as {place}");
            } else {
                assert_eq!(message(kind, read), expected, "{kind} as {place}");
            }
        }
    }
}

#[test]
fn maps_are_refused_by_the_type_of_their_values() {
    let map = |reader: &mut Reader<'_>| members(reader, ObjectType::Map("ExpectedAttributeValue"));
    let strings = |reader: &mut Reader<'_>| members(reader, ObjectType::MapToStrings);
    let elements = |reader: &mut Reader<'_>| members(reader, ObjectType::ElementMap("AttributeValue"));
    let prefix = "Unrecognized collection type java.util.Map<java.lang.String, ";
    assert_eq!(
        message("[]", map),
        format!("{prefix}com.amazonaws.dynamodb.v20120810.ExpectedAttributeValue>")
    );
    assert_eq!(message("[]", strings), format!("{prefix}java.lang.String>"));
    assert_eq!(message("[]", elements), format!("{prefix}com.amazonaws.dynamodb.v20120810.AttributeValue>"));
    assert_eq!(message("1", map), "Unexpected field type");
    assert_eq!(message("1", strings), "Unexpected field type");
    assert_eq!(message("1", elements), CAST);
    let item = |reader: &mut Reader<'_>| reader.attribute_map().map(drop);
    assert_eq!(message("[]", item), format!("{prefix}com.amazonaws.dynamodb.v20120810.AttributeValue>"));
    assert_eq!(message("\"a\"", item), "Unexpected field type");
}

/// The keys of a BatchGetItem are elements of a list, and the requests of a BatchWriteItem a map to lists.
#[test]
fn what_a_batch_is_made_of_is_refused_by_its_own_texts() {
    let values = "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>";
    let key = |json| message(json, |reader| reader.attribute_map_element().map(drop));
    assert_eq!(key("[]"), values);
    assert_eq!(key("1"), message("1", |reader| members(reader, ObjectType::ElementMap("AttributeValue"))));

    let requests = |json| message(json, |reader| members(reader, ObjectType::MapToLists("WriteRequest")));
    assert_eq!(
        requests("[]"),
        "Unrecognized collection type java.util.Map<java.lang.String, \
         java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>>"
    );
    assert_eq!(requests("true"), "Unexpected field type");
}

#[test]
fn a_value_is_read_together_with_its_text() {
    let mut reader = Reader::new(br#"[{"a": {"N": "1e3"}},2]"#);
    let mut texts = Vec::new();
    reader
        .array(ListType::Member, |reader| {
            let ((), text) = reader.with_text(Reader::skip)?;
            texts.push(String::from_utf8(text.to_vec()).unwrap());
            Ok::<(), SerializationError>(())
        })
        .unwrap();
    assert_eq!(texts, [r#"{"a": {"N": "1e3"}}"#, "2"]);
}

#[test]
fn the_contents_of_attribute_values_are_refused_in_the_service_s_words() {
    let value = |json: &str| message(json, |reader| reader.attribute_value().map(drop));
    assert_eq!(value(r#"{"S":1}"#), "NUMBER_VALUE cannot be converted to String");
    assert_eq!(value(r#"{"N":1.5}"#), "DECIMAL_VALUE cannot be converted to String");
    assert_eq!(value(r#"{"BOOL":"maybe"}"#), "Unexpected token received from parser");
    assert_eq!(value(r#"{"SS":"a"}"#), "Unexpected field type");
    assert_eq!(value(r#"{"SS":{}}"#), "Start of structure or map found where not expected");
    assert_eq!(value(r#"{"SS":[1]}"#), "NUMBER_VALUE cannot be converted to String");
    assert_eq!(value(r#"{"NS":[true]}"#), "TRUE_VALUE cannot be converted to String");
    assert_eq!(value(r#"{"BS":[1]}"#), "only base-64-encoded strings are convertible to bytes");
    assert_eq!(value(r#"{"L":{}}"#), "Start of structure or map found where not expected");
    assert_eq!(value(r#"{"L":[1]}"#), "Unexpected value type in payload");
    assert_eq!(value(r#"{"M":{"a":1}}"#), "Unexpected value type in payload");
    let map = "Unrecognized collection type java.util.Map<java.lang.String, \
        com.amazonaws.dynamodb.v20120810.AttributeValue>";
    assert_eq!(value(r#"{"M":[]}"#), map);
    assert_eq!(value(r#"{"M":"a"}"#), "Unexpected field type");

    let base64 = "Invalid last non-pad Base64 character dectected";
    for (json, expected) in [
        ("true", "only base-64-encoded strings are convertible to bytes"),
        ("23", "only base-64-encoded strings are convertible to bytes"),
        ("34.56", "only base-64-encoded strings are convertible to bytes"),
        ("[]", "Unrecognized collection type class java.nio.ByteBuffer"),
        ("{}", "Start of structure or map found where not expected"),
        ("\"23456\"", "Base64 encoded length is expected a multiple of 4 bytes but found: 5"),
        ("\"=+/=\"", base64),
        ("\"+/+=\"", base64),
        ("\"AB==\"", base64),
        ("\"A B=\"", base64),
        ("\"\u{e9}ab\"", base64),
    ] {
        assert_eq!(value(&format!(r#"{{"B":{json}}}"#)), expected, "{json}");
    }
}

/// A refused value does not hide a type error that comes after it: the service reads the whole body first.
#[test]
fn a_type_error_behind_a_refused_value_is_reported() {
    let mut reader = Reader::new(br#"{"a":{"NS":["b"]},"c":{"S":1}}"#);
    assert_eq!(
        reader.attribute_map().map_err(|error| error.to_string()),
        Err("NUMBER_VALUE cannot be converted to String".to_owned())
    );
}

#[test]
fn booleans_are_read_from_strings_as_the_service_reads_them() {
    for (json, boolean) in [
        ("true", true),
        ("false", false),
        ("\"TRUE\"", true),
        ("\"1\"", true),
        ("\"Yes\"", true),
        ("\"false\"", false),
        ("\"0\"", false),
        ("\"no\"", false),
    ] {
        assert_eq!(Reader::new(json.as_bytes()).boolean(), Ok(boolean), "{json}");
    }
}

#[test]
fn whole_numbers_lose_their_fraction_and_stay_within_64_bits() {
    for (json, integer) in [
        ("5", 5),
        ("-5", -5),
        ("5.9", 5),
        ("1e3", 1000),
        ("2147483648", 2_147_483_648),
        ("99999999999999999999", i64::MAX),
        ("-1e300", i64::MIN),
    ] {
        assert_eq!(Reader::new(json.as_bytes()).integer(), Ok(integer), "{json}");
        assert_eq!(Reader::new(json.as_bytes()).long(), Ok(integer), "{json}");
    }
}

#[test]
fn an_optional_member_that_is_null_is_absent() {
    assert_eq!(Reader::new(b"null").optional(Reader::string), Ok(None));
    assert_eq!(Reader::new(b"\"a\"").optional(Reader::string), Ok(Some("a".to_owned())));
    assert!(Reader::new(b"nul").optional(Reader::string).is_err());
}

#[test]
fn names_are_right_while_objects_nest() {
    let mut reader = Reader::new(br#"{"a":{"b\u0041":{"c":1},"d":[{"e":1}]},"f":null}"#);
    let mut names = Vec::new();
    collect(&mut reader, "", &mut names).expect("an object");
    assert_eq!(names, ["a", "a/bA", "a/bA/c", "a/d", "f"]);

    fn collect(reader: &mut Reader<'_>, path: &str, names: &mut Vec<String>) -> Outcome {
        reader.object(ObjectType::Body, |name, reader| {
            let path = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
            names.push(path.clone());
            match name {
                "a" | "bA" => collect(reader, &path, names)?,
                _ => reader.skip()?,
            }
            // The name is still the one it was.
            assert!(path.ends_with(name));
            Ok(())
        })
    }
}

#[test]
fn what_is_not_json_has_no_message() {
    for json in [
        "",
        " ",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,}",
        "[1,]",
        "[1",
        "nul",
        "truth",
        "\"abc",
        "\"\\x\"",
        "01",
        "-",
        "1.",
        "NaN",
        "Infinity",
        "not json",
        "\"\\ud800\"",
        "\"\n\"",
        "{1:2}",
        "'a'",
        "\u{feff}{}",
    ] {
        let mut reader = Reader::new(json.as_bytes());
        let refused = reader.skip().expect_err(json);
        assert!(matches!(refused, SerializationError::Malformed { .. }), "{json}");
        assert_eq!(refused.message(), None);
    }
    let mut reader = Reader::new(b"{} x");
    reader.skip().expect("an object");
    assert_eq!(reader.finish(), Err(SerializationError::Malformed { offset: 3 }));
    // A body that is JSON but no object, and bytes that are no UTF-8.
    for body in [&b"[]"[..], b"\"a\"", b"1"] {
        assert!(matches!(
            members(&mut Reader::new(body), ObjectType::Body),
            Err(SerializationError::Malformed { .. })
        ));
    }
    assert!(Reader::new(b"\"\xff\"").string().is_err());
}

/// dynoxide 3.2 died of a stack overflow on a request of 2 KB. Here no depth needs stack: this
/// test runs on 512 KB, unoptimised too.
#[test]
fn no_depth_of_nesting_overflows_the_stack() {
    let run = || {
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("{\"M\":{\"a\":", "}}"), ("{\"L\":[", "]}")] {
            for depth in [33, 1_000, 300_000] {
                let leaf = r#"{"S":""}"#;
                let body = format!("{}{leaf}{}", open.repeat(depth), close.repeat(depth));
                let mut reader = Reader::new(body.as_bytes());
                assert_eq!(reader.skip(), Ok(()));
                assert_eq!(reader.finish(), Ok(()));
                let _ = Reader::new(body.as_bytes()).attribute_value();
                let _ = Reader::new(body.as_bytes()).attribute_map();
                let cut = &body.as_bytes()[..body.len() - 1];
                assert!(Reader::new(cut).skip().is_err());
                assert!(Reader::new(cut).attribute_value().is_err() || open == "[");
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(run).expect("a thread");
    thread.join().expect("the reader does not overflow its stack");
}

/// Forty clients that sent 16 MB of letters as a number, and did not read their answers, made a server hold 650 MB: every
/// refusal repeated all of what it refused.
#[test]
fn a_refusal_repeats_no_more_than_the_beginning() {
    let large = "x".repeat(1 << 20);
    let numbers: Vec<String> = (0..10_000).map(|number| format!("{number:04}")).collect();
    let members = numbers.join(r#"",""#);
    for (value, beginning) in [
        (format!(r#"{{"N":"{large}"}}"#), "The parameter cannot be converted to a numeric value: xxx"),
        (format!(r#"{{"NS":["1","{large}"]}}"#), "The parameter cannot be converted to a numeric value: xxx"),
        (
            format!(r#"{{"SS":["{members}","0001"]}}"#),
            "One or more parameter values were invalid: Input collection [0000, 0001, 0002",
        ),
        (
            format!(r#"{{"SS":["{large}","{large}"]}}"#),
            "One or more parameter values were invalid: Input collection [xxx",
        ),
        (
            format!(r#"{{"BS":["{members}","0001"]}}"#),
            "One or more parameter values were invalid: Input collection [0000, 0001, 0002",
        ),
    ] {
        let refused = Reader::new(value.as_bytes()).attribute_value().expect("JSON").expect_err("a refusal");
        let message = refused.to_string();
        assert!(message.starts_with(beginning), "{}", &message[..200]);
        assert!(message.len() < 4096, "{} bytes", message.len());
    }
}

fn members(reader: &mut Reader<'_>, expected: ObjectType) -> Outcome {
    reader.object(expected, |_, reader| reader.skip())
}

/// Calls everything that the reader has on the same bytes.
fn read_in_every_way(body: &[u8]) {
    let _ = Reader::new(body).attribute_value();
    let _ = Reader::new(body).attribute_map();
    let _ = Reader::new(body).skip();
    let _ = Reader::new(body).string();
    let _ = Reader::new(body).boolean();
    let _ = Reader::new(body).long();
    let _ = Reader::new(body).finish();
    let _ = Reader::new(body).object(ObjectType::Body, |name, reader| match name.len() % 3 {
        0 => reader.attribute_value().map(drop),
        1 => reader.optional(Reader::integer).map(drop),
        _ => reader.array(ListType::Member, Reader::skip),
    });
}

proptest! {
    #[test]
    fn no_bytes_cause_a_panic(body in any::<Vec<u8>>()) {
        read_in_every_way(&body);
    }

    #[test]
    fn no_text_like_json_causes_a_panic(body in r#"([{}\[\]",:0-9a-f\\u.eE+ -]|"S"|"N"|"M"|"L"|"SS"|"B"|:\{|null|true){0,60}"#) {
        read_in_every_way(body.as_bytes());
    }

    #[test]
    fn a_body_that_is_cut_or_changed_causes_no_panic(
        item in generated::item(), cut in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let mut body = Vec::new();
        write_map(&item, &mut body);
        read_in_every_way(&body[..cut.index(body.len())]);
        prop_assert!(Reader::new(&body[..cut.index(body.len())]).attribute_map().is_err());
        let at = at.index(body.len());
        body[at] = byte;
        read_in_every_way(&body);
    }

    #[test]
    fn a_string_is_read_as_it_was_written(string in generated::string()) {
        let mut json = Vec::new();
        write_string(&string, &mut json);
        prop_assert_eq!(Reader::new(&json).string(), Ok(string));
    }
}

/// A body with Latin-1 text in a member that nobody reads was accepted, and refused as soon as the member was known: what
/// is no UTF-8 is no JSON, wherever it stands.
#[test]
fn bytes_that_are_no_utf_8_are_refused_in_a_member_that_is_skipped_too() {
    let bodies: [&[u8]; 7] = [
        b"{\"Unknown\": \"caf\xe9\"}",
        b"{\"Unknown\": [\"good\", \"\xc3\x28\"]}",
        b"{\"Unknown\": {\"\xff\": 1}}",
        b"{\"Unknown\": {\"good\": 1, \"\xed\xa0\x80\": 1}}",
        b"{\"Unknown\": \"escaped \\n, then \x80\"}",
        b"{\"Unknown\": \"cut off \xf0\x9f\x98\"}",
        b"{\"\xe9\": 1}",
    ];
    for body in bodies {
        let mut reader = Reader::new(body);
        let read = reader.object(ObjectType::Body, |_, reader| reader.skip());
        assert!(
            matches!(read, Err(SerializationError::Malformed { offset }) if offset <= body.len()),
            "{}: {read:?}",
            String::from_utf8_lossy(body)
        );
    }
    let good = "{\"Unknown\": {\"schlüssel 🔑\": [\"\\ud83d\\ude00 \\u0000 é\"]}}";
    let mut reader = Reader::new(good.as_bytes());
    assert_eq!(reader.object(ObjectType::Body, |_, reader| reader.skip()), Ok::<(), SerializationError>(()));
}
