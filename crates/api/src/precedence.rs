//! Which refusal wins when a request could be refused for several reasons: one list of checks for each operation.
//!
//! Invariant: the operations check in the order of these lists; a test breaks every two checks of a list at once and
//! expects the refusal of the earlier one.

use crate::Operation;

macro_rules! checks {
    ($($name:ident: $meaning:literal,)*) => {
        /// A step of checking a request.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Check {
            $(
                #[doc = $meaning]
                $name,
            )*
        }

        impl Check {
            /// What is checked, in a few words.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => $meaning,)*
                }
            }
        }
    };
}

checks! {
    Json: "The body is JSON of the operation's shape.",
    Constraints: "Required members, enumerations, lengths and ranges: all violations are reported together.",
    TableDefinition: "Throughput, billing, keys, indexes and attribute definitions fit each other.",
    TableUpdate: "Something is to change, and deletion protection alone; throughput, billing mode and changes to indexes fit each other.",
    Mixture: "Expressions are not mixed with legacy members, and placeholders come with an expression.",
    ConditionalOperator: "`ConditionalOperator` has two or more conditions to join.",
    Select: "`Select` fits the members that name attributes.",
    Values: "The values of the item or key are values.",
    ReturnValues: "`ReturnValues` is one of the operation's.",
    ItemSize: "The item of a PutItem has at most 400 KB.",
    BatchRequests: "The batch has requests; each is one of the operation's kinds.",
    RequestCount: "The batch has no more requests than the operation takes.",
    RepeatedKeys: "No key is there twice.",
    TransactionActions: "Each member of the transaction is one action.",
    TransactionSize: "The items of the transaction have at most 4 MB together.",
    KeyValues: "No value of a key is empty or too long.",
    TransactionKeys: "The keys and updates of the transaction fit their tables; if not, each member says why.",
    RepeatedItems: "No item is there twice.",
    Token: "The client request token is new, or stands for the same transaction.",
    TransactionConditions: "Every condition holds and every update fits its item; if not, each member says why.",
    LegacyUpdate: "Every entry of `AttributeUpdates` has a value that its action takes.",
    LegacyCondition: "Every entry of `Expected` is complete, with operands that its operator takes.",
    LegacyFilter: "Every entry of `QueryFilter` or `ScanFilter` has operands that its operator takes.",
    LegacyProjection: "`AttributesToGet` names no attribute twice.",
    StartKeyValues: "The values of the exclusive start key are values.",
    Segment: "`Segment` and `TotalSegments` fit each other.",
    KeyConditionMissing: "There is a key condition.",
    Placeholders: "The placeholders have their form, and stand for values.",
    UpdateExpression: "Text and operands of `UpdateExpression`.",
    ConditionExpression: "Text and operands of `ConditionExpression`.",
    KeyConditionExpression: "Text and operands of `KeyConditionExpression`.",
    FilterExpression: "Text and operands of `FilterExpression`.",
    ProjectionExpression: "Text and operands of `ProjectionExpression`.",
    UnusedPlaceholders: "Every placeholder is used.",
    KeyConditionForm: "The key condition is one or two conditions on whole attributes.",
    Unsupported: "No member asks for what this version does not have.",
    Table: "The table exists and is active.",
    Protection: "The table is not protected against deletion.",
    Capacity: "Throughput is given of the table and of its indexes as far as they have reserved capacity, and changes.",
    DecreaseLimit: "Throughput was not lowered four times today, unless the last time is an hour ago.",
    Index: "The table has the index, and a global one is not read consistently.",
    Key: "The item's key, or the key of the request, is one of the table.",
    IndexKey: "The values that the item has for key attributes of indexes can be keys.",
    KeyOfTable: "The exclusive start key and the key condition are of the key of the table or index.",
    Projected: "What is selected, and what the filter of a Query looks at, is in the index.",
    StartKeyPlace: "The exclusive start key lies within the key condition, or within the segment.",
    UpdatedKey: "An update leaves the key attributes alone.",
    UpdatedIndexKey: "An update gives no key attribute of an index another type, nor an empty value.",
    UpdateIntoKey: "No operand of an update goes into a key attribute.",
    ProjectionIntoKey: "A projection does not go into a key attribute.",
    FilteredKey: "The filter of a Query does not look at a key attribute.",
    FilterIntoKey: "A filter does not go into a key attribute.",
    Condition: "The condition holds of the item, or of its absence.",
    UpdatedItem: "The update fits the item, and its result is an item of at most 400 KB that the indexes can hold.",
}

