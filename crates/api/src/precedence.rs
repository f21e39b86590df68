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
    TableDefinition: "Throughput, billing, keys and attribute definitions fit each other.",
    Mixture: "Expressions are not mixed with legacy members, and placeholders come with an expression.",
    ConditionalOperator: "`ConditionalOperator` has two or more conditions to join.",
    Select: "`Select` fits the members that name attributes.",
    Values: "The values of the item or key are values.",
    ReturnValues: "`ReturnValues` is one of the operation's.",
    ItemSize: "The item of a PutItem has at most 400 KB.",
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
    Key: "The item's key, or the key of the request, is one of the table.",
    KeyOfTable: "The exclusive start key and the key condition are of the table's key.",
    StartKeyPlace: "The exclusive start key lies within the key condition, or within the segment.",
    UpdatedKey: "An update leaves the key attributes alone.",
    UpdateIntoKey: "No operand of an update goes into a key attribute.",
    ProjectionIntoKey: "A projection does not go into a key attribute.",
    FilteredKey: "The filter of a Query does not look at a key attribute.",
    FilterIntoKey: "A filter does not go into a key attribute.",
    Condition: "The condition holds of the item, or of its absence.",
    UpdatedItem: "The update fits the item, and its result is an item of at most 400 KB.",
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
