//! Every way in which a request fails, with its wire name, status and message.
//!
//! Invariant: this is the only place that writes an error body, so that every face of the engine answers alike.

use std::fmt;

use keywright_item::{StoredItem, json};

use crate::wire::{ObjectWriter, write_array};
use crate::{IndexName, IndexRefusal, TableName, Throttling, ThrottlingReason, Validation};

/// The refusal of a request, or the engine's failure to serve it.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html>, and for
/// the prefixes of the wire names the responses of the service.
#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    /// The request breaks a rule of the operation.
    Validation(Validation),
    /// The condition of a write does not hold; nothing was written.
    ConditionalCheckFailed {
        /// The item that was there, where the request asked for it and there was one.
        item: Option<StoredItem>,
    },
    /// A transaction was cancelled; nothing was written.
    TransactionCanceled {
        /// Why, for each member of the transaction, in order.
        reasons: Vec<CancellationReason>,
    },
    /// A client request token was used before, for another request.
    IdempotentParameterMismatch,
    /// The transaction with this client request token is not over yet.
    TransactionInProgress,
    /// A transaction on the item is not over yet; nothing was written.
    TransactionConflict,
    /// A limit of throughput was exceeded; nothing was read or written.
    Throttled(Throttling),
    /// Throughput was lowered too often for one day; nothing was changed.
    LimitExceeded(DecreaseLimit),
    /// A table, or another resource, does not exist (or is not ready for items yet).
    ResourceNotFound(ResourceNotFound),
    /// A table exists already, or is in a state that excludes the request.
    ResourceInUse(ResourceInUse),
    /// The body is JSON, but not of the operation's shape.
    Serialization(json::SerializationError),
    /// The header `X-Amz-Target` names no operation of this version.
    UnknownOperation,
    /// The request carries no `Authorization` header.
    MissingAuthenticationToken,
    /// The `Authorization` header lacks something that the message names.
    IncompleteSignature {
        /// What is missing.
        message: String,
    },
    /// The signature is not that of the request.
    InvalidSignature {
        /// What is wrong with it.
        message: String,
    },
    /// The body is longer than the service reads.
    RequestTooLarge,
    /// The engine could not serve the request. Whether a write took effect is not known, as on the service: a client that sends it
    /// again must make sure that twice does no harm.
    InternalServerError {
        /// What went wrong, for the people who run the engine.
        reason: String,
    },
}

/// What one member of a cancelled transaction had to do with it.
#[derive(Debug, Clone, PartialEq)]
pub enum CancellationReason {
    /// Nothing: it could have been carried out.
    None,
    /// Its condition does not hold.
    ConditionalCheckFailed {
        /// The item that was there, where the request asked for it and there was one.
        item: Option<StoredItem>,
    },
    /// It does not fit its table, or its item.
    Validation(Validation),
    /// Another transaction on its item is not over yet.
    TransactionConflict,
    /// It exceeds a limit of throughput.
    Throttled(ThrottlingReason),
}

/// What was not found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceNotFound {
    /// The table that an item operation names; the message does not repeat the name.
    Resource,
    /// The table that a table operation names.
    Table(TableName),
}

/// Why a resource excludes the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceInUse {
    /// CreateTable names a table that exists.
    TableExists(TableName),
    /// The table is still being created.
    BeingCreated(TableName),
    /// The table is being deleted.
    BeingDeleted(TableName),
    /// UpdateTable while the table's capacity is changing.
    CapacityBeingUpdated(TableName),
    /// UpdateTable while the index's capacity is changing.
    IndexBeingUpdated {
        /// The table.
        table: TableName,
        /// The index.
        index: IndexName,
    },
    /// DeleteTable while the table or an index of it is changing.
    BeingUpdated(TableName),
}

/// How often provisioned throughput was lowered today, and when it can be again.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html>
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecreaseLimit {
    /// Decreases since midnight (UTC).
    pub decreases: u64,
    /// When the last of them was, such as `Friday, October 9, 2026 at 12:21:34 AM`.
    pub last: String,
    /// When the next one can be, in the same words.
    pub next: String,
}

