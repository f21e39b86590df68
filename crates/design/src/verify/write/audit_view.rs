//! KW0821: whoever audits a stream sees what was and what is.

use crate::facts::Facts;
use crate::model::{Purpose, StreamView};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0821",
    name: "audit-view",
    title: "An audited table whose stream shows half",
    severity: Severity::Warning,
    finds: "A table with an audit entity whose stream does not carry the new and the old images.",
    hurts: "From half of a change nobody can say what it was: what an item became without what it had been, or that it was deleted \
            without what was lost \
            ([StreamViewType](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_StreamSpecification.html)). The view of \
            a stream cannot be changed, only that of a new one.",
    example: "[table.app]\nstream = \"keys-only\"\n\n[entity.audit_entry]\ntable = \"app\"\npurpose = \"audit\"",
    instead: "Say `stream = \"new-and-old-images\"`. It costs nothing more: streams are paid for by reads.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let Some(view) = table.stream.chosen() else { continue };
        let audit = facts.entities_of(&table.name).find(|entity| entity.purpose == Purpose::Audit);
        // Replicated tables have a rule of their own about their stream.
        if let Some(entity) = audit
            && *view != StreamView::NewAndOldImages
            && table.replication.is_none()
        {
            findings.report(
                Place::table(&table.name).member("stream"),
                format!(
                    "`{}` holds `{}`, an audit trail, and its stream shows half of each change. Say `stream = \
                     \"new-and-old-images\"`.",
                    table.name, entity.name
                ),
            );
        }
    }
}
