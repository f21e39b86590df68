//! The changes of a throughput within a table's description on disk.

use serde::{Deserialize, Serialize};

use super::StoredBilling;
use crate::clock::Timestamp;
use crate::table::throughput::{Change, PastChanges, Period, Throughput};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredThroughput {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    increased_at_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decreased_at_ms: Option<u64>,
    decreases: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<StoredChange>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredChange {
    before: StoredBilling,
    from_ms: u64,
    until_ms: u64,
}

impl StoredThroughput {
    /// `None` when it was never changed.
    pub(super) fn of(throughput: &Throughput) -> Option<StoredThroughput> {
        if *throughput == Throughput::default() {
            return None;
        }
        let Throughput { past: PastChanges { increased_at, decreased_at, decreases }, last } = throughput;
        Some(StoredThroughput {
            increased_at_ms: increased_at.map(Timestamp::milliseconds),
            decreased_at_ms: decreased_at.map(Timestamp::milliseconds),
            decreases: *decreases,
            last: last.map(|Change { before, period }| StoredChange {
                before: StoredBilling::of(before),
                from_ms: period.from.milliseconds(),
                until_ms: period.until.milliseconds(),
            }),
        })
    }

    pub(super) fn read(self) -> Throughput {
        let StoredThroughput { increased_at_ms, decreased_at_ms, decreases, last } = self;
        Throughput {
            past: PastChanges {
                increased_at: increased_at_ms.map(Timestamp::from_milliseconds),
                decreased_at: decreased_at_ms.map(Timestamp::from_milliseconds),
                decreases,
            },
            last: last.map(|StoredChange { before, from_ms, until_ms }| Change {
                before: before.read(),
                period: Period {
                    from: Timestamp::from_milliseconds(from_ms),
                    until: Timestamp::from_milliseconds(until_ms),
                },
            }),
        }
    }
}
