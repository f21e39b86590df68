//! Passing over a value of any depth without recursion: what is open is one bit a level.
//!
//! What is passed over is held to the same JSON as what is read, UTF-8 included: whether a body is refused does not
//! depend on which of its members are known.

use jiter::{JiterError, Peek};

use super::SerializationError;
use super::reader::{Reader, malformed};

impl Reader<'_> {
    /// Passes over a value of any kind and depth, and keeps nothing of it.
    ///
    /// # Errors
    /// [`SerializationError::Malformed`] when it is not JSON.
    pub fn skip(&mut self) -> Result<(), SerializationError> {
        let mut open = OpenContainers::default();
        let mut next = self.peek()?;
        loop {
            let mut present = match next {
                Peek::Array => {
                    open.push(Container::Array);
                    self.jiter.known_array().map_err(malformed)?
                }
                Peek::Object => {
                    open.push(Container::Object);
                    let name = is_text(self.jiter.next_object_bytes())?;
                    self.member(name)?
                }
                scalar => {
                    self.skip_scalar(scalar)?;
                    match open.last() {
                        None => return Ok(()),
                        Some(container) => self.step(container)?,
                    }
                }
            };
            while present.is_none() {
                open.pop();
                match open.last() {
                    None => return Ok(()),
                    Some(container) => present = self.step(container)?,
                }
            }
            if let Some(peek) = present {
                next = peek;
            }
        }
    }

    /// The next value of a container that is being skipped; `None` when it is closed.
    fn step(&mut self, container: Container) -> Result<Option<Peek>, SerializationError> {
        match container {
            Container::Array => self.jiter.array_step().map_err(malformed),
            Container::Object => {
                let name = is_text(self.jiter.next_key_bytes())?;
                self.member(name)
            }
        }
    }

    /// The value behind a member's name, if there is one: `name` says whether it was text.
    fn member(&mut self, name: Option<bool>) -> Result<Option<Peek>, SerializationError> {
        match name {
            None => Ok(None),
            Some(true) => self.peek().map(Some),
            Some(false) => Err(self.malformed_here()),
        }
    }

    /// Passes over a scalar whose kind is known.
    pub(super) fn skip_scalar(&mut self, found: Peek) -> Result<(), SerializationError> {
        match found {
            Peek::String => {
                let text = is_text(self.jiter.known_bytes().map(Some))?;
                return if text == Some(false) { Err(self.malformed_here()) } else { Ok(()) };
            }
            Peek::True | Peek::False => self.jiter.known_bool(found).map(|_| ()),
            Peek::Null => self.jiter.known_null(),
            _ => self.jiter.known_number_bytes(found).map(|_| ()),
        }
        .map_err(malformed)
    }
}

/// Whether the bytes of a string, as they were sent, are UTF-8: jiter does not look. Escapes are ASCII, and what they
/// stand for was checked.
fn is_text(bytes: Result<Option<&[u8]>, JiterError>) -> Result<Option<bool>, SerializationError> {
    let bytes = bytes.map_err(malformed)?;
    Ok(bytes.map(|bytes| std::str::from_utf8(bytes).is_ok()))
}

#[derive(Clone, Copy)]
enum Container {
    Array,
    Object,
}

/// The containers around the value being skipped: one bit each, so that 16 MB of `[` cost 2 MB.
#[derive(Default)]
struct OpenContainers {
    words: Vec<u64>,
    depth: usize,
}

impl OpenContainers {
    fn push(&mut self, container: Container) {
        let (word, mask) = (self.depth / 64, 1 << (self.depth % 64));
        if word == self.words.len() {
            self.words.push(0);
        }
        if let Some(word) = self.words.get_mut(word) {
            match container {
                Container::Array => *word &= !mask,
                Container::Object => *word |= mask,
            }
        }
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn last(&self) -> Option<Container> {
        let place = self.depth.checked_sub(1)?;
        let word = self.words.get(place / 64)?;
        Some(if word & (1 << (place % 64)) == 0 { Container::Array } else { Container::Object })
    }
}
