//! Key templates that own their text.

use keywright_key::{KeyFormat, TemplateError, TemplateShape};

/// A key template that parses, with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    text: String,
    format: KeyFormat,
}

impl Template {
    /// The template that `text` is, in a table whose keys are written like `format`.
    ///
    /// # Errors
    /// When `text` is not a template.
    pub fn parse(text: impl Into<String>, format: KeyFormat) -> Result<Template, TemplateError> {
        let text = text.into();
        TemplateShape::parse(&text, format)?;
        Ok(Template { text, format })
    }

    /// The text as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The template as the key crate's rules see it.
    pub fn shape(&self) -> TemplateShape<'_> {
        match TemplateShape::parse(&self.text, self.format) {
            Ok(shape) => shape,
            Err(_) => unreachable!("`Template::parse` has parsed the text"),
        }
    }
}
