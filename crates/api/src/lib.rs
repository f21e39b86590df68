//! The operations of DynamoDB as types: one module an operation, with its input, its output, and every refusal
//! that needs no table.
//!
//! Invariants: the one list in [`operation`] drives the router, the names of IAM actions, [`Request`] and
//! [`Response`]; an input that [`Request::parse`] returned holds nothing that the service would refuse without
//! looking at a table; every message of the service is a variant of [`Validation`] or [`Error`]; nothing here
//! reads a clock, a file or the network.

mod capacity;
mod constraint;
mod error;
mod index;
mod item_collection;
mod key_schema;
mod legacy;
pub mod operation;
mod parameters;
mod precedence;
mod returned_item;
mod table;
mod table_name;
mod throttling;
mod throughput;
mod unsupported;
mod validation;
mod wire;

pub use capacity::{
    CapacityBreakdown, CapacityDetail, CapacityKind, CapacityUnits, ConsumedCapacity, ReturnConsumedCapacity,
};
pub use constraint::Violation;
pub use error::{CancellationReason, DecreaseLimit, Error, ResourceInUse, ResourceNotFound};
pub use index::{IndexKeySchema, IndexKind, IndexName, IndexProjection, SecondaryIndex};
pub use item_collection::{ItemCollectionMetrics, ItemCollectionTables, ReturnItemCollectionMetrics};
pub use key_schema::{KeyAttribute, KeyRole, KeySchema, ScalarType};
pub use operation::batch_get_item::{
    BatchGetItemInput, BatchGetItemOutput, ReadParameters, TableReads, UnprocessedKeys,
};
pub use operation::batch_write_item::{BatchWriteItemInput, BatchWriteItemOutput, WriteRequest};
pub use operation::create_table::{CreateTableInput, CreateTableOutput};
pub use operation::delete_item::{DeleteItemInput, DeleteItemOutput};
pub use operation::delete_table::{DeleteTableInput, DeleteTableOutput};
pub use operation::describe_table::{DescribeTableInput, DescribeTableOutput};
pub use operation::get_item::{Consistency, GetItemInput, GetItemOutput};
pub use operation::list_tables::{ListTablesInput, ListTablesOutput};
pub use operation::put_item::{PutItemInput, PutItemOutput};
pub use operation::query::{Direction, QueryInput, QueryOutput};
pub use operation::scan::{ScanInput, ScanOutput, ScanSegment};
pub use operation::transact_get_items::{TransactGet, TransactGetItemsInput, TransactGetItemsOutput};
pub use operation::transact_write_items::{
    ClientRequest, RequestFingerprint, TransactAction, TransactWrite, TransactWriteItemsInput,
    TransactWriteItemsOutput,
};
pub use operation::update_item::{UpdateItemInput, UpdateItemOutput};
pub use operation::update_table::{CapacityUpdate, UpdateTableInput, UpdateTableOutput};
pub use operation::{
    Filter, FilterSource, MAX_TRANSACTION_BYTES, Operation, Request, Response, ReturnValues,
    ReturnValuesOnConditionCheckFailure, Select, UpdateReturnValues,
};
pub use precedence::Check;
pub use returned_item::ReturnedItem;
pub use table::{
    BillingMode, DeletionProtection, IndexDescription, TableClass, TableDescription, TableStatus, Tag,
};
pub use table_name::TableName;
pub use throttling::{ThrottledResource, Throttling, ThrottlingException, ThrottlingLimit, ThrottlingReason};
pub use throughput::{ProvisionedThroughput, ThroughputHistory};
pub use validation::{IndexRefusal, Validation};
