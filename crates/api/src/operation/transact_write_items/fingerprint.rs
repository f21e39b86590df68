//! What a client request token stands for: the transaction, compared by value.
//!
//! Invariants: the order in which a request lists the members of its JSON objects, and the spelling of its numbers, make
//! no difference; the order of its actions and the text of its expressions do; what is told of the consumed capacity is
//! no part of the transaction. The bytes are stored, so that their meaning is part of the format on disk.

use keywright_expression::Placeholders;
use keywright_item::{Item, json};
use twox_hash::xxhash3_128::Hasher;

use crate::{ReturnValuesOnConditionCheckFailure, TableName};

/// A hash of 128 bits over everything that a transaction asks for. Two requests with the same one ask for the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RequestFingerprint([u8; 16]);

/// What an action asks for, in the words of the request.
pub(super) struct ActionText<'action> {
    /// `Put`, `Update`, `Delete` or `ConditionCheck`
    pub(super) kind: &'static str,
    pub(super) table_name: &'action TableName,
    /// The item, or its key.
    pub(super) attributes: &'action Item,
    pub(super) update: Option<&'action str>,
    pub(super) condition: Option<&'action str>,
    pub(super) placeholders: &'action Placeholders,
    pub(super) on_condition_failure: ReturnValuesOnConditionCheckFailure,
}

impl RequestFingerprint {
    /// The fingerprint with these bytes.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// The fingerprint of the actions so far and this one. Each part is written as JSON, so that none can be taken for
    /// another; attributes and members of sets are in their own order there, and numbers in their normal form.
    #[must_use]
    pub(super) fn and(self, action: &ActionText<'_>) -> Self {
        let mut text = self.0.to_vec();
        json::write_string(action.kind, &mut text);
        json::write_string(action.table_name.as_str(), &mut text);
        json::write_map(action.attributes, &mut text);
        for expression in [action.update, action.condition] {
            match expression {
                Some(expression) => json::write_string(expression, &mut text),
                None => text.extend_from_slice(b"null"),
            }
        }
        for (placeholder, name) in action.placeholders.names() {
            json::write_string(placeholder, &mut text);
            json::write_string(name, &mut text);
        }
        for (placeholder, value) in action.placeholders.values() {
            json::write_string(placeholder, &mut text);
            json::write_value(value, &mut text);
        }
        text.push(match action.on_condition_failure {
            ReturnValuesOnConditionCheckFailure::None => b'0',
            ReturnValuesOnConditionCheckFailure::AllOld => b'1',
        });
        Self(Hasher::oneshot(&text).to_be_bytes())
    }
}