impl Error {
    /// The HTTP status of the answer.
    pub const fn status(&self) -> u16 {
        match self {
            Self::RequestTooLarge => 413,
            Self::InternalServerError { .. } => 500,
            _ => 400,
        }
    }

    /// The value of `__type`, with its prefix.
    pub const fn wire_name(&self) -> &'static str {
        match self {
            Self::Validation(_) => "com.amazon.coral.validate#ValidationException",
            Self::ConditionalCheckFailed { .. } => {
                "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"
            }
            Self::TransactionCanceled { .. } => {
                "com.amazonaws.dynamodb.v20120810#TransactionCanceledException"
            }
            Self::IdempotentParameterMismatch => {
                "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException"
            }
            Self::TransactionInProgress => "com.amazonaws.dynamodb.v20120810#TransactionInProgressException",
            Self::TransactionConflict => "com.amazonaws.dynamodb.v20120810#TransactionConflictException",
            Self::Throttled(throttling) => throttling.exception.wire_name(),
            Self::LimitExceeded(_) => "com.amazonaws.dynamodb.v20120810#LimitExceededException",
            Self::ResourceNotFound(_) => "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
            Self::ResourceInUse(_) => "com.amazonaws.dynamodb.v20120810#ResourceInUseException",
            Self::Serialization(_) => "com.amazon.coral.service#SerializationException",
            Self::UnknownOperation => "com.amazon.coral.service#UnknownOperationException",
            Self::MissingAuthenticationToken => {
                "com.amazon.coral.service#MissingAuthenticationTokenException"
            }
            Self::IncompleteSignature { .. } => "com.amazon.coral.service#IncompleteSignatureException",
            Self::InvalidSignature { .. } => "com.amazon.coral.service#InvalidSignatureException",
            Self::RequestTooLarge => "com.amazon.coral.service#RequestEntityTooLargeException",
            Self::InternalServerError { .. } => "com.amazonaws.dynamodb.v20120810#InternalServerError",
        }
    }

    /// The message, where the service sends one.
    pub fn message(&self) -> Option<String> {
        Some(match self {
            Self::Validation(validation) => validation.to_string(),
            Self::ConditionalCheckFailed { .. } => CONDITION_FAILED.to_owned(),
            Self::TransactionCanceled { reasons } => {
                let codes: Vec<&str> = reasons.iter().map(CancellationReason::code).collect();
                format!(
                    "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]",
                    codes.join(", ")
                )
            }
            Self::IdempotentParameterMismatch => {
                "The client request token was used within the last ten minutes, for another request"
                    .to_owned()
            }
            Self::TransactionInProgress => {
                "Transaction from previous request is still in progress".to_owned()
            }
            Self::TransactionConflict => TRANSACTION_ONGOING.to_owned(),
            Self::Throttled(throttling) => throttling.message().to_owned(),
            Self::LimitExceeded(limit) => limit.to_string(),
            Self::ResourceNotFound(what) => what.to_string(),
            Self::ResourceInUse(why) => why.to_string(),
            Self::IncompleteSignature { message } | Self::InvalidSignature { message } => message.clone(),
            Self::Serialization(error) => return error.message(),
            Self::MissingAuthenticationToken => "Request is missing Authentication Token".to_owned(),
            Self::InternalServerError { reason } => format!("Internal server error: {reason}"),
            Self::UnknownOperation | Self::RequestTooLarge => return None,
        })
    }

    /// Appends the body of the answer, as the service writes it.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"__type\":\"");
        out.extend_from_slice(self.wire_name().as_bytes());
        out.push(b'"');
        if let Self::ConditionalCheckFailed { item: Some(item) } = self {
            out.extend_from_slice(b",\"Item\":");
            item.write_json(out);
        }
        if let Self::TransactionCanceled { reasons } = self {
            out.extend_from_slice(b",\"CancellationReasons\":");
            write_array(out, reasons, CancellationReason::write_json);
        }
        if let Self::Throttled(throttling) = self {
            out.push(b',');
            throttling.write_reasons(out);
        }
        if let Some(message) = self.message() {
            out.extend_from_slice(if self.has_capital_message() {
                b",\"Message\":"
            } else {
                b",\"message\":"
            });
            json::write_string(&message, out);
        }
        out.push(b'}');
    }

    /// The service writes the name of the member with a capital for some kinds of errors.
    const fn has_capital_message(&self) -> bool {
        matches!(
            self,
            Self::Serialization(_)
                | Self::TransactionCanceled { .. }
                | Self::IdempotentParameterMismatch
                | Self::TransactionInProgress
        )
    }
}

