//! KW0515: what is stored is read by some pattern.

use std::collections::HashSet;

use crate::facts::Facts;
use crate::model::{Entity, Once, Purpose, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0515",
    name: "entity-never-read",
    title: "An entity that no pattern reads",
    severity: Severity::Warning,
    finds: "An entity that no pattern returns. Claims, locks, buckets and single-use tokens are read by the conditions of \
            writes, and what is ephemeral and counted by `add` by the answer of the write; they do not count.",
    hurts: "Access patterns come first: a pattern that is found later needs a key that the entity does not have, and with it a new \
            index or a migration. What nothing ever reads is paid for in vain.",
    example: "[entity.invoice]\npartition_key = \"INVOICE#{invoice_id}\"\nsort_key = \"INVOICE\"\n\n[pattern.customer]\nreturns = \
              [\"customer\"]",
    instead: "Write down what is asked of it: get it, list it by what, sorted by what. If only a consumer of the stream needs it, \
              say so in an exception.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let design = facts.design();
    let returned =
        design.patterns.iter().flat_map(|pattern| &pattern.returns).map(|returned| &returned.entity);
    let claimed = design.writes.iter().filter_map(|write| match &write.once {
        Some(Once::Claim(claim)) => Some(claim),
        _ => None,
    });
    let read: HashSet<&str> = returned.chain(claimed).map(|entity| entity.as_str()).collect();
    for entity in &design.entities {
        if !read.contains(entity.name.as_str()) && !is_read_by_writes(facts, entity) {
            findings.report(
                Place::entity(&entity.name),
                format!(
                    "no pattern reads `{}`. Write down what is asked of it before its keys are settled, or remove it; if only a \
                     consumer of the stream needs it, say so in an exception.",
                    entity.name
                ),
            );
        }
    }
}

fn is_read_by_writes(facts: &Facts<'_>, entity: &Entity) -> bool {
    match entity.purpose {
        Purpose::Claim | Purpose::Lock | Purpose::RateLimit | Purpose::SingleUseToken => true,
        Purpose::Ephemeral => {
            facts.writes_of(&entity.name).any(|write| write.operation == WriteOperation::Add)
        }
        Purpose::Data | Purpose::ExactCounter | Purpose::ApproximateCounter | Purpose::Audit => false,
    }
}
