//! KW0806: a lock ends by itself.

use crate::facts::Facts;
use crate::model::{Purpose, ValueType};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0806",
    name: "lock-without-lease",
    title: "A lock that nobody can take from the dead",
    severity: Severity::Error,
    finds: "A lock without an attribute that says until when it is held.",
    hurts: "A process that dies holds the lock for ever, and somebody deletes it by hand at night, perhaps from one that lives. \
            Waiting for time to live does not help: it deletes days later \
            ([building a lock](https://aws.amazon.com/blogs/database/building-distributed-locks-with-the-dynamodb-lock-client/)).",
    example: "[entity.job_lock]\npartition_key = \"LOCK#{job}\"\nsort_key = \"LOCK\"\npurpose = \"lock\"\nattributes = { holder = \
              \"string\" }",
    instead: "Give it the end of the lease as a timestamp, `held_until = \"timestamp\"`, and take it by `attribute_not_exists(..) OR \
              held_until < :now`. A version as well keeps one who wakes late from writing.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for entity in &facts.design().entities {
        let has_lease = entity.attributes.iter().any(|attribute| {
            matches!(
                attribute.value_type,
                ValueType::Timestamp(_) | ValueType::TimeToLive | ValueType::Number | ValueType::Unsigned(_)
            )
        });
        if entity.purpose == Purpose::Lock && !has_lease {
            findings.report(
                Place::entity(&entity.name),
                format!(
                    "`{}` is a lock, and no attribute says until when it is held, so that of a process that dies is never free. \
                     Add `held_until = \"timestamp\"`, and compare it where the lock is taken.",
                    entity.name
                ),
            );
        }
    }
}
