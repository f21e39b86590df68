//! Document paths: an attribute, and the way into it.
//!
//! Invariant: a path has at most [`MAX_LEVELS`] steps, so that following or building one cannot overflow the stack.

use std::fmt::{self, Write as _};

use crate::document::{Attributes, Value};
use crate::printed::{LONGEST_PRINTED_BYTES, beginning};

/// The most steps of a document path, the attribute's name included.
///
/// Source: "Nested attribute depth" in <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>
pub(crate) const MAX_LEVELS: usize = 32;

/// The largest index that an expression can name; no list is so long.
pub(crate) const MAX_INDEX: u32 = u32::MAX - 1;

/// A document path with every placeholder replaced.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Path {
    pub(crate) attribute: String,
    pub(crate) steps: Vec<Step>,
}

/// A step into an attribute.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// To the value of a name in a map.
    Name(String),
    /// To an element of a list, counted from 0.
    Index(u32),
}

impl Path {
    /// The path of a whole attribute.
    pub(crate) const fn attribute(name: String) -> Self {
        Self { attribute: name, steps: Vec::new() }
    }

    /// How many levels deep the value lies: 1 for an attribute.
    pub(crate) const fn levels(&self) -> usize {
        1 + self.steps.len()
    }

    /// The value at the path.
    pub(crate) fn resolve<'item>(&self, attributes: Attributes<'item>) -> Option<Value<'item>> {
        self.steps.iter().try_fold(attributes.get(&self.attribute)?, Value::at)
    }
}

/// As the service prints it: `[a, [0], b]`. A long one is cut off.
impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut steps = beginning(&self.attribute).to_owned();
        for step in &self.steps {
            if steps.len() > LONGEST_PRINTED_BYTES {
                break;
            }
            match step {
                Step::Name(name) => write!(steps, ", {}", beginning(name))?,
                Step::Index(index) => write!(steps, ", [{index}]")?,
            }
        }
        write!(formatter, "[{}]", beginning(&steps))
    }
}
