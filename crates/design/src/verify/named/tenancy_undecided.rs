//! KW0505: it is said whether tenants share the tables.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0505",
    name: "tenancy-undecided",
    title: "Nobody said whether tenants share the tables",
    severity: Severity::Error,
    finds: "A design that has entities and no `[tenancy]`.",
    hurts: "Whether one customer can reach another's items hangs on every partition key. While nothing is said, none of \
            the rules about tenants looks at anything, and a forgotten filter shows somebody else's data: \
            [CWE-639](https://cwe.mitre.org/data/definitions/639.html).",
    example: "[table.app]\npartition_key = \"pk\"\n\n[entity.user]\npartition_key = \"USER#{user_id}\"",
    instead: "Name the attribute that says whose an item is: `[tenancy]` with `attribute = \"organization_id\"`. If \
              there is one tenant, say so: `tenancy = false`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let design = facts.design();
    if design.tenancy.is_undecided() && !design.entities.is_empty() {
        findings.report(
            Place::tenancy(),
            "it is not said whether tenants share the tables, so no key is checked for the tenant. Name the attribute that says whose \
             an item is, `[tenancy]` with `attribute = \"organization_id\"`, or say that there is one tenant: `tenancy = \
                 false`.",
        );
    }
}
