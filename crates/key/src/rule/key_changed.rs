//! KW0318: what an item is found by, and whose it is, does not change.

use super::changing::{Change, is_made_of};
use super::key_view::KeyView;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{TableShape, Tenancy, UpdateShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0318",
    name: "key-changed",
    title: "An update of what the key is made of",
    severity: Severity::Error,
    finds: "An update that changes an attribute which the key in the table is made of, or the tenant.",
    hurts: "DynamoDB cannot change the key of an item: the attribute would say one thing and the key another, and the item \
            would be found by the old one only. An item that changes its tenant is one customer's data in another's hands.",
    example: "#[derive(Update)]\n#[update(table = App, of = Member)]\nstruct MoveToTeam { team_id: TeamId }",
    instead: "Put the item under its new key and delete the old one, in one transaction. For many items that is a migration.",
    check: Check::Update(check),
};

/// What is wrong with the change at `place`, if something is.
#[must_use]
pub const fn check_change<'a>(
    table: &TableShape<'a>,
    update: &UpdateShape<'a>,
    place: usize,
) -> Option<Message> {
    let Some(change) = Change::at(table, update, place) else { return None };
    let attribute = change.change.attribute;
    let Some(KeyView { partition, sort }) = KeyView::of(change.entity, None) else { return None };
    let part = if is_made_of(Some(partition), attribute) {
        "partition key"
    } else if is_made_of(sort, attribute) {
        "sort key"
    } else if let Tenancy::Attribute(tenant) = table.tenancy
        && text::equal(tenant, attribute)
    {
        let message = change.said(Message::new(&RULE), update).say(", which says whose the item is. ");
        return Some(message.say("An item stays with its tenant: put another item for the other tenant."));
    } else {
        return None;
    };
    let message = change.said(Message::new(&RULE), update).say(", which the ").say(part).say(" of ");
    let message = message.name(change.entity.name).say(" in ").name(table.name);
    Some(message.say(
        " is made of, and the key of a stored item cannot change. Put the item under its new key and delete the old one.",
    ))
}

enforced!(Update);
