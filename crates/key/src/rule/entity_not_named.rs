//! KW0308: a pattern names every entity that can lie in its range.

use super::reach::{can_reach, is_apart};
use super::reading::{ReturnedEntities, ReturnedEntity, Source};
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, PatternShape, ReadOperation, TableShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0308",
    name: "entity-not-named",
    title: "An entity in the range of a pattern that does not name it",
    severity: Severity::Error,
    finds: "An entity whose items can lie in what a pattern reads, and that the pattern neither returns nor skips.",
    hurts: "Its items are read and paid for, and fill the pages. Code that takes every item for what it asked for meets \
            something else.",
    example: "[entity.task]\nsort_key = \"TEAM#{team_id}#TASK#{task_id}\"\n\n[pattern.team_with_members]\nreturns = [\"team\", \
              \"member\"]\nsort_key = { starts_with = \"TEAM#{team_id}\" }",
    instead: "Return the entity, or name it in `skips` if reading it is what you want to pay. Narrow the condition if \
              neither is true: `TEAM#{team_id}#MEMBER`.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    if matches!(pattern.operation, ReadOperation::GetItem) {
        return None;
    }
    let source = Source::of(table, pattern);
    let Some(asked) = ReturnedEntities::of(table, pattern).next() else { return None };
    let mut rest = table.entities;
    while let [entity, later @ ..] = rest {
        if !pattern.returns_entity(entity.name)
            && !text::has(pattern.skips, entity.name)
            && can_lie_in(pattern, source, &asked, entity)
        {
            let message =
                Message::new(&RULE).name(pattern.name).say(" also reads items of ").name(entity.name);
            return Some(message.say(
                ", which it neither returns nor skips: their keys lie in its range. Return the entity, skip it by name, \
                 or narrow the condition on the sort key.",
            ));
        }
        rest = later;
    }
    None
}

const fn can_lie_in<'a>(
    pattern: &PatternShape<'a>,
    source: Source<'a>,
    asked: &ReturnedEntity<'a>,
    entity: &EntityShape<'a>,
) -> bool {
    if let Some(sort_key) = source.sort_key_of(entity)
        && is_apart(&pattern.sort_key, sort_key)
    {
        return false;
    }
    let Some(key) = source.key_of(entity) else { return false };
    let sort_key_lies_in = match key.sort {
        Some(sort) => can_reach(&pattern.sort_key, asked.entity.attributes, &sort),
        None => true,
    };
    sort_key_lies_in && key.partition.can_equal(&asked.key.partition)
}

enforced!(Pattern);
