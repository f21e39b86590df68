//! Writes keys: literal text, and what fills the components.
//!
//! Whatever cannot be told apart from something else is an error here, before any request.

use std::error::Error;
use std::fmt;

use super::shape::{ComponentPlace, TemplateShape};
use crate::component::{ComponentValue, Components, Filling, RenderProblem, Rendering, write};
use crate::key_role::KeyRole;

/// A key that cannot be written, with the component that is in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderError {
    template: Box<str>,
    component: Option<Box<str>>,
    problem: RenderProblem,
}

impl TemplateShape<'_> {
    /// The key that these components give.
    ///
    /// ```
    /// use keywright_key::{ComponentValue, IntegerSize, KeyFormat, KeyRole, TemplateShape};
    ///
    /// let template = TemplateShape::of("TEAM#{name}#{number}", KeyFormat::STANDARD);
    /// let components: &[(&str, ComponentValue<'_>)] = &[
    ///     ("name", ComponentValue::Text("red team".into())),
    ///     ("number", ComponentValue::Unsigned(7, IntegerSize::Bits16)),
    /// ];
    /// assert_eq!(template.render(KeyRole::Sort, components)?, "TEAM#red$20team#00007");
    /// # Ok::<(), keywright_key::RenderError>(())
    /// ```
    ///
    /// # Errors
    /// [`RenderError`] when a component has no value, or one that cannot be written, and when the key is longer than DynamoDB
    /// takes for its role.
    pub fn render<Given: Components + ?Sized>(
        &self,
        role: KeyRole,
        components: &Given,
    ) -> Result<String, RenderError> {
        self.render_within(role.longest_bytes(), components)
    }

    /// The key that these components give, or nothing if one of them is an `Option` without a value: the item is then not in the
    /// sparse index.
    ///
    /// # Errors
    /// As [`TemplateShape::render`].
    pub fn render_sparse<Given: Components + ?Sized>(
        &self,
        role: KeyRole,
        components: &Given,
    ) -> Result<Option<String>, RenderError> {
        match self.render(role, components) {
            Ok(key) => Ok(Some(key)),
            Err(error) if error.problem == RenderProblem::Absent => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The key that these components give, in at most `limit` bytes.
    pub(crate) fn render_within<Given: Components + ?Sized>(
        &self,
        limit: usize,
        components: &Given,
    ) -> Result<String, RenderError> {
        self.render_segments(limit, components, self.len())
    }

    /// The first `count` segments, joined, in at most `limit` bytes.
    pub(super) fn render_segments<Given: Components + ?Sized>(
        &self,
        limit: usize,
        components: &Given,
        count: usize,
    ) -> Result<String, RenderError> {
        let mut key = String::new();
        let mut longest: Option<(&str, usize)> = None;
        for (place, segment) in self.segments().take(count).enumerate() {
            if place > 0 {
                key.push(self.format().delimiter.character());
            }
            key.push_str(segment.literal);
            if let Some(component) = segment.component {
                let start = key.len();
                match components.filling(component.field) {
                    Filling::Value(value) => self.write_component(component, &value, &mut key)?,
                    Filling::Absent => return Err(self.error(Some(component.field), RenderProblem::Absent)),
                    Filling::Unknown => return Err(self.error(Some(component.field), RenderProblem::Missing)),
                }
                let length = key.len() - start;
                if longest.is_none_or(|(_, other)| length > other) {
                    longest = Some((component.field, length));
                }
            }
        }
        if key.len() > limit {
            let (field, component_length) = longest.unwrap_or(("", 0));
            let problem = RenderProblem::TooLong { length: key.len(), limit, component_length };
            return Err(self.error(longest.map(|_| field), problem));
        }
        Ok(key)
    }

    /// Adds one component to a key.
    pub(super) fn write_component(
        &self,
        component: ComponentPlace<'_>,
        value: &ComponentValue<'_>,
        key: &mut String,
    ) -> Result<(), RenderError> {
        self.rendering(component, value)
            .and_then(|rendering| write(value, rendering, self.format().delimiter, key))
            .map_err(|problem| self.error(Some(component.field), problem))
    }

    /// How a value is written in the place of a component.
    pub(super) fn rendering<'v>(
        &self,
        component: ComponentPlace<'_>,
        value: &'v ComponentValue<'_>,
    ) -> Result<Rendering<'v>, RenderProblem> {
        Rendering::of(value.kind(), component.modifier, self.format()).map_err(RenderProblem::Form)
    }

    pub(super) fn error(&self, component: Option<&str>, problem: RenderProblem) -> RenderError {
        RenderError { template: self.text().into(), component: component.map(Into::into), problem }
    }
}

impl RenderError {
    /// The component that is in the way; of a key that is too long, its longest.
    #[must_use]
    pub fn component(&self) -> Option<&str> {
        self.component.as_deref()
    }

    /// What is in the way.
    #[must_use]
    pub fn problem(&self) -> RenderProblem {
        self.problem
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.component {
            Some(component) => write!(formatter, "no key from \"{}\": `{component}`", self.template)?,
            None => write!(formatter, "no key from \"{}\": it", self.template)?,
        }
        match self.problem {
            RenderProblem::Missing => formatter.write_str(" is not given"),
            RenderProblem::Absent => formatter.write_str(" has no value, which only the key of a sparse index allows"),
            RenderProblem::Empty => formatter.write_str(" is empty, and a component has at least one character"),
            RenderProblem::HoldsReserved { place } => write!(
                formatter,
                " is written as it is, and holds the delimiter or a byte that would be mistaken for the end of the \
                 component, at byte {place}"
            ),
            RenderProblem::OtherCase { place } => write!(
                formatter,
                " is not in the case that the key has, at byte {place}: change it in the type, not in the key, where two \
                 values would become one"
            ),
            RenderProblem::TooWide { width } => write!(formatter, " has more than {width} digits"),
            RenderProblem::TooFine => {
                formatter.write_str(" is finer than the format of its timestamps: round it, or take a finer format")
            }
            RenderProblem::OutOfRange => {
                formatter.write_str(
                    " is outside the years 0 to 9999, or outside 1970 to 2286 in a format that counts from 1970",
                )
            }
            RenderProblem::LeapSecond => {
                formatter.write_str(" is in a leap second, which has no text of its own: move it to the second before or after")
            }
            RenderProblem::NoSuchWord => formatter.write_str(" is none of the enum's words"),
            RenderProblem::Form(_) => formatter.write_str(" is of a kind that its template cannot write: KW0103 says why"),
            RenderProblem::TooLong { length, limit, component_length } => {
                write!(formatter, " has {component_length} bytes of the key's {length}, and DynamoDB takes {limit}")
            }
            RenderProblem::NotExact => formatter.write_str(
                " has no exact range under this template: KW0303 and KW0304 say which conditions have one",
            ),
            RenderProblem::NoRange => formatter.write_str(
                " is no range: a range has at least one bound, and its template ends with the component that it is over",
            ),
        }
    }
}

impl Error for RenderError {}
