//! Exact ranges of keys: what begins with something up to the end of a segment, and what lies between two values.
//!
//! A key condition can ask for `BETWEEN low AND high`, both included. Here `high` is never itself a rendered key: it ends with
//! the delimiter's successor, which no key ends with.

use std::ops::Bound;

use super::render::RenderError;
use super::shape::{ComponentPlace, TemplateShape};
use crate::component::{
    ComponentValue, Components, Filling, Neighbour, RenderProblem, Rendering, highest, lowest, neighbour,
};
use crate::key_role::KeyRole;
use crate::shape::BoundShape;

/// What to ask of a sort key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortKeyBounds {
    /// Nothing: every sort key.
    All,
    /// No sort key lies in it, so there is nothing to ask: DynamoDB refuses a BETWEEN whose ends are in the wrong order.
    Nothing,
    /// `sort_key = :key`
    Equal(String),
    /// `sort_key BETWEEN :low AND :high`
    Between {
        /// The lower end, included.
        low: String,
        /// The upper end, included.
        high: String,
    },
    /// `begins_with(sort_key, :prefix)`
    BeginsWith(String),
    /// `sort_key >= :low`
    AtLeast(String),
}

impl SortKeyBounds {
    /// Whether DynamoDB would find a sort key.
    #[must_use]
    pub fn contains(&self, sort_key: &str) -> bool {
        match self {
            SortKeyBounds::All => true,
            SortKeyBounds::Nothing => false,
            SortKeyBounds::Equal(key) => sort_key == key,
            SortKeyBounds::Between { low, high } => low.as_str() <= sort_key && sort_key <= high.as_str(),
            SortKeyBounds::BeginsWith(prefix) => sort_key.starts_with(prefix.as_str()),
            SortKeyBounds::AtLeast(low) => low.as_str() <= sort_key,
        }
    }

    fn between(low: String, high: String) -> SortKeyBounds {
        match low.cmp(&high) {
            std::cmp::Ordering::Less => SortKeyBounds::Between { low, high },
            std::cmp::Ordering::Equal => SortKeyBounds::Equal(low),
            std::cmp::Ordering::Greater => SortKeyBounds::Nothing,
        }
    }
}

/// One end of a range before it is written.
enum End {
    At(String),
    Open,
    /// Nothing lies on this side.
    Nowhere,
}

