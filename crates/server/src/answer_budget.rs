//! The memory of answers from when they are known until the client has taken them, or is gone.
//!
//! - An answer of up to [`SMALL_ANSWER_BYTES`] never waits for others.
//! - A larger one holds its share of the budget as long as its bytes exist: they own it, in hyper's buffers too.
//! - Nobody keeps an uncounted answer while waiting. A read that finds no room is done again once there is some; a write
//!   that answers with an item cannot be, so it takes the room for the stored item before it is decided. Only what a thread
//!   is working on at the moment comes on top.

use std::sync::Arc;

use bytes::Bytes;
use keywright_api::{
    Request, ReturnValues, ReturnValuesOnConditionCheckFailure, TransactWrite, UpdateReturnValues,
};

use crate::budget::{Budget, Share};
use crate::options::Limits;

/// An answer of up to this size is not counted.
const SMALL_ANSWER_BYTES: usize = 64 * 1024;

/// The JSON of the largest page: 1 MB, which the item that ends it exceeds by 400 KB, nine bytes for each at the most (an
/// empty string in a list counts one, and is written `{"S":""},`).
const LARGEST_PAGE_BYTES: usize = 13 * 1024 * 1024;

/// The stored form of the largest item.
const LARGEST_STORED_ITEM_BYTES: usize = 512 * 1024;

/// The stored form of the largest page: 1 MB, which the item that ends it exceeds; and of what a body has that is not carried
/// out alone.
const LARGEST_STORED_PAGE_BYTES: usize = 2 * 1024 * 1024;

/// The stored form of all items that a BatchGetItem answers with: 16 MB, which the last of them exceeds.
const LARGEST_STORED_BATCH_BYTES: usize = 18 * 1024 * 1024;

/// The stored form of all items that a TransactGetItems answers with: 4 MB.
const LARGEST_STORED_TRANSACTION_BYTES: usize = 5 * 1024 * 1024;

/// What the answers of all connections share.
#[derive(Debug)]
pub(crate) struct AnswerBudget {
    answers: Arc<Budget>,
    /// Stored items that writes answer with, from before the write is decided until the answer has its share.
    old_items: Budget,
}

/// How the answer to a request comes to its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Course {
    /// Once, since it changes something, is never large, or is much to read again; so many bytes may wait in stored form.
    Once {
        /// Zero when no item is answered with.
        stored_bytes: usize,
    },
    /// A read of items, which can be done again.
    Repeatable,
}

impl Course {
    /// The course of a request. An operation that is added has to be placed here.
    pub(crate) fn of(request: &Request) -> Course {
        let (image, on_failure) = match request {
            Request::GetItem(_) | Request::Query(_) | Request::Scan(_) => return Course::Repeatable,
            Request::BatchGetItem(_) => return Course::Once { stored_bytes: LARGEST_STORED_BATCH_BYTES },
            Request::TransactGetItems(_) => {
                return Course::Once { stored_bytes: LARGEST_STORED_TRANSACTION_BYTES };
            }
            Request::TransactWriteItems(input) => {
                let answers_an_item = |action: &&TransactWrite| {
                    action.on_condition_failure != ReturnValuesOnConditionCheckFailure::None
                };
                let items = input.actions.iter().filter(answers_an_item).count();
                return Course::Once { stored_bytes: items * LARGEST_STORED_ITEM_BYTES };
            }
            Request::PutItem(input) => {
                (input.return_values != ReturnValues::None, input.on_condition_failure)
            }
            Request::DeleteItem(input) => {
                (input.return_values != ReturnValues::None, input.on_condition_failure)
            }
            Request::UpdateItem(input) => {
                (input.return_values != UpdateReturnValues::None, input.on_condition_failure)
            }
            Request::BatchWriteItem(_)
            | Request::CreateTable(_)
            | Request::UpdateTable(_)
            | Request::DeleteTable(_)
            | Request::DescribeTable(_)
            | Request::ListTables(_) => (false, ReturnValuesOnConditionCheckFailure::None),
        };
        let holds_an_item = image || on_failure != ReturnValuesOnConditionCheckFailure::None;
        Course::Once { stored_bytes: if holds_an_item { LARGEST_STORED_ITEM_BYTES } else { 0 } }
    }

    /// The course of a request to an engine with faults: a read is one call of a rule and cannot be done again, and a batch may
    /// come back.
    pub(crate) fn with_faults(request: &Request) -> Course {
        match (request, Course::of(request)) {
            (Request::BatchWriteItem(_), _) | (_, Course::Repeatable) => {
                Course::Once { stored_bytes: LARGEST_STORED_PAGE_BYTES }
            }
            (_, once) => once,
        }
    }
}

impl AnswerBudget {
    /// A budget with everything free.
    pub(crate) fn new(limits: &Limits) -> AnswerBudget {
        AnswerBudget {
            answers: Arc::new(Budget::new(limits.buffered_answer_bytes)),
            old_items: Budget::new(limits.buffered_answer_bytes.max(LARGEST_STORED_ITEM_BYTES)),
        }
    }

    /// The budget of what is to be written, for who watches over the writing.
    pub(crate) fn answers(&self) -> Arc<Budget> {
        Arc::clone(&self.answers)
    }

    /// The room for `bytes` of stored items; waits for it. Nothing is to be waited for when there are none.
    pub(crate) async fn room_for_stored(&self, bytes: usize) -> Option<Share> {
        if bytes == 0 { None } else { Some(self.old_items.take(bytes).await) }
    }

    /// The room for any page; waits for it.
    pub(crate) async fn room_for_page(&self) -> Share {
        self.answers.take(LARGEST_PAGE_BYTES).await
    }

    /// The answer with its share, or `None` and no answer any more when there is no room.
    pub(crate) fn try_hold(&self, answer: Vec<u8>) -> Option<Bytes> {
        if answer.capacity() <= SMALL_ANSWER_BYTES {
            return Some(answer.into());
        }
        let share = self.answers.try_take(answer.len())?;
        Some(held(answer, share))
    }

    /// The answer with its share; waits for it, so what the answer was made of must be counted elsewhere.
    pub(crate) async fn hold(&self, answer: Vec<u8>) -> Bytes {
        if answer.capacity() <= SMALL_ANSWER_BYTES {
            return answer.into();
        }
        let share = self.answers.take(answer.len()).await;
        held(answer, share)
    }

    /// The answer in room that was taken before; what it does not need is given back.
    pub(crate) fn hold_in(room: Share, answer: Vec<u8>) -> Bytes {
        if answer.capacity() <= SMALL_ANSWER_BYTES {
            return answer.into();
        }
        held(answer, room)
    }
}

fn held(mut json: Vec<u8>, mut share: Share) -> Bytes {
    json.shrink_to_fit();
    share.shrink_to(json.len());
    Bytes::from_owner(Held { json, _share: share })
}

/// The bytes of an answer, with their share.
struct Held {
    json: Vec<u8>,
    _share: Share,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.json
    }
}
