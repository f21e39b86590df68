//! Figures that may be unknown. What the file does not say is never taken for 0: a figure that needs it says what is missing.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::place::Place;

/// A figure, or why there is none.
///
/// In JSON it is the value, or an object whose member `unknown` has the sentence.
///
/// ```
/// use keywright_design::Place;
/// use keywright_design::cost::Figure;
///
/// let per_second = Figure::given(Some(200.0), || Place::design().member("per_second"));
/// let items = Figure::<f64>::given(None, || Place::design().member("items"));
/// let product = per_second.with(&items, |per_second, items| per_second * items);
/// assert_eq!(product.to_string(), "unknown, because `items` is not given");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Figure<Value = f64> {
    /// The value.
    Known(Value),
    /// What is missing; never empty.
    Unknown(BTreeSet<Gap>),
}

/// Something that a figure needs and that is not there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// The file does not say it; where it would stand.
    NotGiven(Place),
    /// The price list has no such price.
    NoPrice {
        /// The region.
        region: String,
        /// What has no price, in words.
        what: &'static str,
    },
    /// A name that the figure follows names nothing; a rule reports that.
    NoSuch(String),
}

impl<Value> Figure<Value> {
    /// The given value, or that the member at `place` is not given.
    pub fn given(value: Option<Value>, place: impl FnOnce() -> Place) -> Figure<Value> {
        value.map_or_else(|| Figure::missing(Gap::NotGiven(place())), Figure::Known)
    }

    /// No figure, for want of one thing.
    pub fn missing(gap: Gap) -> Figure<Value> {
        Figure::Unknown(BTreeSet::from([gap]))
    }

    /// The value, if it is known.
    pub const fn known(&self) -> Option<&Value> {
        match self {
            Figure::Known(value) => Some(value),
            Figure::Unknown(_) => None,
        }
    }

    /// What is missing; nothing if it is known.
    pub fn gaps(&self) -> impl Iterator<Item = &Gap> {
        match self {
            Figure::Known(_) => None,
            Figure::Unknown(gaps) => Some(gaps),
        }
        .into_iter()
        .flatten()
    }

    /// The figure that follows from this one.
    pub fn map<Other>(&self, follow: impl FnOnce(&Value) -> Other) -> Figure<Other> {
        match self {
            Figure::Known(value) => Figure::Known(follow(value)),
            Figure::Unknown(gaps) => Figure::Unknown(gaps.clone()),
        }
    }

    /// The figure that follows from this one and another; what either lacks is missing.
    pub fn with<Other, Result>(
        &self,
        other: &Figure<Other>,
        follow: impl FnOnce(&Value, &Other) -> Result,
    ) -> Figure<Result> {
        match (self, other) {
            (Figure::Known(one), Figure::Known(two)) => Figure::Known(follow(one, two)),
            (Figure::Unknown(one), Figure::Unknown(two)) => Figure::Unknown(one | two),
            (Figure::Unknown(gaps), Figure::Known(_)) | (Figure::Known(_), Figure::Unknown(gaps)) => {
                Figure::Unknown(gaps.clone())
            }
        }
    }
}

impl Figure {
    /// Nothing at all, which is known.
    pub const ZERO: Figure = Figure::Known(0.0);

    /// The product with another figure. No times anything is nothing: what there is none of needs no price.
    #[must_use]
    pub fn times(&self, other: &Figure) -> Figure {
        if [self, other].contains(&&Figure::ZERO) {
            return Figure::ZERO;
        }
        self.with(other, |one, two| one * two)
    }

    /// The sum with another figure.
    #[must_use]
    pub fn plus(&self, other: &Figure) -> Figure {
        self.with(other, |one, two| one + two)
    }

    /// So many times the figure.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Figure {
        self.map(|value| value * factor)
    }

    /// The sum of figures: unknown if one of them is.
    pub fn sum<'f>(figures: impl IntoIterator<Item = &'f Figure>) -> Figure {
        figures.into_iter().fold(Figure::ZERO, |sum, figure| sum.plus(figure))
    }
}

impl<Value: fmt::Display> fmt::Display for Figure<Value> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Figure::Known(value) => value.fmt(formatter),
            Figure::Unknown(gaps) => {
                formatter.write_str("unknown, because ")?;
                for (position, gap) in gaps.iter().enumerate() {
                    formatter.write_str(match position {
                        0 => "",
                        _ if position + 1 == gaps.len() => " and ",
                        _ => ", ",
                    })?;
                    gap.fmt(formatter)?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::NotGiven(place) => write!(formatter, "`{place}` is not given"),
            Gap::NoPrice { region, what } => {
                write!(formatter, "the price list has no price of {what} in `{region}`")
            }
            Gap::NoSuch(what) => write!(formatter, "there is no {what}"),
        }
    }
}

impl<Value: Serialize> Serialize for Figure<Value> {
    fn serialize<Target: Serializer>(&self, serializer: Target) -> Result<Target::Ok, Target::Error> {
        match self {
            Figure::Known(value) => value.serialize(serializer),
            Figure::Unknown(gaps) => {
                #[derive(Serialize)]
                struct Unknown {
                    unknown: Vec<String>,
                }
                Unknown { unknown: gaps.iter().map(Gap::to_string).collect() }.serialize(serializer)
            }
        }
    }
}
