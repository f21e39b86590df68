//! KW0302: a pattern gives what its condition on the sort key names.

use super::partition_key_given::is_given;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{AttributeTest, BoundShape, PatternShape, RangeShape, SortKeyCondition, TableShape};
use crate::template::TemplateShape;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0302",
    name: "sort-key-given",
    title: "A condition on the sort key that names what is not given",
    severity: Severity::Error,
    finds: "A component or a bound in the condition on the sort key that the pattern does not give.",
    hurts: "There is nothing to compare the sort key with.",
    example: "[pattern.members_of_team]\nreturns = [\"member\"]\nsort_key = { starts_with = \"TEAM#{team_id}\" }",
    instead: "Let the caller give it: `given = [\"team_id\"]`.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    match pattern.sort_key {
        SortKeyCondition::Any => None,
        SortKeyCondition::Equals(template) | SortKeyCondition::StartsWith(template) => {
            check_template(table, pattern, template, template.len())
        }
        SortKeyCondition::Range { template, range } => {
            match check_template(table, pattern, template, template.len() - 1) {
                Some(message) => Some(message),
                None => check_range(pattern, range),
            }
        }
        SortKeyCondition::Attributes(conditions) => {
            let mut rest = conditions;
            while let [condition, later @ ..] = rest {
                let problem = match condition.test {
                    AttributeTest::Equal if !is_given(table, pattern, condition.attribute) => {
                        Some(message(pattern, condition.attribute))
                    }
                    AttributeTest::BeginsWith(given) if pattern.given(given).is_none() => {
                        Some(message(pattern, given))
                    }
                    AttributeTest::Range(range) => check_range(pattern, range),
                    AttributeTest::Equal | AttributeTest::BeginsWith(_) => None,
                };
                if problem.is_some() {
                    return problem;
                }
                rest = later;
            }
            None
        }
    }
}

const fn check_template(
    table: &TableShape<'_>,
    pattern: &PatternShape<'_>,
    template: TemplateShape<'_>,
    count: usize,
) -> Option<Message> {
    let mut place = 0;
    while place < count {
        if let Some(segment) = template.segment(place)
            && let Some(component) = segment.component
            && !is_given(table, pattern, component.field)
        {
            return Some(message(pattern, component.field));
        }
        place += 1;
    }
    None
}

const fn check_range(pattern: &PatternShape<'_>, range: RangeShape<'_>) -> Option<Message> {
    match check_bound(pattern, range.from) {
        Some(message) => Some(message),
        None => check_bound(pattern, range.to),
    }
}

const fn check_bound(pattern: &PatternShape<'_>, bound: BoundShape<'_>) -> Option<Message> {
    match bound.given() {
        Some(name) if pattern.given(name).is_none() => Some(message(pattern, name)),
        _ => None,
    }
}

const fn message(pattern: &PatternShape<'_>, name: &str) -> Message {
    let message =
        Message::new(&RULE).say("the condition on the sort key of ").name(pattern.name).say(" names ");
    message.name(name).say(", which the pattern does not give. Add ").name(name).say(" to the pattern.")
}

enforced!(Pattern);
