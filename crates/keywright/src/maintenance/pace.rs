//! So many units a second: a bucket that fills with time, and that what was consumed is taken from.
//!
//! What a request costs is known when it has been answered, so it may be taken from an empty bucket, and the next one waits longer.

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::store::Shared;

/// The pace of a run, which all of its segments share. It holds one second's units at most.
#[derive(Debug)]
pub(super) struct Pace {
    units_per_second: Option<f64>,
    bucket: Mutex<Bucket>,
}

#[derive(Debug)]
struct Bucket {
    units: f64,
    /// When it was filled last, since the beginning of 1970.
    filled_at: Duration,
}

impl Pace {
    /// A full bucket; without a rate nothing ever waits.
    pub(super) fn new(units_per_second: Option<NonZeroU32>, now: Duration) -> Pace {
        let units_per_second = units_per_second.map(|units| f64::from(units.get()));
        let bucket = Bucket { units: units_per_second.unwrap_or_default(), filled_at: now };
        Pace { units_per_second, bucket: Mutex::new(bucket) }
    }

    /// Waits until there is something in the bucket.
    pub(super) async fn wait(&self, shared: &Shared) {
        loop {
            let wait = self.time_to_wait(shared.clock.since_epoch());
            if wait.is_zero() {
                return;
            }
            shared.sleep(wait).await;
        }
    }

    /// Takes what was consumed.
    pub(super) fn take(&self, units: f64) {
        self.bucket.lock().unwrap_or_else(PoisonError::into_inner).units -= units;
    }

    fn time_to_wait(&self, now: Duration) -> Duration {
        let Some(rate) = self.units_per_second else { return Duration::ZERO };
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = now.saturating_sub(bucket.filled_at).as_secs_f64();
        bucket.filled_at = bucket.filled_at.max(now);
        bucket.units = rate.min(passed.mul_add(rate, bucket.units));
        if bucket.units > 0.0 {
            return Duration::ZERO;
        }
        // Clocks count milliseconds.
        Duration::from_secs_f64(-bucket.units / rate) + Duration::from_millis(1)
    }
}
