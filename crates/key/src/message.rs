//! What a rule says: one text, built alike by the compiler and by a running program.
//!
//! The text has a fixed room, since constant functions cannot allocate. Texts of the user are cut to a length each,
//! with `…` at the end, so that a message keeps its advice. What still does not fit is cut the same way, never dropped
//! silently and never in the middle of a character.

use std::error::Error;
use std::fmt;

use crate::rule::Rule;
use crate::text;

/// The longest message, in bytes.
const ROOM: usize = 1536;
/// The longest name or template that a message repeats, in bytes.
const LONGEST_INSERT: usize = 160;
/// What stands where a text was cut.
const ELLIPSIS: &str = "…";

/// Why a design breaks a rule, and what to do about it.
///
/// The text begins with the rule's code; it is the same at compile time and at run time.
#[derive(Clone)]
pub struct Message {
    rule: &'static Rule,
    bytes: [u8; ROOM],
    length: usize,
    is_cut: bool,
}

impl Message {
    /// The rule that is broken.
    #[must_use]
    pub const fn rule(&self) -> &'static Rule {
        self.rule
    }

    /// The whole text, the rule's code first.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        let (written, _) = self.bytes.split_at(self.length);
        match std::str::from_utf8(written) {
            Ok(text) => text,
            // Only whole characters are ever written.
            Err(_) => unreachable!(),
        }
    }

    /// Stops the compilation, or the program, with the text.
    ///
    /// # Panics
    /// Always: this is how a constant function reports.
    #[track_caller]
    #[expect(clippy::panic, reason = "a panic is the one way in which a constant function reports a message")]
    pub const fn fail(&self) -> ! {
        panic!("{}", self.as_str())
    }

    /// A message of `rule` that says its code so far.
    pub(crate) const fn new(rule: &'static Rule) -> Message {
        let message = Message { rule, bytes: [0; ROOM], length: 0, is_cut: false };
        message.say(rule.code).say(": ")
    }

    /// Adds words of ours.
    pub(crate) const fn say(self, words: &str) -> Message {
        self.push(words, usize::MAX)
    }

    /// Adds a name of the user's, in backquotes.
    pub(crate) const fn name(self, name: &str) -> Message {
        self.say("`").push(name, LONGEST_INSERT).say("`")
    }

    /// Adds a text of the user's, in double quotes.
    pub(crate) const fn quote(self, quoted: &str) -> Message {
        self.say("\"").push(quoted, LONGEST_INSERT).say("\"")
    }

    /// Adds a number.
    pub(crate) const fn number(self, number: usize) -> Message {
        let message = if number >= 10 { self.number(number / 10) } else { self };
        let digit = b'0' + (number % 10) as u8;
        message.push_byte(digit)
    }

    const fn push_byte(self, byte: u8) -> Message {
        let bytes = [byte];
        match std::str::from_utf8(&bytes) {
            Ok(text) => self.push(text, 1),
            Err(_) => unreachable!(),
        }
    }

    /// Adds at most `longest` bytes of `words`, and `…` if there are more.
    ///
    /// While nothing was cut for want of room, there is room for one more `…`.
    const fn push(mut self, words: &str, longest: usize) -> Message {
        if self.is_cut {
            return self;
        }
        let room = ROOM - ELLIPSIS.len() - self.length;
        if words.len() <= longest && words.len() <= room {
            self.copy(words);
            return self;
        }
        let fits = words.len() > longest && longest.saturating_add(ELLIPSIS.len()) <= room;
        let limit = if fits { longest } else { room };
        self.copy(text::between(words, 0, boundary_at_or_below(words, limit)));
        self.copy(ELLIPSIS);
        self.is_cut = !fits;
        self
    }

    #[expect(clippy::indexing_slicing, reason = "`push` has compared the length with the room")]
    const fn copy(&mut self, words: &str) {
        let mut bytes = words.as_bytes();
        while let [byte, later @ ..] = bytes {
            self.bytes[self.length] = *byte;
            self.length += 1;
            bytes = later;
        }
    }
}

/// The last place at or below `limit` where `words` can be cut between two characters.
const fn boundary_at_or_below(words: &str, limit: usize) -> usize {
    let mut place = if limit < words.len() { limit } else { words.len() };
    while !words.is_char_boundary(place) {
        place -= 1;
    }
    place
}

impl fmt::Display for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Message").field(&self.as_str()).finish()
    }
}

impl PartialEq for Message {
    fn eq(&self, other: &Message) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Message {}

impl Error for Message {}
