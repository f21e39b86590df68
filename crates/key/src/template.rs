//! Key templates: literal text and `{field}` components, joined by a delimiter.
//!
//! One parser reads them in constants and in running programs. A template never allocates; [`KeyTemplate`] owns its text
//! for those who read templates from a file.

mod decode;
mod parse;
mod problem;
mod range;
mod render;
mod shape;

pub use decode::{DecodeError, DecodeProblem, DecodedKey};
pub use problem::{TemplateError, TemplateProblem};
pub use range::SortKeyBounds;
pub use render::RenderError;
pub use shape::{ComponentPlace, Modifier, Segment, TemplateShape};

use crate::format::KeyFormat;

/// A template that owns its text.
///
/// ```
/// use keywright_key::{KeyFormat, KeyTemplate};
///
/// let template = KeyTemplate::parse("TEAM#{team_id}#MEMBER#{user_id}", KeyFormat::STANDARD)?;
/// assert_eq!(template.shape().fields().collect::<Vec<_>>(), ["team_id", "user_id"]);
///
/// let error = KeyTemplate::parse("activity#${date}", KeyFormat::STANDARD).unwrap_err();
/// assert!(error.to_string().contains("write `{date}`"), "{error}");
/// # Ok::<(), keywright_key::TemplateRefusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyTemplate {
    text: Box<str>,
    layout: shape::Layout,
    format: KeyFormat,
}

impl KeyTemplate {
    /// The template that `text` says.
    ///
    /// # Errors
    /// [`TemplateRefusal`], which shows the place and says what to write.
    pub fn parse(text: &str, format: KeyFormat) -> Result<KeyTemplate, TemplateRefusal> {
        match TemplateShape::parse(text, format) {
            Ok(shape) => Ok(KeyTemplate { text: text.into(), layout: shape.layout(), format }),
            Err(error) => Err(TemplateRefusal { text: text.into(), error }),
        }
    }

    /// The template as the rules and the constants of derives see it.
    #[must_use]
    pub fn shape(&self) -> TemplateShape<'_> {
        TemplateShape::from_layout(&self.text, self.format, self.layout)
    }
}

/// A text that is no template, with what is wrong in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateRefusal {
    text: Box<str>,
    error: TemplateError,
}

impl TemplateRefusal {
    /// What is wrong, and where.
    #[must_use]
    pub fn error(&self) -> TemplateError {
        self.error
    }
}

impl std::fmt::Display for TemplateRefusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.error.message(&self.text).fmt(formatter)
    }
}

impl std::error::Error for TemplateRefusal {}
