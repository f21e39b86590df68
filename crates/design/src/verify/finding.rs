//! What rules report.

use super::rule::Rule;
use crate::model::{Design, Exception};
use crate::place::Place;

/// A rule that the design breaks, and where.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The part of the design that breaks it.
    pub place: Place,
    /// What is wrong and what to do, without the code.
    pub message: String,
    /// The reason of the exception that accepts it, if the design has one.
    pub accepted: Option<String>,
}

impl Finding {
    /// Whether `exception` is about this finding: about its rule, and about its place or what holds that.
    pub fn is_covered_by(&self, exception: &Exception) -> bool {
        covers(exception, self.rule.code, &self.place)
    }
}

/// Findings, while rules report them.
#[derive(Debug)]
pub struct Findings<'d> {
    exceptions: &'d [Exception],
    rule: Option<Rule>,
    found: Vec<Finding>,
}

impl<'d> Findings<'d> {
    pub(super) fn new(design: &'d Design) -> Findings<'d> {
        Findings { exceptions: &design.exceptions, rule: None, found: Vec::new() }
    }

    /// Lets one rule report.
    pub(super) fn of(&mut self, rule: Rule, check: impl FnOnce(&mut Findings<'d>)) {
        self.rule = Some(rule);
        check(self);
    }

    /// Reports that the running rule is broken at `place`. The same words about the same place are said once.
    pub fn report(&mut self, place: Place, message: impl Into<String>) {
        let Some(rule) = self.rule else { unreachable!("`Findings::of` names the rule before it runs") };
        let message = message.into();
        let is_known = self
            .found
            .iter()
            .rev()
            .take_while(|finding| finding.rule.code == rule.code)
            .any(|finding| finding.place == place && finding.message == message);
        if !is_known {
            let accepted = self.exception(&rule, &place).map(|exception| exception.reason.clone());
            self.found.push(Finding { rule, place, message, accepted });
        }
    }

    /// What was found so far, by earlier rules too.
    pub fn found(&self) -> &[Finding] {
        &self.found
    }

    /// Everything that was found, in the order of the codes; of one rule, in the order in which it reported.
    pub(super) fn finish(mut self) -> Vec<Finding> {
        self.found.sort_by_key(|finding| finding.rule.code);
        self.found
    }

    fn exception(&self, rule: &Rule, place: &Place) -> Option<&'d Exception> {
        self.exceptions.iter().find(|exception| covers(exception, rule.code, place))
    }
}

fn covers(exception: &Exception, code: &str, place: &Place) -> bool {
    if exception.rule != code {
        return false;
    }
    let path = place.to_string();
    path.strip_prefix(exception.at.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
