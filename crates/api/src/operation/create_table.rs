//! CreateTable: a table with its key, how it is paid for, and its tags.

mod index;
mod index_wire;
mod key;
mod wire;

use self::index::SentIndexes;
use self::index_wire::IndexList;
use self::key::{Definitions, SentKey};
use self::wire::Wire;
use crate::constraint::{Constraints, Violation};
use crate::table::DescriptionScope;
use crate::throughput::{BILLING_MODES, SentBillingMode};
use crate::wire::{Few, ObjectWriter};
use crate::{
    BillingMode, DeletionProtection, Error, KeySchema, ProvisionedThroughput, SecondaryIndex, TableClass,
    TableDescription, TableName, Tag, Validation,
};

/// A CreateTable request.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateTableInput {
    /// The name of the table.
    pub table_name: TableName,
    /// Its primary key.
    pub key_schema: KeySchema,
    /// Its secondary indexes: the local ones, then the global ones, each in the order of the request.
    pub indexes: Vec<SecondaryIndex>,
    /// How its capacity is paid for.
    pub billing_mode: BillingMode,
    /// Its storage class, where the request names one.
    pub table_class: Option<TableClass>,
    /// Whether it can be deleted.
    pub deletion_protection: DeletionProtection,
    /// Its tags.
    pub tags: Vec<Tag>,
}

/// The answer to CreateTable.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateTableOutput {
    /// The table, which is still being created.
    pub table: TableDescription,
}

impl CreateTableInput {
    /// Parses and checks the body of a request.
    ///
    /// Order of refusal: JSON; presence of the name; the constraints together; throughput against billing mode;
    /// number of key attributes; definitions of the key attributes; roles of the key attributes; empty lists of
    /// indexes and local ones without a sort key of the table; definitions of the indexes' key attributes; unused
    /// definitions; each local index, then each global one: key, projection, throughput, name; the numbers of indexes
    /// and projected attributes; what this version does not support.
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        Ok(check(Wire::read(body)?)?)
    }
}

impl CreateTableOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        self.table.write_json(DescriptionScope::Whole, object.member("TableDescription"));
        object.close();
    }
}

/// A table by name must have at least this many characters.
const SHORTEST_NAME: usize = 3;

fn check(wire: Wire) -> Result<CreateTableInput, Validation> {
    let Some(name) = wire.table_name else {
        return Err(Validation::Required { member: "TableName" });
    };
    let mut constraints = Constraints::default();
    let billing_mode = constraints.one_of("billingMode", wire.billing_mode.as_deref(), &BILLING_MODES);
    let table_class = constraints.one_of("tableClass", wire.table_class.as_deref(), &wire::TABLE_CLASSES);
    let definitions = Definitions::check(&mut constraints, wire.attribute_definitions);
    let table_name = TableName::from_arn(&name)
        .filter(|name| name.as_str().len() >= SHORTEST_NAME)
        .or_else(|| constraints.name("tableName", &name, SHORTEST_NAME));
    let throughput =
        wire.provisioned_throughput.and_then(|sent| sent.check("provisionedThroughput", &mut constraints));
    let key = SentKey::check("keySchema", &mut constraints, wire.key_schema);
    let tags = check_tags(&mut constraints, wire.tags);
    let local = SentIndexes::check(IndexList::Local, &mut constraints, wire.local_indexes);
    let global = SentIndexes::check(IndexList::Global, &mut constraints, wire.global_indexes);
    constraints.check()?;
    let Some(table_name) = table_name else { unreachable!("the constraints require a name") };

    let billing_mode = check_billing(billing_mode, throughput)?;
    if key.count > 2 {
        let violation = Violation::too_long("keySchema", &key.shown(), 2);
        return Err(Validation::Constraints(vec![violation]));
    }
    definitions.check_unique()?;
    let key_schema = key.resolve(&definitions)?;
    let indexes = index::resolve(&key_schema, billing_mode, &definitions, local, global)?;
    wire.unsupported.check()?;
    let deletion_protection = wire.deletion_protection.unwrap_or(false).into();
    Ok(CreateTableInput {
        table_name,
        key_schema,
        indexes,
        billing_mode,
        table_class,
        deletion_protection,
        tags,
    })
}

fn check_tags(constraints: &mut Constraints, tags: Option<Few<wire::Tag>>) -> Vec<Tag> {
    let mut checked = Vec::new();
    for (index, tag) in tags.into_iter().flat_map(|tags| tags.kept).enumerate() {
        let path = |member| format!("tags.{}.member.{member}", index + 1);
        let key = constraints.required(&path("key"), tag.key);
        if let Some(key) = &key {
            constraints.text_length(&path("key"), key, 1, 128);
        }
        let value = constraints.required(&path("value"), tag.value);
        if let Some(value) = &value {
            constraints.text_length(&path("value"), value, 0, 256);
        }
        if let (Some(key), Some(value)) = (key, value) {
            checked.push(Tag { key, value });
        }
    }
    checked
}

fn check_billing(
    mode: Option<SentBillingMode>,
    throughput: Option<ProvisionedThroughput>,
) -> Result<BillingMode, Validation> {
    match (mode.unwrap_or(SentBillingMode::Provisioned), throughput) {
        (SentBillingMode::OnDemand, None) => Ok(BillingMode::OnDemand),
        (SentBillingMode::OnDemand, Some(_)) => Err(Validation::ThroughputWithOnDemand),
        (SentBillingMode::Provisioned, None) => Err(Validation::ThroughputMissing),
        (SentBillingMode::Provisioned, Some(throughput)) => Ok(throughput.in_bounds()?.into()),
    }
}
