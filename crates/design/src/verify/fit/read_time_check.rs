//! KW0901: what is found without the tenant can be compared with the caller's.

use keywright_key::rule::not_projected;
use keywright_key::{IndexKey, IndexReach, TemplateShape};

use crate::facts::Facts;
use crate::model::{
    AttributeName, Deviation, DeviationKey, Entity, Index, Pattern, ReadTimeCheck, ReturnedAttributes,
    Tenants,
};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0901",
    name: "read-time-check",
    title: "A deviation whose items cannot be compared with the caller's tenant",
    severity: Severity::Error,
    finds: "A pattern that finds items by a key without the tenant, and returns them without the attribute that says whose they \
            are: it is not among the returned attributes, or not in the index that is read, and in no key that comes with the \
            item. A deviation whose value is the authority itself (`bearer`) needs no comparison.",
    hurts: "Nothing between the request and the data knows the tenant: whoever guesses or reuses the value gets another \
            tenant's item ([CWE-639](https://cwe.mitre.org/data/definitions/639.html)). The comparison is what makes a key \
            without the tenant safe.",
    example: "[tenancy]\nattribute = \"organization_id\"\n\
              deviations = [ { entity = \"connection\", reason = \"the id is the lookup value\" } ]\n\n\
              [pattern.connection]\noperation = \"get\"\nreturns = [ { entity = \"connection\", attributes = [\"board_id\"] } ]",
    instead: "Return the tenant attribute too, and project it into the index. It is compared before the item is handed on. If \
              the value is the authority, as a random token is, say so: `bearer = \"whoever has the link may see it\"`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let Some(tenants) = facts.tenants() else { return };
    for deviation in &tenants.deviations {
        // An entity that is not there, or has no tenant attribute, is reported as that.
        if deviation.check == ReadTimeCheck::TenantAttribute
            && let Some(entity) = facts.entity(&deviation.entity)
            && entity.attribute(tenants.attribute.as_str()).is_some()
        {
            check_deviation(facts, findings, tenants, deviation, entity);
        }
    }
}

fn check_deviation(
    facts: &Facts<'_>,
    findings: &mut Findings<'_>,
    tenants: &Tenants,
    deviation: &Deviation,
    entity: &Entity,
) {
    let tenant = &tenants.attribute;
    for pattern in facts.patterns_returning(&entity.name) {
        let index = facts.index_of(pattern);
        let Some(names) = returned_by_key(pattern, index, deviation) else { continue };
        let is_in_index = index.is_none_or(|index| is_in_index(facts, entity, index, tenant));
        if names.contains(tenant) || (is_in_index && is_in_key(facts, entity, index, tenant)) {
            continue;
        }
        let (key, instead) = match index {
            Some(index) if !is_in_index => (
                format!(", and index `{}` does not hold it", index.name),
                format!("Project `{tenant}` into the index, and return it"),
            ),
            _ => (String::new(), format!("Add `{tenant}` to its `attributes`")),
        };
        findings.report(
            Place::pattern(&pattern.name).member("returns"),
            format!(
                "`{pattern}` finds `{entity}` by a key without the tenant and returns it without `{tenant}`{key}: nothing says \
                 whether it is the caller's. {instead}, or say with `bearer` why whoever has the value may see the item.",
                pattern = pattern.name,
                entity = entity.name,
            ),
        );
    }
}

/// The attributes that the pattern returns of the entity, if it finds it by the deviating key and does not return all.
fn returned_by_key<'d>(
    pattern: &'d Pattern,
    index: Option<&Index>,
    deviation: &Deviation,
) -> Option<&'d [AttributeName]> {
    let is_by_key = match &deviation.key {
        // A local index has the partition key of the table.
        DeviationKey::Table => index.is_none_or(|index| index.reach == IndexReach::Local),
        DeviationKey::Index(index) => pattern.index.as_ref() == Some(index),
    };
    let returned =
        pattern.returns.iter().find(|returned| is_by_key && returned.entity == deviation.entity)?;
    match &returned.attributes {
        ReturnedAttributes::Only(names) => Some(names),
        // The tenant attribute is among all of them; if an index does not hold it, the key crate says so.
        ReturnedAttributes::Whole => None,
    }
}

/// Whether the tenant can be read from an entry of the index.
fn is_in_index(facts: &Facts<'_>, entity: &Entity, index: &Index, tenant: &AttributeName) -> bool {
    facts.table_shape(&entity.table).zip(facts.entity_shape(&entity.name)).is_none_or(|(table, shape)| {
        table
            .index(index.name.as_str())
            .is_none_or(|index| not_projected::holds(table, index, shape, tenant.as_str()))
    })
}

/// Whether the tenant can be read back from a key that comes with every item: that of the table, or that of the index.
fn is_in_key(facts: &Facts<'_>, entity: &Entity, index: Option<&Index>, tenant: &AttributeName) -> bool {
    let Some(shape) = facts.entity_shape(&entity.name) else { return false };
    let names = |template: &TemplateShape<'_>| template.names(tenant.as_str());
    let of_index =
        index.and_then(|index| shape.entry(index.name.as_str())).is_some_and(|entry| match &entry.key {
            IndexKey::Global(key) => names(&key.partition_key) || key.sort_key.as_ref().is_some_and(names),
            IndexKey::Local { sort_key } => names(sort_key),
            IndexKey::Attributes => {
                index.is_some_and(|index| index.key_attributes().any(|one| one.name == *tenant))
            }
        });
    of_index || names(&shape.key.partition_key) || shape.key.sort_key.as_ref().is_some_and(names)
}
