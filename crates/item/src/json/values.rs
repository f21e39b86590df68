//! Reading attribute values.
//!
//! The first refusal stands; after it the rest is still read, since a wrong kind of JSON further on comes first in
//! the service's order, but nothing more is kept. The stack is bounded: below the nesting limit values are skipped.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiter::Peek;

use super::reader::{ListType, ObjectType, Reader, malformed};
use super::{Checked, SerializationError, ValueRefusal};
use crate::value::NESTING_LIMIT;
use crate::{AttributeMap, AttributeValue, Number, Set, SetError};

/// More values than this, nested ones and members of sets counted, are not kept: no item of 400 KB has as many.
const MOST_VALUES: usize = 400 * 1024;
/// More bytes than this are not kept: the service allows 2 MB of values to one expression, and 400 KB to an item.
const MOST_BYTES: usize = 2 * 1024 * 1024;
/// The longest name of an attribute, top-level or in a map:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html>.
const LONGEST_NAME_BYTES: usize = 65_535;

impl Reader<'_> {
    /// Reads one attribute value, `{"S": "text"}`.
    ///
    /// # Errors
    /// [`SerializationError`] for the wrong kind of JSON. A value that is refused is no error here, but the inner
    /// result: the reader stands behind it, and can go on to a type error, which would come first.
    ///
    /// ```
    /// use keywright_item::AttributeValue;
    /// use keywright_item::json::{Reader, ValueRefusal};
    ///
    /// let value = Reader::new(br#"{"S": "text"}"#).attribute_value()?;
    /// assert_eq!(value, Ok(AttributeValue::S("text".to_owned())));
    /// let value = Reader::new(br#"{"SS": []}"#).attribute_value()?;
    /// assert_eq!(value, Err(ValueRefusal::EmptyStringSet));
    /// # Ok::<(), keywright_item::json::SerializationError>(())
    /// ```
    pub fn attribute_value(&mut self) -> Result<Checked<AttributeValue>, SerializationError> {
        let mut kept = Kept::default();
        let value = self.value(&mut kept, 1)?;
        Ok(kept.checked(value))
    }

    /// Reads a map of attribute values by name: an item or a key. (The values of an expression have no attributes'
    /// names, and each refusal names its placeholder: read them as an [`object`](Reader::object) of
    /// [`attribute_value`](Reader::attribute_value)s.)
    ///
    /// # Errors
    /// As [`attribute_value`](Reader::attribute_value).
    pub fn attribute_map(&mut self) -> Result<Checked<AttributeMap>, SerializationError> {
        self.checked_map(ObjectType::Map("AttributeValue"))
    }

    /// Reads a map of attribute values that is an element of a list. It differs from
    /// [`attribute_map`](Reader::attribute_map) in the text when there is none.
    ///
    /// # Errors
    /// As [`attribute_value`](Reader::attribute_value).
    pub fn attribute_map_element(&mut self) -> Result<Checked<AttributeMap>, SerializationError> {
        self.checked_map(ObjectType::ElementMap("AttributeValue"))
    }

    fn checked_map(&mut self, expected: ObjectType) -> Result<Checked<AttributeMap>, SerializationError> {
        let mut kept = Kept::default();
        let map = self.map(expected, &mut kept, 1)?;
        Ok(kept.checked(map))
    }

    /// The attributes of a map whose values are at `level`.
    fn map(
        &mut self,
        expected: ObjectType,
        kept: &mut Kept,
        level: usize,
    ) -> Result<AttributeMap, SerializationError> {
        let found = self.peek()?;
        if found != Peek::Object {
            return Err(self.not_an_object(expected, found));
        }
        let mut attributes = Vec::new();
        let mut name = self.jiter.known_object().map_err(malformed)?;
        while let Some(present) = name {
            kept.check_name(present);
            let owned = kept.keep(present.len()).then(|| present.to_owned());
            let value = self.value(kept, level)?;
            if let (Some(name), Some(value)) = (owned, value) {
                attributes.push((name, value));
            }
            name = self.jiter.next_key().map_err(malformed)?;
        }
        Ok(attributes.into_iter().collect())
    }

    /// The value at `level`; `None` when it is refused or not kept.
    fn value(&mut self, kept: &mut Kept, level: usize) -> Result<Option<AttributeValue>, SerializationError> {
        if level > NESTING_LIMIT {
            kept.refuse(ValueRefusal::TooDeep);
            self.skip()?;
            return Ok(None);
        }
        let found = self.peek()?;
        if found != Peek::Object {
            if self.null()? {
                kept.refuse(ValueRefusal::NoType);
                return Ok(None);
            }
            return Err(self.not_an_object(ObjectType::Element("AttributeValue"), found));
        }
        let mut given: Option<Type> = None;
        let mut several = false;
        let mut value = None;
        let mut type_name = self.jiter.known_object().map_err(malformed)?.map(Type::named);
        while let Some(named) = type_name {
            match named {
                Some(named) if !self.null()? => {
                    several |= given.is_some_and(|given| given != named);
                    given = Some(named);
                    value = self.content(named, kept, level)?;
                }
                Some(_) => {}
                None => self.skip()?,
            }
            type_name = self.jiter.next_key().map_err(malformed)?.map(Type::named);
        }
        if several {
            kept.refuse(ValueRefusal::SeveralTypes);
        } else if given.is_none() {
            kept.refuse(ValueRefusal::NoType);
        }
        Ok(value)
    }

    fn content(
        &mut self,
        named: Type,
        kept: &mut Kept,
        level: usize,
    ) -> Result<Option<AttributeValue>, SerializationError> {
        Ok(match named {
            Type::S => {
                let text = self.text()?;
                kept.keep(text.len()).then(|| AttributeValue::S(text.to_owned()))
            }
            Type::N => self.number(kept)?.map(AttributeValue::N),
            Type::B => self.binary(kept)?.map(AttributeValue::B),
            Type::Bool => {
                let boolean = self.boolean()?;
                kept.keep(1).then_some(AttributeValue::Bool(boolean))
            }
            Type::Null => {
                if !self.boolean()? {
                    kept.refuse(ValueRefusal::NullIsFalse);
                }
                kept.keep(1).then_some(AttributeValue::Null)
            }
            Type::M => {
                let map = self.map(ObjectType::Map("AttributeValue"), kept, level + 1)?;
                kept.keep(3).then_some(AttributeValue::M(map))
            }
            Type::L => self.list(kept, level + 1)?,
            Type::Ss => self.string_set(kept)?,
            Type::Ns => self.number_set(kept)?,
            Type::Bs => self.binary_set(kept)?,
        })
    }

    fn number(&mut self, kept: &mut Kept) -> Result<Option<Number>, SerializationError> {
        let parsed = Number::parse(self.text()?);
        Ok(match parsed {
            Ok(number) => kept.keep(number.size_bytes()).then_some(number),
            Err(error) => {
                kept.refuse(ValueRefusal::Number(error));
                None
            }
        })
    }

    fn binary(&mut self, kept: &mut Kept) -> Result<Option<Vec<u8>>, SerializationError> {
        let found = self.peek()?;
        match found {
            Peek::String => {}
            Peek::Array => {
                return Err(SerializationError::Collection("class java.nio.ByteBuffer".to_owned()));
            }
            Peek::Object => return Err(SerializationError::Structure),
            _ => {
                self.skip_scalar(found)?;
                return Err(SerializationError::NotBase64);
            }
        }
        let text = self.jiter.known_str().map_err(malformed)?;
        if !text.len().is_multiple_of(4) {
            return Err(SerializationError::Base64Length(text.chars().count()));
        }
        let bytes = STANDARD.decode(text).map_err(|_| SerializationError::Base64Characters)?;
        Ok(kept.keep(bytes.len()).then_some(bytes))
    }

    fn list(&mut self, kept: &mut Kept, level: usize) -> Result<Option<AttributeValue>, SerializationError> {
        let mut values = Vec::new();
        self.array(ListType::Member, |reader| {
            values.extend(reader.value(kept, level)?);
            Ok::<(), SerializationError>(())
        })?;
        Ok(kept.keep(3).then_some(AttributeValue::L(values)))
    }

    fn string_set(&mut self, kept: &mut Kept) -> Result<Option<AttributeValue>, SerializationError> {
        let members = self.members(
            kept,
            ValueRefusal::EmptyStringSet,
            ValueRefusal::NullInStringSet,
            |reader, kept| {
                let text = reader.text()?;
                Ok(kept.keep(text.len()).then(|| text.to_owned()))
            },
        )?;
        Ok(members
            .and_then(|members| kept.set(members, ValueRefusal::DuplicateStrings))
            .map(AttributeValue::Ss))
    }

    fn number_set(&mut self, kept: &mut Kept) -> Result<Option<AttributeValue>, SerializationError> {
        let members =
            self.members(kept, ValueRefusal::EmptyNumberSet, ValueRefusal::NullInNumberSet, Reader::number)?;
        Ok(members
            .and_then(|members| kept.set(members, |_| ValueRefusal::DuplicateNumbers))
            .map(AttributeValue::Ns))
    }

    fn binary_set(&mut self, kept: &mut Kept) -> Result<Option<AttributeValue>, SerializationError> {
        let members =
            self.members(kept, ValueRefusal::EmptyBinarySet, ValueRefusal::NullInBinarySet, Reader::binary)?;
        Ok(members
            .and_then(|members| kept.set(members, ValueRefusal::DuplicateBinaries))
            .map(AttributeValue::Bs))
    }

    /// The members of a set as they come; `None` when they are refused or not kept.
    fn members<Member>(
        &mut self,
        kept: &mut Kept,
        empty: ValueRefusal,
        null: ValueRefusal,
        mut member: impl FnMut(&mut Self, &mut Kept) -> Result<Option<Member>, SerializationError>,
    ) -> Result<Option<Vec<Member>>, SerializationError> {
        let found = self.peek()?;
        if found != Peek::Array {
            return Err(self.not_an_array(ListType::Member, found));
        }
        let mut members = Vec::new();
        let mut count = 0_usize;
        let mut nulls = false;
        let mut present = self.jiter.known_array().map_err(malformed)?.is_some();
        while present {
            count += 1;
            if self.null()? {
                nulls = true;
            } else {
                members.extend(member(self, kept)?);
            }
            present = self.jiter.array_step().map_err(malformed)?.is_some();
        }
        if count == 0 {
            kept.refuse(empty);
        }
        if nulls {
            kept.refuse(null);
        }
        Ok((members.len() == count && count > 0).then_some(members))
    }
}

