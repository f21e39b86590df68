//! Telling whether bytes are a stored item: the checksum first, then every byte of the structure.
//!
//! The checksum finds what a disk does to bytes; the walk over the structure finds what somebody does who can compute
//! a checksum. It allocates nothing, and its stack is bounded by the nesting limit.

use super::cursor::{Cursor, Raw};
use super::{FORMAT, HEADER_BYTES, Header};
use crate::{Damage, NESTING_LIMIT, Number};

/// Whether these bytes are what `encode` writes for some item.
pub(super) fn verify(bytes: &[u8]) -> Result<(), Damage> {
    let header = Header::read(bytes)?;
    if crc32fast::hash(bytes.get(4..).unwrap_or_default()) != header.checksum {
        return Err(Damage::new("the stored item does not match its checksum", 0));
    }
    if header.format != FORMAT {
        return Err(Damage::new("the stored item has an unknown format", 4));
    }
    let attributes = Cursor::new(bytes.get(HEADER_BYTES..).unwrap_or_default(), HEADER_BYTES);
    let (size_bytes, _) = verify_attributes(attributes, 1)?;
    if size_bytes != header.size_bytes {
        return Err(Damage::new("the stored item's size is not the size of its attributes", 5));
    }
    Ok(())
}

/// The size of a value as DynamoDB counts it.
fn verify_value(cursor: &mut Cursor<'_>, level: usize) -> Result<usize, Damage> {
    let start = *cursor;
    if level > NESTING_LIMIT {
        return Err(start.damage("values nest too deep"));
    }
    Ok(match cursor.value()? {
        Raw::Null | Raw::Bool(_) => 1,
        Raw::String(bytes) => verify_text(&start, bytes)?.len(),
        Raw::Binary(bytes) => bytes.len(),
        Raw::Number(bytes) => verify_number(&start, bytes)?.size_bytes(),
        Raw::Map(contents) => {
            let (size, count) = verify_attributes(contents, level + 1)?;
            3 + count + size
        }
        Raw::List(contents) => {
            let mut size = 0;
            let count = verify_elements(contents, |cursor| {
                size += verify_value(cursor, level + 1)?;
                Ok(())
            })?;
            3 + count + size
        }
        Raw::StringSet(contents) => {
            verify_set(contents, |start, bytes| verify_text(start, bytes), |string| string.len())?
        }
        Raw::BinarySet(contents) => verify_set(contents, |_, bytes| Ok(bytes), |bytes| bytes.len())?,
        Raw::NumberSet(contents) => {
            verify_set(contents, |start, bytes| verify_number(start, bytes), Number::size_bytes)?
        }
    })
}

/// The size of attributes whose values are at `level`, and their number.
fn verify_attributes(contents: Cursor<'_>, level: usize) -> Result<(usize, usize), Damage> {
    let mut size = 0;
    let mut previous = None;
    let count = verify_elements(contents, |cursor| {
        let start = *cursor;
        let name = verify_text(&start, cursor.prefixed()?)?;
        if previous.is_some_and(|previous| previous >= name) {
            return Err(start.damage("attributes are out of order"));
        }
        previous = Some(name);
        size += name.len() + verify_value(cursor, level)?;
        Ok(())
    })?;
    Ok((size, count))
}

fn verify_set<'a, Member: PartialOrd>(
    contents: Cursor<'a>,
    member: impl Fn(&Cursor<'a>, &'a [u8]) -> Result<Member, Damage>,
    member_size: impl Fn(&Member) -> usize,
) -> Result<usize, Damage> {
    let mut size = 0;
    let mut previous: Option<Member> = None;
    let count = verify_elements(contents, |cursor| {
        let start = *cursor;
        let next = member(&start, cursor.prefixed()?)?;
        if previous.as_ref().is_some_and(|previous| *previous >= next) {
            return Err(start.damage("the members of a set are out of order"));
        }
        size += member_size(&next);
        previous = Some(next);
        Ok(())
    })?;
    if count == 0 { Err(contents.damage("a set is empty")) } else { Ok(size) }
}

/// Counted elements that fill their bytes; how many.
fn verify_elements<'a>(
    mut contents: Cursor<'a>,
    mut element: impl FnMut(&mut Cursor<'a>) -> Result<(), Damage>,
) -> Result<usize, Damage> {
    let count = contents.length()?;
    for _ in 0..count {
        element(&mut contents)?;
    }
    if contents.is_at_end() { Ok(count) } else { Err(contents.damage("there is more than was counted")) }
}

fn verify_text<'a>(start: &Cursor<'_>, bytes: &'a [u8]) -> Result<&'a str, Damage> {
    std::str::from_utf8(bytes).map_err(|_| start.damage("a string is not UTF-8"))
}

fn verify_number(start: &Cursor<'_>, bytes: &[u8]) -> Result<Number, Damage> {
    Number::from_significant_bytes(bytes).map_err(|damage| start.damage(damage.what()))
}
