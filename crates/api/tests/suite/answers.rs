//! The bodies of answers, byte for byte.

use keywright_api::{
    BatchWriteItemOutput, BillingMode, CapacityBreakdown, CapacityUnits, CreateTableOutput, DeleteItemOutput,
    DeleteTableOutput, DeletionProtection, DescribeTableOutput, GetItemOutput, IndexDescription,
    IndexKeySchema, IndexKind, IndexName, IndexProjection, ItemCollectionMetrics, KeyAttribute, KeySchema,
    ListTablesOutput, PutItemOutput, QueryOutput, Response, ReturnConsumedCapacity, ReturnedItem, ScalarType,
    SecondaryIndex, TableClass, TableDescription, TableStatus, ThroughputHistory, UpdateTableOutput,
};
use serde_json::{Value, json};

use crate::{app, item, stored};

fn text(response: impl Into<Response>) -> String {
    let mut out = Vec::new();
    response.into().write_json(&mut out);
    String::from_utf8(out).unwrap()
}

fn table(billing_mode: BillingMode, status: TableStatus) -> TableDescription {
    TableDescription {
        table_name: app(),
        table_id: "12345678-1234-4123-8123-123456789012".to_owned(),
        table_arn: "arn:aws:dynamodb:eu-west-2:000000000000:table/App".to_owned(),
        status,
        created_at_ms: 1_363_729_002_058,
        key_schema: KeySchema {
            partition_key: KeyAttribute { name: "pk".to_owned(), kind: ScalarType::S },
            sort_key: Some(KeyAttribute { name: "at".to_owned(), kind: ScalarType::N }),
        },
        indexes: Vec::new(),
        billing_mode,
        throughput: ThroughputHistory::default(),
        on_demand_since_ms: (billing_mode == BillingMode::OnDemand).then_some(1_363_729_002_058),
        table_class: None,
        deletion_protection: DeletionProtection::Off,
        item_count: 2,
        size_bytes: 77,
    }
}

/// The definitions come sorted by name; the key schema has the partition key first.
#[test]
fn a_table_is_described_with_the_service_s_members() {
    let described = DescribeTableOutput { table: table(BillingMode::OnDemand, TableStatus::Active) };
    assert_eq!(
        text(described),
        concat!(
            r#"{"Table":{"AttributeDefinitions":[{"AttributeName":"at","AttributeType":"N"},"#,
            r#"{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},"#,
            r#"{"AttributeName":"at","KeyType":"RANGE"}],"CreationDateTime":1363729002.058,"TableName":"App","#,
            r#""TableStatus":"ACTIVE","ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"#,
            r#""WriteCapacityUnits":0},"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","#,
            r#""LastUpdateToPayPerRequestDateTime":1363729002.058},"TableSizeBytes":77,"ItemCount":2,"#,
            r#""TableArn":"arn:aws:dynamodb:eu-west-2:000000000000:table/App","#,
            r#""TableId":"12345678-1234-4123-8123-123456789012","DeletionProtectionEnabled":false}}"#,
        )
    );
}

fn index(name: &str, kind: IndexKind, keys: [&str; 2], projection: IndexProjection) -> IndexDescription {
    let attribute = |name: &str| vec![KeyAttribute { name: name.to_owned(), kind: ScalarType::S }];
    let [partition_key, sort_key] = keys.map(attribute);
    let key_schema = IndexKeySchema { partition_key, sort_key };
    IndexDescription {
        index: SecondaryIndex { name: IndexName::new(name).unwrap(), kind, key_schema, projection },
        arn: format!("arn:aws:dynamodb:eu-west-2:000000000000:table/App/index/{name}"),
        status: TableStatus::Active,
        throughput: ThroughputHistory::default(),
        item_count: 1,
        size_bytes: 30,
    }
}

