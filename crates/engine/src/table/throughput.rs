//! How the throughput of a table or of a global index was changed.
//!
//! A change has a time in which it is under way; what is in effect follows from the clock. Nothing here reads the clock, and
//! nothing is lost when it is set back.

use std::mem::discriminant;
use std::time::Duration;

use keywright_api::{BillingMode, DecreaseLimit, Error, ThroughputHistory};

use crate::clock::Timestamp;

/// The changes of a throughput so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Throughput {
    /// What came of all changes but the last one.
    pub(crate) past: PastChanges,
    pub(crate) last: Option<Change>,
}

/// What is kept of changes that are over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PastChanges {
    pub(crate) increased_at: Option<Timestamp>,
    pub(crate) decreased_at: Option<Timestamp>,
    /// On the day (UTC) of `decreased_at`.
    pub(crate) decreases: u64,
}

/// A change to what is in effect when it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) before: BillingMode,
    pub(crate) period: Period,
}

/// The time in which a change is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Period {
    pub(crate) from: Timestamp,
    pub(crate) until: Timestamp,
}

/// What has a throughput.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A table that goes on demand is not said to have been lowered, once that is over.
    Table,
    /// An index that goes on demand is.
    Index,
}

/// Whether the last change is described as it is under way, or as it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    UnderWay,
    Over,
}

/// A throughput as it is described.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Described {
    pub(crate) billing_mode: BillingMode,
    pub(crate) history: ThroughputHistory,
    pub(crate) stage: Stage,
}

/// The first decreases of a day are free.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html>
const FREE_DECREASES: u64 = 4;
const DECREASE_INTERVAL: Duration = Duration::from_secs(3600);
const DAY_MILLISECONDS: u64 = 24 * 3600 * 1000;

impl Throughput {
    /// Whether the last change is under way.
    pub(crate) fn is_changing(&self, now: Timestamp) -> bool {
        self.last.is_some_and(|change| change.period.contains(now))
    }

    /// The changes with a new one, after which `before` is no longer in effect.
    #[must_use]
    pub(crate) fn changed(&self, owner: Owner, before: BillingMode, period: Period) -> Throughput {
        Throughput { past: self.all_over(owner, before), last: Some(Change { before, period }) }
    }

    /// Describes it; `after` is what is in effect when the last change is over.
    pub(crate) fn describe(
        &self,
        owner: Owner,
        after: BillingMode,
        now: Timestamp,
        stage: Stage,
    ) -> Described {
        let Some(Change { before, period }) = self.last.filter(|_| stage == Stage::UnderWay) else {
            let history = self.all_over(owner, after).described(now);
            return Described { billing_mode: after, history, stage: Stage::Over };
        };
        let (increases, decreases) = compare(before, after);
        let mut history = self.past.described(now);
        if increases {
            history.increased_at_ms = Some(period.from.milliseconds());
        }
        if decreases {
            history.decreased_at_ms = Some(period.from.milliseconds());
        }
        // Another number of units comes into effect at the end, another mode at once.
        let keeps_mode = discriminant(&before) == discriminant(&after);
        let billing_mode = if keeps_mode { before } else { after };
        Described { billing_mode, history, stage }
    }

    /// Refuses a decrease that comes too soon after those of the same day; going on demand is none.
    pub(crate) fn check_decrease(
        &self,
        owner: Owner,
        (before, after): (BillingMode, BillingMode),
        now: Timestamp,
    ) -> Result<(), Error> {
        let past = self.all_over(owner, before);
        let decreases = past.decreases_on(now);
        let (_, is_decrease) = compare(before, after);
        let Some(last) = past.decreased_at else { return Ok(()) };
        let is_soon = now.since(last) < DECREASE_INTERVAL;
        if !is_decrease || after == BillingMode::OnDemand || decreases < FREE_DECREASES || !is_soon {
            return Ok(());
        }
        let midnight = Timestamp::from_milliseconds((day(now) + 1).saturating_mul(DAY_MILLISECONDS));
        let next = last.plus(DECREASE_INTERVAL).min(midnight);
        Err(Error::LimitExceeded(DecreaseLimit { decreases, last: last.in_words(), next: next.in_words() }))
    }

    /// What there is once the last change is over.
    fn all_over(&self, owner: Owner, after: BillingMode) -> PastChanges {
        let mut past = self.past;
        let Some(Change { before, period }) = self.last else { return past };
        let (increases, decreases) = compare(before, after);
        if increases {
            past.increased_at = Some(period.until);
        }
        let is_told = owner == Owner::Index || after != BillingMode::OnDemand;
        if decreases && is_told {
            past.decreases = past.decreases_on(period.until) + 1;
            past.decreased_at = Some(period.until);
        }
        past
    }
}

impl PastChanges {
    fn described(&self, now: Timestamp) -> ThroughputHistory {
        ThroughputHistory {
            increased_at_ms: self.increased_at.map(Timestamp::milliseconds),
            decreased_at_ms: self.decreased_at.map(Timestamp::milliseconds),
            decreases_today: self.decreases_on(now),
        }
    }

    fn decreases_on(&self, moment: Timestamp) -> u64 {
        let is_that_day = self.decreased_at.is_some_and(|last| day(last) == day(moment));
        if is_that_day { self.decreases } else { 0 }
    }
}

impl Period {
    pub(crate) fn contains(self, now: Timestamp) -> bool {
        self.from <= now && now < self.until
    }
}

/// Whether a number grows, and whether one shrinks; on demand is nothing reserved.
fn compare(before: BillingMode, after: BillingMode) -> (bool, bool) {
    let units = |mode| match mode {
        BillingMode::OnDemand => [0, 0],
        BillingMode::Provisioned { read_units, write_units } => [read_units, write_units],
    };
    let pairs = || units(before).into_iter().zip(units(after));
    (pairs().any(|(before, after)| before < after), pairs().any(|(before, after)| before > after))
}

/// The number of the day (UTC) since 1970.
const fn day(moment: Timestamp) -> u64 {
    moment.milliseconds() / DAY_MILLISECONDS
}
