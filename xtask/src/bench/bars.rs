//! What is asked of our servers in comparison with others, and whether it is met.

use std::time::Duration;

use super::peer::Kind;

/// The number of connections at which servers are compared.
const CONNECTIONS: usize = 16;

/// A sync of 1 KB that takes longer makes a disk a slow one.
const SLOW_SYNC: Duration = Duration::from_millis(1);

/// How fast the disk is: on a slow one a peer that syncs for every write falls further behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Disk {
    Fast,
    Slow,
}

impl Disk {
    /// A disk whose syncs take so long; one that cannot be measured counts as fast.
    pub(super) fn of(sync: Option<Duration>) -> Disk {
        if sync.is_some_and(|sync| sync > SLOW_SYNC) { Disk::Slow } else { Disk::Fast }
    }
}

/// How many times the operations a second of `kind` ours should at least do.
pub(super) fn least_ratio(operation: &str, connections: usize, kind: Kind, disk: Disk) -> Option<f64> {
    if connections != CONNECTIONS {
        return None;
    }
    match (operation, kind) {
        ("GetItem", Kind::DynoxideMemory) => Some(2.5),
        ("GetItem", Kind::Bare) => Some(0.6),
        ("Query20", Kind::DynoxideMemory) => Some(3.5),
        ("Query20", Kind::Bare) => Some(0.35),
        ("PutItem", Kind::DynoxideMemory) => Some(3.0),
        ("PutItem" | "PutFresh", Kind::DynoxideFile) => Some(match disk {
            Disk::Fast => 4.0,
            Disk::Slow => 8.0,
        }),
        _ => None,
    }
}

/// How a bar is spoken of.
pub(super) fn word(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_agreed_has_a_bar() {
        assert_eq!(least_ratio("GetItem", 16, Kind::Bare, Disk::Fast), Some(0.6));
        assert_eq!(least_ratio("GetItem", 1, Kind::Bare, Disk::Fast), None);
        assert_eq!(least_ratio("BatchGet100", 16, Kind::Bare, Disk::Fast), None);
        assert_eq!(least_ratio("GetItem", 16, Kind::KeywrightMemory, Disk::Fast), None);
    }

    #[test]
    fn more_is_asked_of_durable_puts_where_syncs_are_slow() {
        let bar = |sync| {
            let disk = Disk::of(Some(Duration::from_micros(sync)));
            least_ratio("PutItem", 16, Kind::DynoxideFile, disk)
        };
        assert_eq!((bar(1_000), bar(1_001)), (Some(4.0), Some(8.0)));
        assert_eq!(Disk::of(None), Disk::Fast);
    }
}
