//! KW0403: no partition key of one tenant is that of another.

use super::key_view::{KeyView, PartSource};
use super::same_key::after;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, IndexShape, TableShape, Tenancy};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0403",
    name: "tenant-place",
    title: "Partition keys that two tenants can share",
    severity: Severity::Error,
    finds: "Two entities that can have the same partition key, in the table or in an index, and hold the tenant in \
            different places of it, or only one of them holds it.",
    hurts: "`X#{a}#{organization_id}` and `X#{organization_id}#{b}` write one key for two tenants: a query of one reads \
            items of the other, whatever the sort keys are.",
    example: "[entity.share]\npartition_key = \"{token}\"\n\n[entity.team]\npartition_key = \"{organization_id}\"",
    instead: "Begin the partition keys with different literal text, `SHARE#{token}` and `ORG#{organization_id}`, or hold the \
              tenant in one place of all of them.",
    check: Check::Entity(check),
};

/// What is wrong with the entity and one that the table lists after it, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    let Tenancy::Attribute(tenant) = table.tenancy else { return None };
    if let Some(message) = check_place(table, entity, None, tenant) {
        return Some(message);
    }
    let mut rest = table.indexes;
    while let [index, later @ ..] = rest {
        if let Some(message) = check_place(table, entity, Some(index), tenant) {
            return Some(message);
        }
        rest = later;
    }
    None
}

const fn check_place<'a>(
    table: &TableShape<'a>,
    entity: &EntityShape<'a>,
    index: Option<&IndexShape<'a>>,
    tenant: &str,
) -> Option<Message> {
    let Some(key) = KeyView::of(entity, index) else { return None };
    let mut others = after(table.entities, entity.name);
    while let [other, later @ ..] = others {
        if !text::equal(entity.name, other.name)
            && let Some(other_key) = KeyView::of(other, index)
            && !has_one_place(&key, &other_key, tenant)
            && key.partition.can_equal(&other_key.partition)
        {
            let message = key.partition.named(Message::new(&RULE)).say(" of ").name(entity.name).say(" and ");
            let message = other_key.partition.named(message).say(" of ").name(other.name);
            let message = message.say(" can be the same partition key");
            let message = match index {
                Some(index) => message.say(" of index ").name(index.name),
                None => message,
            };
            return Some(message.say(
                ", but do not hold the tenant in the same place: one tenant's query would read another's items. Begin \
                 them with different literal text, or hold the tenant in one place.",
            ));
        }
        others = later;
    }
    None
}

/// Whether the tenant stands in the same place of both, after the same text, or in neither.
const fn has_one_place(key: &KeyView<'_>, other: &KeyView<'_>, tenant: &str) -> bool {
    if let (PartSource::Template(one), PartSource::Template(two)) =
        (&key.partition.source, &other.partition.source)
        && text::equal(one.text(), two.text())
    {
        return true;
    }
    match (key.partition.place_of(tenant), other.partition.place_of(tenant)) {
        (None, None) => true,
        (Some(one), Some(two)) => {
            let (Some(first), Some(second)) = (key.partition.template(), other.partition.template()) else {
                return true;
            };
            one == two
                && match (first.segment(one), second.segment(two)) {
                    (Some(first), Some(second)) => text::equal(first.literal, second.literal),
                    _ => false,
                }
        }
        _ => false,
    }
}

enforced!(Entity);
