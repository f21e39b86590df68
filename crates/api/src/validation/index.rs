//! What is wrong with a secondary index, or with a request that uses one.

use std::fmt::{self, Display};

use super::message::write_unchanged;
use crate::{IndexName, KeyRole, ProvisionedThroughput, ScalarType};

/// Why a secondary index, or its use, is refused. `Display` is the service's text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum IndexRefusal {
    /// CreateTable with an empty list of indexes, or UpdateTable with an empty list of changes to them.
    EmptyList {
        /// `LocalSecondaryIndexes`, `GlobalSecondaryIndexes` or `GlobalSecondaryIndexUpdates`.
        member: &'static str,
    },
    /// CreateTable with local indexes, which need a sort key of the table.
    LocalWithoutTableSortKey,
    /// CreateTable with attribute definitions that neither the table's key nor an index's uses.
    DefinitionsUnused {
        /// The attributes that are defined.
        definitions: Vec<String>,
        /// The attributes of the keys.
        keys: Vec<String>,
    },
    /// A global index whose key has an attribute twice, among more than two.
    KeyNamesRepeated,
    /// A global index with a partition attribute behind a sort attribute.
    PartitionBehindSort,
    /// A global index with more than four attributes of a kind.
    KeyTooWide(KeyRole),
    /// A local index without a sort key.
    LocalWithoutSortKey(IndexName),
    /// A local index with another partition key than the table.
    LocalPartitionKey {
        /// The index.
        index: IndexName,
        /// The partition key of the index.
        index_key: String,
        /// The partition key of the table.
        table_key: String,
    },
    /// An index that does not say what it projects.
    ProjectionMissing,
    /// An index that names attributes, and projects all or none.
    ProjectionExcludesAttributes {
        /// `ALL` or `KEYS_ONLY`.
        projection: &'static str,
    },
    /// An index that projects certain attributes, and names none.
    ProjectionWithoutAttributes,
    /// An index that names an attribute twice.
    ProjectedTwice {
        /// The attribute.
        name: String,
    },
    /// The indexes of a table together name more than 100 attributes.
    TooManyProjected,
    /// Two indexes of a table with one name.
    NameTaken(IndexName),
    /// More than five local indexes.
    TooManyLocal,
    /// More than twenty global indexes.
    TooManyGlobal,
    /// A global index with throughput, of a table that is paid for by request.
    ThroughputWithOnDemand(IndexName),
    /// A global index without throughput, of a table with reserved capacity.
    ThroughputMissing(IndexName),

    /// UpdateTable with a change to an index that says nothing.
    NoUpdateAction,
    /// UpdateTable with several kinds of change to an index in one element of the list.
    SeveralUpdateActions,
    /// UpdateTable with two changes to one index.
    UpdatedTwice(IndexName),
    /// UpdateTable to reserved capacity, without the throughput of these global indexes.
    ThroughputMissingInUpdate(Vec<IndexName>),
    /// UpdateTable with throughput of an index, of a table that is paid for by request.
    UpdatedOnDemand(IndexName),
    /// UpdateTable with more than 1,000,000,000,000 units a second for an index.
    UpdateBlocked,
    /// UpdateTable with throughput of a local index.
    UpdatedLocal(IndexName),
    /// UpdateTable to the throughput that the index has.
    ThroughputUnchanged {
        /// The index.
        index: IndexName,
        /// Its throughput.
        throughput: ProvisionedThroughput,
    },

    /// Query or Scan of an index that the table does not have.
    Unknown(IndexName),
    /// A consistent read of a global index.
    ConsistentGlobalRead,
    /// All attributes are selected, of a global index that does not have them.
    AllAttributesOfGlobal(IndexName),
    /// Attributes are asked for that a global index does not have.
    NotProjected {
        /// The index.
        index: IndexName,
        /// The attributes.
        names: Vec<String>,
    },
    /// A filter of a Query looks at attributes that the index does not have.
    FilterNotProjected {
        /// The index.
        index: IndexName,
        /// The attributes.
        names: Vec<String>,
    },

    /// An item, or an update, with a value of another type for a key attribute of an index.
    KeyType {
        /// The index.
        index: IndexName,
        /// The key attribute.
        name: String,
        /// The type that the index asks for.
        expected: ScalarType,
        /// The type of the value, such as `N` or `SS`.
        actual: &'static str,
    },
    /// An item with an empty value for a key attribute of an index.
    EmptyKey {
        /// The index.
        index: IndexName,
        /// The key attribute.
        name: String,
        /// The type of the value, which cannot be `N`.
        kind: ScalarType,
    },
    /// An update whose result has another type than a key attribute of an index.
    UpdatedKeyType,
    /// An update that sets a key attribute of an index to an empty value.
    UpdatedKeyEmpty {
        /// The type of the value, which cannot be `N`.
        kind: ScalarType,
    },
    /// An expression goes into a key attribute of an index as if it were a map or a list.
    KeyNotScalar {
        /// The key attribute.
        name: String,
    },
}

