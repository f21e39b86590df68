//! Which refusal wins when a request could be refused for several reasons: one list of checks for each operation.
//!
//! Invariant: the operations check in the order of these lists; a test breaks every two checks of a list at once and
//! expects the refusal of the earlier one.

use crate::Operation;

/// A step of checking a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Check {
    /// The body is JSON of the operation's shape.
    Json,
    /// Required members, enumerations, lengths and ranges: all violations are reported together.
    Constraints,
    /// Members of CreateTable that must fit each other.
    TableDefinition,
    /// Expressions are not mixed with legacy members, and placeholders come with an expression.
    Mixture,
    /// `ConditionalOperator` has two or more conditions to join.
    ConditionalOperator,
    /// `Select` fits the members that name attributes.
    Select,
    /// The values of the item or key are values.
    Values,
    /// `ReturnValues` is one of the operation's.
    ReturnValues,
    /// The item of a PutItem has at most 400 KB.
    ItemSize,
    /// `AttributeUpdates`
    LegacyUpdate,
    /// `Expected`
    LegacyCondition,
    /// `QueryFilter` or `ScanFilter`
    LegacyFilter,
    /// `AttributesToGet`
    LegacyProjection,
    /// The values of the exclusive start key are values.
    StartKeyValues,
    /// `Segment` and `TotalSegments` fit each other.
    Segment,
    /// There is a key condition.
    KeyConditionMissing,
    /// The form of the placeholders, and the values that they stand for.
    Placeholders,
    /// Text and operands of `UpdateExpression`.
    UpdateExpression,
    /// Text and operands of `ConditionExpression`.
    ConditionExpression,
    /// Text and operands of `KeyConditionExpression`.
    KeyConditionExpression,
    /// Text and operands of `FilterExpression`.
    FilterExpression,
    /// Text and operands of `ProjectionExpression`.
    ProjectionExpression,
    /// Every placeholder is used.
    UnusedPlaceholders,
    /// The key condition is one or two conditions on whole attributes.
    KeyConditionForm,
    /// Members that this version does not know.
    Unsupported,
    /// The table exists and is active.
    Table,
    /// The item's key, or the key of the request, is one of the table.
    Key,
    /// The exclusive start key and the key condition are of the table's key.
    KeyOfTable,
    /// The exclusive start key lies within the key condition, or within the segment.
    StartKeyPlace,
    /// An update leaves the key attributes alone.
    UpdatedKey,
    /// No operand of an update goes into a key attribute.
    UpdateIntoKey,
    /// A projection does not go into a key attribute.
    ProjectionIntoKey,
    /// The filter of a Query does not look at a key attribute.
    FilteredKey,
    /// A filter does not go into a key attribute.
    FilterIntoKey,
    /// The condition holds of the item.
    Condition,
    /// The update fits the item, and its result is one.
    UpdatedItem,
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
            Condition, ConditionExpression, ConditionalOperator, Constraints, FilterExpression,
            FilterIntoKey, FilteredKey, ItemSize, Json, Key, KeyConditionExpression, KeyConditionForm,
            KeyConditionMissing, KeyOfTable, LegacyCondition, LegacyFilter, LegacyProjection, LegacyUpdate,
            Mixture, Placeholders, ProjectionExpression, ProjectionIntoKey, ReturnValues, Segment, Select,
            StartKeyPlace, StartKeyValues, Table, TableDefinition, Unsupported, UnusedPlaceholders,
            UpdateExpression, UpdateIntoKey, UpdatedItem, UpdatedKey, Values,
        };
        match self {
            Self::CreateTable => &[Json, Constraints, TableDefinition, Unsupported, Table],
            Self::DescribeTable | Self::DeleteTable => &[Json, Constraints, Table],
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
                Unsupported,
                Table,
                KeyOfTable,
                StartKeyPlace,
                ProjectionIntoKey,
                FilteredKey,
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
                Unsupported,
                Table,
                KeyOfTable,
                StartKeyPlace,
                ProjectionIntoKey,
                FilterIntoKey,
            ],
        }
    }
}
