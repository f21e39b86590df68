//! KW0315: a pattern names only what its table has.

use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{PatternShape, Returned, TableShape};
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
        return Some(names(pattern, "reads index ", index, table.name));
    }
    let mut returns = pattern.returns;
    while let [returned, later @ ..] = returns {
        let Some(entity) = table.entity(returned.entity) else {
            return Some(names(pattern, "returns ", returned.entity, table.name));
        };
        if let Returned::Only(attributes) = returned.attributes {
            let mut rest = attributes;
            while let [attribute, remaining @ ..] = rest {
                if entity.attribute(attribute).is_none() {
                    return Some(names(pattern, "returns the attribute ", attribute, entity.name));
                }
                rest = remaining;
            }
        }
        returns = later;
    }
    let mut skips = pattern.skips;
    while let [skipped, later @ ..] = skips {
        if table.entity(skipped).is_none() {
            return Some(names(pattern, "skips ", skipped, table.name));
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
            return Some(names(pattern, "filters by ", attribute, "what it returns"));
        }
        filtered = later;
    }
    let mut used = pattern.filter.given;
    while let [given, later @ ..] = used {
        if pattern.given(given).is_none() {
            return Some(names(pattern, "filters with ", given, pattern.name));
        }
        used = later;
    }
    None
}

const fn names(pattern: &PatternShape<'_>, verb: &str, name: &str, owner: &str) -> Message {
    let message =
        Message::new(&RULE).name(pattern.name).say(" ").say(verb).name(name).say(", and ").name(owner);
    message.say(" has nothing of that name. Correct the name, or declare it.")
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