impl TemplateShape<'_> {
    /// Exactly the sort keys whose first segments are this template's: the key itself and what lies below it, or, if the template
    /// ends with its delimiter, only what lies below it.
    ///
    /// ```
    /// use keywright_key::{ComponentValue, KeyFormat, SortKeyBounds, TemplateShape};
    ///
    /// let team = TemplateShape::of("TEAM#{team_id}", KeyFormat::STANDARD);
    /// let components: &[(&str, ComponentValue<'_>)] = &[("team_id", ComponentValue::Text("1".into()))];
    /// let bounds = team.prefix(components)?;
    /// assert_eq!(bounds, SortKeyBounds::Between { low: "TEAM#1".to_owned(), high: "TEAM#1$".to_owned() });
    /// assert!(bounds.contains("TEAM#1") && bounds.contains("TEAM#1#MEMBER#7"));
    /// assert!(!bounds.contains("TEAM#10"));
    /// # Ok::<(), keywright_key::RenderError>(())
    /// ```
    ///
    /// # Errors
    /// [`RenderError`] as for rendering, and under a delimiter that only separates for a template that does not end with it: there
    /// a longer value sorts between a key and what lies below it.
    pub fn prefix<Given: Components + ?Sized>(
        &self,
        components: &Given,
    ) -> Result<SortKeyBounds, RenderError> {
        let key = self.render(KeyRole::Sort, components)?;
        let delimiter = self.format().delimiter;
        let successor = char::from(delimiter.successor());
        match (delimiter.is_ordering(), self.ends_with_delimiter()) {
            (false, true) => Ok(SortKeyBounds::BeginsWith(key)),
            (false, false) => Err(self.error(None, RenderProblem::NotExact)),
            (true, true) => {
                let above = key.strip_suffix(delimiter.character()).unwrap_or(&key);
                let high = format!("{above}{successor}");
                Ok(SortKeyBounds::between(key, high))
            }
            (true, false) => {
                let high = closed(&key, successor);
                Ok(SortKeyBounds::between(key, high))
            }
        }
    }

    /// Exactly the sort keys whose first segments are this template's, with a value between `from` and `to` in its last component,
    /// and what lies below those.
    ///
    /// ```
    /// use std::ops::Bound;
    ///
    /// use keywright_key::{ComponentValue, IntegerSize, KeyFormat, SortKeyBounds, TemplateShape};
    ///
    /// let score = TemplateShape::of("SCORE#{points}", KeyFormat::STANDARD);
    /// let points = |points| ComponentValue::Unsigned(points, IntegerSize::Bits8);
    /// let bounds = score.range(&(), Bound::Included(points(10)), Bound::Excluded(points(20)))?;
    /// assert_eq!(bounds, SortKeyBounds::Between { low: "SCORE#010".to_owned(), high: "SCORE#019$".to_owned() });
    /// # Ok::<(), keywright_key::RenderError>(())
    /// ```
    ///
    /// # Errors
    /// [`RenderError`] as for rendering, and where the range cannot be exact: KW0304 says when.
    pub fn range<Given: Components + ?Sized>(
        &self,
        components: &Given,
        from: Bound<ComponentValue<'_>>,
        to: Bound<ComponentValue<'_>>,
    ) -> Result<SortKeyBounds, RenderError> {
        let last = self.segment(self.len() - 1);
        let (Some(component), Bound::Included(any) | Bound::Excluded(any)) = (
            last.and_then(|last| last.component),
            if matches!(from, Bound::Unbounded) { &to } else { &from },
        ) else {
            return Err(self.error(None, RenderProblem::NoRange));
        };
        let refused = |problem| self.error(Some(component.field), problem);
        let rendering = self.rendering(component, any).map_err(refused)?;
        let delimiter = self.format().delimiter;
        if !rendering.is_ordered() || (!delimiter.is_ordering() && !rendering.is_fixed_width()) {
            return Err(refused(RenderProblem::NotExact));
        }
        let above = self.render_segments(KeyRole::Sort.longest_bytes(), components, self.len() - 1)?;
        let literal = last.map_or("", |last| last.literal);
        let stem = if self.len() == 1 {
            literal.to_owned()
        } else {
            format!("{above}{}{literal}", delimiter.character())
        };
        let range = Range { template: self, component, rendering, stem: &stem };
        let low = range.low(&from)?;
        let high = range.high(&to, literal.is_empty())?;
        Ok(match (low, high) {
            (End::Nowhere, _) | (_, End::Nowhere) => SortKeyBounds::Nothing,
            (End::At(low), End::At(high)) => SortKeyBounds::between(low, high),
            (End::At(low), End::Open) => SortKeyBounds::AtLeast(low),
            // `low` gives an end for every bound.
            (End::Open, _) => unreachable!(),
        })
    }
}

impl TemplateShape<'_> {
    /// The given value that a bound names.
    pub(crate) fn bound<'g, Given: Components + ?Sized>(
        &self,
        bound: BoundShape<'_>,
        given: &'g Given,
    ) -> Result<Bound<ComponentValue<'g>>, RenderError> {
        let Some(name) = bound.given() else { return Ok(Bound::Unbounded) };
        match (given.filling(name), bound) {
            (Filling::Value(value), BoundShape::Excluding(_)) => Ok(Bound::Excluded(value)),
            (Filling::Value(value), _) => Ok(Bound::Included(value)),
            (Filling::Absent, _) => Err(self.error(Some(name), RenderProblem::Absent)),
            (Filling::Unknown, _) => Err(self.error(Some(name), RenderProblem::Missing)),
        }
    }
}

/// The range over one component, after `stem`.
struct Range<'r> {
    template: &'r TemplateShape<'r>,
    component: ComponentPlace<'r>,
    rendering: Rendering<'r>,
    stem: &'r str,
}

