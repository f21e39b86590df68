//! What a check found wrong.

use std::fmt;

/// A rule that a store broke.
#[derive(Clone, Debug)]
pub(crate) struct Violation {
    pub(crate) kind: Kind,
    what: String,
}

/// Which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An answered write is gone.
    Lost,
    /// There is what nobody wrote, or what was deleted or refused.
    Foreign,
    /// A part of a transaction is there, and a part is not.
    Half,
    /// Balances are not what the receipts make.
    Balance,
    /// A counter has lost or won.
    Counter,
    /// A table that was created is not there, or one that was deleted is.
    Table,
    /// An entry of an index without its item, an item without its entry, or an entry that says something else.
    Index,
    /// Figures are not what counting finds.
    Statistics,
    /// A token did not keep its transaction from happening again.
    Token,
    /// A read while the clients worked was not of what they had been told.
    Read,
    /// A call failed that must work.
    Refused,
}

impl Violation {
    pub(crate) fn new(kind: Kind, what: impl Into<String>) -> Violation {
        let mut what = without_repetitions(&what.into());
        if let Some((end, _)) = what.char_indices().nth(2_000) {
            what.truncate(end);
        }
        Violation { kind, what }
    }
}

/// Items are filled up with one word again and again, which says nothing.
fn without_repetitions(text: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    words.dedup();
    words.join(" ")
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}: {}", self.kind, self.what)
    }
}
