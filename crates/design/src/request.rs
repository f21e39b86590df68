//! The request that an access pattern is: one GetItem or one Query, as it would be sent.
//!
//! Values that a caller gives, and the tenant, stand as `{name}`. Everything else is what goes over the wire: the key
//! condition is the exact range that the key crate makes of a prefix or a range, ends at the borders of components.

mod condition;
mod symbol;

use std::collections::BTreeMap;
use std::fmt;

use keywright_key::rule;
use keywright_key::{Consistency, IndexKey, IndexKeys, PatternShape, Shards, TableShape, TemplateShape};
use serde::Serialize;

use crate::cost::keys_to_read;
use crate::facts::Facts;
use crate::model::{Order, Pattern, PatternOperation, ReturnedAttributes};
use condition::SortKey;

/// One request of the DynamoDB API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Request {
    /// GetItem or Query.
    pub operation: RequestOperation,
    /// The table.
    pub table: String,
    /// The index; none for the table itself.
    pub index: Option<String>,
    /// The key of a GetItem: what each key attribute is.
    pub key: BTreeMap<String, String>,
    /// The key condition of a Query: `#pk = :pk AND #sk BETWEEN :low AND :high`.
    pub key_condition: Option<String>,
    /// What the placeholders of names stand for.
    pub names: BTreeMap<String, String>,
    /// What the placeholders of values stand for.
    pub values: BTreeMap<String, String>,
    /// The attributes that are sent back, where not all are.
    pub projection: Option<String>,
    /// The attributes that a filter looks at after the items are read.
    pub filter: Vec<String>,
    /// Whether the lowest sort key comes first.
    pub scan_index_forward: bool,
    /// The most items that a page evaluates.
    pub limit: Option<u64>,
    /// Whether every acknowledged write is seen.
    pub consistent_read: bool,
    /// How many such requests are sent for one call: one for each shard, whose number then stands as `{shard}`.
    pub requests: u64,
}

/// Which operation a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum RequestOperation {
    /// One item by its whole key.
    GetItem,
    /// Items with one partition key, in order.
    Query,
}

/// The rules that say why a pattern is no single request.
const RESOLVING: &[for<'a> fn(&TableShape<'a>, &PatternShape<'a>) -> Option<keywright_key::Message>] = &[
    rule::unknown_name::check,
    rule::not_in_index::check,
    rule::partition_key_given::check,
    rule::sort_key_given::check,
    rule::sort_key_boundary::check,
    rule::sort_key_range::check,
    rule::attributes_left_to_right::check,
    rule::several_partitions::check,
    rule::whole_key::check,
];

impl Request {
    /// The request that `pattern` is; none for a scan, and where a rule says why it is no single request.
    ///
    /// ```
    /// use bumpalo::Bump;
    /// use keywright_design::request::Request;
    /// use keywright_design::{Facts, Shapes};
    /// # use keywright_design::model::Design;
    /// # let design = Design::default();
    ///
    /// let arena = Bump::new();
    /// let shapes = Shapes::new(&design, &arena);
    /// let facts = Facts::new(&design, &shapes);
    /// for pattern in &design.patterns {
    ///     if let Some(request) = Request::of(&facts, pattern) {
    ///         println!("{request}");
    ///     }
    /// }
    /// ```
    pub fn of(facts: &Facts<'_>, pattern: &Pattern) -> Option<Request> {
        let table = facts.table_shape(&pattern.table)?;
        let shape = facts.pattern_shape(&pattern.name)?;
        if RESOLVING.iter().any(|check| check(table, shape).is_some()) {
            return None;
        }
        let entity = facts.entity_shape(&pattern.returns.first()?.entity)?;
        let source = Source::of(table, entity, shape)?;
        let mut request = Request {
            operation: match pattern.operation {
                PatternOperation::Get => RequestOperation::GetItem,
                PatternOperation::Query => RequestOperation::Query,
                PatternOperation::Scan { .. } => return None,
            },
            table: pattern.table.as_str().to_owned(),
            index: pattern.index.as_ref().map(|index| index.as_str().to_owned()),
            key: BTreeMap::new(),
            key_condition: None,
            names: BTreeMap::new(),
            values: BTreeMap::new(),
            projection: None,
            filter: shape.filter.attributes.iter().map(|name| (*name).to_owned()).collect(),
            scan_index_forward: pattern.order == Order::Ascending,
            limit: pattern.limit,
            consistent_read: pattern.consistency == Consistency::Strong,
            requests: keys_to_read(source.shards),
        };
        let sort_key = SortKey::of(entity, &shape.sort_key)?;
        match request.operation {
            RequestOperation::GetItem => request.add_key(&source, &sort_key),
            RequestOperation::Query => request.add_condition(&source, &sort_key),
        }
        request.add_projection(table, pattern);
        Some(request)
    }

    fn add_key(&mut self, source: &Source<'_>, sort_key: &SortKey) {
        for (attribute, value) in &source.partition {
            self.key.insert((*attribute).to_owned(), value.clone());
        }
        if let (Some(attribute), SortKey::Equal(value)) = (source.sort.first(), sort_key) {
            self.key.insert((*attribute).to_owned(), value.clone());
        }
        // One item is in one shard, whichever it is.
        self.requests = 1 + u64::try_from(source.shards.earlier().len()).unwrap_or(0);
    }

