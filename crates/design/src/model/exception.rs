//! Findings that a team has looked at and accepts.

/// A finding that is accepted, with its reason: `[[exception]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// The code of the rule, such as `KW0601`.
    pub rule: String,
    /// The part of the design that is excepted, as its section is called: `pattern.feed`, `table.app.index.by_user`.
    pub at: String,
    /// Why; never empty.
    pub reason: String,
}
