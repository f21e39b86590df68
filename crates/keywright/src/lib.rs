//! The data layer: DynamoDB through the official SDK, where the wrong call does not compile.
//!
//! A [`Store`] is one table; a [`Tenant`] of it is the only door to items that tenants share. What is read is a declared access
//! pattern, which is one Query or one GetItem; what is written is an entity, whose keys are rendered from its fields. Every call
//! goes through [`aws_sdk_dynamodb::Client`], so that what is tried on the embedded engine is what runs on Amazon DynamoDB.
//!
//! This crate never imports a design file: it runs the rules of the key crate. The guide is `docs/data-layer/` of its repository.
//!
//! ```
//! # use applications::teams::*;
//! use keywright::{CursorKey, CursorKeys, Store};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = Store::<App>::in_memory(CursorKeys::new(CursorKey::generate()?)).await?; // or `embedded`, `aws`
//! let acme = store.tenant(&OrganizationId("acme".to_owned()))?; // the only way to reach an item
//!
//! assert!(acme.put(&team(1, "Analysts")).if_absent().send().await?.is_done());
//! let team = acme.get(TeamById { team_id: 1 }).await?.ok_or("it was just stored")?;
//! assert_eq!(team.name, "Analysts");
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! `embedded`, on by default, brings the engine for [`Store::in_memory`] and [`Store::embedded`]; an application that runs on AWS only turns it
//! off. `chrono`, `jiff`, `time`, `ulid` and `uuid` let types of those crates be components of keys.

mod batch;
mod claim;
mod counter;
mod cursor;
mod error;
mod etag;
mod expression;
mod item;
mod lock;
mod maintenance;
mod query;
mod rate_limit;
mod raw;
mod retry;
mod store;
mod stored;
mod tenant;
mod time;
mod token;
mod trace;
mod transaction;
mod unique;
mod usage;
mod write;

pub use keywright_derive::{AccessPattern, Condition, Entity, PatternList, Projection, Table, Update};
pub use keywright_key as key;

pub use batch::{
    BatchBudget, BatchChange, BatchError, BatchGet, BatchItemError, BatchMember, BatchProgress, BatchRead,
    BatchStopped, BatchStreamGet, BatchStreamWrite, BatchStreamWritten, BatchWrite, BatchWritten, Fate,
    LeftMember, Unfinished, UnfinishedReason,
};
pub use claim::{Claim, ClaimError, ClaimMark, Claimed, HeldClaim, Once, OnceError};
pub use counter::{Add, AddOnce, Added, AddedOnce, Limits};
pub use cursor::{Cursor, CursorError, CursorKey, CursorKeyProblem, CursorKeys};
pub use error::{
    ForeignItem, ItemError, ItemProblem, KeyError, ReadError, ServiceError, ServiceProblem, WriteError,
};
pub use etag::{ETag, ETagMatch, InvalidETag};
pub use lock::{FencingToken, HeldLock, Lock, LockCheck, LockError, Locked};
pub use maintenance::{
    Erased, Erasure, ErasurePlan, ErasureProgress, Export, ExportPage, ExportPages, Finding, FindingProblem,
    Integrity, IntegrityPage, IntegrityPages, InvalidPosition, Maintenance, MaintenanceError,
    MaintenanceProgress, Row, Scan, ScanEnd, ScanPage, ScanPages, ScanPosition,
};
pub use query::{Direction, FannedOut, FannedOutPages, Lookup, Page, PageStream, Pages, Query, Unverified};
pub use rate_limit::{InvalidRate, Rate, Taken};
pub use raw::{InvalidExpression, RawExpression};
pub use retry::{Jitter, RetryPolicy};
pub use store::{Capabilities, Capability, Difference, KeysInErrors, OpenError, Store, StoreBuilder};
pub use stored::Stored;
pub use tenant::{InvalidTenant, Tenant};
pub use token::{Consumed, InvalidSecret, TokenHash, TokenSecret};
pub use transaction::{
    ActionKind, ActionName, ActionOf, Canceled, Cause, Committed, InvalidToken, Reason, ReasonError,
    Snapshot, SnapshotError, SnapshotItem, SnapshotRead, Transacted, Transaction, TransactionAction,
    TransactionError, TransactionToken,
};
pub use unique::{DeleteUnique, InsertUnique, PutUnique, UniqueWrite, UpdateUnique};
pub use usage::{HotKey, KeyHash, ReadUsage, RetryUsage, Usage, WriteUsage};
pub use write::{
    Check, Conditional, ConditionalCheck, ConditionalDelete, ConditionalPut, Delete, Deleted, Old, Put,
    ReturningOld, Update, Updated, Upserted, WithOld, WriteId, Written,
};