impl Range<'_> {
    fn successor(&self) -> char {
        char::from(self.template.format().delimiter.successor())
    }

    fn low(&self, bound: &Bound<ComponentValue<'_>>) -> Result<End, RenderError> {
        match bound {
            Bound::Included(value) => self.key(value).map(End::At),
            Bound::Excluded(value) if self.rendering.is_discrete() => self.beside(value, Neighbour::After),
            Bound::Excluded(value) => {
                // After the value and what lies below it comes the first longer value.
                let key = self.key(value)?;
                let low = format!("{key}{}", self.successor());
                self.refuse_too_long(&low)?;
                Ok(End::At(low))
            }
            Bound::Unbounded => {
                let low = match lowest(self.rendering) {
                    Some(lowest) => format!("{}{lowest}", self.stem),
                    // Not the stem itself, nor what lies below it: a value begins at or above the successor.
                    None => format!("{}{}", self.stem, self.successor()),
                };
                self.refuse_too_long(&low)?;
                Ok(End::At(low))
            }
        }
    }

    fn high(&self, bound: &Bound<ComponentValue<'_>>, is_segment: bool) -> Result<End, RenderError> {
        match bound {
            Bound::Included(value) => Ok(End::At(closed(&self.key(value)?, self.successor()))),
            Bound::Excluded(value) if self.rendering.is_discrete() => {
                Ok(match self.beside(value, Neighbour::Before)? {
                    End::At(key) => End::At(closed(&key, self.successor())),
                    other => other,
                })
            }
            Bound::Excluded(_) => Err(self.error(RenderProblem::NotExact)),
            Bound::Unbounded => match (highest(self.rendering), is_segment) {
                (Some(highest), _) => {
                    let highest = format!("{}{highest}", self.stem);
                    self.refuse_too_long(&highest)?;
                    Ok(End::At(closed(&highest, self.successor())))
                }
                (None, false) => Err(self.error(RenderProblem::NotExact)),
                (None, true) if self.stem.is_empty() => Ok(End::Open),
                (None, true) => {
                    let delimiter = self.template.format().delimiter.character();
                    let above = self.stem.strip_suffix(delimiter).unwrap_or(self.stem);
                    Ok(End::At(format!("{above}{}", self.successor())))
                }
            },
        }
    }

    /// The key with the value just before or after `value`.
    fn beside(&self, value: &ComponentValue<'_>, which: Neighbour) -> Result<End, RenderError> {
        // A bound that cannot be written is an error at either end.
        self.key(value)?;
        let Some(neighbour) = neighbour(value, self.rendering, which) else { return Ok(End::Nowhere) };
        match self.key(&neighbour) {
            Ok(key) => Ok(End::At(key)),
            // The format ends before the type does.
            Err(error) if error.problem() == RenderProblem::OutOfRange => Ok(End::Nowhere),
            Err(error) => Err(error),
        }
    }

    fn key(&self, value: &ComponentValue<'_>) -> Result<String, RenderError> {
        if self.template.rendering(self.component, value) != Ok(self.rendering) {
            return Err(self.error(RenderProblem::NoRange));
        }
        let mut key = self.stem.to_owned();
        self.template.write_component(self.component, value, &mut key)?;
        self.refuse_too_long(&key)?;
        Ok(key)
    }

    fn refuse_too_long(&self, key: &str) -> Result<(), RenderError> {
        let limit = KeyRole::Sort.longest_bytes();
        if key.len() > limit {
            let component_length = key.len() - self.stem.len();
            return Err(self.error(RenderProblem::TooLong { length: key.len(), limit, component_length }));
        }
        Ok(())
    }

    fn error(&self, problem: RenderProblem) -> RenderError {
        self.template.error(Some(self.component.field), problem)
    }
}

/// The end of a range that includes `key` and what lies below it: nothing lies below the longest key that there can be.
fn closed(key: &str, successor: char) -> String {
    if key.len() < KeyRole::Sort.longest_bytes() { format!("{key}{successor}") } else { key.to_owned() }
}
