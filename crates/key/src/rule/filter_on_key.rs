//! KW0314: a filter does not look at key attributes.

use super::not_projected::is_key_attribute;
use super::reading::Source;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{IndexShape, PatternShape, TableShape, Tenancy, TenantScope};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0314",
    name: "filter-on-key",
    title: "A filter on a key attribute",
    severity: Severity::Error,
    finds: "A filter of a Query that names an attribute of the key that the Query reads by. In a program, a filter of a pattern \
            across tenants where the tenant is in that key: the filter asks of one tenant's items only, and so names it.",
    hurts: "DynamoDB refuses the request: what concerns the key belongs into the key condition, which also saves reading \
            what is left out.",
    example: "[pattern.recent]\nreturns = [\"order\"]\nfilter = { attributes = [\"sk\"] }",
    instead: "Ask for a range of the sort key, or filter by an attribute that is not in the key.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let index = match Source::of(table, pattern) {
        Source::Table => None,
        Source::Index(index) => Some(index),
        Source::Unknown => return None,
    };
    let mut rest = pattern.filter.attributes;
    while let [attribute, later @ ..] = rest {
        if is_read_by(table, index, attribute) {
            let message = Message::new(&RULE).name(pattern.name).say(" filters by ").name(attribute);
            return Some(message.say(
                ", which is in the key that it reads by, and DynamoDB refuses that. Put it into the condition on the sort \
                 key.",
            ));
        }
        rest = later;
    }
    if pattern.filter.attributes.is_empty() { None } else { check_filter(table, pattern) }
}

/// What is wrong with a filter of what the pattern reads, whatever it asks, if something is: across tenants it is asked of one tenant's
/// items, and so names the tenant attribute.
#[must_use]
pub const fn check_filter<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let (Tenancy::Attribute(tenant), TenantScope::AcrossTenants) = (table.tenancy, pattern.tenants) else {
        return None;
    };
    let index = match Source::of(table, pattern) {
        Source::Table => None,
        Source::Index(index) => Some(index),
        Source::Unknown => return None,
    };
    if !is_read_by(table, index, tenant) {
        return None;
    }
    let message = Message::new(&RULE).name(pattern.name).say(" filters across tenants, which asks for ");
    Some(message.name(tenant).say(
        ", and that is in the key that it reads by, where DynamoDB refuses it. Read by a key without it, or leave the filter out.",
    ))
}

/// Stops the compilation with what [`check_filter`] finds.
///
/// # Panics
/// When the tenant is in the key that is read by.
#[track_caller]
pub const fn enforce_filter<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) {
    if let Some(message) = check_filter(table, pattern) {
        message.fail()
    }
}

/// Whether `name` is in the key that is read by: the index's, not the table's, for an index.
const fn is_read_by(table: &TableShape<'_>, index: Option<&IndexShape<'_>>, name: &str) -> bool {
    match index {
        None => is_key_attribute(table, None, name),
        Some(_) => is_key_attribute(table, index, name) && !is_key_attribute(table, None, name),
    }
}

enforced!(Pattern);
