//! Writes, consumers of streams, and exceptions.

use super::{Reader, load};
use crate::file::members::{Entry, Members, Part};
use crate::model::{
    AttributeName, ConsumerName, Delivery, EntityName, Exception, Once, StreamConsumer, Write,
    WriteCondition, WriteName, WriteOperation,
};
use crate::words;

/// A write: `[write.NAME]`.
pub(super) fn read(entry: &Entry<'_>, reader: &mut Reader<'_>) -> Option<Write> {
    let members = entry.part.members()?;
    let operation = members.word("operation", &words::WRITE_OPERATIONS)?;
    let entities = members.names("entities", EntityName::new);
    let is_of_several = matches!(operation, WriteOperation::Batch | WriteOperation::Transaction);
    if let (false, Some(part)) = (is_of_several, members.part("items"))
        && part.whole::<u64>().is_some_and(|items| items > 1)
    {
        let wrong = "this operation writes one item in a call";
        let instead = "leave `items` out, or write `operation = \"batch\"` or `\"transaction\"`";
        reader.conflict(part.range(), wrong, instead);
    }
    let default_items = if is_of_several { u64::try_from(entities.len()).unwrap_or(u64::MAX) } else { 1 };
    Some(Write {
        name: WriteName::new(entry.name).ok()?,
        operation,
        items: members.whole("items").unwrap_or(default_items),
        entities,
        condition: condition(&members),
        once: members.part("once").and_then(once),
        changes: members.names("changes", AttributeName::new),
        expected: load::writes(&members, "expected"),
    })
}

fn condition(members: &Members<'_>) -> WriteCondition {
    let Some(text) = members.text("condition") else { return WriteCondition::None };
    words::WRITE_CONDITIONS.choice(text).unwrap_or_else(|| WriteCondition::Expression(text.to_owned()))
}

fn once(part: Part<'_>) -> Option<Once> {
    let Some(members) = part.members() else { return part.word(&words::ONCE) };
    if members.are_of(&crate::file::keys::CLAIM) {
        return members.name("claim", EntityName::new).map(Once::Claim);
    }
    members.owned_text("not").map(|reason| Once::NotNeeded { reason })
}

/// A consumer of a stream: `[consumer.NAME]`.
pub(super) fn consumer(entry: &Entry<'_>, reader: &mut Reader<'_>) -> Option<StreamConsumer> {
    let members = entry.part.members()?;
    Some(StreamConsumer {
        table: reader.table_of(&members, "a consumer")?,
        name: ConsumerName::new(entry.name).ok()?,
        needs: members.word("needs", &words::IMAGES)?,
        delivery: Delivery {
            batch_size: members.whole("batch_size"),
            window_seconds: members.whole("window_seconds"),
            parallelization: members.whole("parallelization"),
            retries: members.whole("retries"),
        },
        idempotent_by: members.owned_text("idempotent_by"),
        dead_letters: members.owned_text("dead_letters"),
    })
}

/// An accepted finding: `[[exception]]`.
pub(super) fn exception(part: Part<'_>) -> Option<Exception> {
    let members = part.members()?;
    Some(Exception {
        rule: members.owned_text("rule")?,
        at: members.owned_text("at")?,
        reason: members.owned_text("reason")?,
    })
}
