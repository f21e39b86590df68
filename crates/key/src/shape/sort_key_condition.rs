//! Which items of a partition key a pattern reads.

use crate::component::Components;
use crate::key_role::KeyRole;
use crate::template::{RenderError, SortKeyBounds, TemplateShape};

/// A condition on the sort key.
#[derive(Clone, Copy, Debug)]
pub enum SortKeyCondition<'a> {
    /// None: all of them.
    Any,
    /// The one with this sort key.
    Equals(TemplateShape<'a>),
    /// Those that begin with this, up to the end of a segment: `TEAM#{team_id}` is the team and what lies below it,
    /// `TEAM#{team_id}#` only what lies below it.
    StartsWith(TemplateShape<'a>),
    /// Those whose component lies in a range.
    Range {
        /// The key up to the component, which is the template's last.
        template: TemplateShape<'a>,
        /// From where to where.
        range: RangeShape<'a>,
    },
    /// On the attributes of a multi-attribute key, from left to right.
    Attributes(&'a [AttributeCondition<'a>]),
}

/// From where to where; the bounds name given values. At least one side is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeShape<'a> {
    /// Where it begins.
    pub from: BoundShape<'a>,
    /// Where it ends.
    pub to: BoundShape<'a>,
}

/// One side of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundShape<'a> {
    /// Without bound.
    Open,
    /// Up to this given value and with it.
    Including(&'a str),
    /// Up to this given value and without it.
    Excluding(&'a str),
}

/// A condition on one attribute of a multi-attribute sort key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeCondition<'a> {
    /// The attribute.
    pub attribute: &'a str,
    /// What holds of it.
    pub test: AttributeTest<'a>,
}

/// What holds of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeTest<'a> {
    /// It is the given value of the attribute's name.
    Equal,
    /// It begins with this given text.
    BeginsWith(&'a str),
    /// It lies in this range.
    Range(RangeShape<'a>),
}

impl SortKeyCondition<'_> {
    /// What to ask of the sort key, or nothing for conditions on the attributes of a multi-attribute key, which are compared as
    /// they are.
    ///
    /// # Errors
    /// [`RenderError`] when a component or a bound is not given or cannot be written.
    pub fn bounds<Given: Components + ?Sized>(
        &self,
        given: &Given,
    ) -> Result<Option<SortKeyBounds>, RenderError> {
        match self {
            SortKeyCondition::Any => Ok(Some(SortKeyBounds::All)),
            SortKeyCondition::Equals(template) => {
                template.render(KeyRole::Sort, given).map(|key| Some(SortKeyBounds::Equal(key)))
            }
            SortKeyCondition::StartsWith(template) => template.prefix(given).map(Some),
            SortKeyCondition::Range { template, range } => {
                let from = template.bound(range.from, given)?;
                let to = template.bound(range.to, given)?;
                template.range(given, from, to).map(Some)
            }
            SortKeyCondition::Attributes(_) => Ok(None),
        }
    }
}

impl<'a> RangeShape<'a> {
    /// From `from` to before `to`: what a period of time is.
    #[must_use]
    pub const fn half_open(from: &'a str, to: &'a str) -> RangeShape<'a> {
        RangeShape { from: BoundShape::Including(from), to: BoundShape::Excluding(to) }
    }

    /// From `from` to `to`, both included.
    #[must_use]
    pub const fn between(from: &'a str, to: &'a str) -> RangeShape<'a> {
        RangeShape { from: BoundShape::Including(from), to: BoundShape::Including(to) }
    }

    /// From `from` on.
    #[must_use]
    pub const fn from(from: &'a str) -> RangeShape<'a> {
        RangeShape { from: BoundShape::Including(from), to: BoundShape::Open }
    }

    /// What is after `from`.
    #[must_use]
    pub const fn after(from: &'a str) -> RangeShape<'a> {
        RangeShape { from: BoundShape::Excluding(from), to: BoundShape::Open }
    }

    /// What is before `to`.
    #[must_use]
    pub const fn until(to: &'a str) -> RangeShape<'a> {
        RangeShape { from: BoundShape::Open, to: BoundShape::Excluding(to) }
    }

    /// What is up to `to`, with it.
    #[must_use]
    pub const fn through(to: &'a str) -> RangeShape<'a> {
        RangeShape { from: BoundShape::Open, to: BoundShape::Including(to) }
    }
}

impl<'a> BoundShape<'a> {
    /// The given value that it names.
    #[must_use]
    pub const fn given(&self) -> Option<&'a str> {
        match self {
            BoundShape::Open => None,
            BoundShape::Including(name) | BoundShape::Excluding(name) => Some(name),
        }
    }
}
