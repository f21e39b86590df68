//! KW0319: an update of a component gives all that the index's key is rendered from.

use super::changing::{Change, RenderedKeys, changes, is_made_of};
use super::key_view::{KeyView, PartView};
use super::{Check, Rule, Severity};
use crate::key_role::KeyRole;
use crate::message::Message;
use crate::shape::{ChangeAction, EntityShape, TableShape, Tenancy, UpdateShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0319",
    name: "index-key-incomplete",
    title: "An update that cannot render the key of an index",
    severity: Severity::Error,
    finds: "An update that sets an attribute which the key of an index is rendered from, while that key also needs an \
            attribute which is neither in the table's key nor in the update.",
    hurts: "The key of the index must be written anew with the attribute, and what the item holds is not known: the item \
            would stay in the index under its old key, and be found by what it no longer is.",
    example: "#[entity(.., index(ByAssignee, partition_key = \"ORG#{organization_id}#USER#{assignee}\", sort_key = \
              \"{status}#{due}\"))]\nstruct Task { .. }\n\n#[derive(Update)]\n#[update(table = App, of = Task)]\nstruct \
              Finish { status: Status }",
    instead: "Add the missing attribute to the update, from the item as it was read, with a condition or a version that it \
              still is so; or put the whole item.",
    check: Check::Update(check),
};

/// What is wrong with the change at `place`, if something is.
#[must_use]
pub const fn check_change<'a>(
    table: &TableShape<'a>,
    update: &UpdateShape<'a>,
    place: usize,
) -> Option<Message> {
    let Some(change) = Change::of_changeable(table, update, place) else { return None };
    // Without the component the item leaves the index, whatever the others are; other actions are another rule's.
    if !matches!(change.change.action, ChangeAction::Set) {
        return None;
    }
    let mut keys = RenderedKeys::of(table, change.entity);
    while let Some(key) = keys.next() {
        if !key.is_made_of(change.change.attribute) {
            continue;
        }
        let mut part_place = 0;
        while part_place < 2 {
            if let Some(part) = key.part(part_place)
                && let Some(missing) = first_unknown(table, change.entity, update, part)
            {
                let role = if part_place == 0 { KeyRole::Partition } else { KeyRole::Sort };
                let message = change.said(Message::new(&RULE), update).say(", which the key in index ");
                let message = message.name(key.index).say(" is rendered from. Its ").say(role.name());
                let message = part.named(message.say(" ")).say(" also needs ").name(missing);
                let message = message.say(", which is neither in the table's key nor in the update. Add ");
                return Some(message.name(missing).say(" to the update, or put the whole item."));
            }
            part_place += 1;
        }
    }
    None
}

/// The first component that is not known when the update is sent.
const fn first_unknown<'a>(
    table: &TableShape<'a>,
    entity: &EntityShape<'a>,
    update: &UpdateShape<'a>,
    part: PartView<'a>,
) -> Option<&'a str> {
    let mut place = 0;
    while place < part.len() {
        if let Some(component) = part.field(place)
            && !changes(update, component)
            && !is_known(table, entity, component)
        {
            return Some(component);
        }
        place += 1;
    }
    None
}

/// Whether whoever names the item says the attribute: by its key, or as the tenant.
const fn is_known(table: &TableShape<'_>, entity: &EntityShape<'_>, attribute: &str) -> bool {
    if let Tenancy::Attribute(tenant) = table.tenancy
        && text::equal(tenant, attribute)
    {
        return true;
    }
    match KeyView::of(entity, None) {
        Some(KeyView { partition, sort }) => {
            is_made_of(Some(partition), attribute) || is_made_of(sort, attribute)
        }
        None => false,
    }
}

enforced!(Update);
