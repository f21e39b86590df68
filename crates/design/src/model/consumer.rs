//! Consumers of a table's stream.

use super::name::{ConsumerName, TableName};

/// A consumer of a stream: `[consumer.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamConsumer {
    /// Its name.
    pub name: ConsumerName,
    /// The table whose stream it reads.
    pub table: TableName,
    /// What it needs of a record.
    pub needs: ImagesNeeded,
    /// How records reach it; the service's defaults if the file does not say.
    pub delivery: Delivery,
    /// What keeps a record that comes twice from having effect twice, in words; none if the file does not say.
    pub idempotent_by: Option<String>,
    /// Where records go that fail again and again, such as a queue's name; none if the file does not say.
    pub dead_letters: Option<String>,
}

/// What a consumer needs of a record beside its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImagesNeeded {
    /// Nothing: `keys`.
    Keys,
    /// The item as it is: `new-image`.
    New,
    /// The item as it was, which deletes have alone: `old-image`.
    Old,
    /// Both: `both-images`.
    Both,
}

/// How records reach a consumer, as Lambda's event source mapping calls it.
///
/// Source: <https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-params.html>
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// Records in a batch at most: 1 to 10,000.
    pub batch_size: Option<u32>,
    /// Seconds that a batch waits to fill: 0 to 300.
    pub window_seconds: Option<u32>,
    /// Batches of one shard that are handled at once: 1 to 10.
    pub parallelization: Option<u32>,
    /// How often a batch is tried again; until it expires if none.
    pub retries: Option<u32>,
}
