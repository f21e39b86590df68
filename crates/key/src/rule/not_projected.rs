//! KW0306: an index holds what its patterns return and filter by.

use super::key_view::KeyView;
use super::reading::{ReturnedEntities, Source};
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{
    EntityShape, IndexKeys, IndexShape, KeyAttribute, PatternShape, Projection, Returned, TableShape,
    Tenancy, TenantScope,
};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0306",
    name: "not-projected",
    title: "A pattern that needs what its index does not hold",
    severity: Severity::Error,
    finds: "An attribute that a pattern returns, or filters by, and that is neither projected into the index nor part of \
            a key. What is part of a rendered key can be returned, since the key is read back; a filter needs the \
            attribute itself. In a program, the tenant, where a pattern across tenants filters: through a tenant's handle \
            the filter asks of that tenant's items only, so that nothing of others' is found out by asking.",
    hurts: "The items come without the attribute, or the filter lets nothing through.",
    example: "[table.app.index.by_user]\nproject = [\"role\"]\n\n[pattern.memberships]\nindex = \"by_user\"\nreturns = [\"member\"]",
    instead: "Project the attribute, or return a type that does not have it.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let Source::Index(index) = Source::of(table, pattern) else { return None };
    let mut rest = pattern.returns;
    while let [returned, later @ ..] = rest {
        // An entity without a key in the index is reported by another rule.
        if let Some(entity) = table.entity(returned.entity)
            && entity.entry(index.name).is_some()
        {
            let missing = match returned.attributes {
                Returned::Whole => first_missing(table, index, entity),
                Returned::Only(names) => first_missing_of(table, index, entity, names),
            };
            if let Some(attribute) = missing {
                let message = begin(pattern, index)
                    .say(" does not hold ")
                    .name(attribute)
                    .say(" of ")
                    .name(entity.name);
                return Some(message.say(
                    ", which the pattern returns. Project it, or return a type that does not have it.",
                ));
            }
        }
        rest = later;
    }
    if ReturnedEntities::of(table, pattern).next().is_none() {
        // Nothing that is returned has a key in the index: another rule reports that.
        return None;
    }
    let mut filtered = pattern.filter.attributes;
    while let [attribute, later @ ..] = filtered {
        if !holds_itself(table, index, attribute) {
            let message = begin(pattern, index).say(" does not hold ").name(attribute);
            return Some(
                message.say(", which the pattern filters by. Project it, or leave it out of the filter."),
            );
        }
        filtered = later;
    }
    if pattern.filter.attributes.is_empty() { None } else { check_filter(table, pattern) }
}

/// What is wrong with a filter of what the pattern reads, whatever it asks, if something is: across tenants it is asked of one tenant's
/// items, which takes the tenant attribute itself.
#[must_use]
pub const fn check_filter<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let (Tenancy::Attribute(tenant), TenantScope::AcrossTenants) = (table.tenancy, pattern.tenants) else {
        return None;
    };
    let Source::Index(index) = Source::of(table, pattern) else { return None };
    if holds_itself(table, index, tenant) {
        return None;
    }
    let message = begin(pattern, index).say(" does not hold ").name(tenant);
    Some(message.say(
        ", by which a filter across tenants is asked of one tenant's items only. Project it, or leave the filter out.",
    ))
}

/// Stops the compilation with what [`check_filter`] finds.
///
/// # Panics
/// When the index cannot be asked for the tenant.
#[track_caller]
pub const fn enforce_filter<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) {
    if let Some(message) = check_filter(table, pattern) {
        message.fail()
    }
}

const fn begin(pattern: &PatternShape<'_>, index: &IndexShape<'_>) -> Message {
    Message::new(&RULE).name(pattern.name).say(" reads index ").name(index.name).say(", which")
}

const fn first_missing<'a>(
    table: &TableShape<'a>,
    index: &IndexShape<'a>,
    entity: &EntityShape<'a>,
) -> Option<&'a str> {
    let mut rest = entity.attributes;
    while let [attribute, later @ ..] = rest {
        if !holds(table, index, entity, attribute.name) {
            return Some(attribute.name);
        }
        rest = later;
    }
    None
}

const fn first_missing_of<'a>(
    table: &TableShape<'a>,
    index: &IndexShape<'a>,
    entity: &EntityShape<'a>,
    names: &'a [&'a str],
) -> Option<&'a str> {
    let mut rest = names;
    while let [name, later @ ..] = rest {
        if !holds(table, index, entity, name) {
            return Some(name);
        }
        rest = later;
    }
    None
}

/// Whether `name` of `entity` is in the index, or can be read back from a rendered key that is.
#[must_use]
pub const fn holds<'a>(
    table: &TableShape<'a>,
    index: &IndexShape<'a>,
    entity: &EntityShape<'a>,
    name: &str,
) -> bool {
    holds_itself(table, index, name)
        || is_in_key(KeyView::of(entity, None), name)
        || is_in_key(KeyView::of(entity, Some(index)), name)
}

const fn is_in_key(key: Option<KeyView<'_>>, name: &str) -> bool {
    match key {
        Some(KeyView { partition, sort }) => {
            partition.place_of(name).is_some()
                || match sort {
                    Some(sort) => sort.place_of(name).is_some(),
                    None => false,
                }
        }
        None => false,
    }
}

/// Whether the attribute itself is in the index: projected, or a key attribute of the table or the index.
#[must_use]
pub const fn holds_itself(table: &TableShape<'_>, index: &IndexShape<'_>, name: &str) -> bool {
    let projected = match index.projection {
        Projection::All { .. } => true,
        Projection::Include(names) => text::has(names, name),
        Projection::KeysOnly => false,
    };
    projected || is_key_attribute(table, Some(index), name)
}

/// Whether `name` is a key attribute of the table or of the index.
pub(super) const fn is_key_attribute(
    table: &TableShape<'_>,
    index: Option<&IndexShape<'_>>,
    name: &str,
) -> bool {
    if text::equal(table.partition_key.name, name) || is_named(table.sort_key, name) {
        return true;
    }
    match index {
        None => false,
        Some(index) => match index.keys {
            IndexKeys::Rendered { partition_key, sort_key } => {
                text::equal(partition_key.name, name) || is_named(sort_key, name)
            }
            IndexKeys::Attributes { partition_key, sort_key } => {
                is_among(partition_key, name) || is_among(sort_key, name)
            }
        },
    }
}

const fn is_named(attribute: Option<KeyAttribute<'_>>, name: &str) -> bool {
    match attribute {
        Some(attribute) => text::equal(attribute.name, name),
        None => false,
    }
}

const fn is_among(attributes: &[KeyAttribute<'_>], name: &str) -> bool {
    let mut rest = attributes;
    while let [attribute, later @ ..] = rest {
        if text::equal(attribute.name, name) {
            return true;
        }
        rest = later;
    }
    false
}

enforced!(Pattern);
