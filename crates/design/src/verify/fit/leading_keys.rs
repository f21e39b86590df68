//! KW0904: a policy on leading keys can tell the tenants apart.

use keywright_key::{AttributeType, IndexKey, TemplateShape};

use crate::facts::Facts;
use crate::model::{Entity, IndexKeys};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::names;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0904",
    name: "leading-keys",
    title: "A partition key that no policy can fence for a tenant",
    severity: Severity::Warning,
    finds: "A partition key, in the table or in a global index, in which a component stands before the tenant; and an index of \
            attributes in which the tenant is a number or bytes.",
    hurts: "The second fence, when the code has a fault, is a policy: `dynamodb:LeadingKeys` must be `ORG#1` or begin with \
            `ORG#1#` for tenant 1. With another component before it, the policy would need a wildcard there, and \
            `TEAM#*#ORG#1` also lets through whatever a team id can be made to hold. The condition keys are lists of strings, \
            so a number or bytes cannot be compared as keys are: \
            [fine-grained access](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html), \
            [condition keys](https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html).",
    example: "[tenancy]\nattribute = \"organization_id\"\n\n[entity.team]\npartition_key = \"TEAM#{team_id}#ORG#{organization_id}\"",
    instead: "Begin with literal text and the tenant: `ORG#{organization_id}#TEAM#{team_id}`. In an index of attributes any place \
              in the partition key will do, since each has a condition key of its own.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let Some(tenants) = facts.tenants() else { return };
    let tenant = tenants.attribute.as_str();
    for entity in &facts.design().entities {
        let Some(shape) = facts.entity_shape(&entity.name) else { continue };
        let place = Place::entity(&entity.name);
        if let Some(message) = check_template(entity, &shape.key.partition_key, tenant, "") {
            findings.report(place.clone().member("partition_key"), message);
        }
        for entry in shape.indexes {
            if let IndexKey::Global(key) = entry.key {
                let of_index = format!(" in index `{}`", entry.index);
                if let Some(message) = check_template(entity, &key.partition_key, tenant, &of_index) {
                    findings.report(place.clone().member("index").member(entry.index), message);
                }
            }
        }
    }
    check_attributes(facts, findings, tenant);
}

fn check_template(
    entity: &Entity,
    template: &TemplateShape<'_>,
    tenant: &str,
    of_index: &str,
) -> Option<String> {
    let place = template.place_of(tenant)?;
    let before: Vec<&str> = template
        .segments()
        .take(place)
        .filter_map(|segment| segment.component.map(|component| component.field))
        .collect();
    if before.is_empty() {
        return None;
    }
    Some(format!(
        "partition key `{template}` of `{entity}`{of_index} has {before} before the tenant, so a policy on \
         `dynamodb:LeadingKeys` would need a wildcard there. Begin with literal text and `{{{tenant}}}`.",
        template = template.text(),
        entity = entity.name,
        before = names(&before),
    ))
}

fn check_attributes(facts: &Facts<'_>, findings: &mut Findings<'_>, tenant: &str) {
    for table in &facts.design().tables {
        for index in &table.indexes {
            let IndexKeys::Attributes { partition_key, .. } = &index.keys else { continue };
            let is_wrong = partition_key
                .iter()
                .any(|one| one.name == *tenant && one.attribute_type != AttributeType::String);
            if is_wrong {
                findings.report(
                    Place::index(&table.name, &index.name).member("partition_key"),
                    format!(
                        "`{tenant}` is no string in the partition key of index `{index}` of `{table}`, and a policy compares \
                         strings. Make the tenant's id a string.",
                        index = index.name,
                        table = table.name
                    ),
                );
            }
        }
    }
}
