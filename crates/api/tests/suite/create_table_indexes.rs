//! The secondary indexes of CreateTable: what is accepted, and the order of the refusals as tables of cases.

use keywright_api::{BillingMode, IndexKind, IndexProjection, Operation, SecondaryIndex};
use serde_json::{Value, json};

use crate::create_table::{accepted, body, definitions, keys};
use crate::{assert_refusals, refusal};

const INVALID: &str = "One or more parameter values were invalid: ";

/// An index that projects everything, with these members as well or instead; a null takes one away.
fn index(name: &str, key: &[(&str, &str)], changes: &Value) -> Value {
    let mut index =
        json!({"IndexName": name, "KeySchema": keys(key), "Projection": {"ProjectionType": "ALL"}});
    for (member, value) in changes.as_object().unwrap() {
        index.as_object_mut().unwrap().insert(member.clone(), value.clone());
    }
    index
}

/// A table with the key `a`, `b` and these defined attributes.
fn table(defined: &[&str], local: &[Value], global: &[Value]) -> Value {
    let list = |indexes: &[Value]| if indexes.is_empty() { Value::Null } else { json!(indexes) };
    body(&json!({
        "AttributeDefinitions": definitions(defined),
        "KeySchema": keys(&[("a", "HASH"), ("b", "RANGE")]),
        "LocalSecondaryIndexes": list(local),
        "GlobalSecondaryIndexes": list(global),
    }))
}

fn key_names(index: &SecondaryIndex) -> (Vec<&str>, Vec<&str>) {
    let schema = &index.key_schema;
    (
        schema.partition_key.iter().map(|attribute| attribute.name.as_str()).collect(),
        schema.sort_key.iter().map(|attribute| attribute.name.as_str()).collect(),
    )
}

