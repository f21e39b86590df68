//! KW0304: a range on the sort key is exact.

use super::key_view::{kind_of, rendering};
use super::reading::{ReturnedEntities, ReturnedEntity};
use super::{Check, Rule, Severity};
use crate::component::{ComponentKind, Rendering};
use crate::message::Message;
use crate::shape::{
    AttributeKind, AttributeTest, BoundShape, PatternShape, RangeShape, SortKeyCondition, TableShape,
};
use crate::template::TemplateShape;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0304",
    name: "sort-key-range",
    title: "A range on the sort key that would not be exact",
    severity: Severity::Error,
    finds: "A range that does not end with a component, that has no bound, whose component does not sort as its values \
            do, or whose ends cannot be written as the two values that a key condition includes.",
    hurts: "A range over `5`, `10` and `50` as plain text finds 10 before 5. A range that cannot leave out its end reads \
            the first item of the next day, or loses the last one of this.",
    example: "[entity.score]\nsort_key = \"SCORE#{points:raw}\"\nattributes = { points = \"u32\" }\n\n[pattern.scores]\nsort_key = \
              { range = \"SCORE#{points:raw}\", from = \"least\" }",
    instead: "Range over the last component of the condition, of a kind that sorts: integers with a width, timestamps, \
              ULIDs, UUIDs, text. Leave out the end of a range only where there is a value before it; text has none, so \
              include its end.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    match pattern.sort_key {
        SortKeyCondition::Any | SortKeyCondition::Equals(_) | SortKeyCondition::StartsWith(_) => None,
        SortKeyCondition::Range { template, range } => {
            if is_open(range) {
                return Some(begin(pattern, &template).say(
                    " has no bound. Give it a beginning or an end, or ask for what starts with the text before the \
                     component.",
                ));
            }
            let mut returned = ReturnedEntities::of(table, pattern);
            while let Some(one) = returned.next() {
                if let Some(message) = check_component(pattern, &template, &one, range) {
                    return Some(message);
                }
            }
            None
        }
        SortKeyCondition::Attributes(conditions) => {
            let mut rest = conditions;
            while let [condition, later @ ..] = rest {
                if let AttributeTest::Range(range) = condition.test
                    && let Some(message) = check_attribute(table, pattern, condition.attribute, range)
                {
                    return Some(message);
                }
                rest = later;
            }
            None
        }
    }
}

const fn begin(pattern: &PatternShape<'_>, template: &TemplateShape<'_>) -> Message {
    Message::new(&RULE).say("the range of ").name(pattern.name).say(" over ").quote(template.text())
}

const fn check_component(
    pattern: &PatternShape<'_>,
    template: &TemplateShape<'_>,
    one: &ReturnedEntity<'_>,
    range: RangeShape<'_>,
) -> Option<Message> {
    let Some(segment) = template.segment(template.len() - 1) else { return None };
    let Some(component) = segment.component else {
        return Some(begin(pattern, template).say(
            " does not end with a component. Write the key up to the component that is ranged over, such as `LOG#{at}`.",
        ));
    };
    let Some(rendering) = rendering(*template, component, one.entity.attributes) else { return None };
    match inexact(template, rendering, range, !segment.literal.is_empty()) {
        Some(why) => Some(begin(pattern, template).say(" is not exact: ").name(component.field).say(why)),
        None => None,
    }
}

/// Why the range cannot be exact, if it cannot; `follows_text` when literal text precedes the component in its segment.
const fn inexact(
    template: &TemplateShape<'_>,
    rendering: Rendering<'_>,
    range: RangeShape<'_>,
    follows_text: bool,
) -> Option<&'static str> {
    if !rendering.is_ordered() {
        return Some(match rendering {
            Rendering::Words(_) => {
                " is an enum whose words do not sort as its values do. Order the values by their words, or choose words \
                 that sort."
            }
            _ => {
                " is written without leading zeros, so 10 sorts before 5. Write it with a width, such as `{points:10}`, \
                 or as its type is written without a modifier."
            }
        });
    }
    if !template.format().delimiter.is_ordering() && !rendering.is_fixed_width() {
        return Some(
            " has no fixed width, and under this delimiter longer values do not sort beside what lies below shorter \
             ones. Range over an integer with a width, a timestamp, a ULID or a UUID.",
        );
    }
    if matches!(range.to, BoundShape::Excluding(_)) && !rendering.is_discrete() {
        return Some(
            " is text or bytes, which have no value just before another, so the end cannot be left out. Include the end, \
             or range over a kind that has one before: integers, timestamps, ULIDs, UUIDs.",
        );
    }
    if matches!(range.to, BoundShape::Open) && !rendering.is_bounded() && follows_text {
        return Some(
            " is text or bytes with literal text before it in its segment, and there is no largest value to end at. Give \
             the range an end, or put the delimiter before the component.",
        );
    }
    None
}

const fn check_attribute(
    table: &TableShape<'_>,
    pattern: &PatternShape<'_>,
    attribute: &str,
    range: RangeShape<'_>,
) -> Option<Message> {
    if is_open(range) {
        return Some(
            over(pattern, attribute).say(" has no bound. Give it a beginning or an end, or leave it out."),
        );
    }
    let excludes =
        matches!(range.from, BoundShape::Excluding(_)) || matches!(range.to, BoundShape::Excluding(_));
    let has_two = !matches!(range.from, BoundShape::Open) && !matches!(range.to, BoundShape::Open);
    if !(excludes && has_two) {
        return None;
    }
    let mut returned = ReturnedEntities::of(table, pattern);
    while let Some(one) = returned.next() {
        if let Some(AttributeKind::Component(ComponentKind::Text | ComponentKind::Bytes)) =
            kind_of(one.entity.attributes, attribute)
        {
            return Some(over(pattern, attribute).say(
                " is not exact: text and bytes have no value just before or after another, and BETWEEN includes both \
                 ends. Include both.",
            ));
        }
    }
    None
}

const fn over(pattern: &PatternShape<'_>, attribute: &str) -> Message {
    Message::new(&RULE).say("the range of ").name(pattern.name).say(" over ").name(attribute)
}

const fn is_open(range: RangeShape<'_>) -> bool {
    matches!(range.from, BoundShape::Open) && matches!(range.to, BoundShape::Open)
}

enforced!(Pattern);