/// What has been kept of one value or map, and why no more is.
#[derive(Default)]
struct Kept {
    refusal: Option<ValueRefusal>,
    values: usize,
    bytes: usize,
}

impl Kept {
    /// Counts one value, or one name, of so many bytes; whether to keep it.
    fn keep(&mut self, bytes: usize) -> bool {
        self.values += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        self.refusal.is_none() && !self.is_too_large()
    }

    fn check_name(&mut self, name: &str) {
        if name.is_empty() {
            self.refuse(ValueRefusal::EmptyName);
        } else if name.len() > LONGEST_NAME_BYTES {
            self.refuse(ValueRefusal::NameTooLong);
        }
    }

    fn refuse(&mut self, refusal: ValueRefusal) {
        self.refusal.get_or_insert(refusal);
    }

    /// The set of these members.
    fn set<Member: Ord>(
        &mut self,
        members: Vec<Member>,
        duplicates: impl FnOnce(Vec<Member>) -> ValueRefusal,
    ) -> Option<Set<Member>> {
        // The refusal shows the members as they were sent, and `Set::new` sorts them.
        if !members.is_sorted_by(|one, next| one < next) {
            let mut seen = BTreeSet::new();
            if !members.iter().all(|member| seen.insert(member)) {
                self.refuse(duplicates(members));
                return None;
            }
        }
        match Set::new(members) {
            Ok(set) => Some(set),
            Err(SetError::Empty | SetError::Duplicate) => unreachable!("looked at above, or not called"),
        }
    }

    fn is_too_large(&self) -> bool {
        self.values > MOST_VALUES || self.bytes > MOST_BYTES
    }

    fn checked<T>(self, value: impl Into<Option<T>>) -> Checked<T> {
        let too_large = self.is_too_large();
        match (self.refusal, value.into()) {
            (Some(refusal), _) => Err(refusal),
            (None, Some(value)) if !too_large => Ok(value),
            (None, _) => Err(ValueRefusal::TooLarge),
        }
    }
}

/// The types of attribute values, by their names on the wire.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    S,
    N,
    B,
    Bool,
    Null,
    M,
    L,
    Ss,
    Ns,
    Bs,
}

impl Type {
    fn named(name: &str) -> Option<Type> {
        Some(match name {
            "S" => Type::S,
            "N" => Type::N,
            "B" => Type::B,
            "BOOL" => Type::Bool,
            "NULL" => Type::Null,
            "M" => Type::M,
            "L" => Type::L,
            "SS" => Type::Ss,
            "NS" => Type::Ns,
            "BS" => Type::Bs,
            _ => return None,
        })
    }
}
