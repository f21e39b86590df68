//! KW0301: a pattern gives the whole partition key of what it returns.

use super::reading::ReturnedEntities;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{PatternShape, TableShape, Tenancy};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0301",
    name: "partition-key-given",
    title: "A pattern that does not give the whole partition key",
    severity: Severity::Error,
    finds: "A component of the partition key, in the table or in the index that the pattern reads, that the pattern does \
            not give. The tenant is given always.",
    hurts: "DynamoDB finds items by their whole partition key. Without it the pattern is a scan of the table, which gets \
            slower and dearer with every item.",
    example: "[pattern.members]\nindex = \"by_user\"\nreturns = [\"member\"]",
    instead: "Let the caller give the component, or add an index whose partition key the caller has.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let mut returned = ReturnedEntities::of(table, pattern);
    while let Some(one) = returned.next() {
        let partition = one.key.partition;
        let mut place = 0;
        while place < partition.len() {
            if let Some(field) = partition.field(place)
                && !is_given(table, pattern, field)
            {
                let message =
                    Message::new(&RULE).name(pattern.name).say(" is not one Query: the partition key of ");
                let message = message.name(one.entity.name);
                let message = match pattern.index {
                    Some(index) => message.say(" in index ").name(index),
                    None => message,
                };
                let message = partition.named(message.say(" is ")).say(", and ").name(field);
                return Some(
                    message
                        .say(" is not given. Add ")
                        .name(field)
                        .say(" to the pattern, or read an index whose partition key the caller has."),
                );
            }
            place += 1;
        }
    }
    None
}

/// Whether the caller gives the attribute, or is it: the tenant.
pub(super) const fn is_given(table: &TableShape<'_>, pattern: &PatternShape<'_>, field: &str) -> bool {
    match table.tenancy {
        Tenancy::Attribute(tenant) if text::equal(tenant, field) => true,
        _ => pattern.given(field).is_some(),
    }
}

enforced!(Pattern);
