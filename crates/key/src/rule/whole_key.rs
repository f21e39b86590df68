//! KW0313: a GetItem gives the whole key of one entity, in the table.

use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{PatternShape, ReadOperation, SortKeyCondition, TableShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0313",
    name: "whole-key",
    title: "A GetItem without the whole key",
    severity: Severity::Error,
    finds: "A GetItem on an index, for more than one entity, or without a condition that is equal to the whole sort key; a \
            pattern that returns nothing.",
    hurts: "DynamoDB refuses the request: a GetItem names exactly one item of the table.",
    example: "[pattern.team]\noperation = \"get\"\nreturns = [\"team\"]\ngiven = [\"team_id\"]",
    instead: "Give the whole sort key: `sort_key = { equals = \"TEAM#{team_id}\" }`. For several items take a Query.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let [returned, others @ ..] = pattern.returns else {
        return Some(begin(pattern).say(" returns nothing. Name the entities that it returns."));
    };
    if matches!(pattern.operation, ReadOperation::Query) {
        return None;
    }
    if !others.is_empty() {
        return Some(begin(pattern).say(
            " is a GetItem and returns several entities, and one key is that of one item. Return one, or make it a Query.",
        ));
    }
    if let Some(index) = pattern.index {
        return Some(
            begin(pattern)
                .say(" is a GetItem, but reads index ")
                .name(index)
                .say(", where several items may have one key. Make it a Query."),
        );
    }
    let Some(entity) = table.entity(returned.entity) else { return None };
    match (entity.key.sort_key, pattern.sort_key) {
        (None, _) | (Some(_), SortKeyCondition::Equals(_)) => None,
        (Some(sort_key), _) => {
            let message = begin(pattern)
                .say(" is a GetItem, but does not give the whole sort key of ")
                .name(entity.name);
            Some(message.say(", ").quote(sort_key.text()).say(". Ask for the sort key that is equal to it."))
        }
    }
}

const fn begin(pattern: &PatternShape<'_>) -> Message {
    Message::new(&RULE).name(pattern.name)
}

enforced!(Pattern);
