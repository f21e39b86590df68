//! Verification: every rule that a design can break, run over a design.
//!
//! A rule is one file: its texts ([`Rule`]), and `check`, which reports what is wrong. A rule says nothing where another
//! rule already reports the cause, and nothing about what the file does not say: an unknown load is not a hot key. The
//! rules of `KW01` to `KW04` stand in the key crate and are run here on the design's shapes.
//!
//! Codes are stable and are never used again. `KW05` is what must be decided and named, `KW06` load and size, `KW07`
//! indexes, `KW08` writes, time to live and streams, `KW09` tenants, and whether DynamoDB and the layout fit at all.

mod finding;
mod fit;
mod index;
mod keys;
mod load;
mod named;
mod rule;
mod words;
mod write;

use bumpalo::Bump;

use crate::facts::Facts;
use crate::model::Design;
use crate::shapes::Shapes;

pub use finding::{Finding, Findings};
pub use rule::{Check, Rule, Severity};

/// Every rule, in the order of the codes.
pub fn rules() -> impl Iterator<Item = Rule> {
    let own = [named::RULES, load::RULES, index::RULES, write::RULES, fit::RULES];
    keys::rules().chain(own.into_iter().flatten().map(|rule| **rule))
}

/// What the design breaks, in the order of the codes, with the exceptions that the design names.
pub fn verify(design: &Design) -> Vec<Finding> {
    let arena = Bump::new();
    let shapes = Shapes::new(design, &arena);
    findings(&Facts::new(design, &shapes))
}

/// [`verify`] on facts that are there already.
pub fn findings(facts: &Facts<'_>) -> Vec<Finding> {
    let mut findings = Findings::new(facts.design());
    let (last, first): (Vec<Rule>, Vec<Rule>) =
        rules().partition(|rule| matches!(rule.check, Check::Exceptions(_)));
    for rule in first.into_iter().chain(last) {
        findings.of(rule, |findings| match rule.check {
            Check::Key(check) => keys::check(check, facts, findings),
            Check::Design(check) | Check::Exceptions(check) => check(facts, findings),
        });
    }
    findings.finish()
}
