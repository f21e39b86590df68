//! KW0820: a record of what happened is only ever added to.

use super::written;
use crate::facts::Facts;
use crate::model::{Entity, Purpose, Write, WriteCondition, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0820",
    name: "audit-changed",
    title: "A record of what happened that can be changed",
    severity: Severity::Error,
    finds: "A write that updates or deletes an audit entity, or puts it without `if-absent`, so that it could replace one that is \
            there.",
    hurts: "A trail that can be rewritten proves nothing, least of all about whoever could rewrite it \
            ([NIST SP 800-53, AU-9](https://csrc.nist.gov/projects/cprt/catalog#/cprt/framework/version/SP_800_53_5_1_1/home?element=AU-09)).",
    example: "[entity.audit_entry]\npurpose = \"audit\"\n\n[write.log]\noperation = \"put\"\nentities = [\"audit_entry\"]\nonce = \
              \"same-result\"",
    instead: "Put with `condition = \"if-absent\"`, correct by another entry, and let the policy allow nothing but PutItem. What must be \
              gone after years expires.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        let Some(entity) = changed_audit(facts, write) else { continue };
        let problem = match write.operation {
            WriteOperation::Put | WriteOperation::Transaction => {
                "without `if-absent`, so it could replace an entry. Add `condition = \"if-absent\"`."
            }
            WriteOperation::Batch => {
                "in a batch, which has no conditions and could replace an entry. Put each with `condition = \
                 \"if-absent\"`."
            }
            WriteOperation::Update | WriteOperation::Add | WriteOperation::Delete => {
                "and what is there must stay as it is. Add an entry that corrects it."
            }
        };
        findings.report(
            Place::write(&write.name),
            format!("`{}` writes `{}`, a record of what happened, {problem}", write.name, entity.name),
        );
    }
}

/// The audit entity that the write could change.
pub(super) fn changed_audit<'d>(facts: &Facts<'d>, write: &'d Write) -> Option<&'d Entity> {
    let adds = match write.operation {
        WriteOperation::Put => write.condition == WriteCondition::IfAbsent,
        // The condition may be about another item of the transaction.
        WriteOperation::Transaction => {
            !matches!(write.condition, WriteCondition::None | WriteCondition::IfPresent)
        }
        WriteOperation::Update | WriteOperation::Add | WriteOperation::Delete | WriteOperation::Batch => {
            false
        }
    };
    if adds { None } else { written(facts, write).find(|entity| entity.purpose == Purpose::Audit) }
}
