//! KW0715: nothing is decided by what a global index says.

use keywright_key::IndexReach;

use crate::facts::Facts;
use crate::model::Purpose;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0715",
    name: "decision-on-index",
    title: "A claim, a lock or a balance read from a global index",
    severity: Severity::Warning,
    finds: "A pattern that reads a claim, a lock, an exact counter, a bucket or a single-use token through a global \
            index.",
    hurts: "A global index follows its table a moment later, at times much later, and has no consistent reads: \
            [reading a global index](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.Reading). \
            A claim that was just made is not there yet, a lock that was just released still is, a balance is that of a \
            moment ago.",
    example: "[entity.lock]\npurpose = \"lock\"\n\n[pattern.lock_of_task]\nindex = \"by_task\"\nreturns = [\"lock\"]",
    instead: "Let the write decide, by its condition on the item itself, or read the item by its key from the table with \
              `consistency = \"strong\"`. A list of locks or balances for people to look at may come from an index: say so in \
              an exception.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for pattern in &facts.design().patterns {
        let Some(index) = facts.index_of(pattern) else { continue };
        if index.reach != IndexReach::Global {
            continue;
        }
        for entity in pattern.returns.iter().filter_map(|returned| facts.entity(&returned.entity)) {
            let what = match entity.purpose {
                Purpose::ExactCounter => "an exact counter",
                Purpose::Claim | Purpose::Lock | Purpose::RateLimit | Purpose::SingleUseToken => {
                    entity.purpose.noun()
                }
                Purpose::Data | Purpose::ApproximateCounter | Purpose::Audit | Purpose::Ephemeral => continue,
            };
            findings.report(
                Place::pattern(&pattern.name).member("index"),
                format!(
                    "`{pattern}` reads `{entity}`, {what}, from global index `{index}`, which may lack the latest writes. \
                     Let the write decide by its condition, or read the item from the table with `consistency = \"strong\"`.",
                    pattern = pattern.name,
                    entity = entity.name,
                    index = index.name
                ),
            );
        }
    }
}
