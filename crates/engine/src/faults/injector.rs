//! The rules at work: each counts the calls that it sees and decides on each by its number.
//!
//! A call that reaches several rules is counted by each of them, whatever the others decide.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use keywright_api::Request;

use super::Faults;
use super::call::Call;
use super::check::CheckedRule;
use super::decision::Decisions;
use super::plan::{Hit, Plan};
use super::report::{FaultReport, RuleReport};
use super::rule::{Fault, Moment, When};
use crate::catalog::Catalog;
use crate::clock::Timestamp;

/// An engine's rules with their counts.
#[derive(Debug)]
pub(crate) struct Injector {
    seed: u64,
    rules: Vec<RunningRule>,
}

#[derive(Debug)]
struct RunningRule {
    rule: CheckedRule,
    decisions: Decisions,
    calls: AtomicU64,
    fired: AtomicU64,
}

impl Injector {
    pub(crate) fn new(faults: Faults) -> Injector {
        let Faults { seed, rules } = faults;
        let mut counts: HashMap<String, usize> = HashMap::new();
        let rules = rules.into_iter().map(|rule| {
            let text = rule.rule.to_string();
            let earlier = counts.get(&text).copied().unwrap_or_default();
            let decisions = Decisions::new(seed, &text, earlier);
            counts.insert(text, earlier + 1);
            RunningRule { rule, decisions, calls: AtomicU64::new(0), fired: AtomicU64::new(0) }
        });
        Injector { seed, rules: rules.collect() }
    }

    pub(crate) fn report(&self) -> FaultReport {
        let rules = self.rules.iter().map(|running| RuleReport {
            rule: running.rule.rule.clone(),
            calls: running.calls.load(Ordering::Relaxed),
            fired: running.fired.load(Ordering::Relaxed),
        });
        FaultReport { seed: self.seed, rules: rules.collect() }
    }

    /// Whether a call may have to wait before it is carried out.
    pub(crate) fn delays_calls(&self) -> bool {
        self.rules
            .iter()
            .any(|running| matches!(running.rule.rule.fault, Fault::Delay(Moment::BeforeCommit, _)))
    }

    /// The longest time that an index can be behind; `None` when none ever is.
    pub(crate) fn longest_index_lag(&self) -> Option<Duration> {
        let lags = self.rules.iter().filter_map(|running| match running.rule.rule.fault {
            Fault::IndexLag(lag) => Some(lag),
            _ => None,
        });
        lags.max()
    }

    /// Counts a call, and decides on it.
    pub(crate) fn plan(&self, request: &Request, catalog: &Catalog, now: Timestamp) -> Plan {
        let call = Call::of(request, catalog, now);
        let hits = self.rules.iter().enumerate().filter_map(|(place, running)| {
            Some(Hit { rule: &running.rule, number: place + 1, members: running.befalls(&call)? })
        });
        Plan::of(&call, hits.collect())
    }
}

impl RunningRule {
    /// The members of a call that it befalls; `None` when it does not befall the call.
    fn befalls(&self, call: &Call) -> Option<Vec<usize>> {
        let seen = call.seen_by(&self.rule)?;
        let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let members = match &self.rule.rule.when {
            When::Always => seen,
            When::Share(share) => self.decisions.takes_call(number, *share).then_some(seen)?,
            When::Calls(numbers) => numbers.contains(&number).then_some(seen)?,
            When::Every(count) => number.is_multiple_of(*count).then_some(seen)?,
            When::First(count) => (number <= *count).then_some(seen)?,
            When::ShareOfKeys(share) => {
                let takes = |place: &usize| {
                    let key = call.members.get(*place).and_then(|member| member.key.as_deref());
                    key.is_some_and(|key| self.decisions.takes_key(key, *share))
                };
                let taken: Vec<usize> = seen.into_iter().filter(takes).collect();
                (!taken.is_empty()).then_some(taken)?
            }
        };
        self.fired.fetch_add(1, Ordering::Relaxed);
        Some(match self.rule.rule.fault {
            Fault::Unprocessed { share } => self.decisions.choose(number, members, share),
            _ => members,
        })
    }
}
