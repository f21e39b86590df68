//! Items as lines of DynamoDB JSON, as the service exports tables.
//!
//! Attributes are in the order of their names, so that one item is one text.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html>

use std::fmt::Write as _;

use aws_sdk_dynamodb::types::AttributeValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::item::Attributes;

/// Adds one line: `{"Item":{"pk":{"S":"ORG#acme"}}}`.
pub(super) fn add_line(item: &Attributes, lines: &mut String) {
    lines.push_str("{\"Item\":");
    add_map(item, lines);
    lines.push_str("}\n");
}

fn add_map(map: &Attributes, text: &mut String) {
    let mut names: Vec<(&String, &AttributeValue)> = map.iter().collect();
    names.sort_unstable_by_key(|(name, _)| *name);
    text.push('{');
    add_separated(names.into_iter(), text, |(name, value), text| {
        add_text(name, text);
        text.push(':');
        add_value(value, text);
    });
    text.push('}');
}

fn add_value(value: &AttributeValue, text: &mut String) {
    let add_base64 = |bytes: &[u8], text: &mut String| add_text(&STANDARD.encode(bytes), text);
    match value {
        AttributeValue::S(string) => add_typed("S", text, |text| add_text(string, text)),
        AttributeValue::N(number) => add_typed("N", text, |text| add_text(number, text)),
        AttributeValue::B(bytes) => add_typed("B", text, |text| add_base64(bytes.as_ref(), text)),
        AttributeValue::Bool(boolean) => {
            add_typed("BOOL", text, |text| text.push_str(if *boolean { "true" } else { "false" }));
        }
        AttributeValue::Ss(strings) => add_list("SS", strings, text, |string, text| add_text(string, text)),
        AttributeValue::Ns(numbers) => add_list("NS", numbers, text, |number, text| add_text(number, text)),
        AttributeValue::Bs(all) => {
            add_list("BS", all, text, |bytes, text| add_base64(bytes.as_ref(), text));
        }
        AttributeValue::L(values) => add_list("L", values, text, add_value),
        AttributeValue::M(map) => add_typed("M", text, |text| add_map(map, text)),
        // DynamoDB has no other types.
        _ => add_typed("NULL", text, |text| text.push_str("true")),
    }
}

fn add_typed(name: &str, text: &mut String, add: impl FnOnce(&mut String)) {
    text.push_str("{\"");
    text.push_str(name);
    text.push_str("\":");
    add(text);
    text.push('}');
}

fn add_list<Member>(
    name: &str,
    members: &[Member],
    text: &mut String,
    add: impl FnMut(&Member, &mut String),
) {
    add_typed(name, text, |text| {
        text.push('[');
        add_separated(members.iter(), text, add);
        text.push(']');
    });
}

fn add_separated<Member>(
    members: impl Iterator<Item = Member>,
    text: &mut String,
    mut add: impl FnMut(Member, &mut String),
) {
    for (place, member) in members.enumerate() {
        if place > 0 {
            text.push(',');
        }
        add(member, text);
    }
}

/// A text in quotes.
fn add_text(string: &str, text: &mut String) {
    text.push('"');
    for character in string.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            control if u32::from(control) < 0x20 => {
                // Writing to a text does not fail.
                let _ = write!(text, "\\u{:04x}", u32::from(control));
            }
            other => text.push(other),
        }
    }
    text.push('"');
}
