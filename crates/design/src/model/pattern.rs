//! Access patterns: what is asked of the data.

use keywright_key::Consistency;

use super::load::ReadLoad;
use super::name::{AttributeName, EntityName, IndexName, PatternName, TableName};
use super::template::Template;

/// An access pattern: `[pattern.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Its name.
    pub name: PatternName,
    /// The table that it reads: that of the first entity it returns, if the file does not say.
    pub table: TableName,
    /// The index that it reads; the table itself if none.
    pub index: Option<IndexName>,
    /// The operation that it is.
    pub operation: PatternOperation,
    /// What is asked: items, or something that DynamoDB does not answer.
    pub asks: Question,
    /// The entities that it returns.
    pub returns: Vec<Returned>,
    /// The entities that lie in its range too and that it leaves out.
    pub skips: Vec<EntityName>,
    /// The values that the caller gives; never the tenant, which the caller already is.
    pub given: Vec<String>,
    /// Which of the items with the partition key it reads.
    pub sort_key: SortKeyCondition,
    /// In which order.
    pub order: Order,
    /// The attribute by which its caller expects the items to be sorted, if one is named.
    pub sorted_by: Option<AttributeName>,
    /// The most items that a call returns.
    pub limit: Option<u64>,
    /// What is left out after reading.
    pub filter: Option<Filter>,
    /// How current the answer is.
    pub consistency: Consistency,
    /// The expected load.
    pub expected: ReadLoad,
}

/// The operation that an access pattern is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternOperation {
    /// One item by its whole key: `get`.
    Get,
    /// Items of one partition key, in order: `query`, the default.
    Query,
    /// The whole table, outside of requests: `scan`.
    Scan {
        /// The job that does it; empty if the file does not say.
        reason: String,
        /// The most items that one run reads, if the file says so.
        most_items: Option<u64>,
    },
}

/// What a pattern asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Question {
    /// Items.
    #[default]
    Items,
    /// How many there are.
    Count,
    /// A sum, an average or another figure over many items.
    Aggregate,
    /// Items put together with those that they refer to.
    Join,
    /// Words in text.
    FullTextSearch,
    /// Any attribute that the caller happens to name.
    AdHoc,
}

/// An entity that a pattern returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// The entity.
    pub entity: EntityName,
    /// How much of it.
    pub attributes: ReturnedAttributes,
}

/// How much of an entity a pattern returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReturnedAttributes {
    /// All attributes.
    Whole,
    /// These.
    Only(Vec<AttributeName>),
}

/// Which of the items with a partition key a pattern reads.
#[derive(Clone, Debug, PartialEq)]
pub enum SortKeyCondition {
    /// All of them.
    Any,
    /// The one whose sort key is this.
    Equals(Template),
    /// Those below this place of the hierarchy.
    StartsWith(Template),
    /// Those whose last component lies in a range.
    Range {
        /// The sort key up to the component.
        template: Template,
        /// The range.
        range: Range,
    },
    /// Conditions on the sort attributes of an index with several, from left to right.
    Attributes(Vec<AttributeCondition>),
}

/// A range of one component or attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// Where it begins.
    pub from: Bound,
    /// Where it ends.
    pub to: Bound,
}

/// One end of a range: the name of a given value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// No end.
    Open,
    /// The value itself is in.
    Including(String),
    /// The value itself is out.
    Excluding(String),
}

/// A condition on one attribute of a sort key with several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeCondition {
    /// The attribute.
    pub attribute: AttributeName,
    /// What it must be.
    pub test: AttributeTest,
}

/// What an attribute of a sort key must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeTest {
    /// Equal to the given value of its own name.
    Equal,
    /// Begin with this given value.
    BeginsWith(String),
    /// In this range.
    Range(Range),
}

/// The order of the items of a Query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Lowest sort key first.
    #[default]
    Ascending,
    /// Highest sort key first: `ScanIndexForward` false, which costs nothing.
    Descending,
}

/// What is left out after reading, and paid for.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// The attributes that it looks at.
    pub attributes: Vec<AttributeName>,
    /// The given values that it uses.
    pub given: Vec<String>,
    /// The share of the read items that it keeps, above 0 to 1, if the file says so.
    pub keeps: Option<f64>,
}
