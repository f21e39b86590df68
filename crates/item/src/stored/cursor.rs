//! Walking over stored bytes, one piece at a time, with every length checked against what is there.

use crate::{Damage, Number};

/// The tags of values. They are part of the format: `docs/on-disk/item.md`.
pub(super) mod tag {
    pub(crate) const NULL: u8 = 0;
    pub(crate) const FALSE: u8 = 1;
    pub(crate) const TRUE: u8 = 2;
    pub(crate) const STRING: u8 = 3;
    pub(crate) const NUMBER: u8 = 4;
    pub(crate) const BINARY: u8 = 5;
    pub(crate) const MAP: u8 = 6;
    pub(crate) const LIST: u8 = 7;
    pub(crate) const STRING_SET: u8 = 8;
    pub(crate) const NUMBER_SET: u8 = 9;
    pub(crate) const BINARY_SET: u8 = 10;
}

/// Unread bytes, and where they start in the stored item.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    rest: &'a [u8],
    offset: usize,
}

/// One value, found but not looked into. A container's cursor stands at its count.
#[derive(Clone, Copy)]
pub(super) enum Raw<'a> {
    Null,
    Bool(bool),
    String(&'a [u8]),
    Number(&'a [u8]),
    Binary(&'a [u8]),
    Map(Cursor<'a>),
    List(Cursor<'a>),
    StringSet(Cursor<'a>),
    NumberSet(Cursor<'a>),
    BinarySet(Cursor<'a>),
}

/// What reading gave, where `verify` has read the same before without damage.
#[inline]
pub(super) fn verified<T>(read: Result<T, Damage>) -> T {
    match read {
        Ok(value) => value,
        Err(damage) => changed_since(damage),
    }
}

#[cold]
fn changed_since(damage: Damage) -> ! {
    unreachable!("the item was verified when it was opened, but: {damage}")
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(rest: &'a [u8], offset: usize) -> Cursor<'a> {
        Cursor { rest, offset }
    }

    pub(super) const fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) const fn damage(&self, what: &'static str) -> Damage {
        Damage::new(what, self.offset)
    }

    #[inline]
    pub(super) fn byte(&mut self) -> Result<u8, Damage> {
        let (&byte, rest) = self.rest.split_first().ok_or(self.damage("the stored item ends early"))?;
        self.rest = rest;
        self.offset += 1;
        Ok(byte)
    }

    #[inline]
    pub(super) fn fixed_u32(&mut self) -> Result<u32, Damage> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(self.damage("the stored item ends early"))?;
        self.rest = rest;
        self.offset += bytes.len();
        Ok(u32::from_le_bytes(*bytes))
    }

    /// A length or count: 7 bits a byte, lowest first, the high bit set on all but the last.
    #[inline]
    pub(super) fn length(&mut self) -> Result<usize, Damage> {
        match self.rest.split_first() {
            Some((&byte, rest)) if byte < 0x80 => {
                self.rest = rest;
                self.offset += 1;
                Ok(usize::from(byte))
            }
            _ => self.long_length(),
        }
    }

    fn long_length(&mut self) -> Result<usize, Damage> {
        let start = *self;
        let mut value = 0_u64;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return usize::try_from(value).map_err(|_| start.damage("a length is too large"));
            }
        }
        Err(start.damage("a length is too large"))
    }

    #[inline]
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], Damage> {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or(self.damage("a length goes past the end of the stored item"))?;
        self.rest = rest;
        self.offset += length;
        Ok(taken)
    }

    /// Bytes behind their length.
    #[inline]
    pub(super) fn prefixed(&mut self) -> Result<&'a [u8], Damage> {
        let length = self.length()?;
        self.take(length)
    }

    #[inline]
    pub(super) fn value(&mut self) -> Result<Raw<'a>, Damage> {
        let start = *self;
        Ok(match self.byte()? {
            tag::NULL => Raw::Null,
            tag::FALSE => Raw::Bool(false),
            tag::TRUE => Raw::Bool(true),
            tag::STRING => Raw::String(self.prefixed()?),
            tag::NUMBER => Raw::Number(self.prefixed()?),
            tag::BINARY => Raw::Binary(self.prefixed()?),
            tag::MAP => Raw::Map(self.container()?),
            tag::LIST => Raw::List(self.container()?),
            tag::STRING_SET => Raw::StringSet(self.container()?),
            tag::NUMBER_SET => Raw::NumberSet(self.container()?),
            tag::BINARY_SET => Raw::BinarySet(self.container()?),
            _ => return Err(start.damage("a value has an unknown tag")),
        })
    }

    #[inline]
    fn container(&mut self) -> Result<Cursor<'a>, Damage> {
        let length = self.fixed_u32()? as usize;
        let offset = self.offset;
        Ok(Cursor::new(self.take(length)?, offset))
    }
}

/// A name or string, of bytes that `verify` found to be UTF-8.
pub(super) fn verified_str(bytes: &[u8]) -> &str {
    verified(std::str::from_utf8(bytes).map_err(|_| Damage::new("a string is not UTF-8", 0)))
}

/// A number, of bytes that `verify` found to be one.
pub(super) fn verified_number(bytes: &[u8]) -> Number {
    Number::from_verified_bytes(bytes)
}
