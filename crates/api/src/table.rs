//! What the service says about a table.

use keywright_item::json;

use crate::wire::{ObjectWriter, write_array};
use crate::{IndexKind, KeyAttribute, KeyRole, KeySchema, SecondaryIndex, TableName, ThroughputHistory};

/// A table as CreateTable, DescribeTable, UpdateTable and DeleteTable describe it.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html>
#[derive(Debug, Clone, PartialEq)]
pub struct TableDescription {
    /// The name.
    pub table_name: TableName,
    /// The id, a UUID in its canonical text; a table created again under an old name has another one.
    pub table_id: String,
    /// The Amazon Resource Name, with the account and region that the engine stands for.
    pub table_arn: String,
    /// Whether it can be used.
    pub status: TableStatus,
    /// When it was created, in milliseconds since 1970.
    pub created_at_ms: u64,
    /// The primary key.
    pub key_schema: KeySchema,
    /// The secondary indexes, in the order in which they were defined.
    pub indexes: Vec<IndexDescription>,
    /// How its capacity is paid for.
    pub billing_mode: BillingMode,
    /// When its provisioned throughput was changed.
    pub throughput: ThroughputHistory,
    /// Since when it was last paid for by request, in milliseconds since 1970, if it ever was.
    pub on_demand_since_ms: Option<u64>,
    /// The table class, where the request named one.
    pub table_class: Option<TableClass>,
    /// Whether it can be deleted.
    pub deletion_protection: DeletionProtection,
    /// How many items it held when they were last counted.
    pub item_count: u64,
    /// How many bytes its items took when they were last counted.
    pub size_bytes: u64,
}

/// A secondary index as a table's description describes it.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GlobalSecondaryIndexDescription.html>
#[derive(Debug, Clone, PartialEq)]
pub struct IndexDescription {
    /// What CreateTable defined.
    pub index: SecondaryIndex,
    /// The Amazon Resource Name.
    pub arn: String,
    /// Whether it can be used; the service says so of global indexes only.
    pub status: TableStatus,
    /// When the provisioned throughput of a global index was changed.
    pub throughput: ThroughputHistory,
    /// How many entries it held when they were last counted.
    pub item_count: u64,
    /// How many bytes its entries took when they were last counted.
    pub size_bytes: u64,
}

/// Whether a table or index can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TableStatus {
    /// It is being created: item operations do not find it yet.
    Creating,
    /// It is ready.
    Active,
    /// Its settings are changing; it is usable.
    Updating,
    /// It is being deleted.
    Deleting,
}

/// How a table's capacity is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BillingMode {
    /// By request (`PAY_PER_REQUEST` on the wire).
    OnDemand,
    /// By reserved capacity (`PROVISIONED` on the wire).
    Provisioned {
        /// Read capacity units a second, at least 1.
        read_units: u64,
        /// Write capacity units a second, at least 1.
        write_units: u64,
    },
}

/// The storage class of a table; it changes the price and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TableClass {
    /// `STANDARD`
    Standard,
    /// `STANDARD_INFREQUENT_ACCESS`
    StandardInfrequentAccess,
}

/// Whether DeleteTable deletes a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DeletionProtection {
    /// It does.
    #[default]
    Off,
    /// It refuses to.
    On,
}

/// A tag of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The key, unique within the table.
    pub key: String,
    /// The value.
    pub value: String,
}

impl TableStatus {
    /// The name on the wire, such as `ACTIVE`.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::Creating => "CREATING",
            Self::Active => "ACTIVE",
            Self::Updating => "UPDATING",
            Self::Deleting => "DELETING",
        }
    }
}

impl BillingMode {
    /// The name on the wire: `PAY_PER_REQUEST` or `PROVISIONED`.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::OnDemand => "PAY_PER_REQUEST",
            Self::Provisioned { .. } => "PROVISIONED",
        }
    }
}

impl From<bool> for DeletionProtection {
    /// As the wire says it: true is on.
    fn from(enabled: bool) -> Self {
        if enabled { Self::On } else { Self::Off }
    }
}

impl TableClass {
    /// The name on the wire.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::Standard => "STANDARD",
            Self::StandardInfrequentAccess => "STANDARD_INFREQUENT_ACCESS",
        }
    }
}

/// Which members of a description the answer of an operation has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DescriptionScope {
    /// All of them.
    Whole,
    /// Without the key and the time of creation, as DeleteTable answers.
    WithoutSchema,
}

impl TableDescription {
    /// Appends the description as the service writes it.
    pub(crate) fn write_json(&self, scope: DescriptionScope, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        if scope == DescriptionScope::Whole {
            self.write_schema(&mut object);
        }
        object.string("TableName", self.table_name.as_str());
        object.string("TableStatus", self.status.wire_name());
        self.write_billing(&mut object);
        object.plain("TableSizeBytes", self.size_bytes);
        object.plain("ItemCount", self.item_count);
        object.string("TableArn", &self.table_arn);
        object.string("TableId", &self.table_id);
        if let Some(class) = self.table_class {
            let mut summary = ObjectWriter::open(object.member("TableClassSummary"));
            summary.string("TableClass", class.wire_name());
            summary.close();
        }
        object.plain("DeletionProtectionEnabled", self.deletion_protection == DeletionProtection::On);
        object.close();
    }