impl CancellationReason {
    /// The name on the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::None => "None",
            Self::ConditionalCheckFailed { .. } => "ConditionalCheckFailed",
            Self::Validation(_) => "ValidationError",
            Self::TransactionConflict => "TransactionConflict",
            Self::Throttled(reason) => reason.cancellation_code(),
        }
    }

    fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        if let Self::ConditionalCheckFailed { item: Some(item) } = self {
            item.write_json(object.member("Item"));
        }
        object.string("Code", self.code());
        match self {
            Self::None => {}
            Self::ConditionalCheckFailed { .. } => object.string("Message", CONDITION_FAILED),
            Self::Validation(validation) => object.string("Message", &validation.to_string()),
            Self::TransactionConflict => object.string("Message", TRANSACTION_ONGOING),
            Self::Throttled(reason) => object.string("Message", reason.message()),
        }
        object.close();
    }
}

const CONDITION_FAILED: &str = "The conditional request failed";
const TRANSACTION_ONGOING: &str = "Transaction is ongoing for the item";

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wire_name = self.wire_name();
        let short_name = wire_name.split_once('#').map_or(wire_name, |(_, name)| name);
        formatter.write_str(short_name)?;
        match self.message() {
            Some(message) => write!(formatter, ": {message}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

impl From<Validation> for Error {
    fn from(validation: Validation) -> Self {
        Self::Validation(validation)
    }
}

impl From<Validation> for CancellationReason {
    fn from(validation: Validation) -> Self {
        Self::Validation(validation)
    }
}

impl From<IndexRefusal> for Error {
    fn from(refusal: IndexRefusal) -> Self {
        Self::Validation(refusal.into())
    }
}

impl From<json::SerializationError> for Error {
    fn from(error: json::SerializationError) -> Self {
        Self::Serialization(error)
    }
}

impl fmt::Display for ResourceNotFound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resource => formatter.write_str("Requested resource not found"),
            Self::Table(name) => write!(formatter, "Requested resource not found: Table: {name} not found"),
        }
    }
}

impl fmt::Display for ResourceInUse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const STILL_IN_USE: &str = "Attempt to change a resource which is still in use";
        match self {
            Self::TableExists(name) => write!(formatter, "Table already exists: {name}"),
            Self::BeingCreated(name) => {
                write!(formatter, "{STILL_IN_USE}: Table is being created: {name}")
            }
            Self::BeingDeleted(name) => {
                write!(formatter, "{STILL_IN_USE}: Table is being deleted: {name}")
            }
            Self::CapacityBeingUpdated(name) => {
                write!(formatter, "{STILL_IN_USE}: Table IOPS are currently being updated. Table: {name}")
            }
            Self::IndexBeingUpdated { table, index } => {
                write!(formatter, "{STILL_IN_USE}: Index is being updated. Table: {table} Index: {index}")
            }
            Self::BeingUpdated(name) => {
                write!(formatter, "{STILL_IN_USE}: Table: {name} is in the process of being updated.")
            }
        }
    }
}

impl fmt::Display for DecreaseLimit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const ZONE: &str = "Coordinated Universal Time";
        let Self { decreases, last, next } = self;
        write!(
            formatter,
            "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After the first \
             4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. \
             Number of decreases today: {decreases}. Last decrease at {last} {ZONE}. Next decrease can be made at {next} {ZONE}"
        )
    }
}
