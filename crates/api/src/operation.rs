//! The list of operations, and what follows from it: their names, requests and responses.
//!
//! Invariant: an operation exists here or nowhere; adding a line to the list asks for its module.

use keywright_item::json::Reader;

use crate::Error;

mod batch;
pub mod batch_get_item;
pub mod batch_write_item;
pub mod create_table;
pub mod delete_item;
pub mod delete_table;
pub mod describe_table;
pub mod get_item;
mod item_write;
pub mod list_tables;
mod page;
mod projected;
pub mod put_item;
pub mod query;
pub mod scan;
pub mod transact_get_items;
pub mod transact_write_items;
mod transaction;
pub mod update_item;
pub mod update_table;

pub use item_write::{ReturnValues, ReturnValuesOnConditionCheckFailure, UpdateReturnValues};
pub use page::{Filter, FilterSource, Select};
pub use transaction::MAX_TRANSACTION_BYTES;

/// The actions that an IAM policy names: the operation's own, unless there are others in its place.
macro_rules! iam_actions {
    ($name:ident) => {
        &[concat!("dynamodb:", stringify!($name))]
    };
    ($name:ident $($action:ident)+) => {
        &[$(concat!("dynamodb:", stringify!($action)),)+]
    };
}

macro_rules! operations {
    ($($name:ident: $module:ident { $input:ident -> $output:ident } $(allowed by [$($action:ident),+])?,)*) => {
        /// An operation of the service.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Operation {
            $(
                #[doc = concat!("The operation `", stringify!($name), "`.")]
                $name,
            )*
        }

        impl Operation {
            /// Every operation that this version implements.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The name as in the service's documentation, such as `PutItem`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }

            /// The actions that an IAM policy names, such as `dynamodb:PutItem`. A transaction has no action of its
            /// own, but needs that of each of its members.
            pub const fn iam_actions(self) -> &'static [&'static str] {
                match self {
                    $(Self::$name => iam_actions!($name $($($action)+)?),)*
                }
            }
        }

        /// A request that has passed every check which needs no table.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Request {
            $(
                #[doc = concat!("A `", stringify!($name), "` request.")]
                $name($module::$input),
            )*
        }

        impl Request {
            /// Parses and checks the body of a request.
            ///
            /// Fails with [`Error::Serialization`] when the body is not the JSON of this operation, and with
            /// [`Error::Validation`] when the service would refuse it before it looks at a table.
            pub fn parse(operation: Operation, body: &[u8]) -> Result<Self, Error> {
                match operation {
                    $(Operation::$name => $module::$input::parse(body).map(Self::$name),)*
                }
            }

            /// The operation that this is a request of.
            pub const fn operation(&self) -> Operation {
                match self {
                    $(Self::$name(_) => Operation::$name,)*
                }
            }
        }

        $(
            impl From<$module::$input> for Request {
                fn from(input: $module::$input) -> Self {
                    Self::$name(input)
                }
            }
        )*

        /// The answer to a request that was not refused.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Response {
            $(
                #[doc = concat!("The answer to a `", stringify!($name), "` request.")]
                $name($module::$output),
            )*
        }

        impl Response {
            /// Appends the body of the response, as the service writes it.
            pub fn write_json(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$name(output) => output.write_json(out),)*
                }
            }
        }

        $(
            impl From<$module::$output> for Response {
                fn from(output: $module::$output) -> Self {
                    Self::$name(output)
                }
            }
        )*
    };
}

operations! {
    CreateTable: create_table { CreateTableInput -> CreateTableOutput },
    DescribeTable: describe_table { DescribeTableInput -> DescribeTableOutput },
    ListTables: list_tables { ListTablesInput -> ListTablesOutput },
    UpdateTable: update_table { UpdateTableInput -> UpdateTableOutput },
    DeleteTable: delete_table { DeleteTableInput -> DeleteTableOutput },
    PutItem: put_item { PutItemInput -> PutItemOutput },
    GetItem: get_item { GetItemInput -> GetItemOutput },
    UpdateItem: update_item { UpdateItemInput -> UpdateItemOutput },
    DeleteItem: delete_item { DeleteItemInput -> DeleteItemOutput },
    Query: query { QueryInput -> QueryOutput },
    Scan: scan { ScanInput -> ScanOutput },
    BatchGetItem: batch_get_item { BatchGetItemInput -> BatchGetItemOutput },
    BatchWriteItem: batch_write_item { BatchWriteItemInput -> BatchWriteItemOutput },
    TransactGetItems: transact_get_items { TransactGetItemsInput -> TransactGetItemsOutput }
        allowed by [GetItem],
    TransactWriteItems: transact_write_items { TransactWriteItemsInput -> TransactWriteItemsOutput }
        allowed by [ConditionCheckItem, DeleteItem, PutItem, UpdateItem],
}

impl Operation {
    /// The operation that the header `X-Amz-Target` names, such as `DynamoDB_20120810.PutItem`.
    ///
    /// `None` means [`Error::UnknownOperation`].
    ///
    /// ```
    /// use keywright_api::Operation;
    /// assert_eq!(Operation::from_target("DynamoDB_20120810.PutItem"), Some(Operation::PutItem));
    /// assert_eq!(Operation::from_target("DynamoDB_20120810.PutItems"), None);
    /// ```
    pub fn from_target(target: &str) -> Option<Self> {
        let name = target.strip_prefix("DynamoDB_20120810.")?;
        Self::ALL.iter().copied().find(|operation| operation.name() == name)
    }
}

impl Request {
    /// Whether a body is one JSON value and nothing else, whatever its operation; keeps nothing of it.
    ///
    /// The service says that a body is no JSON before it looks at the operation. Fails with
    /// [`Error::Serialization`], for an empty body too.
    ///
    /// ```
    /// use keywright_api::Request;
    /// assert!(Request::check_json(b"{}").is_ok());
    /// assert!(Request::check_json(b"").is_err());
    /// ```
    pub fn check_json(body: &[u8]) -> Result<(), Error> {
        let mut reader = Reader::new(body);
        reader.skip()?;
        Ok(reader.finish()?)
    }
}
