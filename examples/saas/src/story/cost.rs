//! What the story cost, as the stores count it from what the service answers.

use std::fmt;

use keywright::{ReadUsage, Usage, WriteUsage};

use super::{Story, Told};
use crate::stores::Stores;

/// What calls cost together: as many requests, and as many units of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    requests: u64,
    read_units: f64,
    write_units: f64,
}

/// Ends the story with what each pattern and entity cost.
pub(super) fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("What it cost, by access pattern and by entity")?;
    for (table, usage) in usages(story.stores) {
        for (pattern, read) in &usage.reads {
            let spent = Spent::of_reads(read);
            let (given, of) = (read.items_given, read.items_read);
            story.line(spent, format_args!("{table:<8} {pattern:<29} {given} of {of} items given"))?;
        }
        for (entity, write) in &usage.writes {
            let spent = Spent::of_writes(write);
            let bytes = write.largest_put_bytes;
            story.line(
                spent,
                match bytes {
                    0 => format!("{table:<8} {entity}"),
                    _ => format!("{table:<8} {entity:<29} {bytes} bytes the largest put"),
                },
            )?;
        }
    }
    story.line(
        Spent::so_far(story.stores),
        "= the day; above, a transaction or a batch is a request of each entity in it",
    )
}

impl Spent {
    /// What the columns are.
    pub(super) const HEADING: &str = "requests   read  write";

    /// What all calls cost since the stores were opened. Requests are those that were sent: `Store::usage` counts a transaction, or a
    /// batch, for every entity in it.
    pub(super) fn so_far(stores: &Stores) -> Spent {
        let mut spent = Spent { requests: stores.requests(), ..Spent::default() };
        for (_, usage) in usages(stores) {
            spent.read_units += usage.reads.values().map(|read| read.units).sum::<f64>();
            for write in usage.writes.values() {
                spent.read_units += write.lookup_units;
                spent.write_units += write.units;
            }
        }
        spent
    }

    /// What was spent since then.
    pub(super) fn since(self, earlier: Spent) -> Spent {
        Spent {
            requests: self.requests - earlier.requests,
            read_units: self.read_units - earlier.read_units,
            write_units: self.write_units - earlier.write_units,
        }
    }

    fn of_reads(read: &ReadUsage) -> Spent {
        Spent { requests: read.requests, read_units: read.units, write_units: 0.0 }
    }

    fn of_writes(write: &WriteUsage) -> Spent {
        Spent {
            requests: write.requests + write.lookups,
            read_units: write.lookup_units,
            write_units: write.units,
        }
    }
}

/// In columns, below [`Spent::HEADING`].
impl fmt::Display for Spent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Units of a batch are shared out over its entities, so sums are not exact.
        let [requests, read, write] =
            [self.requests as f64, self.read_units, self.write_units].map(|figure| match figure {
                ..0.05 => "-".to_owned(),
                _ => ((figure * 10.0).round() / 10.0).to_string(),
            });
        write!(formatter, "{requests:>8} {read:>6} {write:>6}")
    }
}

fn usages(stores: &Stores) -> [(&'static str, Usage); 4] {
    [
        ("App", stores.app.usage()),
        ("Live", stores.live.usage()),
        ("Billing", stores.billing.usage()),
        ("Audit", stores.audit.usage()),
    ]
}
