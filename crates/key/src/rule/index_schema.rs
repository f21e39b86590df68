//! KW0206: the indexes of a table can be created.

use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{IndexKeys, IndexReach, IndexShape, Projection, TableShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0206",
    name: "index-schema",
    title: "An index that cannot be, or that nobody decided on",
    severity: Severity::Error,
    finds: "Two indexes with one name, more than four attributes in a part of a key, none in the partition key, a local \
            index on attributes, without a sort key, with another partition key or on a table without one, and a \
            projection of everything without a reason.",
    hurts: "DynamoDB refuses the table. Everything in an index means that every write is paid for twice.",
    example: "[table.app.index.by_user]\npartition_key = [\"a\", \"b\", \"c\", \"d\", \"e\"]",
    instead: "Take one to four attributes for the partition key and up to four for the sort key. Project the attributes \
              that the index's patterns return.",
    check: Check::Table(check),
};

/// What is wrong with an index of the table, if something is.
///
/// Source of the limits:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html>.
#[must_use]
pub const fn check(table: &TableShape<'_>) -> Option<Message> {
    let mut rest = table.indexes;
    while let [index, later @ ..] = rest {
        let mut others = later;
        while let [other, remaining @ ..] = others {
            if text::equal(index.name, other.name) {
                let message =
                    begin(table, index).say(" is declared twice. Give each index a name of its own.");
                return Some(message);
            }
            others = remaining;
        }
        if let Some(message) = check_index(table, index) {
            return Some(message);
        }
        rest = later;
    }
    None
}

const fn check_index(table: &TableShape<'_>, index: &IndexShape<'_>) -> Option<Message> {
    if let Projection::All { reason } = index.projection
        && is_blank(reason)
    {
        return Some(begin(table, index).say(
            " projects everything, so every write is paid for twice, and no reason is given. Project what its patterns \
             return, or say why everything.",
        ));
    }
    match (index.keys, index.reach) {
        (IndexKeys::Attributes { .. }, IndexReach::Local) => Some(begin(table, index).say(
            " is local, and only a global index can be keyed by several attributes. Make it global, or render its sort \
             key.",
        )),
        (IndexKeys::Attributes { partition_key, sort_key }, IndexReach::Global) => {
            if partition_key.is_empty() || partition_key.len() > 4 {
                return Some(
                    begin(table, index)
                        .say(" has ")
                        .number(partition_key.len())
                        .say(" attributes in its partition key. Take one to four."),
                );
            }
            if sort_key.len() > 4 {
                return Some(
                    begin(table, index).say(" has ").number(sort_key.len()).say(" attributes in its sort key. Take up to four."),
                );
            }
            None
        }
        (IndexKeys::Rendered { partition_key, sort_key }, IndexReach::Local) => {
            if table.sort_key.is_none() {
                return Some(begin(table, index).say(
                    " is local, and a table without a sort key has no local indexes. Make it global.",
                ));
            }
            if sort_key.is_none() || !text::equal(partition_key.name, table.partition_key.name) {
                return Some(
                    begin(table, index)
                        .say(" is local: its partition key is the table's, ")
                        .name(table.partition_key.name)
                        .say(", and it has a sort key of its own. Say so, or make it global."),
                );
            }
            None
        }
        (IndexKeys::Rendered { .. }, IndexReach::Global) => None,
    }
}

const fn begin(table: &TableShape<'_>, index: &IndexShape<'_>) -> Message {
    Message::new(&RULE).say("index ").name(index.name).say(" of ").name(table.name)
}

/// Whether nothing is said.
pub(super) const fn is_blank(reason: &str) -> bool {
    let mut rest = reason.as_bytes();
    while let [byte, later @ ..] = rest {
        if !byte.is_ascii_whitespace() {
            return false;
        }
        rest = later;
    }
    true
}

enforced!(Table);
