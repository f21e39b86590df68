//! How many permits come back in which time, and how many there are at most.

use std::error::Error;
use std::fmt;
use std::time::Duration;

/// How many permits come back in which time, and how many a bucket has at most.
///
/// ```
/// use std::time::Duration;
///
/// use keywright::Rate;
///
/// let steady = Rate::new(600, Duration::from_secs(60))?; // 600 a minute, and all of them at once
/// let even = steady.with_burst(10)?; // 600 a minute, and ten at once
/// # assert_ne!(steady, even);
/// # Ok::<(), keywright::InvalidRate>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// In microseconds.
    permit_takes: u64,
    burst: u32,
}

/// A rate that cannot be.
///
/// ```
/// use std::time::Duration;
///
/// use keywright::{InvalidRate, Rate};
///
/// /// What an operator wrote into a file: so many calls a minute.
/// fn of_settings(calls: u32) -> Result<Rate, InvalidRate> {
///     Rate::new(calls, Duration::from_secs(60))
/// }
/// let refused = of_settings(0).err().ok_or("nobody could ever call")?;
/// assert_eq!(refused, InvalidRate::Nothing);
/// assert!(refused.to_string().starts_with("the rate lets nothing through"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidRate {
    /// No permit ever comes back, or there is room for none.
    Nothing,
    /// More than a permit a microsecond.
    TooFast,
    /// A full bucket takes longer than a hundred years to come back.
    TooSlow,
}

/// A hundred years in microseconds, beside which the moments of this century are numbers that cannot overflow.
const LONGEST: u64 = 100 * 365 * 24 * 60 * 60 * 1_000_000;

impl Rate {
    /// So many permits in so much time, all of which may be taken at once. A permit comes back after `per / permits`, rounded up to a
    /// microsecond.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use keywright::{InvalidRate, Rate};
    ///
    /// let minute = Duration::from_secs(60);
    /// assert_eq!(Rate::new(100, minute)?.burst(), 100);
    /// assert_eq!(Rate::new(100, Duration::ZERO), Err(InvalidRate::Nothing));
    /// assert_eq!(Rate::new(100, Duration::from_micros(99)), Err(InvalidRate::TooFast));
    /// assert_eq!(Rate::new(100, Duration::MAX), Err(InvalidRate::TooSlow));
    /// # Ok::<(), InvalidRate>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidRate`] for no permits or no time, for more than one permit a microsecond, and for more than a hundred years.
    pub const fn new(permits: u32, per: Duration) -> Result<Rate, InvalidRate> {
        if permits == 0 || per.is_zero() {
            return Err(InvalidRate::Nothing);
        }
        let microseconds = per.as_micros();
        if microseconds < permits as u128 {
            return Err(InvalidRate::TooFast);
        }
        if microseconds > LONGEST as u128 {
            return Err(InvalidRate::TooSlow);
        }
        #[expect(clippy::cast_possible_truncation, reason = "it is at most a hundred years, just above")]
        let permit_takes = (microseconds as u64).div_ceil(permits as u64);
        Ok(Rate { permit_takes, burst: permits })
    }

    /// The same rate with so many permits at most, and at once.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::{InvalidRate, Rate, Taken};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let rate = Rate::new(600, Duration::from_secs(60))?;
    /// assert_eq!(rate.with_burst(0), Err(InvalidRate::Nothing));
    ///
    /// let ada = CallLimit { organization_id: OrganizationId("acme".to_owned()), user_id: "ada".to_owned() };
    /// let even = rate.with_burst(10)?;
    /// assert_eq!(acme.take(&ada, even, 1).await?, Taken::Allowed { left: 9 }); // and not 599
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidRate`] for none, and where a full bucket takes more than a hundred years to come back.
    pub const fn with_burst(self, permits: u32) -> Result<Rate, InvalidRate> {
        if permits == 0 {
            return Err(InvalidRate::Nothing);
        }
        match self.permit_takes.checked_mul(permits as u64) {
            Some(all) if all <= LONGEST => Ok(Rate { burst: permits, ..self }),
            Some(_) | None => Err(InvalidRate::TooSlow),
        }
    }

    /// How many permits there are at most.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let rate = keywright::Rate::new(100, Duration::from_secs(60))?.with_burst(10)?;
    /// assert_eq!(rate.burst(), 10);
    /// # Ok::<(), keywright::InvalidRate>(())
    /// ```
    #[must_use]
    pub const fn burst(self) -> u32 {
        self.burst
    }

    /// How long so many permits take to come back, in microseconds.
    pub(super) const fn takes(self, permits: u32) -> u64 {
        self.permit_takes.saturating_mul(permits as u64)
    }

    /// How many permits are left where the bucket is full again after so many microseconds.
    pub(super) fn left(self, full_after: u64) -> u32 {
        let left = self.takes(self.burst).saturating_sub(full_after) / self.permit_takes;
        u32::try_from(left).unwrap_or(self.burst)
    }
}

impl fmt::Display for InvalidRate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            InvalidRate::Nothing => "the rate lets nothing through: it has a permit and some time at least",
            InvalidRate::TooFast => "the rate has more than a permit a microsecond: it limits nothing",
            InvalidRate::TooSlow => "a full bucket would take longer than a hundred years to come back",
        })
    }
}

impl Error for InvalidRate {}
