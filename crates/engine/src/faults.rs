//! Faults from a seed: what a client must live with on the service, when the rules say so.
//!
//! - Off unless [`Options::faults`](crate::Options::faults) turns it on; then a call costs one look at each rule.
//! - A rule decides by the seed, its own text and how many calls it has seen: never by other rules, the clock or the engine's
//!   randomness. The same calls in the same order meet the same faults, in every version.
//! - A call that is refused anyway (its shape, its keys, a table that is not there) is not seen by any rule.
//! - A rule does only what the service does, to the operations to which it does it; everything else is refused when the rule is
//!   added.

mod call;
mod check;
mod courier;
mod decision;
mod injector;
mod plan;
mod report;
mod rule;
mod split;

pub use check::RuleError;
pub use report::{FaultReport, RuleReport};
pub use rule::{Fault, Moment, Rule, When};

pub(crate) use courier::Courier;
pub(crate) use injector::Injector;
pub(crate) use plan::{Loss, Plan};
pub(crate) use split::{Unprocessed, split};

use check::CheckedRule;

/// Rules by which calls fail, and the seed of their decisions.
///
/// ```
/// use keywright_api::{Error, Operation, Request, ThrottlingLimit};
/// use keywright_engine::faults::{Fault, Faults, Rule, When};
/// use keywright_engine::{Engine, Options};
///
/// let hot = Rule::new(Fault::Throttle(ThrottlingLimit::KeyRangeThroughput))
///     .operation(Operation::GetItem)
///     .key_prefix("ORG#1")
///     .when(When::First(1));
/// let engine = Engine::open(Options::memory().faults(Faults::new(7).rule(hot)?))?;
/// # let create = br#"{
/// #     "TableName": "app", "BillingMode": "PAY_PER_REQUEST",
/// #     "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
/// #     "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]
/// # }"#;
/// # engine.call_wire(Operation::CreateTable, create).wait()?;
/// let get = br#"{"TableName": "app", "Key": {"pk": {"S": "ORG#1"}}}"#;
/// assert!(matches!(engine.call_wire(Operation::GetItem, get).wait(), Err(Error::Throttled(_))));
/// assert!(engine.call_wire(Operation::GetItem, get).wait().is_ok());
///
/// let report = engine.faults().ok_or("faults are on")?;
/// assert_eq!((report.rules[0].calls, report.rules[0].fired), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Faults {
    seed: u64,
    rules: Vec<CheckedRule>,
}

impl Faults {
    /// No rules yet.
    pub const fn new(seed: u64) -> Faults {
        Faults { seed, rules: Vec::new() }
    }

    /// Adds a rule behind the others. Every rule sees every call of its scope; of those that refuse one, the first does.
    ///
    /// # Errors
    /// When the rule can never fire, or says something that is no share, count, time or name.
    pub fn rule(mut self, rule: Rule) -> Result<Faults, RuleError> {
        self.rules.push(CheckedRule::check(rule)?);
        Ok(self)
    }

    /// The seed.
    pub const fn seed(&self) -> u64 {
        self.seed
    }
}