impl Operation {
    /// The checks of a request, in the order in which their refusals win.
    ///
    /// ```
    /// use keywright_api::{Check, Operation};
    ///
    /// let order = Operation::PutItem.order_of_refusal();
    /// let place = |check| order.iter().position(|listed| *listed == check);
    /// assert!(place(Check::UnusedPlaceholders) < place(Check::Table));
    /// ```
    pub const fn order_of_refusal(self) -> &'static [Check] {
        use Check::{
            BatchRequests, Capacity, Condition, ConditionExpression, ConditionalOperator, Constraints,
            DecreaseLimit, FilterExpression, FilterIntoKey, FilteredKey, Index, IndexKey, ItemSize, Json,
            Key, KeyConditionExpression, KeyConditionForm, KeyConditionMissing, KeyOfTable, KeyValues,
            LegacyCondition, LegacyFilter, LegacyProjection, LegacyUpdate, Mixture, Placeholders, Projected,
            ProjectionExpression, ProjectionIntoKey, Protection, RepeatedItems, RepeatedKeys, RequestCount,
            ReturnValues, Segment, Select, StartKeyPlace, StartKeyValues, Table, TableDefinition,
            TableUpdate, Token, TransactionActions, TransactionConditions, TransactionKeys, TransactionSize,
            Unsupported, UnusedPlaceholders, UpdateExpression, UpdateIntoKey, UpdatedIndexKey, UpdatedItem,
            UpdatedKey, Values,
        };
        match self {
            Self::CreateTable => &[Json, Constraints, TableDefinition, Unsupported, Table],
            Self::DescribeTable => &[Json, Constraints, Table],
            Self::DeleteTable => &[Json, Constraints, Table, Protection],
            Self::UpdateTable => {
                &[Json, Constraints, TableUpdate, Unsupported, Table, Capacity, DecreaseLimit]
            }
            Self::ListTables => &[Json, Constraints],
            Self::PutItem => &[
                Json,
                Constraints,
                Mixture,
                ConditionalOperator,
                Values,
                ReturnValues,
                ItemSize,
                LegacyCondition,
                Placeholders,
                ConditionExpression,
                UnusedPlaceholders,
                Table,
                Key,
                IndexKey,
                Condition,
            ],
            Self::DeleteItem => &[
                Json,
                Constraints,
                Mixture,
                ConditionalOperator,
                Values,
                ReturnValues,
                LegacyCondition,
                Placeholders,
                ConditionExpression,
                UnusedPlaceholders,
                Table,
                Key,
                Condition,
            ],
            Self::UpdateItem => &[
                Json,
                Constraints,
                Mixture,
                ConditionalOperator,
                Values,
                LegacyUpdate,
                LegacyCondition,
                Placeholders,
                UpdateExpression,
                ConditionExpression,
                UnusedPlaceholders,
                Table,
                Key,
                UpdatedKey,
                UpdatedIndexKey,
                UpdateIntoKey,
                Condition,
                UpdatedItem,
            ],
            Self::GetItem => &[
                Json,
                Constraints,
                Mixture,
                Values,
                LegacyProjection,
                Placeholders,
                ProjectionExpression,
                UnusedPlaceholders,
                Table,
                Key,
                ProjectionIntoKey,
            ],
            Self::Query => &[
                Json,
                Constraints,
                Mixture,
                ConditionalOperator,
                Select,
                LegacyFilter,
                LegacyProjection,
                StartKeyValues,
                KeyConditionMissing,
                Placeholders,
                KeyConditionExpression,
                FilterExpression,
                ProjectionExpression,
                UnusedPlaceholders,
                KeyConditionForm,
                Table,
                Index,
                KeyOfTable,
                StartKeyPlace,
                ProjectionIntoKey,
                FilteredKey,
                Projected,
                FilterIntoKey,
            ],
            Self::Scan => &[
                Json,
                Constraints,
                Mixture,
                ConditionalOperator,
                Select,
                LegacyProjection,
                LegacyFilter,
                StartKeyValues,
                Segment,
                Placeholders,
                FilterExpression,
                ProjectionExpression,
                UnusedPlaceholders,
                Table,
                Index,
                KeyOfTable,
                Projected,
                StartKeyPlace,
                ProjectionIntoKey,
                FilterIntoKey,
            ],
            Self::BatchGetItem => &[
                Json,
                Constraints,
                BatchRequests,
                Mixture,
                LegacyProjection,
                Placeholders,
                ProjectionExpression,
                UnusedPlaceholders,
                Values,
                RepeatedKeys,
                RequestCount,
                Table,
                Key,
                ProjectionIntoKey,
            ],
            Self::BatchWriteItem => {
                &[Json, Constraints, BatchRequests, Values, ItemSize, RequestCount, Table, Key, RepeatedItems]
            }
            Self::TransactGetItems => &[
                Json,
                Constraints,
                Mixture,
                Values,
                Placeholders,
                ProjectionExpression,
                UnusedPlaceholders,
                Table,
                KeyValues,
                TransactionKeys,
                RepeatedItems,
                TransactionSize,
            ],
            Self::TransactWriteItems => &[
                Json,
                Constraints,
                TransactionActions,
                Mixture,
                Values,
                ItemSize,
                Placeholders,
                UpdateExpression,
                ConditionExpression,
                UnusedPlaceholders,
                TransactionSize,
                Table,
                KeyValues,
                TransactionKeys,
                RepeatedItems,
                Token,
                TransactionConditions,
            ],
        }
    }
}
