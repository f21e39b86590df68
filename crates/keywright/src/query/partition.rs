//! The partition key that a Query reads, for what it took to be counted.

use std::borrow::Cow;

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::IndexReach;
use keywright_key::declare::{ReadItems, Table};

use super::read_key::ReadKey;
use crate::usage::{Counters, KeyHash};

/// A partition key, and the global index that it is of.
pub(super) struct PartitionKeyRead {
    index: Option<&'static str>,
    key: KeyHash,
}

impl PartitionKeyRead {
    /// The partition key of a request, which has the values of the key's attributes under `:k0` and on.
    pub(super) fn of<Pattern: ReadItems>(
        request: &QueryFluentBuilder,
        counters: &Counters,
    ) -> PartitionKeyRead {
        let attributes = match ReadKey::of::<Pattern>() {
            ReadKey::Rendered { .. } => 1,
            ReadKey::Attributes { partition_key } => partition_key.len(),
        };
        let values = request.get_expression_attribute_values().as_ref();
        let part = |place| Some(text(values?.get(&format!(":k{place}"))?));
        let parts: Vec<Cow<'_, str>> = (0..attributes).filter_map(part).collect();
        let parts: Vec<&str> = parts.iter().map(Cow::as_ref).collect();
        PartitionKeyRead { index: global_index::<Pattern>(), key: counters.hash(&parts) }
    }

    /// Counts what one request took.
    pub(super) fn count(&self, counters: &Counters, units: f64) {
        counters.key(self.index, self.key, units);
    }
}

/// The index that a pattern reads, if it has partitions of its own.
pub(super) fn global_index<Pattern: ReadItems>() -> Option<&'static str> {
    let index = <Pattern::Table as Table>::SHAPE.index(Pattern::SHAPE.index?)?;
    (index.reach == IndexReach::Global).then_some(index.name)
}

fn text(value: &AttributeValue) -> Cow<'_, str> {
    match value {
        AttributeValue::S(text) | AttributeValue::N(text) => Cow::Borrowed(text),
        // A key has no other type but bytes.
        other => Cow::Owned(format!("{other:?}")),
    }
}
