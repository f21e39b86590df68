//! What the story cost, as the stores count it from what the service answers.

use std::fmt;

use keywright::Usage;

use super::{Story, Told};
use crate::stores::Stores;

/// What calls cost together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    requests: u64,
    read_units: f64,
    write_units: f64,
}

/// Ends the story with what each pattern and entity cost.
pub(super) fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("What it cost")?;
    for (table, usage) in usages(story.stores) {
        for (pattern, read) in &usage.reads {
            story.say(format_args!(
                "{table:<8} {pattern:<29} {:>3} requests {:>6} read units   {} of {} items",
                read.requests, read.units, read.items_given, read.items_read
            ))?;
        }
        for (entity, write) in &usage.writes {
            story.say(format_args!(
                "{table:<8} {entity:<29} {:>3} requests {:>6} write units  {} bytes the largest put",
                write.requests, write.units, write.largest_put_bytes
            ))?;
        }
    }
    story.say(format_args!("= {}", Spent::so_far(story.stores)))
}

impl Spent {
    /// What all calls cost since the stores were opened.
    pub(super) fn so_far(stores: &Stores) -> Spent {
        let mut spent = Spent::default();
        for (_, usage) in usages(stores) {
            for read in usage.reads.values() {
                spent.requests += read.requests;
                spent.read_units += read.units;
            }
            for write in usage.writes.values() {
                spent.requests += write.requests;
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
}

impl fmt::Display for Spent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spent { requests, read_units, write_units } = self;
        // Units of a batch are shared out over its entities, so sums are not exact.
        write!(formatter, "{requests} requests, {read_units:.1} read units, {write_units:.1} write units")
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
