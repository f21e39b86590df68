//! KW0915: who has tenants says so.

use std::collections::HashMap;

use crate::facts::Facts;
use crate::model::Decision;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What tenants are called.
const TENANTS: &[&str] = &["organization", "organisation", "org", "tenant", "workspace", "company"];

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0915",
    name: "tenant-in-disguise",
    title: "Partition keys that look like those of tenants, in a design without tenants",
    severity: Severity::Advice,
    finds: "A design with `tenancy = false` in which the partition keys of two entities or more, and of at least half of all, \
            begin with an organization, a tenant, a workspace or a company.",
    hurts: "Without a tenant nothing is said about a partition key that misses it, a read that does not compare it, or a policy \
            that cannot fence it: [CWE-639](https://cwe.mitre.org/data/definitions/639.html).",
    example: "tenancy = false\n\n[entity.team]\npartition_key = \"ORG#{organization_id}\"\n\n[entity.user]\n\
              partition_key = \"ORG#{organization_id}\"",
    instead: "Declare the tenants, `[tenancy]` with `attribute = \"organization_id\"`, and the keys that do without as deviations. \
              If the organizations are data of one owner, such as the companies in a directory, say so in an exception.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let design = facts.design();
    if !matches!(design.tenancy, Decision::No) {
        return;
    }
    let mut first: HashMap<&str, usize> = HashMap::new();
    for entity in &design.entities {
        let field =
            facts.entity_shape(&entity.name).and_then(|shape| shape.key.partition_key.fields().next());
        if let Some(field) = field.filter(|field| is_tenant(field)) {
            *first.entry(field).or_default() += 1;
        }
    }
    let most = first.into_iter().max_by(|one, other| one.1.cmp(&other.1).then(other.0.cmp(one.0)));
    if let Some((field, entities)) = most
        && entities >= 2
        && entities * 2 >= design.entities.len()
    {
        findings.report(
            Place::tenancy(),
            format!(
                "the partition keys of {entities} of {all} entities begin with `{field}`, and the design says that it has no \
                 tenants. If customers share the tables, declare them: `[tenancy]` with `attribute = \"{field}\"`.",
                all = design.entities.len()
            ),
        );
    }
}

fn is_tenant(field: &str) -> bool {
    let name = field.strip_suffix("_id").unwrap_or(field);
    TENANTS.contains(&name)
}