    fn write_schema(&self, object: &mut ObjectWriter<'_>) {
        write_array(object.member("AttributeDefinitions"), self.definitions(), |attribute, out| {
            let mut definition = ObjectWriter::open(out);
            definition.string("AttributeName", &attribute.name);
            definition.string("AttributeType", attribute.kind.wire_name());
            definition.close();
        });
        write_key(object.member("KeySchema"), self.key_schema.attributes());
        self.write_indexes(object);
        object.plain("CreationDateTime", seconds(self.created_at_ms));
    }

    /// The key attributes of the table and its indexes, each once, sorted by name as the service sorts them.
    fn definitions(&self) -> Vec<&KeyAttribute> {
        let table = self.key_schema.attributes();
        let indexes = self.indexes.iter().flat_map(|description| description.index.key_schema.attributes());
        let mut definitions: Vec<&KeyAttribute> =
            table.chain(indexes).map(|(_, attribute)| attribute).collect();
        definitions.sort_by(|one, other| one.name.cmp(&other.name));
        definitions.dedup_by(|one, other| one.name == other.name);
        definitions
    }

    fn write_indexes(&self, object: &mut ObjectWriter<'_>) {
        let (local, global): (Vec<_>, Vec<_>) =
            self.indexes.iter().partition(|description| description.index.kind == IndexKind::Local);
        for (member, descriptions) in [("LocalSecondaryIndexes", local), ("GlobalSecondaryIndexes", global)] {
            if !descriptions.is_empty() {
                write_array(object.member(member), descriptions, IndexDescription::write_json);
            }
        }
    }

    /// The service describes on-demand tables as provisioned with nothing, and adds a summary for those that are or were.
    fn write_billing(&self, object: &mut ObjectWriter<'_>) {
        self.billing_mode.write_throughput(self.throughput, object.member("ProvisionedThroughput"));
        if self.billing_mode == BillingMode::OnDemand || self.on_demand_since_ms.is_some() {
            let mut summary = ObjectWriter::open(object.member("BillingModeSummary"));
            summary.string("BillingMode", self.billing_mode.wire_name());
            if let Some(since) = self.on_demand_since_ms.filter(|_| self.status != TableStatus::Creating) {
                summary.plain("LastUpdateToPayPerRequestDateTime", seconds(since));
            }
            summary.close();
        }
    }
}

impl IndexDescription {
    fn write_json(&self, out: &mut Vec<u8>) {
        let SecondaryIndex { name, kind, key_schema, projection } = &self.index;
        let mut object = ObjectWriter::open(out);
        object.string("IndexName", name.as_str());
        write_key(object.member("KeySchema"), key_schema.attributes());
        let mut shown = ObjectWriter::open(object.member("Projection"));
        shown.string("ProjectionType", projection.wire_name());
        if !projection.named().is_empty() {
            write_array(shown.member("NonKeyAttributes"), projection.named(), |name, out| {
                json::write_string(name, out);
            });
        }
        shown.close();
        if let IndexKind::Global(billing_mode) = kind {
            object.string("IndexStatus", self.status.wire_name());
            billing_mode.write_throughput(self.throughput, object.member("ProvisionedThroughput"));
        }
        object.plain("IndexSizeBytes", self.size_bytes);
        object.plain("ItemCount", self.item_count);
        object.string("IndexArn", &self.arn);
        object.close();
    }
}

impl BillingMode {
    /// On demand is described as provisioned with nothing.
    fn write_throughput(self, history: ThroughputHistory, out: &mut Vec<u8>) {
        let (read_units, write_units) = match self {
            Self::OnDemand => (0, 0),
            Self::Provisioned { read_units, write_units } => (read_units, write_units),
        };
        let mut throughput = ObjectWriter::open(out);
        if let Some(increased_at) = history.increased_at_ms {
            throughput.plain("LastIncreaseDateTime", seconds(increased_at));
        }
        if let Some(decreased_at) = history.decreased_at_ms {
            throughput.plain("LastDecreaseDateTime", seconds(decreased_at));
        }
        throughput.plain("NumberOfDecreasesToday", history.decreases_today);
        throughput.plain("ReadCapacityUnits", read_units);
        throughput.plain("WriteCapacityUnits", write_units);
        throughput.close();
    }
}

fn write_key<'schema>(out: &mut Vec<u8>, attributes: impl Iterator<Item = (KeyRole, &'schema KeyAttribute)>) {
    write_array(out, attributes, |(role, attribute), out| {
        let mut element = ObjectWriter::open(out);
        element.string("AttributeName", &attribute.name);
        element.string("KeyType", role.wire_name());
        element.close();
    });
}

/// A time as the service writes it: seconds with a fraction.
fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}
