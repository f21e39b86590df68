//! Every message of a ValidationException, in one place.
//!
//! Invariant: what the service refuses is a variant here, whoever finds it: this crate, which sees the request,
//! or the engine, which sees the table as well.

mod index;
mod message;

use keywright_expression::legacy::LegacyRefusal;
use keywright_expression::{
    BindRefusal, KeyConditionFault, ParseRefusal, PlaceholderRefusal, Refusal, ResolveRefusal, UpdateRefusal,
};
use keywright_item::json::ValueRefusal;

pub use index::IndexRefusal;

use crate::constraint::Violation;
use crate::{FilterSource, KeyRole, ProvisionedThroughput, ScalarType, ScanSegment, TableName};

/// Why a request is not valid. `Display` is the service's text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Validation {
    /// Members that violate constraints of the service's model, which it lists together.
    Constraints(Vec<Violation>),
    /// A refusal that the service words as if it were a violated constraint.
    AsConstraint(Box<Validation>),
    /// A required member is missing; table operations report this one apart.
    Required {
        /// The member.
        member: &'static str,
    },
    /// The service knows this member, and this version does not yet.
    NotSupportedYet {
        /// The member.
        member: &'static str,
    },

    /// A table that is paid for by request, with provisioned throughput.
    ThroughputWithOnDemand,
    /// CreateTable by reserved capacity, without provisioned throughput.
    ThroughputMissing,
    /// A table with more than 1,000,000,000,000 units a second.
    ThroughputOutOfBounds {
        /// `ReadCapacityUnits` or `WriteCapacityUnits`.
        member: &'static str,
        /// The number.
        value: u64,
    },
    /// UpdateTable that changes nothing.
    NothingToUpdate,
    /// UpdateTable of deletion protection and of something else.
    ProtectionNotAlone,
    /// DeleteTable of a table that is protected.
    DeletionProtected,
    /// UpdateTable to reserved capacity, without provisioned throughput.
    ThroughputMissingInUpdate,
    /// UpdateTable to the throughput that the table has.
    ThroughputUnchanged(ProvisionedThroughput),
    /// CreateTable with more key attributes than attribute definitions.
    KeyWithoutDefinition,
    /// CreateTable with a key attribute that has no definition.
    KeyNotDefined {
        /// The key attributes.
        keys: Vec<String>,
        /// The attributes that are defined.
        definitions: Vec<String>,
    },
    /// CreateTable with one attribute for both parts of the key.
    KeyNamesEqual,
    /// CreateTable whose first key attribute is no partition key.
    FirstKeyNotPartition,
    /// CreateTable whose second key attribute is no sort key.
    SecondKeyNotSort,
    /// CreateTable with an attribute definition that no key uses.
    DefinitionUnused,
    /// CreateTable with two definitions of one attribute.
    DefinitionRepeated {
        /// The attribute's name.
        name: String,
    },
    /// A secondary index, or its use.
    Index(IndexRefusal),

    /// Members of the expression kind beside members of the legacy kind.
    MixedParameters {
        /// The legacy members.
        legacy: Vec<&'static str>,
        /// The expressions.
        expressions: Vec<&'static str>,
    },
    /// `ExpressionAttributeNames` without an expression.
    NamesWithoutExpression,
    /// `ExpressionAttributeValues` without an expression that can use them.
    ValuesWithoutExpression {
        /// The expressions that could.
        expressions: &'static [&'static str],
    },
    /// `ConditionalOperator` without conditions to join.
    ConditionalOperatorAlone,
    /// `ConditionalOperator` with one condition.
    ConditionalOperatorOfOne,
    /// What is wrong with another legacy member.
    Legacy(LegacyRefusal),
    /// An attribute value that no attribute can have.
    Value(ValueRefusal),
    /// An item larger than 400 KB.
    ItemTooLarge,
    /// A batch without requests.
    NoRequestItems {
        /// The operation.
        operation: &'static str,
    },
    /// A batch with more requests than one can have.
    TooManyRequests {
        /// The operation.
        operation: &'static str,
    },
    /// A batch that names a table twice: by its name, and by its Amazon Resource Name.
    TableNamedTwice {
        /// The table's name.
        name: TableName,
    },
    /// A batch with two requests for one item.
    DuplicateKeys,
    /// A member of a transaction that is no action.
    NoTransactionAction,
    /// A member of a transaction that is several actions.
    SeveralTransactionActions,
    /// A transaction with two actions on one item.
    SeveralActionsOnItem,
    /// A transaction whose items are larger than 4 MB together.
    TransactionTooLarge,
    /// UpdateItem that would make an item larger than 400 KB.
    ItemToUpdateTooLarge,
    /// PutItem or DeleteItem that wants another image than the old one.
    ReturnValues,
    /// Query without a condition on the key.
    NoKeyCondition,
    /// Query or Scan that asks for certain attributes, and names none.
    NoAttributesToGet,
    /// Query or Scan that asks for what an index projects, and names no index.
    ProjectedWithoutIndex,
    /// Query or Scan that names attributes, and selects something else.
    SelectExcludesAttributes {
        /// The member that names attributes.
        member: &'static str,
        /// What is selected, in the service's words.
        selected: &'static str,
    },
    /// Scan of a segment of an unknown number of segments.
    TotalSegmentsMissing,
    /// Scan of segments without the number of one.
    SegmentMissing,
    /// Scan of a segment that is not one of so many.
    SegmentBeyondTotal {
        /// The segment's number.
        segment: i64,
        /// The number of segments.
        total: i64,
    },
    /// The placeholders of the request.
    Placeholders(PlaceholderRefusal),
    /// The text or the operands of a condition, filter, projection or update.
    Expression(Refusal),
    /// The text of the key condition.
    KeyConditionSyntax(ParseRefusal),
    /// The operands of the key condition.
    KeyConditionOperands(BindRefusal),
    /// A condition that is no key condition.
    KeyConditionShape(KeyConditionFault),

    /// A table's key attribute is missing in the item of a PutItem.
    MissingKeyInItem {
        /// The key attribute's name.
        name: String,
    },
    /// A table's key attribute has another type in the item of a PutItem.
    KeyTypeMismatchInItem {
        /// The key attribute's name.
        name: String,
        /// The type that the table asks for.
        expected: ScalarType,
        /// The type of the value in the item, such as `N` or `SS`.
        actual: &'static str,
    },
    /// The `Key` of a request has too few, too many, or wrongly typed attributes for the table.
    KeyDoesNotMatchSchema,
    /// A key attribute's value is an empty string or empty binary.
    EmptyKeyValue {
        /// The key attribute's name.
        name: String,
        /// The type of the value, which cannot be `N`.
        kind: ScalarType,
    },
    /// A key attribute's value is longer than 2,048 bytes (partition key) or 1,024 bytes (sort key).
    KeyTooLong {
        /// Which of the two.
        role: KeyRole,
    },
    /// The exclusive start key is not a key of the table, or of the index together with the table's.
    StartKeyMalformed,
    /// The exclusive start key has the form of a key, but its value is refused for another reason.
    StartKeyRefused(Box<Validation>),
    /// The exclusive start key lies in another item collection, and the query has no condition on the sort key.
    StartKeyOutsideBoundaries,
    /// The exclusive start key does not satisfy the condition on the sort key.
    StartKeyOutsideRange,
    /// The exclusive start key satisfies the condition on the sort key, but lies in another item collection.
    StartKeyCannotRestart,
    /// The exclusive start key of a Scan lies in another segment.
    StartKeyOutsideSegment(ScanSegment),
    /// The key condition does not fit the table.
    KeyCondition(ResolveRefusal),
    /// An expression goes into a key attribute as if it were a map or a list.
    KeyNotScalar {
        /// The key attribute's name.
        name: String,
    },
    /// The filter of a Query looks at a key attribute.
    KeyInFilter {
        /// The key attribute's name.
        name: String,
        /// The member that holds the filter.
        source: FilterSource,
    },
    /// An UpdateItem changes a key attribute.
    KeyUpdated {
        /// The key attribute's name.
        name: String,
    },
    /// An update does not fit the item.
    Update(UpdateRefusal),
}

