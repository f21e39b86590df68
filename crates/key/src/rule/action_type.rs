//! KW0324: an update does to an attribute what can be done to one of its type.

use super::changing::Change;
use super::{Check, Rule, Severity};
use crate::component::ComponentKind;
use crate::message::Message;
use crate::shape::{AttributeKind, ChangeAction, TableShape, UpdateShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0324",
    name: "action-type",
    title: "A change that cannot be made to an attribute of this type",
    severity: Severity::Error,
    finds: "An update that adds to or subtracts from what is no number, appends to what is no list, or deletes from what is \
            no set.",
    hurts: "DynamoDB refuses the request: \"An operand in the update expression has an incorrect data type\".",
    example: "#[derive(Update)]\n#[update(table = App, of = Task)]\nstruct Rename { #[update(append)] title: String }",
    instead: "Set the attribute.",
    check: Check::Update(check),
};

/// What is wrong with the change at `place`, if something is. Of what fills no component nothing is known.
#[must_use]
pub const fn check_change<'a>(
    table: &TableShape<'a>,
    update: &UpdateShape<'a>,
    place: usize,
) -> Option<Message> {
    let Some(change) = Change::of_changeable(table, update, place) else { return None };
    let Some(attribute) = change.entity.attribute(change.change.attribute) else { return None };
    let AttributeKind::Component(kind) = attribute.kind else { return None };
    let needs = match change.change.action {
        ChangeAction::Set | ChangeAction::SetIfAbsent | ChangeAction::Remove => return None,
        ChangeAction::Add if !can_be_number(kind) => "only numbers and sets can be added to",
        ChangeAction::Subtract if !can_be_number(kind) => "only numbers can be subtracted from",
        // Bytes may be stored as a list of numbers.
        ChangeAction::Append if !matches!(kind, ComponentKind::Bytes) => "only lists can be appended to",
        ChangeAction::DeleteFrom => "only sets can be deleted from",
        ChangeAction::Add | ChangeAction::Subtract | ChangeAction::Append => return None,
    };
    let message = change.said(Message::new(&RULE), update).say(", which is ").say(kind.name());
    Some(message.say(", and ").say(needs).say(". Set the attribute."))
}

/// Whether values of the kind can be stored as numbers. A timestamp may be: that is for its type to say.
const fn can_be_number(kind: ComponentKind<'_>) -> bool {
    matches!(kind, ComponentKind::Unsigned(_) | ComponentKind::Signed(_) | ComponentKind::Timestamp(_))
}

enforced!(Update);
