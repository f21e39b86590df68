//! The bytes of a cursor: a version, a nonce, and the sealed position.
//!
//! The seal is XChaCha20-Poly1305, whose nonce is long enough to be random. What the cursor is bound to is not in it: it is the
//! associated data, which whoever opens the cursor must have.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};

use super::{Cursor, CursorError, CursorKeys};
use crate::item::KeyAttributes;

/// What the first byte says: how the rest is laid out.
const VERSION: u8 = 1;
const NONCE_BYTES: usize = 24;
/// Above every cursor of one key: those of a table and an index, and what surrounds them.
pub(super) const LONGEST_TEXT: usize = 32 * 1024;

/// What a cursor is bound to: texts and bytes, each with its length, so that no two contexts are written alike.
#[derive(Clone, Debug)]
pub(crate) struct Context(Vec<u8>);

impl Context {
    /// Bound to nothing yet.
    pub(crate) fn new() -> Context {
        // Most contexts fit.
        Context(Vec::with_capacity(1024))
    }

    /// Binds to one more thing.
    pub(crate) fn bind(&mut self, part: &[u8]) {
        // Requests are far below 4 GiB.
        self.0.extend_from_slice(&(part.len() as u64).to_be_bytes());
        self.0.extend_from_slice(part);
    }

    /// Binds to a value, its type included.
    pub(crate) fn bind_value(&mut self, value: &AttributeValue) {
        match value {
            AttributeValue::S(text) => {
                self.bind(b"S");
                self.bind(text.as_bytes());
            }
            AttributeValue::N(number) => {
                self.bind(b"N");
                self.bind(number.as_bytes());
            }
            AttributeValue::B(bytes) => {
                self.bind(b"B");
                self.bind(bytes.as_ref());
            }
            AttributeValue::Bool(boolean) => self.bind(if *boolean { b"true" } else { b"false" }),
            AttributeValue::Ss(members) => self.bind_set(b"SS", members.iter().map(String::as_bytes)),
            AttributeValue::Ns(members) => self.bind_set(b"NS", members.iter().map(String::as_bytes)),
            AttributeValue::Bs(members) => self.bind_set(b"BS", members.iter().map(AsRef::as_ref)),
            AttributeValue::L(values) => {
                self.bind_count(b"L", values.len());
                values.iter().for_each(|value| self.bind_value(value));
            }
            AttributeValue::M(map) => {
                self.bind_count(b"M", map.len());
                // A map has no order of its own, and each copy of it another one.
                let mut values: Vec<(&String, &AttributeValue)> = map.iter().collect();
                values.sort_by_key(|(name, _)| *name);
                for (name, value) in values {
                    self.bind(name.as_bytes());
                    self.bind_value(value);
                }
            }
            // `NULL`: serde writes no other type.
            _ => self.bind(b"NULL"),
        }
    }

    /// Binds to the members of a set, in whatever order they come.
    fn bind_set<'m>(&mut self, kind: &[u8], members: impl Iterator<Item = &'m [u8]>) {
        let mut members: Vec<&[u8]> = members.collect();
        members.sort_unstable();
        self.bind_count(kind, members.len());
        members.into_iter().for_each(|member| self.bind(member));
    }

    fn bind_count(&mut self, kind: &[u8], count: usize) {
        self.bind(kind);
        self.bind(&(count as u64).to_be_bytes());
    }
}

/// Seals the position at which the next page begins.
pub(crate) fn seal(
    keys: &CursorKeys,
    context: &Context,
    position: &KeyAttributes,
    expires_at_seconds: u64,
) -> Result<Cursor, CursorError> {
    let mut nonce = [0_u8; NONCE_BYTES];
    getrandom::fill(&mut nonce).map_err(|_| CursorError::Invalid)?;
    let mut plain = expires_at_seconds.to_be_bytes().to_vec();
    write_position(position, &mut plain)?;
    let cipher = XChaCha20Poly1305::new(keys.sealing().bytes().into());
    let payload = Payload { msg: &plain, aad: &context.0 };
    let sealed = cipher.encrypt(XNonce::from_slice(&nonce), payload).map_err(|_| CursorError::Invalid)?;
    let mut bytes = Vec::with_capacity(1 + NONCE_BYTES + sealed.len());
    bytes.push(VERSION);
    bytes.extend_from_slice(&nonce);
    bytes.extend_from_slice(&sealed);
    let text = URL_SAFE_NO_PAD.encode(bytes);
    if text.len() > LONGEST_TEXT { Err(CursorError::TooLong) } else { Ok(Cursor::new(text)) }
}