const INVALID: &str = "One or more parameter values were invalid: ";

impl Display for IndexRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_of_parameters() {
            formatter.write_str(INVALID)?;
        }
        match self.fixed_text() {
            Some(text) => formatter.write_str(text),
            None => self.write_text(formatter),
        }
    }
}

impl IndexRefusal {
    /// Whether the text has the beginning that most of the service's texts have.
    const fn is_of_parameters(&self) -> bool {
        !matches!(
            self,
            Self::KeyNamesRepeated
                | Self::UpdateBlocked
                | Self::UpdatedLocal(_)
                | Self::ThroughputUnchanged { .. }
                | Self::Unknown(_)
                | Self::ConsistentGlobalRead
                | Self::EmptyKey { .. }
                | Self::UpdatedKeyType
                | Self::UpdatedKeyEmpty { .. }
                | Self::KeyNotScalar { .. }
        )
    }

    /// The text, where it is the same for every request.
    const fn fixed_text(&self) -> Option<&'static str> {
        Some(match self {
            Self::LocalWithoutTableSortKey => {
                "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex"
            }
            Self::KeyNamesRepeated => "The KeySchema contains multiple key attributes with the same name",
            Self::PartitionBehindSort => {
                "All HASH key attributes must precede RANGE key attributes in the KeySchema"
            }
            Self::KeyTooWide(KeyRole::Partition) => {
                "The KeySchema exceeds the maximum allowed number of HASH key attributes"
            }
            Self::KeyTooWide(KeyRole::Sort) => {
                "The KeySchema exceeds the maximum allowed number of RANGE key attributes"
            }
            Self::ProjectionMissing => "Unknown ProjectionType: null",
            Self::ProjectionWithoutAttributes => {
                "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"
            }
            // In our own words: no observation of the service's text is known.
            Self::TooManyProjected => {
                "Number of NonKeyAttributes of all secondary indexes exceeds the per-table limit of 100"
            }
            Self::TooManyLocal => "Number of LocalSecondaryIndexes exceeds per-table limit of 5",
            Self::TooManyGlobal => "GlobalSecondaryIndex count exceeds the per-table limit of 20",
            Self::NoUpdateAction => {
                "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, \
                 GlobalSecondaryIndexUpdate.Delete must not be null"
            }
            Self::SeveralUpdateActions => {
                "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object"
            }
            Self::UpdateBlocked => {
                "This operation cannot be performed with given input values. Please contact DynamoDB service team for more \
                 info: Action Blocked: IndexUpdate"
            }
            Self::ConsistentGlobalRead => "Consistent reads are not supported on global secondary indexes",
            Self::UpdatedKeyType => {
                "The update expression attempted to update the secondary index key to unsupported type"
            }
            _ => return None,
        })
    }

    /// The text of a variant that has no fixed one.
    fn write_text(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyList { member } => write!(formatter, "List of {member} is empty"),
            Self::DefinitionsUnused { definitions, keys } => write!(
                formatter,
                "Some AttributeDefinitions are not used. AttributeDefinitions: [{}], keys used: [{}]",
                definitions.join(", "),
                keys.join(", ")
            ),
            Self::LocalWithoutSortKey(index) => {
                write!(formatter, "Index KeySchema does not have a range key for index: {index}")
            }
            Self::LocalPartitionKey { index, index_key, table_key } => write!(
                formatter,
                "Index KeySchema does not have the same leading hash key as table KeySchema for index: {index}. index \
                 hash key: {index_key}, table hash key: {table_key}"
            ),
            Self::ProjectionExcludesAttributes { projection } => {
                write!(formatter, "ProjectionType is {projection}, but NonKeyAttributes is specified")
            }
            Self::ProjectedTwice { name } => {
                write!(formatter, "Duplicate element in NonKeyAttributes: {name}")
            }
            Self::NameTaken(index) => write!(formatter, "Duplicate index name: {index}"),
            Self::ThroughputWithOnDemand(index) => write!(
                formatter,
                "ProvisionedThroughput should not be specified for index: {index} when BillingMode is PAY_PER_REQUEST"
            ),
            Self::ThroughputMissing(index) => {
                write!(formatter, "ProvisionedThroughput is not specified for index: {index}")
            }
            Self::UpdatedTwice(index) => write!(
                formatter,
                "Only one global secondary index update per index is allowed simultaneously. Index: {index}"
            ),
            Self::ThroughputMissingInUpdate(indexes) => {
                let names: Vec<&str> = indexes.iter().map(IndexName::as_str).collect();
                write!(formatter, "ProvisionedThroughput must be specified for index: {}", names.join(","))
            }
            Self::UpdatedOnDemand(index) => write!(
                formatter,
                "The only Updates for index: {index} when TableThroughputMode is PAY_PER_REQUEST can be to \
                 OnDemandThroughput, WarmThroughput"
            ),
            Self::UpdatedLocal(index) => {
                write!(formatter, "Cannot update an index that is not a GlobalSecondaryIndex: {index}")
            }
            Self::ThroughputUnchanged { index, throughput } => write_unchanged(
                (&format!("the index {index}"), &format!("index {index}")),
                *throughput,
                formatter,
            ),
            Self::Unknown(index) => write!(formatter, "The table does not have the specified index: {index}"),
            Self::AllAttributesOfGlobal(index) => write!(
                formatter,
                "Select type ALL_ATTRIBUTES is not supported for global secondary index {index} because its projection \
                 type is not ALL"
            ),
            Self::NotProjected { index, names } => {
                write!(formatter, "Global secondary index {index} does not project [{}]", names.join(", "))
            }
            Self::FilterNotProjected { index, names } => write!(
                formatter,
                "Secondary index {index} does not project one or more filter attributes: [{}]",
                names.join(", ")
            ),
            Self::KeyType { index, name, expected, actual } => write!(
                formatter,
                "Type mismatch for Index Key {name} Expected: {} Actual: {actual} IndexName: {index}",
                expected.wire_name()
            ),
            Self::EmptyKey { index, name, kind } => write!(
                formatter,
                "One or more parameter values are not valid. A value specified for a secondary index key is not \
                 supported. The AttributeValue for a key attribute cannot contain an empty {} value. IndexName: {index}, \
                 IndexKey: {name}",
                kind.in_words()
            ),
            Self::UpdatedKeyEmpty { kind } => write!(
                formatter,
                "One or more parameter values are not valid. The update expression attempted to update a secondary index \
                 key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty {} \
                 value.",
                kind.in_words()
            ),
            Self::KeyNotScalar { name } => write!(
                formatter,
                "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: \
                 {name}"
            ),
            _ => unreachable!("every other variant has a fixed text"),
        }
    }
}
