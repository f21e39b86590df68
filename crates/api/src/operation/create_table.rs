//! CreateTable: a table with its key, how it is paid for, and its tags.

mod wire;

use self::wire::{DEFINITION_TYPES, Few, KEY_ROLES, Wire, WireBillingMode};
use crate::constraint::{Constraints, Violation};
use crate::table::DescriptionScope;
use crate::unsupported::UsedUnsupported;
use crate::wire::ObjectWriter;
use crate::{
    BillingMode, Error, KeyAttribute, KeyRole, KeySchema, ScalarType, TableClass, TableDescription,
    TableName, Tag, Validation,
};

/// A CreateTable request.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateTableInput {
    /// The name of the table.
    pub table_name: TableName,
    /// Its primary key.
    pub key_schema: KeySchema,
    /// How its capacity is paid for.
    pub billing_mode: BillingMode,
    /// Its storage class, where the request names one.
    pub table_class: Option<TableClass>,
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
    /// number of key attributes; definitions of the key attributes; roles of the key attributes; unused
    /// definitions; lists of indexes; what this version does not support.
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

/// The most units a second that a table can be provisioned with.
const MOST_UNITS: i64 = 1_000_000_000_000;

/// A definition of an attribute that has passed its constraints.
struct Definition {
    name: String,
    kind: ScalarType,
}

/// An element of a key schema that has passed its constraints.
struct KeyElement {
    name: String,
    role: KeyRole,
}

fn check(wire: Wire) -> Result<CreateTableInput, Validation> {
    let Some(name) = wire.table_name else {
        return Err(Validation::Required { member: "TableName" });
    };
    let mut constraints = Constraints::default();
    let billing_mode = constraints.one_of("billingMode", wire.billing_mode.as_deref(), &wire::BILLING_MODES);
    let table_class = constraints.one_of("tableClass", wire.table_class.as_deref(), &wire::TABLE_CLASSES);
    let definitions = check_definitions(&mut constraints, wire.attribute_definitions);
    let table_name = TableName::from_arn(&name)
        .filter(|name| name.as_str().len() >= SHORTEST_NAME)
        .or_else(|| constraints.name("tableName", &name, SHORTEST_NAME));
    check_throughput(&mut constraints, wire.provisioned_throughput.as_ref());
    let (keys, key_count) = check_key_schema(&mut constraints, wire.key_schema);
    let tags = check_tags(&mut constraints, wire.tags);
    constraints.check()?;
    let Some(table_name) = table_name else { unreachable!("the constraints require a name") };

    let billing_mode = check_billing(billing_mode, wire.provisioned_throughput)?;
    if key_count > 2 {
        let shown = shown_keys(&keys);
        return Err(Validation::Constraints(vec![Violation::too_long("keySchema", &shown, 2)]));
    }
    let key_schema = check_keys(&keys, &definitions, &wire.unsupported)?;
    check_indexes(&key_schema, &wire.unsupported)?;
    wire.unsupported.check()?;
    Ok(CreateTableInput { table_name, key_schema, billing_mode, table_class, tags })
}

fn check_throughput(constraints: &mut Constraints, throughput: Option<&wire::Throughput>) {
    let Some(throughput) = throughput else { return };
    for (path, units) in [
        ("provisionedThroughput.writeCapacityUnits", throughput.write_units),
        ("provisionedThroughput.readCapacityUnits", throughput.read_units),
    ] {
        if let Some(units) = constraints.required(path, units) {
            constraints.at_least(path, units, 1);
        }
    }
}

fn check_definitions(
    constraints: &mut Constraints,
    definitions: Option<Few<wire::AttributeDefinition>>,
) -> Definitions {
    let Some(definitions) = constraints.required("attributeDefinitions", definitions) else {
        return Definitions::default();
    };
    let mut checked = Definitions { count: definitions.count, kept: Vec::new() };
    for (index, definition) in definitions.kept.into_iter().enumerate() {
        let path = |member| format!("attributeDefinitions.{}.member.{member}", index + 1);
        let name = constraints.required(&path("attributeName"), definition.name);
        if let Some(name) = &name {
            constraints.text_length(&path("attributeName"), name, 1, 255);
        }
        let kind = constraints.required(&path("attributeType"), definition.kind);
        let kind = constraints.one_of(&path("attributeType"), kind.as_deref(), &DEFINITION_TYPES);
        if let (Some(name), Some(kind)) = (name, kind) {
            checked.kept.push(Definition { name, kind });
        }
    }
    checked
}

/// The definitions, of which the first hundred are kept.
#[derive(Default)]
struct Definitions {
    count: usize,
    kept: Vec<Definition>,
}

