//! Batches: any number of items, in as few calls as DynamoDB allows, until every one of them is accounted for.
//!
//! - Nothing is sent before every member of a batch is known to be good: of the tenant, with a key, small enough, and no key twice.
//! - A member is done only if the service answered for it. What came back unprocessed, was throttled or was not answered is sent
//!   again, as it was: members are puts and deletes by key, or reads, which twice is the same as once. Their write ids stay.
//! - What is left at the end is named, each by its key and by its place in the batch.
//! - A stream of members is taken as fast as calls go on, and no faster: a window of them is in memory, whatever their number.
//! - BatchWriteItem knows no conditions, so an entity whose key does not hold the tenant cannot be written by it: a put or a delete by
//!   such a key could take what is another tenant's.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html>,
//! <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html>

mod asked;
mod budget;
mod call;
mod change;
mod error;
mod get;
mod member;
mod pipeline;
mod queue;
mod run;
mod stream;
mod stream_get;
mod wire;
mod write;

pub use budget::{BatchBudget, BatchProgress};
pub use error::{BatchError, BatchItemError, BatchStopped, Fate, LeftMember, Unfinished, UnfinishedReason};
pub use get::{BatchGet, BatchRead};
pub use member::BatchMember;
pub use stream::{BatchChange, BatchStreamWrite, BatchStreamWritten};
pub use stream_get::BatchStreamGet;
pub use write::{BatchWrite, BatchWritten};
