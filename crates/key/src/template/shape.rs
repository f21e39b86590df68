//! A parsed template: its text, and where in the text each segment lies.
//!
//! Copied freely, also in constants: it borrows the text and nothing else.

use super::problem::TemplateError;
use crate::format::{KeyFormat, LetterCase, TimestampFormat};
use crate::text;

/// The longest text of a template, in bytes.
pub(super) const LONGEST_TEXT_BYTES: usize = 1024;
/// The most segments of a template.
pub(super) const MOST_SEGMENTS: usize = 16;

/// A template as constants hold it and as rules read it.
///
/// ```
/// use keywright_key::{KeyFormat, TemplateShape};
///
/// const SORT_KEY: TemplateShape<'static> = TemplateShape::of("TEAM#{team_id}", KeyFormat::STANDARD);
/// assert_eq!(SORT_KEY.len(), 2);
/// assert_eq!(SORT_KEY.segment(1).unwrap().component.unwrap().field, "team_id");
/// ```
///
/// A text that is no template does not compile:
///
/// ```compile_fail
/// use keywright_key::{KeyFormat, TemplateShape};
///
/// const SORT_KEY: TemplateShape<'static> = TemplateShape::of("TEAM#{team_id", KeyFormat::STANDARD);
/// # fn main() { println!("{}", SORT_KEY.text()); }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateShape<'a> {
    text: &'a str,
    format: KeyFormat,
    layout: Layout,
}

/// One segment of a template: literal text, then perhaps one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// The literal text that the segment begins with; empty when the component is all of it.
    pub literal: &'a str,
    /// The component that ends the segment.
    pub component: Option<ComponentPlace<'a>>,
}

/// A component as the template names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentPlace<'a> {
    /// The attribute that fills it.
    pub field: &'a str,
    /// How it is to be written, where that differs from its type's own way.
    pub modifier: Modifier,
}

/// What follows the colon in `{field:modifier}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modifier {
    /// Nothing: the type's own way.
    None,
    /// `raw`: as it is; values that could be mistaken for something else are refused.
    Raw,
    /// A number: an integer in so many digits.
    Width(u8),
    /// `upper` or `lower`.
    Case(LetterCase),
    /// The name of a [`TimestampFormat`].
    Timestamp(TimestampFormat),
}

/// Where the segments of a template lie in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) segments: [SegmentSpan; MOST_SEGMENTS],
    pub(super) count: usize,
}

/// Where one segment lies: byte places in the text, which is at most [`LONGEST_TEXT_BYTES`] long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SegmentSpan {
    pub(super) literal: (u16, u16),
    pub(super) field: (u16, u16),
    /// `None` when the segment has no component.
    pub(super) modifier: Option<Modifier>,
}

