//! KW0103: each component can be written as its template asks.

use super::placed_template::{PlacedTemplate, at, places};
use super::{Check, Rule, Severity};
use crate::component::{ComponentKind, FormProblem, Rendering};
use crate::message::Message;
use crate::shape::{AttributeKind, EntityShape, TableShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0103",
    name: "component-form",
    title: "A component that cannot be written as its template asks",
    severity: Severity::Error,
    finds: "An attribute that cannot fill a component at all, a modifier that does not fit the attribute's kind, or a \
            kind that is written with the table's delimiter.",
    hurts: "The key would not be unique, would not sort as its values do, or could not be read back.",
    example: "[table.app]\ndelimiter = \"-\"\n\n[entity.order]\nsort_key = \"{order_id}\"\nattributes = { order_id = \"uuid\" }",
    instead: "Keys are made of text, integers, timestamps, ULIDs, UUIDs, enums, booleans and bytes. Give a width to \
             integers only, a case to what is written with letters, a timestamp's format to timestamps. Under a \
             delimiter above `+`, text is written `{name:raw}`.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check(_table: &TableShape<'_>, entity: &EntityShape<'_>) -> Option<Message> {
    let mut place = 0;
    while place < places(entity) {
        if let Some(placed) = at(entity, place)
            && let Some(message) = check_template(entity, &placed)
        {
            return Some(message);
        }
        place += 1;
    }
    None
}

const fn check_template(entity: &EntityShape<'_>, placed: &PlacedTemplate<'_>) -> Option<Message> {
    let mut place = 0;
    while let Some(segment) = placed.template.segment(place) {
        if let Some(component) = segment.component
            && let Some(attribute) = entity.attribute(component.field)
        {
            match attribute.kind {
                AttributeKind::Number | AttributeKind::Set | AttributeKind::Opaque => {
                    let message = begin(entity, placed, component.field);
                    return Some(message.say(
                        " cannot fill a component. Keys are made of text, integers, timestamps, ULIDs, UUIDs, enums, \
                         booleans and bytes; take one of those, or a type of yours that implements `KeyComponent`.",
                    ));
                }
                AttributeKind::Component(kind) => {
                    if let Err(problem) = Rendering::of(kind, component.modifier, placed.template.format()) {
                        let message = begin(entity, placed, component.field);
                        return Some(explain(message, problem, kind));
                    }
                }
            }
        }
        place += 1;
    }
    None
}

const fn begin(entity: &EntityShape<'_>, placed: &PlacedTemplate<'_>, field: &str) -> Message {
    placed.named(Message::new(&RULE)).say(" of ").name(entity.name).say(": ").name(field)
}

const fn explain(message: Message, problem: FormProblem, kind: ComponentKind<'_>) -> Message {
    match problem {
        FormProblem::TextNeedsRaw => message.say(
            " is text, and under this delimiter text cannot be escaped without changing letters and digits. Write \
             `{field:raw}`: it is then written as it is, and values that hold the delimiter are refused.",
        ),
        FormProblem::HoldsDelimiter => message
            .say(" is ")
            .say(kind.name())
            .say(", which is written with the table's delimiter, so nothing says where it ends. Take another way of \
                  writing it (`unix-seconds` or `unix-milliseconds` for a timestamp, a width for an integer, other \
                  words for an enum), or another delimiter."),
        FormProblem::WidthOfNoInteger => {
            message.say(" has a width and is no integer. Leave the width out: only integers have one.")
        }
        FormProblem::WidthTooLarge => message
            .say(" has a width above the longest ")
            .say(kind.name())
            .say(". Leave the width out: the type's own is enough for every value."),
        FormProblem::CaseOfNoLetters => message
            .say(" has a case and is ")
            .say(kind.name())
            .say(", which has none to choose. Leave `upper` or `lower` out; the words of an enum are written as the \
                  type says."),
        FormProblem::FormatOfNoTimestamp => {
            message.say(" has a timestamp's format and is ").say(kind.name()).say(". Leave the format out.")
        }
        FormProblem::RawTimestamp => message.say(
            " is a timestamp, and `raw` does not say how it is written. Name the format that the table has, such as \
             `milliseconds` or `unix-seconds`.",
        ),
        FormProblem::RawBytes => message.say(
            " is bytes, and a key is text: they are written in hexadecimal. Leave `raw` out, or make the attribute \
             text.",
        ),
        FormProblem::BadWords => message.say(
            " is an enum with no words, an empty word, or one word twice, so two of its values would write one key. \
             Give each value a word of its own.",
        ),
    }
}

enforced!(Entity);
