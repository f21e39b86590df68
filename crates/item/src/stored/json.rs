//! From stored bytes to DynamoDB JSON, without decoding to values in between.

use super::cursor::{Raw, verified_number};
use super::view::{Contents, StoredMap, raw_elements, raw_members};
use crate::json::write::{write_boolean, write_list, write_number, write_typed, write_utf8};
use crate::json::write_binary;

/// Appends `{"name":{"S":"text"}}`.
pub(super) fn write_map(map: &StoredMap<'_>, out: &mut Vec<u8>) {
    out.push(b'{');
    for (position, (name, raw)) in map.entries().enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write_utf8(name, out);
        out.push(b':');
        write_raw(raw, out);
    }
    out.push(b'}');
}

fn write_raw(raw: Raw<'_>, out: &mut Vec<u8>) {
    match raw {
        Raw::String(bytes) => write_typed(br#"{"S":"#, out, |out| write_utf8(bytes, out)),
        Raw::Number(bytes) => write_typed(br#"{"N":"#, out, |out| write_number(&verified_number(bytes), out)),
        Raw::Binary(bytes) => write_typed(br#"{"B":"#, out, |out| write_binary(bytes, out)),
        Raw::Bool(boolean) => write_typed(br#"{"BOOL":"#, out, |out| write_boolean(boolean, out)),
        Raw::Null => write_typed(br#"{"NULL":"#, out, |out| write_boolean(true, out)),
        Raw::Map(contents) => write_typed(br#"{"M":"#, out, |out| write_map(&StoredMap::new(contents), out)),
        Raw::List(contents) => write_typed(br#"{"L":"#, out, |out| {
            write_list(raw_elements(Contents::new(contents)), out, write_raw);
        }),
        Raw::StringSet(contents) => write_typed(br#"{"SS":"#, out, |out| {
            write_list(raw_members(Contents::new(contents)), out, write_utf8);
        }),
        Raw::NumberSet(contents) => write_typed(br#"{"NS":"#, out, |out| {
            write_list(raw_members(Contents::new(contents)), out, |bytes, out| {
                write_number(&verified_number(bytes), out);
            });
        }),
        Raw::BinarySet(contents) => write_typed(br#"{"BS":"#, out, |out| {
            write_list(raw_members(Contents::new(contents)), out, write_binary);
        }),
    }
}
