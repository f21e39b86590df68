//! KW0315: a pattern names only what its table has.

use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::nearest::Nearest;
use crate::shape::{EntityShape, PatternShape, Returned, TableShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0315",
    name: "unknown-name",
    title: "A pattern names what its table does not have",
    severity: Severity::Error,
    finds: "An index, an entity or an attribute that a pattern names and that the table, or what it returns, does not \
            have; an entity that is both returned and skipped.",
    hurts: "The pattern means something else than what it says.",
    example: "[pattern.team_with_members]\nreturns = [\"team\", \"membre\"]",
    instead: "Correct the name, or declare what it means.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    if let Some(index) = pattern.index
        && table.index(index).is_none()
    {
        let message = names(pattern, "reads index ", index).name(table.name);
        return Some(advise(message, table.nearest_index(index)));
    }
    let mut returns = pattern.returns;
    while let [returned, later @ ..] = returns {
        let Some(entity) = table.entity(returned.entity) else {
            let message = names(pattern, "returns ", returned.entity).name(table.name);
            return Some(advise(message, nearest_entity(table, returned.entity)));
        };
        if let Returned::Only(attributes) = returned.attributes {
            let mut rest = attributes;
            while let [attribute, remaining @ ..] = rest {
                if entity.attribute(attribute).is_none() {
                    let message = names(pattern, "returns the attribute ", attribute).name(entity.name);
                    return Some(advise(message, nearest_attribute(entity, Nearest::to(attribute))));
                }
                rest = remaining;
            }
        }
        returns = later;
    }
    let mut skips = pattern.skips;
    while let [skipped, later @ ..] = skips {
        if table.entity(skipped).is_none() {
            let message = names(pattern, "skips ", skipped).name(table.name);
            return Some(advise(message, nearest_entity(table, skipped)));
        }
        if pattern.returns_entity(skipped) {
            let message =
                Message::new(&RULE).name(pattern.name).say(" both returns and skips ").name(skipped);
            return Some(message.say(". Keep one of the two."));
        }
        skips = later;
    }
    let mut filtered = pattern.filter.attributes;
    while let [attribute, later @ ..] = filtered {
        if !some_entity_has(table, pattern, attribute) {
            let message = names(pattern, "filters by ", attribute).say("what it returns");
            return Some(advise(message, nearest_returned_attribute(table, pattern, attribute)));
        }
        filtered = later;
    }
    let mut used = pattern.filter.given;
    while let [given, later @ ..] = used {
        if pattern.given(given).is_none() {
            return Some(advise(
                names(pattern, "filters with ", given).say("it"),
                nearest_given(pattern, given),
            ));
        }
        used = later;
    }
    None
}

const fn names(pattern: &PatternShape<'_>, verb: &str, name: &str) -> Message {
    Message::new(&RULE).name(pattern.name).say(" ").say(verb).name(name).say(", and ")
}

const fn advise(message: Message, meant: Nearest<'_>) -> Message {
    let message = message.say(" has nothing of that name. ");
    match meant.found() {
        Some(name) => message.say("Did you mean ").name(name).say("?"),
        None => message.say("Correct the name, or declare it."),
    }
}

const fn nearest_entity<'a>(table: &TableShape<'a>, asked: &'a str) -> Nearest<'a> {
    let (mut meant, mut rest) = (Nearest::to(asked), table.entities);
    while let [entity, later @ ..] = rest {
        meant = meant.or(entity.name);
        rest = later;
    }
    meant
}

const fn nearest_attribute<'a>(entity: &EntityShape<'a>, meant: Nearest<'a>) -> Nearest<'a> {
    let (mut meant, mut rest) = (meant, entity.attributes);
    while let [attribute, later @ ..] = rest {
        meant = meant.or(attribute.name);
        rest = later;
    }
    meant
}

const fn nearest_returned_attribute<'a>(
    table: &TableShape<'a>,
    pattern: &PatternShape<'a>,
    asked: &'a str,
) -> Nearest<'a> {
    let (mut meant, mut rest) = (Nearest::to(asked), pattern.returns);
    while let [returned, later @ ..] = rest {
        if let Some(entity) = table.entity(returned.entity) {
            meant = nearest_attribute(entity, meant);
        }
        rest = later;
    }
    meant
}

const fn nearest_given<'a>(pattern: &PatternShape<'a>, asked: &'a str) -> Nearest<'a> {
    let (mut meant, mut rest) = (Nearest::to(asked), pattern.given);
    while let [given, later @ ..] = rest {
        meant = meant.or(given.name);
        rest = later;
    }
    meant
}

const fn some_entity_has(table: &TableShape<'_>, pattern: &PatternShape<'_>, attribute: &str) -> bool {
    if text::equal(table.discriminator, attribute)
        || super::not_projected::is_key_attribute(table, None, attribute)
    {
        return true;
    }
    let mut rest = pattern.returns;
    while let [returned, later @ ..] = rest {
        if let Some(entity) = table.entity(returned.entity)
            && entity.attribute(attribute).is_some()
        {
            return true;
        }
        rest = later;
    }
    false
}

enforced!(Pattern);
