//! Reads keys: the inverse of rendering. What was not rendered from the template is an error that names the place.

use std::error::Error;
use std::fmt;

use super::shape::{ComponentPlace, TemplateShape};
use crate::component::{ComponentKind, ComponentValue, KeyComponent, Rendering, ValueRefusal, read};

/// A key, taken apart. The components are read one by one, each as its type.
#[derive(Clone, Debug)]
pub struct DecodedKey<'a, 'k> {
    template: TemplateShape<'a>,
    components: Vec<WrittenComponent<'a, 'k>>,
}

#[derive(Clone, Copy, Debug)]
struct WrittenComponent<'a, 'k> {
    component: ComponentPlace<'a>,
    written: &'k str,
    place: usize,
}

/// A key that was not rendered from the template, with the place where that shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    template: Box<str>,
    component: Option<Box<str>>,
    place: usize,
    problem: DecodeProblem,
}

/// What shows that a key was not rendered from a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodeProblem {
    /// There are more or fewer segments.
    Segments {
        /// How many there are.
        found: usize,
        /// How many the template has.
        expected: usize,
    },
    /// The literal text is another one.
    Literal {
        /// The template's.
        expected: Box<str>,
    },
    /// A component is not written as its kind is.
    Component {
        /// How it is.
        expected: &'static str,
    },
    /// The kind cannot be written as the template asks, so nothing can be read.
    Form,
    /// The template has no such component.
    NoComponent,
    /// The type does not hold the value.
    Refused(ValueRefusal),
}

impl<'a> TemplateShape<'a> {
    /// Takes a key apart.
    ///
    /// ```
    /// use keywright_key::{KeyFormat, TemplateShape};
    ///
    /// let template = TemplateShape::of("TEAM#{name}#{number}", KeyFormat::STANDARD);
    /// let key = template.decode("TEAM#red$20team#00007")?;
    /// assert_eq!(key.get::<String>("name")?, "red team");
    /// assert_eq!(key.get::<u16>("number")?, 7);
    ///
    /// let error = key.get::<u32>("number").unwrap_err();
    /// assert_eq!((error.component(), error.place()), (Some("number"), 16));
    /// # Ok::<(), keywright_key::DecodeError>(())
    /// ```
    ///
    /// # Errors
    /// [`DecodeError`] when the segments or their literal text are others.
    pub fn decode<'k>(&self, key: &'k str) -> Result<DecodedKey<'a, 'k>, DecodeError> {
        let delimiter = self.format().delimiter.character();
        let found = key.split(delimiter).count();
        if found != self.len() {
            return Err(self.decode_error(None, 0, DecodeProblem::Segments { found, expected: self.len() }));
        }
        let mut components = Vec::new();
        let mut place = 0;
        for (segment, written) in self.segments().zip(key.split(delimiter)) {
            let other_text = || DecodeProblem::Literal { expected: segment.literal.into() };
            let Some(rest) = written.strip_prefix(segment.literal) else {
                return Err(self.decode_error(None, place, other_text()));
            };
            match segment.component {
                Some(component) => {
                    let place = place + segment.literal.len();
                    components.push(WrittenComponent { component, written: rest, place });
                }
                None if rest.is_empty() => {}
                None => return Err(self.decode_error(None, place, other_text())),
            }
            place += written.len() + 1;
        }
        Ok(DecodedKey { template: *self, components })
    }

    fn decode_error(&self, component: Option<&str>, place: usize, problem: DecodeProblem) -> DecodeError {
        DecodeError { template: self.text().into(), component: component.map(Into::into), place, problem }
    }
}

impl<'k> DecodedKey<'_, 'k> {
    /// The component that `field` fills, as its type.
    ///
    /// # Errors
    /// [`DecodeError`] when it is not written as the type is, or the type does not hold it.
    pub fn get<Component: KeyComponent>(&self, field: &str) -> Result<Component, DecodeError> {
        let value = self.value(field, Component::KIND)?;
        Component::from_value(value).map_err(|refusal| {
            let place = self.find(field).map_or(0, |written| written.place);
            self.template.decode_error(Some(field), place, DecodeProblem::Refused(refusal))
        })
    }

    /// The component that `field` fills, as a value of this kind.
    ///
    /// # Errors
    /// [`DecodeError`] when it is not written as the kind is.
    pub fn value(&self, field: &str, kind: ComponentKind<'k>) -> Result<ComponentValue<'k>, DecodeError> {
        let error = |place, problem| self.template.decode_error(Some(field), place, problem);
        let written = self.find(field).ok_or_else(|| error(0, DecodeProblem::NoComponent))?;
        let format = self.template.format();
        let rendering = Rendering::of(kind, written.component.modifier, format)
            .map_err(|_| error(written.place, DecodeProblem::Form))?;
        read(written.written, kind, rendering, format.delimiter).map_err(|problem| {
            error(written.place + problem.place, DecodeProblem::Component { expected: problem.expected })
        })
    }

    fn find(&self, field: &str) -> Option<&WrittenComponent<'_, 'k>> {
        self.components.iter().find(|written| written.component.field == field)
    }
}

impl DecodeError {
    /// The component that does not fit, if it is one.
    #[must_use]
    pub fn component(&self) -> Option<&str> {
        self.component.as_deref()
    }

    /// The byte of the key where it shows, counted from 0.
    #[must_use]
    pub fn place(&self) -> usize {
        self.place
    }

    /// What shows it.
    #[must_use]
    pub fn problem(&self) -> &DecodeProblem {
        &self.problem
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the key is not a \"{}\": at byte {}, ", self.template, self.place)?;
        if let Some(component) = &self.component {
            write!(formatter, "in `{component}`, ")?;
        }
        match &self.problem {
            DecodeProblem::Segments { found, expected } => {
                write!(formatter, "it has {found} segments, and the template has {expected}")
            }
            DecodeProblem::Literal { expected } => write!(formatter, "there is no \"{expected}\""),
            DecodeProblem::Component { expected } => {
                write!(formatter, "there is not what it is written as: {expected}")
            }
            DecodeProblem::Form => formatter.write_str("the kind cannot be written so: KW0103 says why"),
            DecodeProblem::NoComponent => formatter.write_str("the template has no such component"),
            DecodeProblem::Refused(refusal) => write!(formatter, "{refusal}"),
        }
    }
}

impl Error for DecodeError {}
