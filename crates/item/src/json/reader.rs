//! The pull reader of request bodies.
//!
//! One pass, no tree: what is not asked for is skipped and keeps nothing. Its own stack is bounded whatever the body
//! nests, and the first error ends the reading.

use jiter::{Jiter, JiterError, NumberInt, Peek};

use super::SerializationError;

/// Reads one JSON body, member by member, with the service's texts for what does not fit.
///
/// A member whose value is JSON null is as good as absent: wrap its reading in [`optional`](Reader::optional).
///
/// ```
/// use keywright_item::json::{ObjectType, Reader, SerializationError};
///
/// let mut reader = Reader::new(br#"{"TableName": "App", "Limit": 5, "Unknown": [{}]}"#);
/// let (mut table, mut limit) = (None, None);
/// reader.object(ObjectType::Body, |name, reader| {
///     match name {
///         "TableName" => table = reader.optional(Reader::string)?,
///         "Limit" => limit = reader.optional(Reader::integer)?,
///         _ => reader.skip()?,
///     }
///     Ok::<(), SerializationError>(())
/// })?;
/// reader.finish()?;
/// assert_eq!((table.as_deref(), limit), (Some("App"), Some(5)));
/// # Ok::<(), SerializationError>(())
/// ```
pub struct Reader<'a> {
    pub(super) jiter: Jiter<'a>,
    /// Buffers of member names that are not in use: one a level of objects being read.
    names: Vec<String>,
}

