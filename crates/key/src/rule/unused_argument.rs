//! KW0312: whatever a pattern is given, it uses.

use super::reading::ReturnedEntities;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{AttributeTest, BoundShape, PatternShape, RangeShape, SortKeyCondition, TableShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0312",
    name: "unused-argument",
    title: "A given value that nothing uses",
    severity: Severity::Error,
    finds: "A value that the caller gives and that is in neither the partition key, nor the condition on the sort key, nor \
            the filter.",
    hurts: "The caller believes that the answer is narrowed by it, and gets everything.",
    example: "[pattern.members]\nreturns = [\"member\"]\ngiven = [\"team_id\"]",
    instead: "Use it in the condition, `sort_key = { starts_with = \"TEAM#{team_id}\" }`, or leave it out.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let mut rest = pattern.given;
    while let [given, later @ ..] = rest {
        if !is_in_partition_key(table, pattern, given.name)
            && !is_in_condition(pattern, given.name)
            && !text::has(pattern.filter.given, given.name)
        {
            let message = Message::new(&RULE).name(pattern.name).say(" is given ").name(given.name);
            return Some(message.say(
                ", which is in neither the partition key, nor the condition on the sort key, nor the filter: the answer \
                 would not depend on it. Use it in the condition, or leave it out.",
            ));
        }
        rest = later;
    }
    None
}

const fn is_in_partition_key<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>, name: &str) -> bool {
    let mut returned = ReturnedEntities::of(table, pattern);
    let mut has_any = false;
    while let Some(one) = returned.next() {
        has_any = true;
        if one.key.partition.place_of(name).is_some() {
            return true;
        }
    }
    // Without any key to look at, another rule reports why.
    !has_any
}

const fn is_in_condition(pattern: &PatternShape<'_>, name: &str) -> bool {
    match pattern.sort_key {
        SortKeyCondition::Any => false,
        SortKeyCondition::Equals(template) | SortKeyCondition::StartsWith(template) => template.names(name),
        SortKeyCondition::Range { template, range } => {
            is_bound(range, name)
                || match template.place_of(name) {
                    // The last component is what the range is over: its bounds are given, not itself.
                    Some(place) => place + 1 < template.len(),
                    None => false,
                }
        }
        SortKeyCondition::Attributes(conditions) => {
            let mut rest = conditions;
            while let [condition, later @ ..] = rest {
                let uses = match condition.test {
                    AttributeTest::Equal => text::equal(condition.attribute, name),
                    AttributeTest::BeginsWith(given) => text::equal(given, name),
                    AttributeTest::Range(range) => is_bound(range, name),
                };
                if uses {
                    return true;
                }
                rest = later;
            }
            false
        }
    }
}

const fn is_bound(range: RangeShape<'_>, name: &str) -> bool {
    names(range.from, name) || names(range.to, name)
}

const fn names(bound: BoundShape<'_>, name: &str) -> bool {
    match bound.given() {
        Some(given) => text::equal(given, name),
        None => false,
    }
}

enforced!(Pattern);
