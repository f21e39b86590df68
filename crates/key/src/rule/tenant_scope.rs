//! KW0405: a pattern says whether what it finds is the caller's.

use super::reading::{ReturnedEntities, ReturnedEntity};
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{IndexReach, KeyPlace, PatternShape, TableShape, Tenancy, TenantScope};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0405",
    name: "tenant-scope",
    title: "A pattern that does not say whose items it finds",
    severity: Severity::Error,
    finds: "In a program, a pattern on a key that is a declared deviation, without `across_tenants`; or a pattern with it whose \
            key holds the tenant, or whose table has none.",
    hurts: "What such a key finds may be anybody's. Whoever reads the code must see it, and the items are not to be used before \
            their tenant has been compared. A word that is not needed lets a later change of the key pass unseen.",
    example: "#[derive(AccessPattern)]\n#[access_pattern(table = App, returns(ShareToken))]\nstruct SharedBy { token: String }",
    instead: "Say `across_tenants` where the key is a deviation, and nowhere else.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let is_across = match pattern.tenants {
        TenantScope::Unstated => return None,
        TenantScope::WithinTenant => false,
        TenantScope::AcrossTenants => true,
    };
    let Tenancy::Attribute(tenant) = table.tenancy else {
        return if is_across {
            Some(not_needed(pattern).name(table.name).say(" has no tenants. Leave `across_tenants` out."))
        } else {
            None
        };
    };
    let mut holds_tenant = None;
    let mut returned = ReturnedEntities::of(table, pattern);
    while let Some(one) = returned.next() {
        if one.key.partition.place_of(tenant).is_some() {
            if holds_tenant.is_none() {
                holds_tenant = Some(one.entity.name);
            }
        } else if is_across {
            return None;
        } else if is_deviation(table, pattern, &one) {
            let message = Message::new(&RULE).name(pattern.name).say(" finds ").name(one.entity.name);
            return Some(message.say(
                " by a key that does not hold the tenant, so what it finds may be anybody's. Say `across_tenants`: each item is \
                 then verified before it is used.",
            ));
        }
    }
    match holds_tenant {
        Some(entity) if is_across => {
            let message = not_needed(pattern).say("the key by which it finds ").name(entity);
            Some(message.say(" holds the tenant. Leave `across_tenants` out."))
        }
        _ => None,
    }
}

const fn not_needed(pattern: &PatternShape<'_>) -> Message {
    Message::new(&RULE).name(pattern.name).say(" says that it reads across tenants, but ")
}

/// Whether the key is a declared deviation; what is missing otherwise is reported for the entity.
const fn is_deviation(table: &TableShape<'_>, pattern: &PatternShape<'_>, one: &ReturnedEntity<'_>) -> bool {
    let place = match pattern.index {
        // The partition key of a local index is the table's.
        Some(name) => match table.index(name) {
            Some(index) if matches!(index.reach, IndexReach::Global) => KeyPlace::Index(name),
            _ => KeyPlace::Table,
        },
        None => KeyPlace::Table,
    };
    one.entity.deviation(place).is_some()
}

enforced!(Pattern);