/// What the service's model calls the object that is read. It decides the text when there is no object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectType {
    /// The request itself.
    Body,
    /// A structure that is a member of a structure; its name, for example `ProvisionedThroughput`.
    Structure(&'static str),
    /// A structure that is an element of a list or the value of a map; its name, for example `KeySchemaElement`.
    Element(&'static str),
    /// A map to structures; their name, for example `AttributeValue`.
    Map(&'static str),
    /// A map to strings.
    MapToStrings,
    /// A map to lists of structures; their name, for example `WriteRequest`.
    MapToLists(&'static str),
    /// A map that is an element of a list or the value of a map; the name of its values, for example `AttributeValue`.
    ElementMap(&'static str),
}

/// Where the list that is read stands. It decides the text when there is no list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListType {
    /// A member of a structure.
    Member,
    /// The value of a map.
    Element,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `body`.
    #[must_use]
    pub fn new(body: &'a [u8]) -> Reader<'a> {
        Reader { jiter: Jiter::new(body), names: Vec::new() }
    }

    /// Reads an object: `member` is called with the name of each member, and must read or
    /// [`skip`](Reader::skip) its value. A name that occurs twice comes twice.
    ///
    /// # Errors
    /// [`SerializationError`] when there is no object, or it is malformed; and whatever `member` returns.
    pub fn object<Failure: From<SerializationError>>(
        &mut self,
        expected: ObjectType,
        mut member: impl FnMut(&str, &mut Reader<'a>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let found = self.peek()?;
        if found != Peek::Object {
            return Err(self.not_an_object(expected, found).into());
        }
        let mut name = self.names.pop().unwrap_or_default();
        let mut present = copy_name(&mut name, self.jiter.known_object())?;
        while present {
            member(&name, self)?;
            present = copy_name(&mut name, self.jiter.next_key())?;
        }
        self.names.push(name);
        Ok(())
    }

    /// Reads an array: `element` is called at each element, and must read or [`skip`](Reader::skip) it.
    ///
    /// # Errors
    /// [`SerializationError`] when there is no array, or it is malformed; and whatever `element` returns.
    pub fn array<Failure: From<SerializationError>>(
        &mut self,
        expected: ListType,
        mut element: impl FnMut(&mut Reader<'a>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let found = self.peek()?;
        if found != Peek::Array {
            return Err(self.not_an_array(expected, found).into());
        }
        let mut present = self.jiter.known_array().map_err(malformed)?.is_some();
        while present {
            element(self)?;
            present = self.jiter.array_step().map_err(malformed)?.is_some();
        }
        Ok(())
    }

    /// Reads a value that may be null, which is as good as absent.
    ///
    /// # Errors
    /// Whatever `read` returns.
    pub fn optional<T, Failure: From<SerializationError>>(
        &mut self,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        if self.null()? { Ok(None) } else { read(self).map(Some) }
    }

    /// Reads a value by `read`, and returns its text as well, as it stands in the body.
    ///
    /// # Errors
    /// Whatever `read` returns.
    pub fn with_text<T, Failure>(
        &mut self,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T, Failure>,
    ) -> Result<(T, &'a [u8]), Failure> {
        let start = self.jiter.current_index();
        let value = read(self)?;
        Ok((value, self.jiter.slice_to_current(start)))
    }

    /// Reads a string.
    ///
    /// # Errors
    /// [`SerializationError`] when there is no string.
    pub fn string(&mut self) -> Result<String, SerializationError> {
        self.text().map(str::to_owned)
    }

    /// Reads a boolean. The service also takes the strings true, yes, 1, false, no and 0, in any case.
    ///
    /// # Errors
    /// [`SerializationError`] when there is none.
    pub fn boolean(&mut self) -> Result<bool, SerializationError> {
        let found = self.peek()?;
        match found {
            Peek::True | Peek::False => self.jiter.known_bool(found).map_err(malformed),
            Peek::String => {
                let text = self.jiter.known_str().map_err(malformed)?;
                let is = |words: [&str; 3]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
                if is(["true", "1", "yes"]) {
                    Ok(true)
                } else if is(["false", "0", "no"]) {
                    Ok(false)
                } else {
                    Err(SerializationError::Token)
                }
            }
            _ => Err(self.not_a_scalar("Boolean", "class java.lang.Boolean", found)),
        }
    }

    /// Reads a number that the service's model calls an Integer; a fraction is cut off. What 32 bits do not hold
    /// is returned as it is, for the constraints to refuse.
    ///
    /// # Errors
    /// [`SerializationError`] when there is no number.
    pub fn integer(&mut self) -> Result<i64, SerializationError> {
        self.whole_number("Integer", "class java.lang.Integer")
    }

    /// Reads a number that the service's model calls a Long; a fraction is cut off. Beyond 64 bits it is the
    /// nearest number that they hold.
    ///
    /// # Errors
    /// [`SerializationError`] when there is no number.
    pub fn long(&mut self) -> Result<i64, SerializationError> {
        self.whole_number("Long", "class java.lang.Long")
    }

    /// Ends the reading: after the body's value nothing but white space may follow.
    ///
    /// # Errors
    /// [`SerializationError::Malformed`] when something follows.
    pub fn finish(mut self) -> Result<(), SerializationError> {
        self.jiter.finish().map_err(malformed)
    }

    /// Reads a string in place: it is valid until the next call.
    pub(super) fn text(&mut self) -> Result<&str, SerializationError> {
        let found = self.peek()?;
        if found != Peek::String {
            return Err(self.not_a_scalar("String", "class java.lang.String", found));
        }
        self.jiter.known_str().map_err(malformed)
    }

    /// Consumes a null, if there is one.
    pub(super) fn null(&mut self) -> Result<bool, SerializationError> {
        let null = self.peek()? == Peek::Null;
        if null {
            self.jiter.known_null().map_err(malformed)?;
        }
        Ok(null)
    }

    pub(super) fn peek(&mut self) -> Result<Peek, SerializationError> {
        self.jiter.peek().map_err(malformed)
    }

    /// The error for a value of kind `found` where an object belongs.
    pub(super) fn not_an_object(&mut self, expected: ObjectType, found: Peek) -> SerializationError {
        if found == Peek::Array {
            return match expected {
                ObjectType::Body => self.malformed_here(),
                ObjectType::Structure(name) | ObjectType::Element(name) => {
                    SerializationError::Collection(format!("class {MODEL}{name}"))
                }
                ObjectType::Map(name) | ObjectType::ElementMap(name) => {
                    SerializationError::Collection(format!("java.util.Map<java.lang.String, {MODEL}{name}>"))
                }
                ObjectType::MapToStrings => SerializationError::Collection(
                    "java.util.Map<java.lang.String, java.lang.String>".to_owned(),
                ),
                ObjectType::MapToLists(name) => SerializationError::Collection(format!(
                    "java.util.Map<java.lang.String, java.util.List<{MODEL}{name}>>"
                )),
            };
        }
        if let Err(error) = self.skip_scalar(found) {
            return error;
        }
        match expected {
            ObjectType::Body => self.malformed_here(),
            ObjectType::Structure(_)
            | ObjectType::Map(_)
            | ObjectType::MapToStrings
            | ObjectType::MapToLists(_) => SerializationError::Field,
            ObjectType::Element(_) => SerializationError::Value,
            ObjectType::ElementMap(_) => SerializationError::Parameterized,
        }
    }

    /// The error for a value of kind `found` where an array belongs.
    pub(super) fn not_an_array(&mut self, expected: ListType, found: Peek) -> SerializationError {
        if found == Peek::Object {
            return SerializationError::Structure;
        }
        match self.skip_scalar(found) {
            Err(error) => error,
            Ok(()) => match expected {
                ListType::Member => SerializationError::Field,
                ListType::Element => SerializationError::Parameterized,
            },
        }
    }

    /// The error for a value of kind `found` where another scalar belongs.
    pub(super) fn not_a_scalar(
        &mut self,
        expected: &'static str,
        class: &'static str,
        found: Peek,
    ) -> SerializationError {
        let found = match found {
            Peek::Array => return SerializationError::Collection(class.to_owned()),
            Peek::Object => return SerializationError::Structure,
            Peek::True => "TRUE_VALUE",
            Peek::False => "FALSE_VALUE",
            Peek::Null => "NULL_VALUE",
            Peek::String => "STRING_VALUE",
            number => match self.jiter.known_number_bytes(number) {
                Ok(text) if is_whole(text) => "NUMBER_VALUE",
                Ok(_) => "DECIMAL_VALUE",
                Err(error) => return malformed(error),
            },
        };
        SerializationError::Scalar { found, expected }
    }

    fn whole_number(
        &mut self,
        expected: &'static str,
        class: &'static str,
    ) -> Result<i64, SerializationError> {
        let found = self.peek()?;
        if !found.is_num() {
            return Err(self.not_a_scalar(expected, class, found));
        }
        let text = self.jiter.known_number_bytes(found).map_err(malformed)?;
        if let Ok(NumberInt::Int(integer)) = NumberInt::try_from(text) {
            return Ok(integer);
        }
        // A fraction, an exponent or more than 64 bits. A cast of a float saturates.
        let float = std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok());
        Ok(float.unwrap_or_default() as i64)
    }

    pub(super) fn malformed_here(&self) -> SerializationError {
        SerializationError::Malformed { offset: self.jiter.current_index() }
    }
}

const MODEL: &str = "com.amazonaws.dynamodb.v20120810.";

pub(super) fn malformed(error: JiterError) -> SerializationError {
    SerializationError::Malformed { offset: error.index }
}

fn copy_name(
    buffer: &mut String,
    name: Result<Option<&str>, JiterError>,
) -> Result<bool, SerializationError> {
    let name = name.map_err(malformed)?;
    if let Some(name) = name {
        buffer.clear();
        buffer.push_str(name);
    }
    Ok(name.is_some())
}

fn is_whole(number: &[u8]) -> bool {
    !number.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
}
