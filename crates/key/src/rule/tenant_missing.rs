//! KW0401: the tenant is in every partition key, or the key is a declared deviation.

use super::key_view::KeyView;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, IndexReach, KeyPlace, Presence, TableShape, Tenancy};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0401",
    name: "tenant-missing",
    title: "A partition key without the tenant",
    severity: Severity::Error,
    finds: "In a table that tenants share, an entity without the tenant attribute, or whose partition key, in the table or \
            in a global index, does not hold it and is not declared as a deviation.",
    hurts: "A query reaches the items of every tenant: one forgotten filter, and a customer sees another's data. Policies \
            on leading keys cannot tell the tenants apart either.",
    example: "[tenancy]\nattribute = \"organization_id\"\n\n[entity.team]\npartition_key = \"TEAM#{team_id}\"",
    instead: "Put the tenant into the partition key: `ORG#{organization_id}`. If the key is what is looked up (a token, an \
              id from outside), declare a deviation with its reason: the item's tenant is then checked when it is read.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    let Tenancy::Attribute(tenant) = table.tenancy else { return None };
    match entity.attribute(tenant) {
        None => {
            let message = Message::new(&RULE).name(entity.name).say(" has no attribute ").name(tenant);
            let message = message
                .say(", and ")
                .name(table.name)
                .say(" is shared by tenants: nothing says whose an item is. ");
            return Some(message.say("Add the attribute, also where a key deviates."));
        }
        Some(attribute) => {
            if matches!(attribute.presence, Presence::Sometimes) {
                let message = Message::new(&RULE)
                    .name(tenant)
                    .say(" of ")
                    .name(entity.name)
                    .say(" is optional, so an item ");
                return Some(
                    message.say("may belong to no tenant. Make it an attribute that is always there."),
                );
            }
        }
    }
    if let Some(message) = check_key(table, entity, KeyView::of(entity, None), KeyPlace::Table, tenant) {
        return Some(message);
    }
    let mut rest = table.indexes;
    while let [index, later @ ..] = rest {
        let place = KeyPlace::Index(index.name);
        // The partition key of a local index is the table's.
        if matches!(index.reach, IndexReach::Global)
            && let Some(message) = check_key(table, entity, KeyView::of(entity, Some(index)), place, tenant)
        {
            return Some(message);
        }
        rest = later;
    }
    None
}

const fn check_key(
    table: &TableShape<'_>,
    entity: &EntityShape<'_>,
    key: Option<KeyView<'_>>,
    place: KeyPlace<'_>,
    tenant: &str,
) -> Option<Message> {
    let Some(key) = key else { return None };
    if key.partition.place_of(tenant).is_some() || entity.deviation(place).is_some() {
        return None;
    }
    let message =
        key.partition.named(Message::new(&RULE).say("the partition key ")).say(" of ").name(entity.name);
    let message = match place {
        KeyPlace::Table => message.say(" in ").name(table.name),
        KeyPlace::Index(index) => message.say(" in index ").name(index),
    };
    Some(message.say(" does not hold the tenant, ").name(tenant).say(
        ", so a query could reach the items of another tenant. Put it into the partition key, or declare a deviation with \
         its reason.",
    ))
}

enforced!(Entity);
