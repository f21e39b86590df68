//! KW0303: a condition on the sort key fits the keys of what the pattern returns, and ends where a segment ends.

use super::key_view::PartView;
use super::reading::{ReturnedEntities, ReturnedEntity};
use super::{Check, Rule, Severity};
use crate::component::{Ending, SegmentLanguage};
use crate::message::Message;
use crate::shape::{PatternShape, SortKeyCondition, TableShape};
use crate::template::{Segment, TemplateShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0303",
    name: "sort-key-boundary",
    title: "A condition that does not fit the sort key, or ends inside a segment",
    severity: Severity::Error,
    finds: "A condition whose segments are not the first segments of the returned entity's sort key, one that ends inside \
            a segment, and, under a delimiter above `+`, one that does not end with the delimiter.",
    hurts: "A condition that does not fit finds nothing. One that ends inside a segment finds too much: what begins with \
            `TEAM#1` is team 1, and also team 10.",
    example: "[entity.member]\nsort_key = \"TEAM#{team_id}#MEMBER#{user_id}\"\n\n[pattern.members]\nsort_key = { starts_with = \
              \"TEAM#{team_id}#MEM\" }",
    instead: "Write the sort key up to the end of a segment: `TEAM#{team_id}` finds the team and what lies below it, \
              `TEAM#{team_id}#MEMBER` the members of the team.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let template = match pattern.sort_key {
        // Other rules look at these.
        SortKeyCondition::Any | SortKeyCondition::Attributes(_) => return None,
        SortKeyCondition::Equals(template)
        | SortKeyCondition::StartsWith(template)
        | SortKeyCondition::Range { template, .. } => template,
    };
    let mut returned = ReturnedEntities::of(table, pattern);
    while let Some(one) = returned.next() {
        let fault = match one.key.sort {
            None => Some(Fault::NoSortKey),
            Some(sort) => match sort.template() {
                Some(key) => compare(&pattern.sort_key, &template, &sort, &key),
                // A template for an index of attributes is reported by another rule.
                None => None,
            },
        };
        if let Some(fault) = fault {
            return Some(message(pattern, &template, &one, fault));
        }
    }
    None
}

/// What is wrong with a condition for one entity.
#[derive(Clone, Copy)]
enum Fault<'a> {
    NoSortKey,
    LongerThanKey,
    FindsOnlyWhatLiesBelow,
    NotTheWholeKey,
    NoSingleRange,
    InsideSegment { asked: &'a str, has: &'a str },
    OtherText { asked: &'a str, has: &'a str },
    NoValueOf { asked: &'a str, component: &'a str },
    ComponentForText { asked: &'a str, has: &'a str },
    OtherComponent { asked: &'a str, has: &'a str },
}

const fn compare<'a>(
    condition: &SortKeyCondition<'a>,
    template: &TemplateShape<'a>,
    sort: &PartView<'a>,
    key: &TemplateShape<'a>,
) -> Option<Fault<'a>> {
    let is_prefix = matches!(condition, SortKeyCondition::StartsWith(_));
    let below_only = is_prefix && template.ends_with_delimiter();
    let count = if below_only { template.len() - 1 } else { template.len() };
    let mut place = 0;
    while place < count {
        let (Some(asked), Some(has)) = (template.segment(place), key.segment(place)) else {
            return Some(Fault::LongerThanKey);
        };
        if !asked.is_written_as(&has)
            && let Some(fault) = compare_segment(asked, has, sort.language(place))
        {
            return Some(match fault {
                // Only the last segment of a prefix can have been meant as a beginning.
                Fault::InsideSegment { asked, has } if !is_prefix || place + 1 < count => {
                    Fault::OtherText { asked, has }
                }
                other => other,
            });
        }
        place += 1;
    }
    if below_only && key.len() <= count {
        return Some(Fault::FindsOnlyWhatLiesBelow);
    }
    if matches!(condition, SortKeyCondition::Equals(_)) && key.len() != count {
        return Some(Fault::NotTheWholeKey);
    }
    if is_prefix && !below_only && !template.format().delimiter.is_ordering() {
        return Some(Fault::NoSingleRange);
    }
    None
}

const fn compare_segment<'a>(
    asked: Segment<'a>,
    has: Segment<'a>,
    written: SegmentLanguage<'a>,
) -> Option<Fault<'a>> {
    match (asked.component, has.component) {
        (None, None) if text::begins_with(has.literal.as_bytes(), asked.literal.as_bytes()) => {
            Some(Fault::InsideSegment { asked: asked.literal, has: has.literal })
        }
        (None, None) => Some(Fault::OtherText { asked: asked.literal, has: has.literal }),
        (None, Some(component)) => {
            // A fixed value of a component, such as `STATUS#open` for `STATUS#{status}`.
            let value = SegmentLanguage {
                literal: asked.literal,
                ending: Ending::Nothing,
                delimiter: written.delimiter,
            };
            if value.intersects(&written) {
                None
            } else {
                Some(Fault::NoValueOf { asked: asked.literal, component: component.field })
            }
        }
        (Some(component), None) => Some(Fault::ComponentForText { asked: component.field, has: has.literal }),
        (Some(component), Some(other)) => {
            Some(Fault::OtherComponent { asked: component.field, has: other.field })
        }
    }
}

const fn message(
    pattern: &PatternShape<'_>,
    template: &TemplateShape<'_>,
    one: &ReturnedEntity<'_>,
    fault: Fault<'_>,
) -> Message {
    let message =
        Message::new(&RULE).name(pattern.name).say(" asks for the sort key ").quote(template.text());
    let message = message.say(" of ").name(one.entity.name);
    let message = match one.key.sort {
        Some(sort) => sort.named(message.say(", whose sort key is ")).say(": "),
        None => message.say(": "),
    };
    match fault {
        Fault::NoSortKey => message.say("it has no sort key there. Leave the condition out."),
        Fault::LongerThanKey => message.say("that is longer than the key. End it where the key ends, or before."),
        Fault::FindsOnlyWhatLiesBelow => message.say(
            "with the delimiter at its end it finds what lies below this key, and not the key itself. Leave the delimiter \
             at the end out.",
        ),
        Fault::NotTheWholeKey => message.say(
            "that is not the whole key, so nothing is equal to it. Write the whole key, or ask for what starts with it.",
        ),
        Fault::NoSingleRange => message.say(
            "under this delimiter a longer value sorts between a key and what lies below it, so no single range holds \
             both and nothing else. End it with the delimiter, which finds what lies below it, and read the item itself \
             with a GetItem.",
        ),
        Fault::InsideSegment { asked, has } => message
            .say("that ends inside a segment, since ")
            .quote(asked)
            .say(" is only the beginning of ")
            .quote(has)
            .say(". Write the segment to its end, or leave it out."),
        Fault::OtherText { asked, has } => message
            .say("it has ")
            .quote(asked)
            .say(" where the key has ")
            .quote(has)
            .say(". Write the segments of the key."),
        Fault::NoValueOf { asked, component } => message.quote(asked).say(" is nothing that ").name(component).say(
            " can be written as. Name the component, or write the value as the key has it, with its full width.",
        ),
        Fault::ComponentForText { asked, has } => message
            .say("it has the component ")
            .name(asked)
            .say(" where the key has ")
            .quote(has)
            .say(". Write the segments of the key."),
        Fault::OtherComponent { asked, has } => {
            message.say("it has ").name(asked).say(" where the key has ").name(has).say(
                ", or writes it differently. Write the component as the key does, with the text before it and the \
                 modifier.",
            )
        }
    }
}

enforced!(Pattern);
