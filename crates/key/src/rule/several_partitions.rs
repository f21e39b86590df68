//! KW0311: all that a pattern returns lies under one partition key.

use super::key_view::{PartSource, PartView};
use super::reading::ReturnedEntities;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{PatternShape, TableShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0311",
    name: "several-partitions",
    title: "A pattern that returns entities of different partition keys",
    severity: Severity::Error,
    finds: "A pattern whose returned entities have differently written partition keys, or different shards.",
    hurts: "One Query reads one partition key. The pattern would be two requests, each with pages of its own.",
    example: "[entity.team]\npartition_key = \"ORG#{organization_id}\"\n\n[entity.user]\npartition_key = \
              \"USER#{user_id}\"\n\n[pattern.both]\nreturns = [\"team\", \"user\"]",
    instead: "Make two patterns, or give the entities one partition key, in the table or in an index.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let mut returned = ReturnedEntities::of(table, pattern);
    let Some(first) = returned.next() else { return None };
    while let Some(other) = returned.next() {
        if !is_written_as(&first.key.partition, &other.key.partition) {
            let message =
                Message::new(&RULE).name(pattern.name).say(" is not one Query: ").name(first.entity.name);
            let message =
                first.key.partition.named(message.say(" lies under ")).say(", ").name(other.entity.name);
            let message = other.key.partition.named(message.say(" under "));
            let message = if first.key.partition.shards.is(&other.key.partition.shards) {
                message
            } else {
                message.say(", and their shards differ")
            };
            return Some(message.say(
                ". Make two patterns, or give the entities one partition key, in the table or in an index.",
            ));
        }
    }
    None
}

const fn is_written_as(one: &PartView<'_>, other: &PartView<'_>) -> bool {
    if !one.shards.is(&other.shards) {
        return false;
    }
    let (PartSource::Template(first), PartSource::Template(second)) = (one.source, other.source) else {
        // The attributes of one index.
        return true;
    };
    if first.len() != second.len() {
        return false;
    }
    let mut place = 0;
    while let (Some(first), Some(second)) = (first.segment(place), second.segment(place)) {
        if !first.is_written_as(&second) {
            return false;
        }
        place += 1;
    }
    true
}

enforced!(Pattern);
