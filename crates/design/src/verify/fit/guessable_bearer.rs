//! KW0902: a value that opens an item cannot be guessed.

use keywright_key::{IndexKey, KeyShape};

use crate::facts::Facts;
use crate::model::{Deviation, DeviationKey, Entity, IndexKeys, PatternOperation, ReadTimeCheck, ValueType};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::names;

/// Names of attributes whose values are known to others, or are easy to find out.
const KNOWN_TO_OTHERS: &[&str] = &[
    "email",
    "email_address",
    "e_mail",
    "mail",
    "phone",
    "phone_number",
    "telephone",
    "username",
    "user_name",
    "login",
    "handle",
    "nickname",
    "name",
    "slug",
    "domain",
    "hostname",
    "host",
];

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0902",
    name: "guessable-bearer",
    title: "A bearer's value that can be guessed",
    severity: Severity::Warning,
    finds: "A deviation with `bearer`, so that whoever has the value sees the item, whose key is made of integers, points in \
            time, enums, booleans or literal text alone, or of something that others know: an e-mail address, a phone number, a \
            name.",
    hurts: "An attacker counts through the values, or looks them up, and reads every tenant's items: \
            [CWE-340](https://cwe.mitre.org/data/definitions/340.html), \
            [CWE-639](https://cwe.mitre.org/data/definitions/639.html). A value that grants access needs at least 64 random \
            bits: [session identifiers](https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html).",
    example: "[tenancy]\nattribute = \"organization_id\"\n\
              deviations = [ { entity = \"invoice_link\", reason = \"public link\", bearer = \"the number is on the invoice\" } ]\n\n\
              [entity.invoice_link]\npartition_key = \"INVOICE#{number}\"\nattributes = { number = \"u32\" }",
    instead: "Key the item by a random token of 128 bits or more from a secure source, or leave `bearer` out, so that the tenant \
              is compared. If the item is public, say that in an exception.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let Some(tenants) = facts.tenants() else { return };
    for (place, deviation) in tenants.deviations.iter().enumerate() {
        let ReadTimeCheck::Bearer { .. } = deviation.check else { continue };
        let Some(entity) = facts.entity(&deviation.entity) else { continue };
        let Some(parts) = value(facts, deviation, entity) else { continue };
        if !parts.iter().all(|part| is_guessable(entity, part)) {
            continue;
        }
        let what = if parts.is_empty() {
            "literal text alone, which is the same for everybody".to_owned()
        } else {
            format!("{} alone, which can be guessed or looked up", names(&parts))
        };
        findings.report(
            Place::tenancy().member("deviations").element(place),
            format!(
                "whoever has the key of `{entity}` sees it, and the key is made of {what}. Key it by a random token of 128 bits \
                 or more, or leave `bearer` out, so that the tenant is compared.",
                entity = entity.name
            ),
        );
    }
}

/// The attributes that somebody has to know to find the item: those of the partition key, and those of the sort key where
/// items are read by their whole key only. Nothing if the entity does not have the key.
fn value<'d>(facts: &Facts<'d>, deviation: &Deviation, entity: &Entity) -> Option<Vec<&'d str>> {
    let shape = facts.entity_shape(&entity.name)?;
    match &deviation.key {
        DeviationKey::Table => {
            let mut readers =
                facts.patterns_returning(&entity.name).filter(|pattern| pattern.index.is_none());
            let needs_whole_key = readers.all(|pattern| pattern.operation == PatternOperation::Get);
            Some(fields(&shape.key, needs_whole_key))
        }
        DeviationKey::Index(name) => {
            let index = facts.table(&entity.table)?.index(name)?;
            match (&shape.entry(name.as_str())?.key, &index.keys) {
                (IndexKey::Global(key), _) => Some(fields(key, false)),
                (IndexKey::Attributes, IndexKeys::Attributes { partition_key, .. }) => {
                    Some(partition_key.iter().map(|attribute| attribute.name.as_str()).collect())
                }
                (IndexKey::Local { .. } | IndexKey::Attributes, _) => None,
            }
        }
    }
}

fn fields<'d>(key: &KeyShape<'d>, with_sort_key: bool) -> Vec<&'d str> {
    let sort_key = key.sort_key.filter(|_| with_sort_key);
    key.partition_key.fields().chain(sort_key.iter().flat_map(|sort_key| sort_key.fields())).collect()
}

fn is_guessable(entity: &Entity, name: &str) -> bool {
    entity.attribute(name).is_some_and(|attribute| match &attribute.value_type {
        ValueType::Unsigned(_)
        | ValueType::Signed(_)
        | ValueType::Timestamp(_)
        | ValueType::TimeToLive
        | ValueType::Enum(_)
        | ValueType::Boolean
        | ValueType::Version
        | ValueType::Counter => true,
        ValueType::Text => KNOWN_TO_OTHERS.contains(&name.to_ascii_lowercase().as_str()),
        _ => false,
    })
}