fn check_key_schema(
    constraints: &mut Constraints,
    keys: Option<Few<wire::KeySchemaElement>>,
) -> (Vec<KeyElement>, usize) {
    let Some(keys) = constraints.required("keySchema", keys) else { return (Vec::new(), 0) };
    constraints.length("keySchema", keys.count, 1, usize::MAX, || "[]".to_owned());
    let mut checked = Vec::new();
    for (index, key) in keys.kept.into_iter().enumerate() {
        let path = |member| format!("keySchema.{}.member.{member}", index + 1);
        let name = constraints.required(&path("attributeName"), key.name);
        if let Some(name) = &name {
            constraints.text_length(&path("attributeName"), name, 1, 255);
        }
        let role = constraints.required(&path("keyType"), key.role);
        let role = constraints.one_of(&path("keyType"), role.as_deref(), &KEY_ROLES);
        if let (Some(name), Some(role)) = (name, role) {
            checked.push(KeyElement { name, role });
        }
    }
    (checked, keys.count)
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
    mode: Option<WireBillingMode>,
    throughput: Option<wire::Throughput>,
) -> Result<BillingMode, Validation> {
    let units = throughput.and_then(|throughput| throughput.read_units.zip(throughput.write_units));
    match (mode.unwrap_or(WireBillingMode::Provisioned), units) {
        (WireBillingMode::OnDemand, None) => Ok(BillingMode::OnDemand),
        (WireBillingMode::OnDemand, Some(_)) => Err(Validation::ThroughputWithOnDemand),
        (WireBillingMode::Provisioned, None) => Err(Validation::ThroughputMissing),
        (WireBillingMode::Provisioned, Some((read_units, write_units))) => Ok(BillingMode::Provisioned {
            read_units: bounded_units("ReadCapacityUnits", read_units)?,
            write_units: bounded_units("WriteCapacityUnits", write_units)?,
        }),
    }
}

fn bounded_units(member: &'static str, value: i64) -> Result<u64, Validation> {
    match u64::try_from(value) {
        Ok(units) if value <= MOST_UNITS => Ok(units),
        _ => Err(Validation::ThroughputOutOfBounds { member, value }),
    }
}

fn check_keys(
    keys: &[KeyElement],
    definitions: &Definitions,
    unsupported: &UsedUnsupported,
) -> Result<KeySchema, Validation> {
    if keys.len() > definitions.count {
        return Err(Validation::KeyWithoutDefinition);
    }
    let attribute = |key: &KeyElement| {
        definitions
            .kept
            .iter()
            .find(|definition| definition.name == key.name)
            .map(|definition| KeyAttribute { name: key.name.clone(), kind: definition.kind })
            .ok_or_else(|| Validation::KeyNotDefined {
                keys: keys.iter().map(|key| key.name.clone()).collect(),
                definitions: definitions.kept.iter().map(|definition| definition.name.clone()).collect(),
            })
    };
    let (first, second) = match keys {
        [first] => (first, None),
        [first, second] => (first, Some(second)),
        _ => unreachable!("the constraints allow one or two key attributes"),
    };
    let partition_key = attribute(first)?;
    let sort_key = second.map(attribute).transpose()?;
    if second.is_some_and(|second| second.name == first.name) {
        return Err(Validation::KeyNamesEqual);
    }
    if first.role != KeyRole::Partition {
        return Err(Validation::FirstKeyNotPartition);
    }
    if second.is_some_and(|second| second.role != KeyRole::Sort) {
        return Err(Validation::SecondKeyNotSort);
    }
    // The keys of indexes need definitions as well.
    let has_indexes = !unsupported.among(&INDEX_LISTS).is_empty();
    if !has_indexes && definitions.count != keys.len() {
        return Err(Validation::DefinitionUnused);
    }
    Ok(KeySchema { partition_key, sort_key })
}

const INDEX_LISTS: [&str; 2] = ["LocalSecondaryIndexes", "GlobalSecondaryIndexes"];

fn check_indexes(key_schema: &KeySchema, unsupported: &UsedUnsupported) -> Result<(), Validation> {
    for member in unsupported.among(&INDEX_LISTS) {
        if unsupported.is_empty_list(member) {
            return Err(Validation::NoIndexes { member });
        }
        if member == "LocalSecondaryIndexes" && key_schema.sort_key.is_none() {
            return Err(Validation::LocalIndexWithoutSortKey);
        }
    }
    Ok(())
}

/// The elements as the service prints them.
fn shown_keys(keys: &[KeyElement]) -> String {
    let elements: Vec<String> = keys
        .iter()
        .map(|KeyElement { name, role }| {
            format!("KeySchemaElement(attributeName={name}, keyType={})", role.wire_name())
        })
        .collect();
    format!("[{}]", elements.join(", "))
}