/// The position that a cursor holds.
///
/// # Errors
/// When no accepted key opens it in this context, and when it has expired.
pub(crate) fn open(
    keys: &CursorKeys,
    context: &Context,
    cursor: &Cursor,
    now_seconds: u64,
) -> Result<KeyAttributes, CursorError> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor.as_str()).map_err(|_| CursorError::Invalid)?;
    let (version, rest) = bytes.split_first().ok_or(CursorError::Invalid)?;
    let (nonce, sealed) = rest.split_at_checked(NONCE_BYTES).ok_or(CursorError::Invalid)?;
    if *version != VERSION {
        return Err(CursorError::Invalid);
    }
    let plain = keys
        .accepted()
        .find_map(|key| {
            let cipher = XChaCha20Poly1305::new(key.bytes().into());
            cipher.decrypt(XNonce::from_slice(nonce), Payload { msg: sealed, aad: &context.0 }).ok()
        })
        .ok_or(CursorError::Invalid)?;
    let (expiry, position) = plain.split_first_chunk::<8>().ok_or(CursorError::Invalid)?;
    if u64::from_be_bytes(*expiry) <= now_seconds {
        return Err(CursorError::Expired);
    }
    read_position(position)
}

/// Adds key attributes in the order of their names: name, type and value, each with its length.
pub(crate) fn write_position(position: &KeyAttributes, bytes: &mut Vec<u8>) -> Result<(), CursorError> {
    let mut attributes: Vec<(&String, &AttributeValue)> = position.iter().collect();
    attributes.sort_by_key(|(name, _)| *name);
    for (name, value) in attributes {
        let (kind, value) = match value {
            AttributeValue::S(text) => (b'S', text.as_bytes()),
            AttributeValue::N(number) => (b'N', number.as_bytes()),
            AttributeValue::B(blob) => (b'B', blob.as_ref()),
            // DynamoDB has no other types of keys.
            _ => return Err(CursorError::Invalid),
        };
        write_part(name.as_bytes(), bytes)?;
        bytes.push(kind);
        write_part(value, bytes)?;
    }
    Ok(())
}

fn write_part(part: &[u8], bytes: &mut Vec<u8>) -> Result<(), CursorError> {
    let length = u16::try_from(part.len()).map_err(|_| CursorError::Invalid)?;
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(part);
    Ok(())
}

/// The key attributes that were written.
pub(crate) fn read_position(mut bytes: &[u8]) -> Result<KeyAttributes, CursorError> {
    let mut position = KeyAttributes::new();
    while !bytes.is_empty() {
        let name = read_text(&mut bytes)?;
        let (kind, rest) = bytes.split_first().ok_or(CursorError::Invalid)?;
        bytes = rest;
        let value = match kind {
            b'S' => AttributeValue::S(read_text(&mut bytes)?),
            b'N' => AttributeValue::N(read_text(&mut bytes)?),
            b'B' => AttributeValue::B(Blob::new(read_part(&mut bytes)?)),
            _ => return Err(CursorError::Invalid),
        };
        position.insert(name, value);
    }
    Ok(position)
}

fn read_text(bytes: &mut &[u8]) -> Result<String, CursorError> {
    String::from_utf8(read_part(bytes)?.to_vec()).map_err(|_| CursorError::Invalid)
}

fn read_part<'b>(bytes: &mut &'b [u8]) -> Result<&'b [u8], CursorError> {
    let (length, rest) = bytes.split_first_chunk::<2>().ok_or(CursorError::Invalid)?;
    let (part, rest) =
        rest.split_at_checked(usize::from(u16::from_be_bytes(*length))).ok_or(CursorError::Invalid)?;
    *bytes = rest;
    Ok(part)
}
