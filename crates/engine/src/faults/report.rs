//! What the rules have seen and done so far.

use std::fmt::{self, Display, Formatter};

use super::rule::Rule;

/// The rules of an engine with their counts.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FaultReport {
    /// The seed of the decisions.
    pub seed: u64,
    /// The rules, in their order.
    pub rules: Vec<RuleReport>,
}

/// A rule with its counts.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RuleReport {
    /// The rule.
    pub rule: Rule,
    /// How many calls it has looked at.
    pub calls: u64,
    /// How many of them it befell. An earlier rule may have refused one of these calls, which then met only that.
    pub fired: u64,
}

impl Display for FaultReport {
    /// The seed, and a line for each rule.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "Faults from seed {}:", self.seed)?;
        for (number, RuleReport { rule, calls, fired }) in self.rules.iter().enumerate() {
            let number = number + 1;
            write!(formatter, "\n  {number}. {rule}: befell {fired} of {calls} calls")?;
        }
        Ok(())
    }
}
