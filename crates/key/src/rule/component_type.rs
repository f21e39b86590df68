//! KW0309: a value that a pattern gives has the type of the component that it is compared with.
//!
//! At run time kinds are compared. In Rust the types themselves are: [`SameType`](crate::declare::SameType) holds them together, and
//! [`enforce_name`] that the component which was looked up by the hash of its name has that very name.

use super::reading::{ReturnedEntities, ReturnedEntity};
use super::{Check, Rule, Severity};
use crate::component::ComponentKind;
use crate::message::Message;
use crate::shape::{
    AttributeKind, AttributeTest, BoundShape, PatternShape, RangeShape, SortKeyCondition, TableShape,
};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0309",
    name: "component-type",
    title: "A value of another type than the component it is compared with",
    severity: Severity::Error,
    finds: "A given value whose kind differs from that of the entity's attribute of the same name, or of the component \
            that it bounds.",
    hurts: "Another kind is written in another way: the number 7 and the text `7` are different keys, and the pattern \
            finds nothing.",
    example: "struct Order { number: u64, .. }\n\n#[access_pattern(table = App, returns(Order), sort_key_starts_with = \
              \"ORDER#{number}\")]\nstruct OrderByNumber { number: String }",
    instead: "Give the pattern's field the type that the entity's field has.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let mut returned = ReturnedEntities::of(table, pattern);
    while let Some(one) = returned.next() {
        let mut rest = pattern.given;
        while let [given, later @ ..] = rest {
            if let Some(kind) = given.kind
                && let Some(message) = compare(pattern, &one, given.name, kind, given.name)
            {
                return Some(message);
            }
            rest = later;
        }
        if let Some(message) = check_ranges(pattern, &one) {
            return Some(message);
        }
    }
    None
}

/// The bounds of ranges have the kind of what they bound.
const fn check_ranges(pattern: &PatternShape<'_>, one: &ReturnedEntity<'_>) -> Option<Message> {
    match pattern.sort_key {
        SortKeyCondition::Range { template, range } => match template.segment(template.len() - 1) {
            Some(segment) => match segment.component {
                Some(component) => check_range(pattern, one, component.field, range),
                None => None,
            },
            None => None,
        },
        SortKeyCondition::Attributes(conditions) => {
            let mut rest = conditions;
            while let [condition, later @ ..] = rest {
                let problem = match condition.test {
                    AttributeTest::Range(range) => check_range(pattern, one, condition.attribute, range),
                    AttributeTest::BeginsWith(given) => {
                        check_bound(pattern, one, condition.attribute, BoundShape::Including(given))
                    }
                    AttributeTest::Equal => None,
                };
                if problem.is_some() {
                    return problem;
                }
                rest = later;
            }
            None
        }
        SortKeyCondition::Any | SortKeyCondition::Equals(_) | SortKeyCondition::StartsWith(_) => None,
    }
}

const fn check_range(
    pattern: &PatternShape<'_>,
    one: &ReturnedEntity<'_>,
    attribute: &str,
    range: RangeShape<'_>,
) -> Option<Message> {
    match check_bound(pattern, one, attribute, range.from) {
        Some(message) => Some(message),
        None => check_bound(pattern, one, attribute, range.to),
    }
}

const fn check_bound(
    pattern: &PatternShape<'_>,
    one: &ReturnedEntity<'_>,
    attribute: &str,
    bound: BoundShape<'_>,
) -> Option<Message> {
    let Some(name) = bound.given() else { return None };
    let Some(given) = pattern.given(name) else { return None };
    match given.kind {
        Some(kind) => compare(pattern, one, name, kind, attribute),
        None => None,
    }
}

const fn compare(
    pattern: &PatternShape<'_>,
    one: &ReturnedEntity<'_>,
    given: &str,
    kind: ComponentKind<'_>,
    attribute: &str,
) -> Option<Message> {
    let Some(declared) = one.entity.attribute(attribute) else { return None };
    match declared.kind {
        AttributeKind::Component(has) if !has.is(&kind) => {
            let message =
                Message::new(&RULE).name(given).say(" is ").say(kind.name()).say(" in ").name(pattern.name);
            let message = message.say(", but ").name(attribute).say(" of ").name(one.entity.name).say(" is ");
            Some(message.say(has.name()).say(", which is written in another way. Give it the same type."))
        }
        _ => None,
    }
}

/// What is wrong with a component that was looked up by the hash of `asked` and is called `found`: two names with one
/// hash would let one type stand in for another.
#[must_use]
pub const fn check_name(asked: &str, found: &str) -> Option<Message> {
    if text::equal(asked, found) {
        return None;
    }
    let message = Message::new(&RULE).name(asked).say(" and ").name(found);
    Some(message.say(" have the same hash, so their types cannot be compared. Rename one of them."))
}

/// Stops the compilation with what [`check_name`] finds.
///
/// # Panics
/// When the names differ.
#[track_caller]
pub const fn enforce_name(asked: &str, found: &str) {
    if let Some(message) = check_name(asked, found) {
        message.fail()
    }
}

enforced!(Pattern);
