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
    ///
    /// ```
    /// use keywright::Limits;
    ///
    /// assert!(Limits::NONE.allow(i64::MIN) && Limits::NONE.allow(i64::MAX));
    /// assert_eq!(Limits::NONE, Limits::default());
    /// ```
    pub const NONE: Limits = Limits { at_least: None, at_most: None };

    /// This much or more.
    ///
    /// ```
    /// use keywright::Limits;
    ///
    /// let a_balance = Limits::at_least(0);
    /// assert!(a_balance.allow(0) && !a_balance.allow(-1));
    /// ```
    #[must_use]
    pub const fn at_least(count: i64) -> Limits {
        Limits { at_least: Some(count), at_most: None }
    }

    /// This much or less.
    ///
    /// ```
    /// use keywright::Limits;
    ///
    /// let seats = Limits::at_most(25);
    /// assert!(seats.allow(25) && !seats.allow(26));
    /// assert!(seats.allow(-1)); // there is no lower limit
    /// ```
    #[must_use]
    pub const fn at_most(count: i64) -> Limits {
        Limits { at_least: None, at_most: Some(count) }
    }

    /// The same, and this much or more.
    ///
    /// ```
    /// use keywright::Limits;
    ///
    /// let seats = Limits::at_most(25).and_at_least(0);
    /// assert!(!seats.allow(-1) && seats.allow(0) && seats.allow(25));
    /// ```
    #[must_use]
    pub const fn and_at_least(self, count: i64) -> Limits {
        Limits { at_least: Some(count), ..self }
    }

    /// The same, and this much or less.
    ///
    /// ```
    /// use keywright::Limits;
    ///
    /// let balance = Limits::at_least(0).and_at_most(10_000); // no more than that is topped up
    /// assert!(balance.allow(10_000) && !balance.allow(10_001) && !balance.allow(-1));
    /// ```
    #[must_use]
    pub const fn and_at_most(self, count: i64) -> Limits {
        Limits { at_most: Some(count), ..self }
    }

    /// Whether the count may be this.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::Limits;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let seats = Seats { organization_id: OrganizationId("acme".to_owned()) };
    /// let _ = acme.add(&seats, 24).send().await?;
    /// // For a hint beside the button. What decides is `Add::within`: it sees the count at the moment of the write.
    /// let (limits, used) = (Limits::at_most(25), acme.count(&seats).await?);
    /// assert!(limits.allow(used + 1) && !limits.allow(used + 2));
    /// # Ok(())
    /// # }
    /// ```
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
