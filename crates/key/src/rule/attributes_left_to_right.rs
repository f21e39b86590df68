//! KW0310: the attributes of a multi-attribute sort key are given from left to right.

use super::reading::Source;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{
    AttributeCondition, AttributeTest, IndexKeys, IndexShape, KeyAttribute, PatternShape, SortKeyCondition,
    TableShape,
};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0310",
    name: "attributes-left-to-right",
    title: "A condition that leaves out an attribute on its left",
    severity: Severity::Error,
    finds: "A condition on the sort key of an index of attributes that does not name them from left to right without a \
            gap, or that goes on after a range; a template for such an index, and attributes for another one.",
    hurts: "DynamoDB refuses the request: a multi-attribute sort key is ordered by its first attribute, then by the \
            second, and a range can only be the last thing that is said.",
    example: "[table.app.index.by_place]\npartition_key = [\"country\"]\nsort_key = [\"region\", \"city\"]\n\n[pattern.in_city]\nindex = \
              \"by_place\"\ngiven = [\"country\", \"city\"]",
    instead: "Give the attributes in the order of the index, by equality, the last one by a range if you like; or add an \
              index with the order that the pattern needs.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    match (Source::of(table, pattern), pattern.sort_key) {
        (Source::Unknown, _) | (_, SortKeyCondition::Any) => None,
        (Source::Index(index), SortKeyCondition::Attributes(conditions)) => match index.keys {
            IndexKeys::Attributes { sort_key, .. } => check_order(pattern, index, sort_key, conditions),
            IndexKeys::Rendered { .. } => Some(begin(pattern).say(" has conditions on attributes, but index ").name(index.name).say(
                " has a rendered sort key. Write the condition as a template.",
            )),
        },
        (Source::Table, SortKeyCondition::Attributes(_)) => Some(begin(pattern).say(
            " has conditions on attributes, but the sort key of a table is one attribute. Write the condition as a \
             template.",
        )),
        (Source::Index(IndexShape { keys: IndexKeys::Attributes { .. }, name, .. }), _) => {
            Some(begin(pattern).say(" has a template as its condition, but index ").name(name).say(
                " is keyed by attributes. Write a condition for each attribute, from left to right.",
            ))
        }
        (Source::Index(_) | Source::Table, _) => None,
    }
}

const fn check_order(
    pattern: &PatternShape<'_>,
    index: &IndexShape<'_>,
    sort_key: &[KeyAttribute<'_>],
    conditions: &[AttributeCondition<'_>],
) -> Option<Message> {
    let (mut attributes, mut rest) = (sort_key, conditions);
    while let [condition, later @ ..] = rest {
        let [attribute, later_attributes @ ..] = attributes else {
            let message =
                on(pattern, condition).say(", but the sort key of index ").name(index.name).say(" has ");
            return Some(message.number(sort_key.len()).say(" attributes. Leave the condition out."));
        };
        if !text::equal(attribute.name, condition.attribute) {
            let message = on(pattern, condition)
                .say(" where index ")
                .name(index.name)
                .say(" has ")
                .name(attribute.name);
            return Some(message.say(". Give the attributes from left to right, without a gap."));
        }
        if !matches!(condition.test, AttributeTest::Equal) && !later.is_empty() {
            return Some(on(pattern, condition).say(
                " that is no equality, and goes on after it. A range can only be on the last attribute that is given.",
            ));
        }
        attributes = later_attributes;
        rest = later;
    }
    None
}

const fn begin(pattern: &PatternShape<'_>) -> Message {
    Message::new(&RULE).name(pattern.name)
}

const fn on(pattern: &PatternShape<'_>, condition: &AttributeCondition<'_>) -> Message {
    begin(pattern).say(" has a condition on ").name(condition.attribute)
}

enforced!(Pattern);