    fn add_condition(&mut self, source: &Source<'_>, sort_key: &SortKey) {
        let mut conditions = Vec::new();
        let is_single = source.partition.len() == 1;
        for (position, (attribute, value)) in source.partition.iter().enumerate() {
            let placeholder = if is_single { "pk".to_owned() } else { format!("pk{}", position + 1) };
            conditions.push(format!("#{placeholder} = :{placeholder}"));
            self.names.insert(format!("#{placeholder}"), (*attribute).to_owned());
            self.values.insert(format!(":{placeholder}"), value.clone());
        }
        conditions.extend(sort_key.write(&source.sort, &mut self.names, &mut self.values));
        self.key_condition = Some(conditions.join(" AND "));
    }

    /// Names what is sent back, if every entity is returned in part: the discriminator says which one an item is.
    fn add_projection(&mut self, table: &TableShape<'_>, pattern: &Pattern) {
        let mut names = vec![table.discriminator];
        for returned in &pattern.returns {
            let ReturnedAttributes::Only(attributes) = &returned.attributes else { return };
            for attribute in attributes {
                if !names.contains(&attribute.as_str()) {
                    names.push(attribute.as_str());
                }
            }
        }
        let placeholders: Vec<String> = (1..=names.len()).map(|number| format!("#p{number}")).collect();
        for (placeholder, name) in placeholders.iter().zip(names) {
            self.names.insert(placeholder.clone(), name.to_owned());
        }
        self.projection = Some(placeholders.join(", "));
    }
}

/// Where a pattern reads, as its key is written there.
struct Source<'a> {
    /// Each attribute of the partition key with its value.
    partition: Vec<(&'a str, String)>,
    /// The attributes of the sort key.
    sort: Vec<&'a str>,
    shards: Shards<'a>,
}

impl<'a> Source<'a> {
    fn of(
        table: &TableShape<'a>,
        entity: &keywright_key::EntityShape<'a>,
        pattern: &PatternShape<'a>,
    ) -> Option<Source<'a>> {
        let rendered = |attribute: &'a str, template: &TemplateShape<'a>, shards: Shards<'_>| {
            let key = symbol::rendered(template)?;
            let delimiter = template.format().delimiter.character();
            let value = if shards.is_sharded() { format!("{key}{delimiter}{{shard}}") } else { key };
            Some(vec![(attribute, value)])
        };
        let own_sort = table.sort_key.iter().map(|attribute| attribute.name).collect();
        let Some(index) = pattern.index else {
            let shards = entity.key.shards;
            let partition = rendered(table.partition_key.name, &entity.key.partition_key, shards)?;
            return Some(Source { partition, sort: own_sort, shards });
        };
        let index = table.index(index)?;
        match (&entity.entry(index.name)?.key, index.keys) {
            (IndexKey::Global(key), IndexKeys::Rendered { partition_key, sort_key }) => Some(Source {
                partition: rendered(partition_key.name, &key.partition_key, key.shards)?,
                sort: sort_key.iter().map(|attribute| attribute.name).collect(),
                shards: key.shards,
            }),
            (IndexKey::Local { .. }, IndexKeys::Rendered { sort_key, .. }) => Some(Source {
                partition: rendered(table.partition_key.name, &entity.key.partition_key, entity.key.shards)?,
                sort: sort_key.iter().map(|attribute| attribute.name).collect(),
                shards: entity.key.shards,
            }),
            (IndexKey::Attributes, IndexKeys::Attributes { partition_key, sort_key }) => Some(Source {
                partition: partition_key
                    .iter()
                    .map(|attribute| (attribute.name, format!("{{{}}}", attribute.name)))
                    .collect(),
                sort: sort_key.iter().map(|attribute| attribute.name).collect(),
                shards: Shards::NONE,
            }),
            _ => None,
        }
    }
}

impl fmt::Display for Request {
    /// The request in a few lines: what it is, then its condition, then what its placeholders stand for.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = match self.operation {
            RequestOperation::GetItem => "GetItem",
            RequestOperation::Query => "Query",
        };
        write!(formatter, "{operation} {}", self.table)?;
        if let Some(index) = &self.index {
            write!(formatter, " index {index}")?;
        }
        if self.requests > 1 {
            write!(formatter, ", {} requests", self.requests)?;
        }
        for (attribute, value) in &self.key {
            write!(formatter, "\n  {attribute} = {value}")?;
        }
        if let Some(condition) = &self.key_condition {
            write!(formatter, "\n  {condition}")?;
        }
        for (placeholder, stands_for) in self.names.iter().chain(&self.values) {
            write!(formatter, "\n  {placeholder} = {stands_for}")?;
        }
        if let Some(projection) = &self.projection {
            write!(formatter, "\n  ProjectionExpression {projection}")?;
        }
        if !self.filter.is_empty() {
            write!(formatter, "\n  filtered by {}", self.filter.join(", "))?;
        }
        if self.operation == RequestOperation::Query && !self.scan_index_forward {
            formatter.write_str("\n  ScanIndexForward false")?;
        }
        if let Some(limit) = self.limit {
            write!(formatter, "\n  Limit {limit}")?;
        }
        if self.consistent_read {
            formatter.write_str("\n  ConsistentRead true")?;
        }
        Ok(())
    }
}
