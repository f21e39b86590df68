//! Why a task failed, as text for the developer who reads it.

use std::fmt;
use std::io;

/// What every task returns.
pub(crate) type Outcome<Value = ()> = Result<Value, Failure>;

/// A reason to stop: what failed, and where it helps, what to do about it.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    /// A failure that says `message`.
    pub(crate) fn new(message: impl Into<String>) -> Failure {
        Failure(message.into())
    }

    /// One failure out of a list of findings: its heading, then a line each.
    pub(crate) fn from_findings(heading: &str, findings: &[String]) -> Failure {
        let mut message = format!("{} ({}):", heading, findings.len());
        for finding in findings {
            message.push_str("\n  - ");
            message.push_str(finding);
        }
        Failure(message)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Says what was attempted when an input or output operation fails.
pub(crate) trait Attempt<Value> {
    /// Turns an error into a [`Failure`] that begins with `what`.
    fn attempt(self, what: &str) -> Outcome<Value>;
}

impl<Value> Attempt<Value> for io::Result<Value> {
    fn attempt(self, what: &str) -> Outcome<Value> {
        self.map_err(|error| Failure(format!("{what}: {error}")))
    }
}
