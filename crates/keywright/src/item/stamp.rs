//! Stamps: when an item was stored first, and when it was written last, in the attributes that the entity names.
//!
//! The time is that of the store's clock. A stamp of the first write is set where the entity has none: one that was read and is put
//! again keeps its own.

use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::{EntityShape, StampForm, Timestamp};

use super::Attributes;

/// Stamps an item that is about to be put.
pub(crate) fn stamp(entity: &EntityShape<'static>, since_epoch: Duration, attributes: &mut Attributes) {
    if let Some(created) = entity.created
        && !attributes.contains_key(created.attribute)
    {
        attributes.insert(created.attribute.to_owned(), written(created.form, since_epoch));
    }
    if let Some(updated) = entity.updated {
        attributes.insert(updated.attribute.to_owned(), written(updated.form, since_epoch));
    }
}

/// A time as a stamp has it.
pub(crate) fn written(form: StampForm, since_epoch: Duration) -> AttributeValue {
    match form {
        StampForm::Seconds => AttributeValue::N(since_epoch.as_secs().to_string()),
        StampForm::Milliseconds => AttributeValue::N(since_epoch.as_millis().to_string()),
        StampForm::Text => {
            let milliseconds = i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX);
            // A clock beyond the year 9999 is broken, and no reason to lose a write.
            let timestamp = Timestamp::from_unix_milliseconds(milliseconds).unwrap_or(Timestamp::UNIX_EPOCH);
            AttributeValue::S(timestamp.to_string())
        }
    }
}
