//! Text in keys: escaped, or as it is.
//!
//! Escaped, a byte at or below the delimiter's successor becomes the successor and two lower-case hexadecimal digits.
//! Under an ordering delimiter those digits sort above the successor, so that
//! - no byte below the successor is ever written, and the successor never last: nothing looks like the end of a component;
//! - a byte is written as a text that is no beginning of another byte's, and in the bytes' order: byte order is kept.

use std::borrow::Cow;

use super::write::RenderProblem;
use crate::delimiter::Delimiter;
use crate::format::LetterCase;

/// Adds `text`, escaped, to `out`.
pub(super) fn write(
    text: &str,
    letter_case: Option<LetterCase>,
    delimiter: Delimiter,
    out: &mut String,
) -> Result<(), RenderProblem> {
    check_case(text, letter_case)?;
    let escape = char::from(delimiter.successor());
    for character in text.chars() {
        if character <= escape {
            out.push(escape);
            super::identifier_text::write_bytes(&[character as u8], LetterCase::Lower, out);
        } else {
            out.push(character);
        }
    }
    Ok(())
}

/// The text that was written; an error with the place that no text is written like.
pub(super) fn read(
    written: &str,
    letter_case: Option<LetterCase>,
    delimiter: Delimiter,
) -> Result<Cow<'_, str>, usize> {
    let escape = char::from(delimiter.successor());
    if !written.contains(|character| character <= escape) {
        return check_case(written, letter_case).map(|()| Cow::Borrowed(written)).map_err(|_| 0);
    }
    let mut text = String::with_capacity(written.len());
    let mut rest = written;
    while let Some(character) = rest.chars().next() {
        let place = written.len() - rest.len();
        if character == escape {
            let digits = rest.get(1..3).ok_or(place)?;
            let bytes = super::identifier_text::read_bytes(digits, LetterCase::Lower).ok_or(place)?;
            match bytes.as_slice() {
                [byte] if char::from(*byte) <= escape => text.push(char::from(*byte)),
                _ => return Err(place),
            }
            rest = rest.get(3..).unwrap_or("");
        } else if character < escape {
            return Err(place);
        } else {
            text.push(character);
            rest = rest.get(character.len_utf8()..).unwrap_or("");
        }
    }
    check_case(&text, letter_case).map(|()| Cow::Owned(text)).map_err(|_| 0)
}

/// Whether `text` can be written as it is.
///
/// Under an ordering delimiter every byte is above the delimiter's successor, as in escaped text; under another one it
/// does not hold the delimiter.
pub(super) fn check_raw(
    text: &str,
    letter_case: Option<LetterCase>,
    delimiter: Delimiter,
) -> Result<(), RenderProblem> {
    check_case(text, letter_case)?;
    let is_refused =
        |byte: u8| byte == delimiter.byte() || (delimiter.is_ordering() && byte <= delimiter.successor());
    match text.bytes().position(is_refused) {
        Some(place) => Err(RenderProblem::HoldsReserved { place }),
        None => Ok(()),
    }
}

fn check_case(text: &str, letter_case: Option<LetterCase>) -> Result<(), RenderProblem> {
    let is_other = |(_, character): &(usize, char)| match letter_case {
        None => false,
        Some(LetterCase::Upper) => !character.to_uppercase().eq([*character]),
        Some(LetterCase::Lower) => !character.to_lowercase().eq([*character]),
    };
    match text.char_indices().find(is_other) {
        Some((place, _)) => Err(RenderProblem::OtherCase { place }),
        None => Ok(()),
    }
}
