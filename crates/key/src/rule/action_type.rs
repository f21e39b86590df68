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
    finds: "An update that adds to what is neither number nor set, subtracts from what is no number, appends to what is no list, \
            or deletes from what is no set. A set is what the type `Set` is stored as; a `BTreeSet` is stored as a list.",
    hurts: "DynamoDB refuses the request: \"An operand in the update expression has an incorrect data type\".",
    example: "#[derive(Update)]\n#[update(table = App, of = Task)]\nstruct Rename { #[update(append)] title: String }",
    instead: "Set the attribute, or give it the type that it is meant to have: `Set<String>` for tags that come and go.",
    check: Check::Update(check),
};

/// What is wrong with the change at `place`, if something is. What fills no component and is neither number nor set may be a list.
#[must_use]
pub const fn check_change<'a>(
    table: &TableShape<'a>,
    update: &UpdateShape<'a>,
    place: usize,
) -> Option<Message> {
    let Some(change) = Change::of_changeable(table, update, place) else { return None };
    let Some(attribute) = change.entity.attribute(change.change.attribute) else { return None };
    let kind = attribute.kind;
    let needs = match change.change.action {
        ChangeAction::Add if !is_number(kind) && !matches!(kind, AttributeKind::Set) => {
            "only numbers and sets can be added to"
        }
        ChangeAction::Subtract if !is_number(kind) => "only numbers can be subtracted from",
        ChangeAction::Append if !can_be_list(kind) => "only lists can be appended to",
        ChangeAction::DeleteFrom if !matches!(kind, AttributeKind::Set) => "only sets can be deleted from",
        _ => return None,
    };
    let message = change.said(Message::new(&RULE), update).say(", which is ").say(kind.name());
    let message = message.say(", and ").say(needs);
    Some(match kind {
        AttributeKind::Opaque => message.say(
            ". Give it a type that is known to be one: an integer, `f64`, or a `Set`, since a `BTreeSet` is stored as a list. \
             What wraps an integer says so by `component_newtype!`.",
        ),
        _ => message.say(". Set the attribute."),
    })
}

/// Whether values of the kind are stored as numbers. A timestamp may be: that is for its type to say.
const fn is_number(kind: AttributeKind<'_>) -> bool {
    matches!(
        kind,
        AttributeKind::Number
            | AttributeKind::Component(
                ComponentKind::Unsigned(_) | ComponentKind::Signed(_) | ComponentKind::Timestamp(_)
            )
    )
}

/// Whether values of the kind may be stored as lists. Bytes may be, as a list of numbers.
const fn can_be_list(kind: AttributeKind<'_>) -> bool {
    matches!(kind, AttributeKind::Opaque | AttributeKind::Component(ComponentKind::Bytes))
}

enforced!(Update);
