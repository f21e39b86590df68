//! The comparison of a live table with its design: everything that differs, by what DescribeTable says. Nothing is sent here.

use aws_sdk_dynamodb::types::{
    IndexStatus, KeySchemaElement, KeyType, Projection as SdkProjection, ProjectionType, StreamViewType,
    TableDescription, TableStatus,
};
use keywright_key::{IndexReach, IndexShape, KeyAttribute, Projection, StreamView, TableShape};

use super::create::{keys, view_type};
use super::difference::Difference;

/// What keeps a table from being used, if anything does. One that is being changed is there for reads and writes.
///
/// Source: `TableStatus` in <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html>
pub(super) fn unusable_table(live: &TableDescription) -> Option<Difference> {
    match live.table_status() {
        None | Some(TableStatus::Active | TableStatus::Updating) => None,
        Some(status) => Some(Difference::TableStatus { status: status.as_str().to_owned() }),
    }
}

/// Whether the stream carries what it is to carry.
pub(super) fn compare_stream(view: StreamView, live: &TableDescription) -> Option<Difference> {
    let specification = live.stream_specification().filter(|stream| stream.stream_enabled());
    let found = specification.and_then(|stream| stream.stream_view_type());
    let expected = view_type(view);
    (found != Some(&expected)).then(|| Difference::Stream {
        expected: expected.as_str().to_owned(),
        found: found.map(StreamViewType::as_str).map(str::to_owned),
    })
}

/// Everything in which a table differs from its shape.
pub(super) fn compare(table: &TableShape<'static>, live: &TableDescription) -> Vec<Difference> {
    let mut differences = Vec::new();
    let expected = expected_key(&[table.partition_key], table.sort_key.as_slice());
    let found = found_key(live, live.key_schema());
    if expected != found {
        differences.push(Difference::TableKey { expected, found });
    }
    for index in table.indexes {
        let indexes = || LiveIndex::all(live).filter(|live| live.name == Some(index.name));
        let Some(found) = indexes().find(|live| live.reach == index.reach) else {
            differences.push(match indexes().next() {
                Some(_) => Difference::IndexReach { index: index.name, expected: index.reach },
                None => Difference::NoIndex { index: index.name },
            });
            continue;
        };
        differences.extend(compare_index(index, live, &found));
    }
    differences
}

/// An index of a live table.
struct LiveIndex<'l> {
    name: Option<&'l str>,
    reach: IndexReach,
    key_schema: &'l [KeySchemaElement],
    projection: Option<&'l SdkProjection>,
    /// None of a local one, which is there as long as its table is.
    status: Option<&'l IndexStatus>,
}

impl<'l> LiveIndex<'l> {
    fn all(live: &'l TableDescription) -> impl Iterator<Item = LiveIndex<'l>> {
        let global = live.global_secondary_indexes().iter().map(|index| LiveIndex {
            name: index.index_name(),
            reach: IndexReach::Global,
            key_schema: index.key_schema(),
            projection: index.projection(),
            status: index.index_status(),
        });
        let local = live.local_secondary_indexes().iter().map(|index| LiveIndex {
            name: index.index_name(),
            reach: IndexReach::Local,
            key_schema: index.key_schema(),
            projection: index.projection(),
            status: None,
        });
        global.chain(local)
    }

    /// What keeps it from being read, if anything does. One that is being changed is read as before.
    fn unreadable(&self) -> Option<String> {
        match self.status {
            None | Some(IndexStatus::Active | IndexStatus::Updating) => None,
            Some(status) => Some(status.as_str().to_owned()),
        }
    }
}

/// Everything in which an index differs from its shape.
fn compare_index(
    index: &IndexShape<'static>,
    table: &TableDescription,
    live: &LiveIndex<'_>,
) -> Vec<Difference> {
    let mut differences = Vec::new();
    if let Some(status) = live.unreadable() {
        differences.push(Difference::IndexStatus { index: index.name, status });
    }
    let (partition_key, sort_key) = keys(index);
    let expected = expected_key(&partition_key, &sort_key);
    let found = found_key(table, live.key_schema);
    if expected != found {
        differences.push(Difference::IndexKey { index: index.name, expected, found });
    }
    if let Some(missing) = missing_projection(index.projection, live.projection) {
        differences.push(Difference::IndexProjection { index: index.name, missing });
    }
    differences
}

/// `pk (String), sk (String)`
fn expected_key(partition_key: &[KeyAttribute<'static>], sort_key: &[KeyAttribute<'static>]) -> String {
    let named =
        |attribute: &KeyAttribute<'static>| format!("{} ({:?})", attribute.name, attribute.attribute_type);
    let partition: Vec<String> = partition_key.iter().map(named).collect();
    let sort: Vec<String> = sort_key.iter().map(named).collect();
    written(&partition, &sort)
}

fn found_key(live: &TableDescription, schema: &[KeySchemaElement]) -> String {
    let named = |element: &KeySchemaElement| {
        let attribute_type = live
            .attribute_definitions()
            .iter()
            .find(|definition| definition.attribute_name() == element.attribute_name())
            .map_or("unknown", |definition| match definition.attribute_type().as_str() {
                "S" => "String",
                "N" => "Number",
                "B" => "Binary",
                _ => "unknown",
            });
        format!("{} ({attribute_type})", element.attribute_name())
    };
    let of = |key_type: KeyType| -> Vec<String> {
        schema.iter().filter(|element| *element.key_type() == key_type).map(named).collect()
    };
    written(&of(KeyType::Hash), &of(KeyType::Range))
}

fn written(partition: &[String], sort: &[String]) -> String {
    if sort.is_empty() {
        format!("partition key {}", partition.join(", "))
    } else {
        format!("partition key {}, sort key {}", partition.join(", "), sort.join(", "))
    }
}

/// What an index lacks of what it should project; none if it has everything.
fn missing_projection(
    expected: Projection<'static>,
    live: Option<&SdkProjection>,
) -> Option<Vec<&'static str>> {
    let live_type = live.and_then(SdkProjection::projection_type);
    if live_type == Some(&ProjectionType::All) {
        return None;
    }
    match expected {
        Projection::KeysOnly => None,
        Projection::All { .. } => Some(Vec::new()),
        Projection::Include(names) => {
            let held = live.map(SdkProjection::non_key_attributes).unwrap_or_default();
            let missing: Vec<&'static str> =
                names.iter().copied().filter(|name| !held.iter().any(|held| held == name)).collect();
            (!missing.is_empty()).then_some(missing)
        }
    }
}
