//! `--clock`: the time that the engine is to have, where it is not the system's.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::sync::Arc;

use keywright_engine::clock::{Clock, ManualClock, MovableClock, OffsetClock, Pace, SystemClock, Timestamp};

/// A clock that can be moved: how it passes, and from when; from now without a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClockChoice {
    pace: Pace,
    start: Option<Timestamp>,
}

/// What `--clock` takes.
pub(super) const FORMS: &str =
    "frozen or running, and perhaps from when, such as frozen@2026-01-01T00:00:00Z";

impl ClockChoice {
    /// The clock, which shows its start now.
    pub(super) fn clock(self) -> Arc<dyn MovableClock> {
        let start = self.start.unwrap_or_else(|| SystemClock.now());
        match self.pace {
            Pace::Frozen => Arc::new(ManualClock::new(start)),
            Pace::Running => Arc::new(OffsetClock::new(Arc::new(SystemClock), start)),
        }
    }
}

impl FromStr for ClockChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<ClockChoice, String> {
        let (pace, start) = match text.split_once('@') {
            Some((pace, start)) => {
                (pace, Some(start.parse::<Timestamp>().map_err(|error| error.to_string())?))
            }
            None => (text, None),
        };
        let pace = match pace {
            "frozen" => Pace::Frozen,
            "running" => Pace::Running,
            _ => return Err(format!("a clock is {FORMS}")),
        };
        Ok(ClockChoice { pace, start })
    }
}

impl Display for ClockChoice {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self.pace {
            Pace::Frozen => "frozen",
            Pace::Running => "running",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_frozen_or_running_from_any_moment() {
        let clock = |text: &str| text.parse::<ClockChoice>().unwrap().clock();
        let start: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let frozen = clock("frozen@2026-01-01T00:00:00Z");
        assert_eq!((frozen.pace(), frozen.now()), (Pace::Frozen, start));
        let running = clock("running@2026-01-01T01:00:00+01:00");
        assert!(running.pace() == Pace::Running && running.now() >= start);
        for text in ["frozen", "running"] {
            let earlier = SystemClock.now();
            assert!(clock(text).now() >= earlier, "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused_with_what_to_write() {
        for text in ["", "real", "2026-01-01T00:00:00Z", "Frozen", "frozen@"] {
            let refused = text.parse::<ClockChoice>().unwrap_err();
            assert!(refused.contains("2026-01-01T00:00:00Z"), "{text}: {refused}");
        }
    }
}
