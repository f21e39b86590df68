//! Reads a template's text.
//!
//! A literal may hold everything but what a range or a boundary could be mistaken for: with an ordering delimiter no
//! byte below the delimiter's successor, and the successor itself only before another literal byte.

use super::problem::{TemplateError, TemplateProblem};
use super::shape::{LONGEST_TEXT_BYTES, Layout, MOST_SEGMENTS, Modifier, SegmentSpan};
use crate::delimiter::Delimiter;
use crate::format::{LetterCase, TimestampFormat};
use crate::text;

/// Where the segments of `text` lie.
pub(super) const fn layout(text: &str, delimiter: Delimiter) -> Result<Layout, TemplateError> {
    let bytes = text.as_bytes();
    if bytes.is_empty() {
        return Err(TemplateError::new(0, TemplateProblem::Empty));
    }
    if bytes.len() > LONGEST_TEXT_BYTES {
        return Err(TemplateError::new(0, TemplateProblem::TooLong));
    }
    let mut layout = Layout { segments: [EMPTY_SEGMENT; MOST_SEGMENTS], count: 0 };
    let mut place = 0;
    loop {
        let span = match segment(text, place, delimiter) {
            Ok(span) => span,
            Err(error) => return Err(error),
        };
        if let Err(error) = add(&mut layout, text, span, place) {
            return Err(error);
        }
        let end = if span.modifier.is_some() {
            closing_brace(bytes, span.field.1 as usize) + 1
        } else {
            span.literal.1 as usize
        };
        if end >= bytes.len() {
            return Ok(layout);
        }
        // `segment` ends at the end of the text or at a delimiter.
        place = end + 1;
    }
}

const EMPTY_SEGMENT: SegmentSpan = SegmentSpan { literal: (0, 0), field: (0, 0), modifier: None };

/// The segment that begins at `start`.
const fn segment(text: &str, start: usize, delimiter: Delimiter) -> Result<SegmentSpan, TemplateError> {
    let bytes = text.as_bytes();
    let mut place = start;
    while let Some(byte) = text::byte_at(bytes, place) {
        if byte == delimiter.byte() {
            break;
        }
        match byte {
            b'{' => return component(text, start, place, delimiter),
            b'}' => return Err(TemplateError::new(place, TemplateProblem::UnopenedBrace)),
            b'$' if follows(bytes, place, b'{') => {
                return Err(TemplateError::new(place, TemplateProblem::DollarBeforeBrace));
            }
            _ => {}
        }
        if !is_literal(bytes, place, delimiter) {
            return Err(TemplateError::new(place, TemplateProblem::LiteralByte));
        }
        place += 1;
    }
    Ok(SegmentSpan { literal: span(start, place), ..EMPTY_SEGMENT })
}

/// The segment whose literal begins at `start` and whose component opens at `open`.
const fn component(
    text: &str,
    start: usize,
    open: usize,
    delimiter: Delimiter,
) -> Result<SegmentSpan, TemplateError> {
    let bytes = text.as_bytes();
    let name = open + 1;
    let mut name_end = name;
    while let Some(byte) = text::byte_at(bytes, name_end) {
        if !(byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-') {
            break;
        }
        name_end += 1;
    }
    let close = closing_brace(bytes, name_end);
    match text::byte_at(bytes, close) {
        None => return Err(TemplateError::new(open, TemplateProblem::UnclosedBrace)),
        Some(b'{') => return Err(TemplateError::new(close, TemplateProblem::NestedBrace)),
        Some(_) => {}
    }
    if name_end == name && name_end == close {
        return Err(TemplateError::new(open, TemplateProblem::NoName));
    }
    let modifier = if name_end == close {
        Modifier::None
    } else if name_end > name && follows(bytes, name_end - 1, b':') {
        match modifier(text::between(text, name_end + 1, close)) {
            Some(modifier) => modifier,
            None => return Err(TemplateError::new(name_end + 1, TemplateProblem::UnknownModifier)),
        }
    } else {
        return Err(TemplateError::new(name_end, TemplateProblem::NameByte));
    };
    match text::byte_at(bytes, close + 1) {
        Some(byte) if byte == delimiter.byte() => {}
        None => {}
        Some(b'{') => return Err(TemplateError::new(close + 1, TemplateProblem::AdjacentComponents)),
        Some(_) => return Err(TemplateError::new(close + 1, TemplateProblem::TextAfterComponent)),
    }
    Ok(SegmentSpan { literal: span(start, open), field: span(name, name_end), modifier: Some(modifier) })
}

