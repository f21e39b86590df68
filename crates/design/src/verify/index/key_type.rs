//! KW0718: an attribute that keys an index has the type that the index says.

use std::collections::HashMap;

use keywright_key::AttributeType;

use crate::facts::Facts;
use crate::model::{IndexKeys, KeyAttribute, Table, ValueType};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0718",
    name: "index-key-type",
    title: "A key attribute of an index with another type than its items give it",
    severity: Severity::Error,
    finds: "An attribute that an index is keyed by and that some entity of the table stores with another type, whether or not \
            the entity is meant to be in the index; and an attribute that is a key with two types.",
    hurts: "A table defines the type of each key attribute once. A write that gives it another type is refused with a \
            ValidationException, so the entity's items could not be stored at all: \
            [key violations](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.ViolationDetection.html).",
    example: "[table.app.index.by_year]\npartition_key = [{ name = \"founded\", type = \"number\" }]\n\n[entity.company]\n\
              attributes = { founded = \"string\" }",
    instead: "Declare the type that the items have, or rename the attribute of one of the entities.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let mut types: HashMap<&str, AttributeType> = HashMap::new();
        for attribute in std::iter::once(&table.partition_key).chain(&table.sort_key) {
            types.insert(attribute.name.as_str(), attribute.attribute_type);
        }
        let mut own: HashMap<&str, &KeyAttribute> = HashMap::new();
        for index in &table.indexes {
            for attribute in index.key_attributes() {
                let known = *types.entry(attribute.name.as_str()).or_insert(attribute.attribute_type);
                if known != attribute.attribute_type {
                    let message = format!(
                        "`{attribute}` is {one} in index `{index}` and {other} in another key of `{table}`, and a table \
                         defines an attribute once. Give both one type.",
                        attribute = attribute.name,
                        one = name(attribute.attribute_type),
                        index = index.name,
                        other = name(known),
                        table = table.name
                    );
                    findings.report(Place::index(&table.name, &index.name), message);
                }
                if matches!(index.keys, IndexKeys::Attributes { .. }) {
                    own.entry(attribute.name.as_str()).or_insert(attribute);
                }
            }
        }
        if !own.is_empty() {
            check_entities(facts, findings, table, &own);
        }
    }
}

fn check_entities(
    facts: &Facts<'_>,
    findings: &mut Findings<'_>,
    table: &Table,
    keys: &HashMap<&str, &KeyAttribute>,
) {
    for entity in facts.entities_of(&table.name) {
        for attribute in &entity.attributes {
            let Some(key) = keys.get(attribute.name.as_str()) else { continue };
            if can_be(&attribute.value_type, key.attribute_type) {
                continue;
            }
            findings.report(
                Place::entity(&entity.name).member("attributes").member(attribute.name.as_str()),
                format!(
                    "`{attribute}` keys an index of `{table}` as {key}, and `{entity}` stores it as another type: DynamoDB \
                     would refuse its items. Declare the type that they have, or rename the attribute.",
                    attribute = attribute.name,
                    table = table.name,
                    key = name(key.attribute_type),
                    entity = entity.name
                ),
            );
        }
    }
}

/// Whether a value of this type can be stored as a key of that type. A timestamp is stored as text or as a number, as the
/// program likes.
fn can_be(value_type: &ValueType, attribute_type: AttributeType) -> bool {
    match value_type {
        ValueType::Text | ValueType::Ulid | ValueType::Uuid | ValueType::Enum(_) => {
            attribute_type == AttributeType::String
        }
        ValueType::Unsigned(_)
        | ValueType::Signed(_)
        | ValueType::Number
        | ValueType::TimeToLive
        | ValueType::Version
        | ValueType::Counter => attribute_type == AttributeType::Number,
        ValueType::Timestamp(_) => attribute_type != AttributeType::Binary,
        ValueType::Bytes => attribute_type == AttributeType::Binary,
        ValueType::Boolean
        | ValueType::List
        | ValueType::Map
        | ValueType::StringSet
        | ValueType::NumberSet
        | ValueType::BinarySet => false,
    }
}

const fn name(attribute_type: AttributeType) -> &'static str {
    match attribute_type {
        AttributeType::String => "a string",
        AttributeType::Number => "a number",
        AttributeType::Binary => "binary",
    }
}