impl std::error::Error for Validation {}

impl From<IndexRefusal> for Validation {
    fn from(refusal: IndexRefusal) -> Self {
        Self::Index(refusal)
    }
}

impl From<ResolveRefusal> for Validation {
    fn from(refusal: ResolveRefusal) -> Self {
        Self::KeyCondition(refusal)
    }
}

impl From<PlaceholderRefusal> for Validation {
    fn from(refusal: PlaceholderRefusal) -> Self {
        Self::Placeholders(refusal)
    }
}

impl From<Refusal> for Validation {
    fn from(refusal: Refusal) -> Self {
        Self::Expression(refusal)
    }
}

impl From<LegacyRefusal> for Validation {
    fn from(refusal: LegacyRefusal) -> Self {
        Self::Legacy(refusal)
    }
}

impl From<UpdateRefusal> for Validation {
    fn from(refusal: UpdateRefusal) -> Self {
        Self::Update(refusal)
    }
}

impl From<ParseRefusal> for Validation {
    fn from(refusal: ParseRefusal) -> Self {
        Self::KeyConditionSyntax(refusal)
    }
}

impl From<BindRefusal> for Validation {
    fn from(refusal: BindRefusal) -> Self {
        Self::KeyConditionOperands(refusal)
    }
}

impl From<KeyConditionFault> for Validation {
    fn from(fault: KeyConditionFault) -> Self {
        Self::KeyConditionShape(fault)
    }
}

impl From<ValueRefusal> for Validation {
    fn from(refusal: ValueRefusal) -> Self {
        Self::Value(refusal)
    }
}
