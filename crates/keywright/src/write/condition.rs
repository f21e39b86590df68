//! Conditions of writes, time to live included: an item whose time is over is not there, though it is still stored.

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::{Condition, GivenValues};
use keywright_key::{EntityShape, TableShape};

use crate::expression::{GivenProblem, Placeholders, and};
use crate::item::WRITE_ID_ATTRIBUTE;
use crate::stored::ETag;

/// What must hold for a write, while it is put together.
#[derive(Debug)]
pub(crate) struct Conditions {
    /// Whether the item must be there; nothing is asked if none.
    presence: Option<PresenceAsked>,
    text: Option<String>,
    placeholders: Placeholders,
}

/// What is asked of an item's presence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PresenceAsked {
    Absent,
    There,
}

impl Conditions {
    pub(crate) fn none() -> Conditions {
        Conditions { presence: None, text: None, placeholders: Placeholders::default() }
    }

    /// The item is not there.
    pub(crate) fn absent() -> Conditions {
        Conditions { presence: Some(PresenceAsked::Absent), ..Conditions::none() }
    }

    /// The item is there.
    pub(crate) fn there() -> Conditions {
        Conditions { presence: Some(PresenceAsked::There), ..Conditions::none() }
    }

    /// The item is there, and this holds for it.
    pub(crate) fn holds<Asked: Condition + GivenValues>(
        mut self,
        asked: &Asked,
    ) -> Result<Conditions, GivenProblem> {
        let text = self.placeholders.expression('c', Asked::SHAPE, asked)?;
        self.text = and(self.text, text);
        self.presence = Some(PresenceAsked::There);
        Ok(self)
    }

    /// The item is there, in this state.
    pub(crate) fn in_state(mut self, etag: &ETag) -> Conditions {
        let name = self.placeholders.name("c_write", WRITE_ID_ATTRIBUTE);
        let value =
            self.placeholders.value("c_write", AttributeValue::S(etag.write_id().as_str().to_owned()));
        self.text = and(self.text, Some(format!("{name} = {value}")));
        self.presence = Some(PresenceAsked::There);
        self
    }

    /// Whether nothing is asked.
    pub(crate) const fn is_none(&self) -> bool {
        self.presence.is_none()
    }

    /// The expression with its names and values; none if nothing is asked.
    pub(crate) fn write(
        mut self,
        table: &TableShape<'static>,
        entity: &EntityShape<'static>,
        now_seconds: u64,
    ) -> (Option<String>, Placeholders) {
        let Some(presence) = self.presence else { return (None, self.placeholders) };
        let key = self.placeholders.name("c_key", table.partition_key.name);
        let text = match (presence, entity.time_to_live) {
            (PresenceAsked::Absent, None) => format!("attribute_not_exists({key})"),
            (PresenceAsked::There, None) => format!("attribute_exists({key})"),
            (presence, Some(attribute)) => {
                let expiry = self.placeholders.name("c_expiry", attribute);
                let now = self.placeholders.value("c_now", AttributeValue::N(now_seconds.to_string()));
                match presence {
                    PresenceAsked::Absent => format!("attribute_not_exists({key}) OR {expiry} <= {now}"),
                    PresenceAsked::There => {
                        format!(
                            "attribute_exists({key}) AND (attribute_not_exists({expiry}) OR {expiry} > {now})"
                        )
                    }
                }
            }
        };
        (and(Some(text), self.text), self.placeholders)
    }
}