#[test]
fn local_and_global_indexes_are_accepted_with_every_projection() {
    let input = accepted(&table(
        &["a", "b", "c"],
        &[index(
            "by_c",
            &[("a", "HASH"), ("c", "RANGE")],
            &json!({"Projection": {"ProjectionType": "KEYS_ONLY"}}),
        )],
        &[
            index("c_alone", &[("c", "HASH")], &json!({})),
            index(
                "reversed",
                &[("b", "HASH"), ("a", "RANGE")],
                &json!({"Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["z", "a", "m"]}}),
            ),
            // The key of the table, the name of the table: both are accepted.
            index("App", &[("a", "HASH"), ("b", "RANGE")], &json!({})),
        ],
    ));
    let found: Vec<_> = input
        .indexes
        .iter()
        .map(|index| (index.name.as_str(), index.kind, key_names(index), index.projection.clone()))
        .collect();
    let global = IndexKind::Global(BillingMode::OnDemand);
    let named = IndexProjection::Include(["a", "m", "z"].map(str::to_owned).to_vec());
    assert_eq!(
        found,
        [
            ("by_c", IndexKind::Local, (vec!["a"], vec!["c"]), IndexProjection::KeysOnly),
            ("c_alone", global, (vec!["c"], vec![]), IndexProjection::All),
            ("reversed", global, (vec!["b"], vec!["a"]), named),
            ("App", global, (vec!["a"], vec!["b"]), IndexProjection::All),
        ]
    );
}

#[test]
fn the_key_of_a_global_index_has_up_to_four_partition_and_four_sort_attributes() {
    let eight = [
        ("h1", "HASH"),
        ("h2", "HASH"),
        ("h3", "HASH"),
        ("h4", "HASH"),
        ("r1", "RANGE"),
        ("r2", "RANGE"),
        ("r3", "RANGE"),
        ("r4", "RANGE"),
    ];
    let defined = ["a", "b", "h1", "h2", "h3", "h4", "r1", "r2", "r3", "r4"];
    let input = accepted(&table(&defined, &[], &[index("wide", &eight, &json!({}))]));
    let wide = input.indexes.first().unwrap();
    assert_eq!(key_names(wide), (vec!["h1", "h2", "h3", "h4"], vec!["r1", "r2", "r3", "r4"]));
}

#[test]
fn a_global_index_of_a_provisioned_table_has_throughput_of_its_own() {
    let with = |throughput: Value| {
        let indexes = [index("by_b", &[("b", "HASH")], &json!({"ProvisionedThroughput": throughput}))];
        let mut body = table(&["a", "b"], &[], &indexes);
        body["BillingMode"] = json!("PROVISIONED");
        body["ProvisionedThroughput"] = json!({"ReadCapacityUnits": 1, "WriteCapacityUnits": 1});
        body
    };
    let input = accepted(&with(json!({"ReadCapacityUnits": 3, "WriteCapacityUnits": 4})));
    let kind = input.indexes.first().unwrap().kind;
    assert_eq!(kind, IndexKind::Global(BillingMode::Provisioned { read_units: 3, write_units: 4 }));
    assert_refusals(
        Operation::CreateTable,
        &[
            (with(Value::Null), &format!("{INVALID}ProvisionedThroughput is not specified for index: by_b")),
            (
                with(json!({"ReadCapacityUnits": 1_000_000_000_001_u64, "WriteCapacityUnits": 1})),
                "Given value 1000000000001 for ReadCapacityUnits is out of bounds",
            ),
            (
                with(json!({"ReadCapacityUnits": 0})),
                "2 validation errors detected: Value null at \
                 'globalSecondaryIndexes.1.member.provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: \
                 Member must not be null; Value '0' at \
                 'globalSecondaryIndexes.1.member.provisionedThroughput.readCapacityUnits' failed to satisfy constraint: \
                 Member must have value greater than or equal to 1",
            ),
        ],
    );
}

/// C52, and C29 as far as it is about CreateTable: it refuses what UpdateTable would drop in silence.
#[test]
fn keys_and_definitions_of_indexes_fit_each_other() {
    let by_c = |key: &[(&str, &str)]| [index("by_c", key, &json!({}))];
    let cases = [
        (
            table(&["a", "b", "c"], &[], &by_c(&[("b", "HASH")])),
            "Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]",
        ),
        (
            table(&["a", "b"], &[], &by_c(&[("c", "HASH"), ("d", "RANGE")])),
            "Some index key attributes are not defined in AttributeDefinitions. Keys: [c, d], AttributeDefinitions: \
             [a, b]",
        ),
        (
            table(&["a", "b"], &by_c(&[("a", "HASH"), ("c", "RANGE")]), &[]),
            "Some index key attributes are not defined in AttributeDefinitions. Keys: [a, c], AttributeDefinitions: \
             [a, b]",
        ),
        (
            table(&["a", "b"], &by_c(&[("b", "HASH")]), &[]),
            "Index KeySchema does not have a range key for index: by_c",
        ),
        (
            table(&["a", "b"], &by_c(&[("b", "HASH"), ("a", "RANGE")]), &[]),
            "Index KeySchema does not have the same leading hash key as table KeySchema for index: by_c. index hash \
             key: b, table hash key: a",
        ),
        (
            table(&["a", "b", "c"], &[], &by_c(&[("a", "HASH"), ("b", "RANGE"), ("c", "HASH")])),
            "All HASH key attributes must precede RANGE key attributes in the KeySchema",
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(refusal(Operation::CreateTable, &body), format!("{INVALID}{expected}"), "{body}");
    }
    let without_prefix = [
        (table(&["a", "b", "a"], &[], &[]), "Attribute Name is duplicated: a"),
        (
            table(&["a", "b"], &[], &by_c(&[("a", "HASH"), ("a", "RANGE")])),
            "Both the Hash Key and the Range Key element in the KeySchema have the same name",
        ),
        (
            table(&["a", "b"], &[], &by_c(&[("a", "HASH"), ("b", "HASH"), ("a", "RANGE")])),
            "The KeySchema contains multiple key attributes with the same name",
        ),
        (
            table(&["a", "b"], &[], &by_c(&[("b", "RANGE"), ("a", "HASH")])),
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
        ),
        (
            table(&["a", "b"], &by_c(&[("a", "HASH"), ("b", "HASH")]), &[]),
            "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
        ),
    ];
    assert_refusals(Operation::CreateTable, &without_prefix);
}

#[test]
fn five_attributes_of_one_kind_are_too_many() {
    for (role, expected) in [
        ("HASH", "The KeySchema exceeds the maximum allowed number of HASH key attributes"),
        ("RANGE", "The KeySchema exceeds the maximum allowed number of RANGE key attributes"),
    ] {
        let five = [("b", "HASH"), ("k1", role), ("k2", role), ("k3", role), ("k4", role), ("k5", role)];
        let five = if role == "HASH" { five.get(..5).unwrap() } else { &five };
        let mut defined = vec!["a", "b", "k1", "k2", "k3", "k4"];
        defined.extend((role == "RANGE").then_some("k5"));
        let body = table(&defined, &[], &[index("wide", five, &json!({}))]);
        assert_eq!(refusal(Operation::CreateTable, &body), format!("{INVALID}{expected}"));
    }
    let three = [("a", "HASH"), ("b", "RANGE"), ("c", "RANGE")];
    let local = table(&["a", "b", "c"], &[index("wide", &three, &json!({}))], &[]);
    assert_eq!(
        refusal(Operation::CreateTable, &local),
        "1 validation error detected: Value '[KeySchemaElement(attributeName=a, keyType=HASH), \
         KeySchemaElement(attributeName=b, keyType=RANGE), KeySchemaElement(attributeName=c, keyType=RANGE)]' at \
         'localSecondaryIndexes.1.member.keySchema' failed to satisfy constraint: Member must have length less than or \
         equal to 2"
    );
}

#[test]
fn a_projection_names_attributes_exactly_where_it_includes_some() {
    let with = |projection: Value| {
        table(&["a", "b"], &[], &[index("by_b", &[("b", "HASH")], &json!({"Projection": projection}))])
    };
    let cases = [
        (json!({}), "Unknown ProjectionType: null"),
        (json!({"NonKeyAttributes": ["x"]}), "Unknown ProjectionType: null"),
        (
            json!({"ProjectionType": "INCLUDE"}),
            "ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
        ),
        (
            json!({"ProjectionType": "ALL", "NonKeyAttributes": ["x"]}),
            "ProjectionType is ALL, but NonKeyAttributes is specified",
        ),
        (
            json!({"ProjectionType": "KEYS_ONLY", "NonKeyAttributes": ["x"]}),
            "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified",
        ),
        (
            json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x", "y", "x"]}),
            "Duplicate element in NonKeyAttributes: x",
        ),
    ];
    for (projection, expected) in cases {
        let body = with(projection);
        assert_eq!(refusal(Operation::CreateTable, &body), format!("{INVALID}{expected}"), "{body}");
    }
    let twenty_one: Vec<String> = (0..21).map(|number| format!("x{number}")).collect();
    assert_eq!(
        refusal(
            Operation::CreateTable,
            &with(json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": twenty_one}))
        ),
        format!(
            "1 validation error detected: Value '[{}]' at \
             'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy constraint: Member must \
             have length less than or equal to 20",
            twenty_one.join(", ")
        )
    );
}

#[test]
fn names_are_unique_among_indexes_of_both_kinds_and_the_lists_are_bounded() {
    let local = |name: &str| index(name, &[("a", "HASH"), ("b", "RANGE")], &json!({}));
    let global = |name: &str| index(name, &[("b", "HASH")], &json!({}));
    let named = |number: usize, named: usize| {
        let names: Vec<String> = (0..named).map(|attribute| format!("x{attribute}")).collect();
        let projection = json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": names});
        index(&format!("index{number}"), &[("b", "HASH")], &json!({"Projection": projection}))
    };
    let many = |count: usize, of: &dyn Fn(&str) -> Value| -> Vec<Value> {
        (0..count).map(|number| of(&format!("index{number}"))).collect()
    };
    let cases = [
        (table(&["a", "b"], &[local("abc"), local("abc")], &[]), "Duplicate index name: abc"),
        (table(&["a", "b"], &[], &[global("abc"), global("abc")]), "Duplicate index name: abc"),
        (table(&["a", "b"], &[local("abc")], &[global("abc")]), "Duplicate index name: abc"),
        (
            table(&["a", "b"], &many(6, &local), &[]),
            "Number of LocalSecondaryIndexes exceeds per-table limit of 5",
        ),
        (
            table(&["a", "b"], &[], &many(21, &global)),
            "GlobalSecondaryIndex count exceeds the per-table limit of 20",
        ),
        (
            table(&["a", "b"], &[], &(0..6).map(|number| named(number, 17)).collect::<Vec<_>>()),
            "Number of NonKeyAttributes of all secondary indexes exceeds the per-table limit of 100",
        ),
        (body(&json!({"GlobalSecondaryIndexes": []})), "List of GlobalSecondaryIndexes is empty"),
        (
            body(&json!({"LocalSecondaryIndexes": [local("abc")]})),
            "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex",
        ),
        (
            table(
                &["a", "b"],
                &[],
                &[index(
                    "abc",
                    &[("b", "HASH")],
                    &json!({
                        "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
                    }),
                )],
            ),
            "ProvisionedThroughput should not be specified for index: abc when BillingMode is PAY_PER_REQUEST",
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(refusal(Operation::CreateTable, &body), format!("{INVALID}{expected}"));
    }
    assert_eq!(accepted(&table(&["a", "b"], &many(5, &local), &[])).indexes.len(), 5);
    let five_of_twenty: Vec<Value> = (0..5).map(|number| named(number, 20)).collect();
    assert_eq!(accepted(&table(&["a", "b"], &[], &five_of_twenty)).indexes.len(), 5);
}

#[test]
fn constraints_on_indexes_are_reported_together_with_the_others() {
    let long = "a".repeat(256);
    let local = [
        json!({"IndexName": "h;", "KeySchema": [], "Projection": {"NonKeyAttributes": [], "ProjectionType": "abc"}}),
        json!({"IndexName": long, "KeySchema": [{"KeyType": "HASH"}]}),
        json!({}),
    ];
    let at = |path: &str, text: &str| {
        format!("at 'localSecondaryIndexes.{path}' failed to satisfy constraint: {text}")
    };
    let expected = [
        format!(
            "Value 'h;' {}",
            at("1.member.indexName", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
        ),
        format!(
            "Value 'h;' {}",
            at("1.member.indexName", "Member must have length greater than or equal to 3")
        ),
        format!(
            "Value '[]' {}",
            at("1.member.keySchema", "Member must have length greater than or equal to 1")
        ),
        format!(
            "Value 'abc' {}",
            at(
                "1.member.projection.projectionType",
                "Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]"
            )
        ),
        format!(
            "Value '[]' {}",
            at("1.member.projection.nonKeyAttributes", "Member must have length greater than or equal to 1")
        ),
        format!(
            "Value '{long}' {}",
            at("2.member.indexName", "Member must have length less than or equal to 255")
        ),
        format!("Value null {}", at("2.member.keySchema.1.member.attributeName", "Member must not be null")),
        format!("Value null {}", at("2.member.projection", "Member must not be null")),
        format!("Value null {}", at("3.member.indexName", "Member must not be null")),
        format!("Value null {}", at("3.member.keySchema", "Member must not be null")),
    ];
    assert_eq!(
        refusal(Operation::CreateTable, &table(&["a", "b"], &local, &[])),
        format!("10 validation errors detected: {}", expected.join("; "))
    );
}
