//! KW0903: a tenant's id is the same text in a key, in a policy and in a session tag.

use keywright_key::{IndexKey, LetterCase, Modifier, TemplateShape};

use crate::facts::Facts;
use crate::model::{AttributeName, Entity, ValueType};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// The longest value of a session tag, in characters.
const LONGEST_TAG: usize = 256;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0903",
    name: "tenant-id-form",
    title: "A tenant id that is written in keys in another way",
    severity: Severity::Warning,
    finds: "A tenant attribute whose value a key writes differently from how it is passed on: an integer with leading zeros, a \
            point in time, a boolean, bytes, a ULID or UUID in another case, or an enum with a word that cannot be a session \
            tag: longer than 256 characters, or with others than letters, digits, spaces and `_ . : / = + - @`.",
    hurts: "A policy that fences tenants compares the partition key with the session's tag, text with text: \
            [session tags](https://docs.aws.amazon.com/STS/latest/APIReference/API_Tag.html), \
            [leading keys](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html). If the \
            key says `ORG#00000042` and the tag says `42`, every request is refused.",
    example: "[tenancy]\nattribute = \"organization_id\"\n\n[entity.team]\npartition_key = \"ORG#{organization_id}\"\n\
              attributes = { organization_id = \"u32\" }",
    instead: "Take text, a ULID or a UUID for the tenant's id, as they are. Of an integer that has to stay, write \
              `{organization_id:raw}`: a partition key has no order to keep.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let Some(tenants) = facts.tenants() else { return };
    for entity in &facts.design().entities {
        for template in partition_keys(facts, entity) {
            if let Some(message) = check_template(entity, &template, &tenants.attribute) {
                findings.report(Place::entity(&entity.name), message);
            }
        }
    }
}

/// The templates of the entity's partition keys: the table's, and those of global indexes.
fn partition_keys<'d>(facts: &Facts<'d>, entity: &Entity) -> Vec<TemplateShape<'d>> {
    let Some(shape) = facts.entity_shape(&entity.name) else { return Vec::new() };
    let of_indexes = shape.indexes.iter().filter_map(|entry| match entry.key {
        IndexKey::Global(key) => Some(key.partition_key),
        IndexKey::Local { .. } | IndexKey::Attributes => None,
    });
    std::iter::once(shape.key.partition_key).chain(of_indexes).collect()
}

fn check_template(entity: &Entity, template: &TemplateShape<'_>, tenant: &AttributeName) -> Option<String> {
    let attribute = entity.attribute(tenant.as_str())?;
    let segment = template.segment(template.place_of(tenant.as_str())?)?;
    let modifier = segment.component?.modifier;
    let case = match modifier {
        Modifier::Case(case) => Some(case),
        _ => template.format().letter_case,
    };
    let (how, instead) = match &attribute.value_type {
        ValueType::Unsigned(_) | ValueType::Signed(_) | ValueType::Version | ValueType::Counter
            if modifier != Modifier::Raw =>
        {
            ("with leading zeros", format!("Write `{{{tenant}:raw}}`, or take text, a ULID or a UUID"))
        }
        ValueType::Ulid if case == Some(LetterCase::Lower) => {
            ("in lower case", "Leave the case out: a ULID is written in upper case elsewhere".to_owned())
        }
        ValueType::Uuid if case == Some(LetterCase::Upper) => {
            ("in upper case", "Leave the case out: a UUID is written in lower case elsewhere".to_owned())
        }
        ValueType::Timestamp(_) | ValueType::TimeToLive | ValueType::Boolean | ValueType::Bytes => {
            ("in a form of its own", "Take text, a ULID or a UUID".to_owned())
        }
        ValueType::Enum(words) => {
            let word = words.iter().find(|word| !fits_tag(word))?;
            return Some(format!(
                "the tenant of `{entity}` can be {word:?}, which cannot be a session tag, so no policy can compare it. Take up \
                 to {LONGEST_TAG} letters, digits, spaces and `_ . : / = + - @`.",
                entity = entity.name
            ));
        }
        _ => return None,
    };
    Some(format!(
        "partition key `{template}` of `{entity}` writes `{tenant}` {how}, and a policy compares the key with the id as the \
         session has it. {instead}.",
        template = template.text(),
        entity = entity.name,
    ))
}

/// Whether a text can be the value of a session tag, and is written as it is in a key.
fn fits_tag(text: &str) -> bool {
    let is_allowed = |one: char| one.is_alphanumeric() || " _.:/=+-@".contains(one);
    text.chars().count() <= LONGEST_TAG && text.chars().all(is_allowed)
}