/// A local index has no status and no throughput; the definitions are those of all keys, each once.
#[test]
fn indexes_are_described_with_the_service_s_members_in_the_order_of_their_definition() {
    let mut table = table(BillingMode::OnDemand, TableStatus::Active);
    let named = IndexProjection::Include(vec!["name".to_owned(), "role".to_owned()]);
    table.indexes = vec![
        index("zz_local", IndexKind::Local, ["pk", "l"], IndexProjection::KeysOnly),
        index("zz_global", IndexKind::Global(BillingMode::OnDemand), ["g", "at"], named),
        index(
            "aa_global",
            IndexKind::Global(BillingMode::Provisioned { read_units: 3, write_units: 4 }),
            ["g", "pk"],
            IndexProjection::All,
        ),
    ];
    let answer: Value = serde_json::from_str(&text(DescribeTableOutput { table })).unwrap();
    let described = answer.get("Table").unwrap();
    let names = |member: &str, name: &str| -> Vec<String> {
        let elements = described.get(member).unwrap().as_array().unwrap().iter();
        elements.map(|element| element.get(name).unwrap().as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("AttributeDefinitions", "AttributeName"), ["at", "g", "l", "pk"]);
    assert_eq!(names("GlobalSecondaryIndexes", "IndexName"), ["zz_global", "aa_global"]);
    assert_eq!(
        described.get("LocalSecondaryIndexes"),
        Some(&json!([{
            "IndexName": "zz_local",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "l", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
            "IndexSizeBytes": 30, "ItemCount": 1,
            "IndexArn": "arn:aws:dynamodb:eu-west-2:000000000000:table/App/index/zz_local",
        }]))
    );
    assert_eq!(
        described.get("GlobalSecondaryIndexes").and_then(|indexes| indexes.get(0)),
        Some(&json!({
            "IndexName": "zz_global",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}, {"AttributeName": "at", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["name", "role"]},
            "IndexStatus": "ACTIVE",
            "ProvisionedThroughput": {"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 0, "WriteCapacityUnits": 0},
            "IndexSizeBytes": 30, "ItemCount": 1,
            "IndexArn": "arn:aws:dynamodb:eu-west-2:000000000000:table/App/index/zz_global",
        }))
    );
}

#[test]
fn a_new_table_is_described_as_being_created() {
    let billing = BillingMode::Provisioned { read_units: 5, write_units: 7 };
    let mut table = table(billing, TableStatus::Creating);
    table.table_class = Some(TableClass::Standard);
    let answer: Value = serde_json::from_str(&text(CreateTableOutput { table })).unwrap();
    let described = answer.get("TableDescription").unwrap();
    assert_eq!(described.get("TableStatus"), Some(&json!("CREATING")));
    assert_eq!(
        described.get("ProvisionedThroughput"),
        Some(&json!({"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 5, "WriteCapacityUnits": 7}))
    );
    assert_eq!(described.get("BillingModeSummary"), None);
    assert_eq!(described.get("TableClassSummary"), Some(&json!({"TableClass": "STANDARD"})));
}

#[test]
fn the_changes_of_throughput_are_described_with_their_times() {
    let mut table = table(BillingMode::Provisioned { read_units: 5, write_units: 7 }, TableStatus::Updating);
    table.throughput = ThroughputHistory {
        increased_at_ms: Some(1_363_729_003_000),
        decreased_at_ms: Some(1_363_729_004_050),
        decreases_today: 2,
    };
    table.on_demand_since_ms = Some(1_363_729_002_500);
    table.deletion_protection = DeletionProtection::On;
    let answer = text(UpdateTableOutput { table });
    for part in [
        r#"{"TableDescription":{"AttributeDefinitions":"#,
        r#""TableStatus":"UPDATING""#,
        r#""ProvisionedThroughput":{"LastIncreaseDateTime":1363729003.000,"LastDecreaseDateTime":1363729004.050,"#,
        r#""NumberOfDecreasesToday":2,"ReadCapacityUnits":5,"WriteCapacityUnits":7}"#,
        r#""DeletionProtectionEnabled":true}}"#,
        r#""BillingModeSummary":{"BillingMode":"PROVISIONED","LastUpdateToPayPerRequestDateTime":1363729002.500}"#,
    ] {
        assert!(answer.contains(part), "{part}\n is not in {answer}");
    }
}

#[test]
fn a_deleted_table_is_described_without_its_key() {
    let deleted = DeleteTableOutput { table: table(BillingMode::OnDemand, TableStatus::Deleting) };
    let answer: Value = serde_json::from_str(&text(deleted)).unwrap();
    let described = answer.get("TableDescription").unwrap();
    assert_eq!(described.get("TableStatus"), Some(&json!("DELETING")));
    for member in ["KeySchema", "AttributeDefinitions", "CreationDateTime"] {
        assert_eq!(described.get(member), None, "{member}");
    }
}

#[test]
fn table_names_are_listed_with_the_last_one_where_more_follow() {
    let page = |last| ListTablesOutput { table_names: vec![app()], last_evaluated_table_name: last };
    assert_eq!(text(page(None)), r#"{"TableNames":["App"]}"#);
    assert_eq!(text(page(Some(app()))), r#"{"TableNames":["App"],"LastEvaluatedTableName":"App"}"#);
    let empty = ListTablesOutput { table_names: Vec::new(), last_evaluated_table_name: None };
    assert_eq!(text(empty), r#"{"TableNames":[]}"#);
}

/// C38 has this in common with items: what is not there is absent, never `{}` or null.
#[test]
fn an_answer_without_an_item_is_an_empty_object() {
    assert_eq!(text(GetItemOutput { item: None, consumed_capacity: None }), "{}");
    assert_eq!(
        text(PutItemOutput { attributes: None, consumed_capacity: None, item_collection_metrics: None }),
        "{}"
    );
    assert_eq!(
        text(DeleteItemOutput { attributes: None, consumed_capacity: None, item_collection_metrics: None }),
        "{}"
    );
}

#[test]
fn items_and_capacity_are_written_as_the_service_writes_them() {
    let found = stored(&json!({"pk": {"S": "a"}, "n": {"N": "1.50"}}));
    let half = CapacityUnits::halves(1);
    let get = GetItemOutput {
        item: Some(found.clone().into()),
        consumed_capacity: ReturnConsumedCapacity::Total.report(&app(), half),
    };
    assert_eq!(
        text(get),
        r#"{"Item":{"n":{"N":"1.5"},"pk":{"S":"a"}},"ConsumedCapacity":{"TableName":"App","CapacityUnits":0.5}}"#
    );
    let put = PutItemOutput {
        attributes: Some(found.into()),
        consumed_capacity: ReturnConsumedCapacity::Indexes.report(&app(), CapacityUnits::whole(2)),
        item_collection_metrics: None,
    };
    assert_eq!(
        text(put),
        concat!(
            r#"{"Attributes":{"n":{"N":"1.5"},"pk":{"S":"a"}},"ConsumedCapacity":{"TableName":"App","#,
            r#""CapacityUnits":2.0,"Table":{"CapacityUnits":2.0}}}"#
        )
    );
    assert_eq!(ReturnConsumedCapacity::None.report(&app(), half), None);
}

#[test]
fn a_page_has_its_counts_and_where_it_goes_on() {
    let page = QueryOutput {
        items: Some(vec![
            stored(&json!({"pk": {"S": "a"}})).into(),
            ReturnedItem::Parts(item(&json!({"pk": {"S": "b"}}))),
        ]),
        count: 2,
        scanned_count: 2,
        last_evaluated_key: Some(item(&json!({"pk": {"S": "b"}}))),
        consumed_capacity: None,
    };
    assert_eq!(
        text(page),
        concat!(
            r#"{"Items":[{"pk":{"S":"a"}},{"pk":{"S":"b"}}],"Count":2,"ScannedCount":2,"#,
            r#""LastEvaluatedKey":{"pk":{"S":"b"}}}"#
        )
    );
    let counted = QueryOutput {
        items: None,
        count: 3,
        scanned_count: 4,
        last_evaluated_key: None,
        consumed_capacity: None,
    };
    assert_eq!(text(counted), r#"{"Count":3,"ScannedCount":4}"#);
    let empty = QueryOutput {
        items: Some(Vec::new()),
        count: 0,
        scanned_count: 0,
        last_evaluated_key: None,
        consumed_capacity: None,
    };
    assert_eq!(text(empty), r#"{"Items":[],"Count":0,"ScannedCount":0}"#);
}

#[test]
fn capacity_adds_up_exactly() {
    let sum: CapacityUnits =
        [CapacityUnits::halves(1), CapacityUnits::whole(2), CapacityUnits::halves(1)].into_iter().sum();
    assert_eq!(sum, CapacityUnits::whole(3));
    assert_eq!(sum.to_string(), "3.0");
    assert_eq!((sum + CapacityUnits::halves(1)).in_halves(), 7);
}

/// C35: an index that cost nothing has no arm at all.
#[test]
fn capacity_of_indexes_is_told_apart_only_where_it_is_asked_for_and_only_of_those_that_cost_something() {
    let mut consumed = CapacityBreakdown::from(CapacityUnits::whole(1));
    consumed.global_indexes.insert(IndexName::new("by_user").unwrap(), CapacityUnits::whole(2));
    let answer = |asked: ReturnConsumedCapacity| {
        let consumed_capacity = asked.report(&app(), consumed.clone());
        text(PutItemOutput { attributes: None, consumed_capacity, item_collection_metrics: None })
    };
    assert_eq!(
        answer(ReturnConsumedCapacity::Total),
        r#"{"ConsumedCapacity":{"TableName":"App","CapacityUnits":3.0}}"#
    );
    assert_eq!(
        answer(ReturnConsumedCapacity::Indexes),
        concat!(
            r#"{"ConsumedCapacity":{"TableName":"App","CapacityUnits":3.0,"Table":{"CapacityUnits":1.0},"#,
            r#""GlobalSecondaryIndexes":{"by_user":{"CapacityUnits":2.0}}}}"#,
        )
    );
}

#[test]
fn an_item_collection_is_told_with_its_key_and_a_range_of_whole_gigabytes() {
    let metrics =
        |least_gigabytes| ItemCollectionMetrics { key: item(&json!({"pk": {"S": "a"}})), least_gigabytes };
    let put = PutItemOutput {
        attributes: None,
        consumed_capacity: None,
        item_collection_metrics: Some(metrics(0)),
    };
    assert_eq!(
        text(put),
        r#"{"ItemCollectionMetrics":{"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]}}"#
    );
    let batch = BatchWriteItemOutput {
        unprocessed_items: Vec::new(),
        consumed_capacity: None,
        item_collection_metrics: Some(vec![(app(), vec![metrics(2)])]),
    };
    assert_eq!(
        text(batch),
        concat!(
            r#"{"UnprocessedItems":{},"ItemCollectionMetrics":{"App":[{"ItemCollectionKey":{"pk":{"S":"a"}},"#,
            r#""SizeEstimateRangeGB":[2.0,3.0]}]}}"#
        )
    );
}
