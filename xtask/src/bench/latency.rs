//! What a set of latencies says: medians and percentiles by rank, no averages.

use std::time::Duration;

/// The latencies of one measurement.
#[derive(Debug, Default)]
pub(super) struct Latencies(Vec<Duration>);

impl Latencies {
    /// Sorts what was measured.
    pub(super) fn new(mut measured: Vec<Duration>) -> Latencies {
        measured.sort_unstable();
        Latencies(measured)
    }

    /// The smallest latency that `percent` of the operations did not exceed; zero when nothing was measured.
    pub(super) fn percentile(&self, percent: usize) -> Duration {
        let rank = (self.0.len() * percent).div_ceil(100);
        self.0.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }
}

/// The middle of `values` (the upper one of two); zero when there is none.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_a_latency_that_was_measured() {
        let latencies = Latencies::new((1..=200).rev().map(Duration::from_millis).collect());
        assert_eq!(latencies.percentile(50), Duration::from_millis(100));
        assert_eq!(latencies.percentile(99), Duration::from_millis(198));
        assert_eq!(Latencies::default().percentile(99), Duration::ZERO);
    }

    #[test]
    fn the_median_ignores_one_slow_round() {
        assert!((median(vec![10.0, 1000.0, 11.0]) - 11.0).abs() < f64::EPSILON);
    }
}
