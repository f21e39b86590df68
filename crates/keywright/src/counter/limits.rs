//! How low and how high a count may be after an increment.

/// How low and how high a count may be after an increment: what would leave it beyond is refused, and says what is there.
///
/// ```
/// use keywright::Limits;
///
/// let a_balance = Limits::at_least(0);
/// let seats = Limits::at_most(25).and_at_least(0);
/// assert_eq!(seats, Limits::at_least(0).and_at_most(25));
/// assert!(seats.allow(25) && !seats.allow(26) && a_balance.allow(26));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    at_least: Option<i64>,
    at_most: Option<i64>,
}

impl Limits {
    /// Any count.
    pub const NONE: Limits = Limits { at_least: None, at_most: None };

    /// This much or more.
    #[must_use]
    pub const fn at_least(count: i64) -> Limits {
        Limits { at_least: Some(count), at_most: None }
    }

    /// This much or less.
    #[must_use]
    pub const fn at_most(count: i64) -> Limits {
        Limits { at_least: None, at_most: Some(count) }
    }

    /// The same, and this much or more.
    #[must_use]
    pub const fn and_at_least(self, count: i64) -> Limits {
        Limits { at_least: Some(count), ..self }
    }

    /// The same, and this much or less.
    #[must_use]
    pub const fn and_at_most(self, count: i64) -> Limits {
        Limits { at_most: Some(count), ..self }
    }

    /// Whether the count may be this.
    #[must_use]
    pub const fn allow(self, count: i64) -> bool {
        let is_enough = match self.at_least {
            Some(at_least) => count >= at_least,
            None => true,
        };
        let is_little = match self.at_most {
            Some(at_most) => count <= at_most,
            None => true,
        };
        is_enough && is_little
    }

    /// The least and the most that may be there before `by` is added.
    pub(super) fn before(self, by: i64) -> [Option<i128>; 2] {
        [self.at_least, self.at_most].map(|limit| limit.map(|limit| i128::from(limit) - i128::from(by)))
    }
}