/// The place of the first brace at or after `from`, or the end of the text.
const fn closing_brace(bytes: &[u8], from: usize) -> usize {
    let mut place = from;
    while let Some(byte) = text::byte_at(bytes, place) {
        if matches!(byte, b'{' | b'}') {
            break;
        }
        place += 1;
    }
    place
}

const fn modifier(text: &str) -> Option<Modifier> {
    if text::equal(text, "raw") {
        return Some(Modifier::Raw);
    }
    if text::equal(text, "upper") {
        return Some(Modifier::Case(LetterCase::Upper));
    }
    if text::equal(text, "lower") {
        return Some(Modifier::Case(LetterCase::Lower));
    }
    let mut formats = TimestampFormat::ALL;
    while let [format, later @ ..] = formats {
        if text::equal(text, format.name()) {
            return Some(Modifier::Timestamp(*format));
        }
        formats = later;
    }
    width(text.as_bytes())
}

/// A width is 1 to 20 digits, as many as the largest `u64` has.
const fn width(digits: &[u8]) -> Option<Modifier> {
    match digits {
        [one @ b'1'..=b'9'] => Some(Modifier::Width(*one - b'0')),
        [b'1', one @ b'0'..=b'9'] => Some(Modifier::Width(10 + *one - b'0')),
        [b'2', b'0'] => Some(Modifier::Width(20)),
        _ => None,
    }
}

/// Whether the byte at `place` may stand in a literal.
const fn is_literal(bytes: &[u8], place: usize, delimiter: Delimiter) -> bool {
    let Some(byte) = text::byte_at(bytes, place) else { return false };
    if !delimiter.is_ordering() {
        return byte >= b' ' && byte != 0x7f;
    }
    if byte != delimiter.successor() {
        return byte > delimiter.successor() && byte != 0x7f;
    }
    match text::byte_at(bytes, place + 1) {
        Some(next) => next > delimiter.successor() && next != b'{',
        None => false,
    }
}

const fn follows(bytes: &[u8], place: usize, wanted: u8) -> bool {
    matches!(text::byte_at(bytes, place + 1), Some(byte) if byte == wanted)
}

#[expect(clippy::cast_possible_truncation, reason = "`layout` has compared the text's length with 1,024")]
const fn span(from: usize, to: usize) -> (u16, u16) {
    (from as u16, to as u16)
}

#[expect(
    clippy::indexing_slicing,
    reason = "the count is compared with the array's length in the line before"
)]
const fn add(layout: &mut Layout, text: &str, span: SegmentSpan, place: usize) -> Result<(), TemplateError> {
    if layout.count == MOST_SEGMENTS {
        return Err(TemplateError::new(place, TemplateProblem::TooManySegments));
    }
    if span.modifier.is_some() {
        let field = text::between(text, span.field.0 as usize, span.field.1 as usize);
        let mut earlier = 0;
        while earlier < layout.count {
            let other = layout.segments[earlier];
            let named = text::between(text, other.field.0 as usize, other.field.1 as usize);
            if other.modifier.is_some() && text::equal(named, field) {
                return Err(TemplateError::new(span.field.0 as usize, TemplateProblem::NamedTwice));
            }
            earlier += 1;
        }
    }
    layout.segments[layout.count] = span;
    layout.count += 1;
    Ok(())
}
