//! What a stored claim says.

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::EntityShape;
use serde::de::DeserializeOwned;

use super::error::ClaimError;
use crate::error::{ItemError, ItemProblem};
use crate::item::kept::{ANSWER, REQUEST, UNTIL, number};
use crate::item::{Attributes, read_value};
use crate::time::Moment;

/// What a claim that is somebody else's says.
pub(super) enum State {
    /// Its lease is over: it can be taken.
    Free,
    /// It was claimed for another request.
    AnotherRequest,
    /// The work is done, and gave this.
    Done(AttributeValue),
    /// Somebody does the work.
    InProgress {
        /// In milliseconds since 1970.
        until: u64,
    },
}

/// What an item whose time is not over says to whoever comes with this request.
pub(super) fn state(
    entity: &EntityShape<'static>,
    mut item: Attributes,
    request: Option<&str>,
    moment: Moment,
) -> State {
    let expires_at = entity.time_to_live.and_then(|name| number(&item, name));
    let of_item = match item.get(REQUEST) {
        Some(AttributeValue::S(request)) => Some(request.as_str()),
        _ => None,
    };
    if of_item != request {
        return State::AnotherRequest;
    }
    if let Some(answer) = item.remove(ANSWER) {
        return State::Done(answer);
    }
    match number(&item, UNTIL) {
        Some(until) if until <= moment.over() => State::Free,
        Some(until) => State::InProgress { until },
        // A claim that another program stored has no lease: it is held as long as it is there.
        None => {
            State::InProgress { until: expires_at.map_or(u64::MAX, |seconds| seconds.saturating_mul(1000)) }
        }
    }
}

/// Whether the work of a claim is done.
pub(crate) fn is_done(item: &Attributes) -> bool {
    item.contains_key(ANSWER)
}

/// The answer, as its type.
pub(super) fn decoded<Answer: DeserializeOwned>(
    entity: &EntityShape<'static>,
    answer: AttributeValue,
) -> Result<Answer, ClaimError> {
    read_value(answer).map_err(|_| {
        let reason = "it is not of the type that is asked for".to_owned();
        let problem = ItemProblem::Attribute { path: ANSWER.to_owned(), reason };
        ClaimError::Answer(ItemError::new(entity.discriminator, None, problem))
    })
}