impl<'a> TemplateShape<'a> {
    /// The template that `text` says.
    ///
    /// # Errors
    /// [`TemplateError`], which knows the place; [`TemplateError::message`] says what to write.
    pub const fn parse(text: &'a str, format: KeyFormat) -> Result<TemplateShape<'a>, TemplateError> {
        match super::parse::layout(text, format.delimiter) {
            Ok(layout) => Ok(TemplateShape { text, format, layout }),
            Err(error) => Err(error),
        }
    }

    /// The template that `text` says, for constants.
    ///
    /// # Panics
    /// Where [`TemplateShape::parse`] gives an error, with its message; in a constant this stops the compilation.
    #[must_use]
    #[track_caller]
    pub const fn of(text: &'a str, format: KeyFormat) -> TemplateShape<'a> {
        match TemplateShape::parse(text, format) {
            Ok(shape) => shape,
            Err(error) => error.message(text).fail(),
        }
    }

    pub(super) const fn from_layout(text: &'a str, format: KeyFormat, layout: Layout) -> TemplateShape<'a> {
        TemplateShape { text, format, layout }
    }

    pub(super) const fn layout(&self) -> Layout {
        self.layout
    }

    /// The text as it was written.
    #[must_use]
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// How the keys are written.
    #[must_use]
    pub const fn format(&self) -> KeyFormat {
        self.format
    }

    /// How many segments there are: at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a template is never empty")]
    pub const fn len(&self) -> usize {
        self.layout.count
    }

    /// The segment at `place`, counted from 0.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "a layout has at most as many segments as its array")]
    pub const fn segment(&self, place: usize) -> Option<Segment<'a>> {
        if place >= self.layout.count {
            return None;
        }
        let span = self.layout.segments[place];
        let literal = text::between(self.text, span.literal.0 as usize, span.literal.1 as usize);
        let component = match span.modifier {
            Some(modifier) => {
                let field = text::between(self.text, span.field.0 as usize, span.field.1 as usize);
                Some(ComponentPlace { field, modifier })
            }
            None => None,
        };
        Some(Segment { literal, component })
    }

    /// Whether some component is filled by `field`.
    #[must_use]
    pub const fn names(&self, field: &str) -> bool {
        self.place_of(field).is_some()
    }

    /// The segment whose component is filled by `field`.
    #[must_use]
    pub const fn place_of(&self, field: &str) -> Option<usize> {
        let mut place = 0;
        while let Some(segment) = self.segment(place) {
            if let Some(component) = segment.component
                && text::equal(component.field, field)
            {
                return Some(place);
            }
            place += 1;
        }
        None
    }

    /// The segments from left to right.
    pub fn segments(&self) -> impl Iterator<Item = Segment<'a>> + use<'a> {
        let shape = *self;
        (0..shape.len()).filter_map(move |place| shape.segment(place))
    }

    /// The fields of the components from left to right; each occurs once.
    pub fn fields(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.segments().filter_map(|segment| segment.component.map(|component| component.field))
    }

    /// Whether some of the first `count` segments is literal text in both templates, and another text.
    ///
    /// Most templates of a table differ there, most of them near the end, and this takes a fraction of the steps that segments
    /// take in a constant.
    pub(crate) const fn has_other_text(&self, other: &TemplateShape<'_>, count: usize) -> bool {
        let mut place = count;
        while place > 0 {
            place -= 1;
            if place < self.layout.count && place < other.layout.count && self.is_other_text_at(other, place)
            {
                return true;
            }
        }
        false
    }

    /// Compares from the end, since names that are told apart by a number are alike before it.
    #[expect(
        clippy::indexing_slicing,
        reason = "the place is below both counts, and spans lie within their texts"
    )]
    const fn is_other_text_at(&self, other: &TemplateShape<'_>, place: usize) -> bool {
        let (mine, others) = (self.layout.segments[place], other.layout.segments[place]);
        if mine.modifier.is_some() || others.modifier.is_some() {
            return false;
        }
        let (start, mut end) = (mine.literal.0 as usize, mine.literal.1 as usize);
        let mut other_end = others.literal.1 as usize;
        if end - start != other_end - others.literal.0 as usize {
            return true;
        }
        let (text, other_text) = (self.text.as_bytes(), other.text.as_bytes());
        while end > start {
            end -= 1;
            other_end -= 1;
            if text[end] != other_text[other_end] {
                return true;
            }
        }
        false
    }

    /// Whether the template ends with its delimiter: as a prefix it then means what lies below it, without itself.
    #[expect(
        clippy::indexing_slicing,
        reason = "a layout has at least one segment, and at most as many as its array"
    )]
    pub(crate) const fn ends_with_delimiter(&self) -> bool {
        let last = self.layout.segments[self.layout.count - 1];
        self.layout.count > 1 && last.modifier.is_none() && last.literal.0 == last.literal.1
    }
}

impl Segment<'_> {
    /// Whether both segments are written alike for one and the same item.
    pub(crate) const fn is_written_as(&self, other: &Segment<'_>) -> bool {
        if !text::equal(self.literal, other.literal) {
            return false;
        }
        match (self.component, other.component) {
            (None, None) => true,
            (Some(one), Some(two)) => text::equal(one.field, two.field) && one.modifier.is(two.modifier),
            _ => false,
        }
    }
}

impl Modifier {
    /// Whether both are the same, in a constant.
    pub(crate) const fn is(self, other: Modifier) -> bool {
        match (self, other) {
            (Modifier::None, Modifier::None) | (Modifier::Raw, Modifier::Raw) => true,
            (Modifier::Width(one), Modifier::Width(two)) => one == two,
            (Modifier::Case(one), Modifier::Case(two)) => one as u8 == two as u8,
            (Modifier::Timestamp(one), Modifier::Timestamp(two)) => one as u8 == two as u8,
            _ => false,
        }
    }
}
