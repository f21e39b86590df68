//! What a rule is.

use super::finding::Findings;
use crate::facts::Facts;

/// What a rule is called, what it finds and why. Its page in the documentation is made of this.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The stable code: `KW0601`.
    pub code: &'static str,
    /// The name in words joined by hyphens, as the rule's page is called.
    pub name: &'static str,
    /// One line.
    pub title: &'static str,
    /// How bad it is to break it.
    pub severity: Severity,
    /// What it finds.
    pub finds: &'static str,
    /// Why that hurts, and the source that says so where there is one.
    pub hurts: &'static str,
    /// An example that breaks it, in the form of `keywright.toml`.
    pub example: &'static str,
    /// What to do instead.
    pub instead: &'static str,
    /// How it looks.
    pub check: Check,
}

/// How bad it is to break a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It works, and there is a better or cheaper way. Nothing stops.
    Advice,
    /// It is likely to hurt in production. Nothing stops, unless warnings are asked to.
    Warning,
    /// The design does not verify.
    Error,
}

impl Severity {
    /// The word for it, as reports write it.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Advice => "advice",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// How a rule looks at a design.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// A rule of the key crate, run on the design's shapes.
    Key(keywright_key::rule::Check),
    /// A rule over the whole design.
    Design(fn(&Facts<'_>, &mut Findings<'_>)),
    /// A rule over the exceptions: it looks when all others have reported.
    Exceptions(fn(&Facts<'_>, &mut Findings<'_>)),
}
