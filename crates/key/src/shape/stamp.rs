//! Stamps: attributes in which the data layer itself says when an item was stored first, and when it was written last.

/// One stamp of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StampShape<'a> {
    /// The attribute.
    pub attribute: &'a str,
    /// How it says a time.
    pub form: StampForm,
}

/// How a stamp says a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StampForm {
    /// A number: whole seconds since the beginning of 1970.
    Seconds,
    /// A number: whole milliseconds since the beginning of 1970.
    Milliseconds,
    /// A text, as [`Timestamp`](crate::Timestamp) is written: `2026-05-01T12:00:00.000Z`.
    Text,
}

impl<'a> StampShape<'a> {
    /// A stamp in this attribute.
    #[must_use]
    pub const fn new(attribute: &'a str, form: StampForm) -> StampShape<'a> {
        StampShape { attribute, form }
    }
}
