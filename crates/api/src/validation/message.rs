//! The texts of [`Validation`].

use std::fmt::{self, Display};

use super::Validation;
use crate::{FilterSource, KeyRole, ProvisionedThroughput};

/// A text with the beginning that most of the service's texts have.
macro_rules! invalid {
    ($text:literal) => {
        concat!("One or more parameter values were invalid: ", $text)
    };
}

impl Display for Validation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fixed_text() {
            Some(text) => formatter.write_str(text),
            None => self.write_text(formatter),
        }
    }
}

impl Validation {
    /// The text, where it is the same for every request.
    const fn fixed_text(&self) -> Option<&'static str> {
        Some(match self {
            Self::ThroughputWithOnDemand => invalid!(
                "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"
            ),
            Self::ThroughputMissing => invalid!(
                "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"
            ),
            Self::NothingToUpdate => {
                "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, \
                 SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, \
                 MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is \
                 required"
            }
            Self::ProtectionNotAlone => {
                invalid!("DeletionProtection modification must be the only operation in the request")
            }
            Self::DeletionProtected => {
                "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first."
            }
            Self::ThroughputMissingInUpdate => {
                invalid!("ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
            }
            Self::KeyWithoutDefinition => "Invalid KeySchema: Some index key attribute have no definition",
            Self::KeyNamesEqual => {
                "Both the Hash Key and the Range Key element in the KeySchema have the same name"
            }
            Self::FirstKeyNotPartition => {
                "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"
            }
            Self::SecondKeyNotSort => {
                "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"
            }
            Self::DefinitionUnused => invalid!(
                "Number of attributes in KeySchema does not exactly match number of attributes defined in \
                 AttributeDefinitions"
            ),
            Self::NamesWithoutExpression => {
                "ExpressionAttributeNames can only be specified when using expressions"
            }
            Self::ConditionalOperatorAlone => "ConditionalOperator cannot be used without Filter or Expected",
            Self::ConditionalOperatorOfOne => {
                "ConditionalOperator can only be used when Filter or Expected has two or more elements"
            }
            Self::ItemTooLarge => "Item size has exceeded the maximum allowed size",
            Self::ItemToUpdateTooLarge => "Item size to update has exceeded the maximum allowed size",
            Self::DuplicateKeys => "Provided list of item keys contains duplicates",
            Self::NoTransactionAction => {
                "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"
            }
            Self::SeveralTransactionActions => {
                "TransactItems can only contain one of Check, Put, Update or Delete"
            }
            Self::SeveralActionsOnItem => {
                "Transaction request cannot include multiple operations on one item"
            }
            Self::TransactionTooLarge => {
                "Transaction request cannot include items of more than 4 MB together"
            }
            Self::ReturnValues => "ReturnValues can only be ALL_OLD or NONE",
            Self::NoKeyCondition => {
                "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
            }
            Self::NoAttributesToGet => {
                "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"
            }
            Self::ProjectedWithoutIndex => {
                "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"
            }
            Self::TotalSegmentsMissing => {
                "The TotalSegments parameter is required but was not present in the request when Segment parameter is \
                 present"
            }
            Self::SegmentMissing => {
                "The Segment parameter is required but was not present in the request when parameter TotalSegments is \
                 present"
            }
            Self::KeyDoesNotMatchSchema => "The provided key element does not match the schema",
            // No space before "2048": the service's.
            Self::KeyTooLong { role: KeyRole::Partition } => {
                invalid!("Size of hashkey has exceeded the maximum size limit of2048 bytes")
            }
            Self::KeyTooLong { role: KeyRole::Sort } => {
                invalid!("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
            }
            Self::StartKeyMalformed => "The provided starting key is invalid",
            Self::StartKeyOutsideBoundaries => {
                "The provided starting key is outside query boundaries based on provided conditions"
            }
            Self::StartKeyOutsideRange => "The provided starting key does not match the range key predicate",
            Self::StartKeyCannotRestart => "The query can return at most one row and cannot be restarted",
            _ => return None,
        })
    }

    /// The text of a variant that has no fixed one.
    fn write_text(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constraints(violations) => {
                let (count, plural) = (violations.len(), if violations.len() == 1 { "" } else { "s" });
                let list: Vec<String> = violations.iter().map(ToString::to_string).collect();
                write!(formatter, "{count} validation error{plural} detected: {}", list.join("; "))
            }
            Self::AsConstraint(refusal) => write!(formatter, "1 validation error detected: {refusal}"),
            Self::Required { member } => {
                write!(formatter, "The parameter '{member}' is required but was not present in the request")
            }
            Self::NotSupportedYet { member } => {
                write!(formatter, "{member} is not supported by this version of keywright yet")
            }
            Self::NoRequestItems { operation } => {
                write!(formatter, "The requestItems parameter is required for {operation}")
            }
            Self::TooManyRequests { operation } => {
                write!(formatter, "Too many items requested for the {operation} call")
            }
            Self::TableNamedTwice { name } => {
                write!(formatter, "The request names the table {name} twice")
            }
            Self::ThroughputOutOfBounds { member, value } => {
                write!(formatter, "Given value {value} for {member} is out of bounds")
            }
            Self::ThroughputUnchanged(throughput) => {
                write_unchanged(("the table", "the table"), *throughput, formatter)
            }
            Self::KeyNotDefined { keys, definitions } => write!(
                formatter,
                invalid!(
                    "Some index key attributes are not defined in AttributeDefinitions. Keys: [{}], \
                     AttributeDefinitions: [{}]"
                ),
                keys.join(", "),
                definitions.join(", ")
            ),
            Self::DefinitionRepeated { name } => write!(formatter, "Attribute Name is duplicated: {name}"),
            Self::Index(refusal) => refusal.fmt(formatter),
            Self::MixedParameters { legacy, expressions } => write!(
                formatter,
                "Can not use both expression and non-expression parameters in the same request: Non-expression \
                 parameters: {{{}}} Expression parameters: {{{}}}",
                legacy.join(", "),
                expressions.join(", ")
            ),
            Self::ValuesWithoutExpression { expressions } => write!(
                formatter,
                "ExpressionAttributeValues can only be specified when using expressions: {} {} null",
                expressions.join(" and "),
                if expressions.len() == 1 { "is" } else { "are" }
            ),
            Self::SelectExcludesAttributes { member, selected } => {
                write!(formatter, "Cannot specify the {member} when choosing to get {selected}")
            }
            Self::SegmentBeyondTotal { segment, total } => write!(
                formatter,
                "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: {segment} \
                 is not less than TotalSegments: {total}"
            ),
            Self::Legacy(refusal) => refusal.fmt(formatter),
            Self::Value(refusal) => refusal.fmt(formatter),
            Self::Expression(refusal) => refusal.fmt(formatter),
            Self::Update(refusal) => refusal.fmt(formatter),
            Self::Placeholders(refusal) => refusal.fmt(formatter),
            Self::KeyConditionSyntax(refusal) => refusal.fmt(formatter),
            Self::KeyConditionOperands(refusal) => refusal.fmt(formatter),
            Self::KeyConditionShape(fault) => fault.fmt(formatter),
            Self::KeyCondition(refusal) => refusal.fmt(formatter),
            Self::MissingKeyInItem { name } => {
                write!(formatter, invalid!("Missing the key {} in the item"), name)
            }
            Self::KeyTypeMismatchInItem { name, expected, actual } => write!(
                formatter,
                invalid!("Type mismatch for key {} expected: {} actual: {}"),
                name,
                expected.wire_name(),
                actual
            ),
            Self::EmptyKeyValue { name, kind } => write!(
                formatter,
                "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an \
                 empty {} value. Key: {name}",
                kind.in_words()
            ),
            Self::StartKeyOutsideSegment(segment) => write!(
                formatter,
                "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with \
                 correct Segment. TotalSegments: {} Segment: {}",
                segment.total(),
                segment.number()
            ),
            Self::KeyNotScalar { name } => write!(
                formatter,
                "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: {name}"
            ),
            Self::KeyInFilter { name, source } => {
                let member = match source {
                    FilterSource::Expression => "Filter Expression",
                    FilterSource::Legacy => "QueryFilter",
                };
                write!(
                    formatter,
                    "{member} can only contain non-primary key attributes: Primary key attribute: {name}"
                )
            }
            Self::KeyUpdated { name } => write!(
                formatter,
                invalid!("Cannot update attribute {}. This attribute is part of the key"),
                name
            ),
            Self::StartKeyRefused(refusal) => {
                write!(formatter, "The provided starting key is invalid: {refusal}")
            }
            _ => unreachable!("every other variant has a fixed text"),
        }
    }
}

/// The refusal of a change of throughput that is none. The service names what has the throughput in two ways.
pub(super) fn write_unchanged(
    (whose, of_whom): (&str, &str),
    throughput: ProvisionedThroughput,
    formatter: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let ProvisionedThroughput { read_units, write_units } = throughput;
    write!(
        formatter,
        "The provisioned throughput for {whose} will not change. The requested value equals the current value. Current \
         ReadCapacityUnits provisioned for {of_whom}: {read_units}. Requested ReadCapacityUnits: {read_units}. Current \
         WriteCapacityUnits provisioned for {of_whom}: {write_units}. Requested WriteCapacityUnits: {write_units}. Refer to \
         the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
    )
}
