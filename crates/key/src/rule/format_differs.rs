//! KW0207: all templates of a table are written alike.

use super::placed_template::{at, places};
use super::{Check, Rule, Severity};
use crate::format::KeyFormat;
use crate::message::Message;
use crate::shape::{SortKeyCondition, TableShape};
use crate::template::TemplateShape;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0207",
    name: "format-differs",
    title: "A template with another delimiter or format than its table",
    severity: Severity::Error,
    finds: "A template of an entity or of a pattern that was parsed with another delimiter, timestamp format or case \
            than the table declares.",
    hurts: "Keys that are joined differently cannot be compared: nothing about collisions or ranges could be said.",
    example: "A shape that is written by hand: `TemplateShape::of(\"TEAM|{team_id}\", FORMAT_OF_ANOTHER_TABLE)`.",
    instead: "Parse every template of a table with the format of the table.",
    check: Check::Table(check),
};

/// What is wrong with a template of the table, if something is.
#[must_use]
pub const fn check(table: &TableShape<'_>) -> Option<Message> {
    let mut entities = table.entities;
    while let [entity, later @ ..] = entities {
        let mut place = 0;
        while place < places(entity) {
            if let Some(placed) = at(entity, place)
                && !is(placed.template.format(), table.format)
            {
                return Some(message(table, entity.name, placed.template));
            }
            place += 1;
        }
        entities = later;
    }
    let mut patterns = table.patterns;
    while let [pattern, later @ ..] = patterns {
        if let SortKeyCondition::Equals(template)
        | SortKeyCondition::StartsWith(template)
        | SortKeyCondition::Range { template, .. } = pattern.sort_key
            && !is(template.format(), table.format)
        {
            return Some(message(table, pattern.name, template));
        }
        patterns = later;
    }
    None
}

const fn message(table: &TableShape<'_>, owner: &str, template: TemplateShape<'_>) -> Message {
    let message = Message::new(&RULE)
        .quote(template.text())
        .say(" of ")
        .name(owner)
        .say(" is written differently from ");
    message
        .name(table.name)
        .say(". Parse it with the delimiter, the timestamp format and the case of the table.")
}

const fn is(one: KeyFormat, other: KeyFormat) -> bool {
    let same_timestamp = match (one.timestamp, other.timestamp) {
        (None, None) => true,
        (Some(one), Some(other)) => one as u8 == other as u8,
        _ => false,
    };
    let same_letter_case = match (one.letter_case, other.letter_case) {
        (None, None) => true,
        (Some(one), Some(other)) => one as u8 == other as u8,
        _ => false,
    };
    one.delimiter.byte() == other.delimiter.byte() && same_timestamp && same_letter_case
}

enforced!(Table);
