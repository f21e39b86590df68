//! What works on every arm.

use std::collections::{BTreeSet, HashMap};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::create_table::CreateTableError;
use aws_sdk_dynamodb::operation::delete_table::DeleteTableError;
use aws_sdk_dynamodb::operation::describe_table::DescribeTableError;
use aws_sdk_dynamodb::operation::get_item::GetItemError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::update_table::UpdateTableError;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType, ProvisionedThroughput,
    ReturnConsumedCapacity, ReturnValue, ScalarAttributeType, TableStatus,
};

use crate::arm::Arm;

pub(crate) fn string(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub(crate) fn number(number: impl ToString) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

pub(crate) fn attribute(name: &str, kind: ScalarAttributeType) -> AttributeDefinition {
    AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build().unwrap()
}

pub(crate) fn key(name: &str, role: KeyType) -> KeySchemaElement {
    KeySchemaElement::builder().attribute_name(name).key_type(role).build().unwrap()
}

/// A table with the keys `pk` (S) and `sk` (N).
pub(crate) async fn create_table(client: &Client, name: &str) {
    client
        .create_table()
        .table_name(name)
        .attribute_definitions(attribute("pk", ScalarAttributeType::S))
        .attribute_definitions(attribute("sk", ScalarAttributeType::N))
        .key_schema(key("pk", KeyType::Hash))
        .key_schema(key("sk", KeyType::Range))
        .billing_mode(BillingMode::PayPerRequest)
        .send()
        .await
        .unwrap();
}

pub(crate) async fn put(client: &Client, table: &str, pk: &str, sk: usize) {
    client.put_item().table_name(table).item("pk", string(pk)).item("sk", number(sk)).send().await.unwrap();
}

fn sort_keys(items: &[HashMap<String, AttributeValue>]) -> Vec<usize> {
    items.iter().map(|item| item["sk"].as_n().unwrap().parse().unwrap()).collect()
}

pub(crate) async fn a_table_is_created_described_listed_and_deleted(arm: Arm) {
    let client = &arm.client;
    create_table(client, "Orders").await;
    let described = client.describe_table().table_name("Orders").send().await.unwrap().table.unwrap();
    assert_eq!(described.table_status, Some(TableStatus::Active));
    assert_eq!(described.table_arn.as_deref(), Some("arn:aws:dynamodb:us-east-1:000000000000:table/Orders"));
    assert_eq!(described.key_schema().len(), 2);
    assert_eq!(client.list_tables().send().await.unwrap().table_names(), ["Orders"]);

    client.delete_table().table_name("Orders").send().await.unwrap();
    assert!(client.list_tables().send().await.unwrap().table_names().is_empty());
}

pub(crate) async fn the_capacity_of_a_table_is_changed(arm: Arm) {
    let client = &arm.client;
    create_table(client, "Orders").await;
    let units = |units| {
        ProvisionedThroughput::builder().read_capacity_units(units).write_capacity_units(2 * units).build()
    };
    let update = |mode, units: Option<ProvisionedThroughput>| {
        let update = client.update_table().table_name("Orders").set_billing_mode(mode);
        update.set_provisioned_throughput(units).send()
    };
    let updated = update(Some(BillingMode::Provisioned), Some(units(5).unwrap())).await.unwrap();
    assert_eq!(updated.table_description.unwrap().table_status, Some(TableStatus::Updating));
    update(None, Some(units(6).unwrap())).await.unwrap();
    put(client, "Orders", "a", 1).await;
    let described = client.describe_table().table_name("Orders").send().await.unwrap().table.unwrap();
    assert_eq!(described.table_status, Some(TableStatus::Active));
    assert_eq!(described.billing_mode_summary.unwrap().billing_mode, Some(BillingMode::Provisioned));
    let throughput = described.provisioned_throughput.unwrap();
    assert_eq!((throughput.read_capacity_units, throughput.write_capacity_units), (Some(6), Some(12)));
    assert!(throughput.last_increase_date_time.is_some());

    let same = update(None, Some(units(6).unwrap())).await.unwrap_err();
    assert_eq!(same.code(), Some("ValidationException"));
    let missing = client.update_table().table_name("none").billing_mode(BillingMode::PayPerRequest);
    let missing = missing.send().await.unwrap_err().into_service_error();
    assert!(matches!(missing, UpdateTableError::ResourceNotFoundException(_)), "{missing:?}");
    update(Some(BillingMode::PayPerRequest), None).await.unwrap();
}

pub(crate) async fn lists_of_tables_come_in_pages(arm: Arm) {
    let names = ["Amber", "Beryl", "Coral", "Diamond", "Emerald"];
    for name in names {
        create_table(&arm.client, name).await;
    }
    let mut pages = arm.client.list_tables().limit(2).into_paginator().send();
    let mut seen = Vec::new();
    while let Some(page) = pages.next().await {
        seen.push(page.unwrap().table_names.unwrap_or_default());
    }
    assert_eq!(seen.concat(), names);
    assert_eq!(seen[0].len(), 2);
}

pub(crate) async fn an_item_of_every_type_comes_back_as_it_was_put(arm: Arm) {
    let client = &arm.client;
    create_table(client, "Things").await;
    let inner = HashMap::from([("ключ \"\\\u{1}".to_owned(), AttributeValue::Null(true))]);
    let item = HashMap::from([
        ("pk".to_owned(), string("every type")),
        ("sk".to_owned(), number("-12345678901234567890123456789.123456789")),
        ("text".to_owned(), string("\u{0}\"\\/\n\u{7f}é漢🦀")),
        ("empty".to_owned(), string("")),
        ("bytes".to_owned(), AttributeValue::B(Blob::new((0..=255).collect::<Vec<u8>>()))),
        ("yes".to_owned(), AttributeValue::Bool(true)),
        ("list".to_owned(), AttributeValue::L(vec![number(1), AttributeValue::L(vec![]), string("x")])),
        ("map".to_owned(), AttributeValue::M(inner)),
        ("strings".to_owned(), AttributeValue::Ss(vec!["a".into(), "b".into()])),
        ("numbers".to_owned(), AttributeValue::Ns(vec!["-1".into(), "2.5".into()])),
        ("binaries".to_owned(), AttributeValue::Bs(vec![Blob::new([0]), Blob::new([1, 2])])),
    ]);
    client.put_item().table_name("Things").set_item(Some(item.clone())).send().await.unwrap();
    let get = client.get_item().table_name("Things").consistent_read(true);
    let found = get.key("pk", item["pk"].clone()).key("sk", item["sk"].clone()).send().await.unwrap();
    let mut found = found.item.unwrap();
    for set in ["numbers", "strings"] {
        if let Some(AttributeValue::Ns(members) | AttributeValue::Ss(members)) = found.get_mut(set) {
            members.sort();
        }
    }
    assert_eq!(found, item);
}

pub(crate) async fn an_item_is_replaced_and_deleted_and_the_old_one_returned(arm: Arm) {
    let client = &arm.client;
    create_table(client, "Things").await;
    let put = |color: &str| {
        let put = client.put_item().table_name("Things").item("pk", string("a")).item("sk", number(1));
        put.item("color", string(color)).return_values(ReturnValue::AllOld)
    };
    assert_eq!(put("red").send().await.unwrap().attributes, None);
    let replaced = put("blue").send().await.unwrap().attributes.unwrap();
    assert_eq!(replaced["color"], string("red"));

    let delete = client.delete_item().table_name("Things").key("pk", string("a")).key("sk", number("1.0"));
    let delete = delete.return_values(ReturnValue::AllOld);
    let deleted = delete.clone().send().await.unwrap().attributes.unwrap();
    assert_eq!(deleted["color"], string("blue"));
    assert_eq!(delete.send().await.unwrap().attributes, None);
    let get = client.get_item().table_name("Things").key("pk", string("a")).key("sk", number(1));
    assert_eq!(get.send().await.unwrap().item, None);
}

pub(crate) async fn a_query_reads_ranges_in_both_directions(arm: Arm) {
    let client = &arm.client;
    create_table(client, "Things").await;
    for sk in 0..20 {
        put(client, "Things", "a", sk).await;
        put(client, "Things", "b", sk).await;
    }
    let query = client
        .query()
        .table_name("Things")
        .key_condition_expression("pk = :p AND #s BETWEEN :from AND :to")
        .expression_attribute_names("#s", "sk")
        .expression_attribute_values(":p", string("a"))
        .expression_attribute_values(":from", number(5))
        .expression_attribute_values(":to", number(12));
    let forward = query.clone().send().await.unwrap();
    assert_eq!(sort_keys(forward.items()), (5..=12).collect::<Vec<_>>());
    assert_eq!((forward.count, forward.last_evaluated_key), (8, None));
    let backward = query.scan_index_forward(false).limit(3).send().await.unwrap();
    assert_eq!(sort_keys(backward.items()), [12, 11, 10]);
    assert_eq!(backward.last_evaluated_key.unwrap()["sk"], number(10));
}

pub(crate) async fn a_paginator_reads_every_page_once(arm: Arm) {
    let client = &arm.client;
    create_table(client, "Things").await;
    // Ten items of 300 KB: a page of 1 MB holds no more than four.
    let filler = "x".repeat(300 * 1024);
    for sk in 0..10 {
        let item = client.put_item().table_name("Things").item("pk", string("a")).item("sk", number(sk));
        item.item("filler", string(filler.as_str())).send().await.unwrap();
    }
    let query = client.query().table_name("Things").key_condition_expression("pk = :p");
    let query = query.expression_attribute_values(":p", string("a"));
    let mut pages = query.clone().into_paginator().send();
    let mut seen = Vec::new();
    let mut page_count = 0;
    while let Some(page) = pages.next().await {
        seen.extend(sort_keys(page.unwrap().items()));
        page_count += 1;
    }
    assert_eq!(seen, (0..10).collect::<Vec<_>>());
    assert!(page_count >= 3, "{page_count} pages");

    let mut items = query.limit(3).into_paginator().items().send();
    let mut count = 0;
    while let Some(item) = items.next().await {
        assert_eq!(item.unwrap()["sk"], number(count));
        count += 1;
    }
    assert_eq!(count, 10);
}

pub(crate) async fn refusals_are_the_typed_errors_of_the_operation(arm: Arm) {
    let client = &arm.client;
    let described = client.describe_table().table_name("none").send().await.unwrap_err().into_service_error();
    let DescribeTableError::ResourceNotFoundException(error) = described else { panic!("{described:?}") };
    assert_eq!(error.message(), Some("Requested resource not found: Table: none not found"));

    let get = client.get_item().table_name("none").key("pk", string("a"));
    let error = get.send().await.unwrap_err().into_service_error();
    assert!(matches!(error, GetItemError::ResourceNotFoundException(_)), "{error:?}");

    let put = client.put_item().table_name("none").item("pk", string("a"));
    let error = put.send().await.unwrap_err().into_service_error();
    assert!(matches!(error, PutItemError::ResourceNotFoundException(_)), "{error:?}");

    let deleted = client.delete_table().table_name("none").send().await.unwrap_err().into_service_error();
    assert!(matches!(deleted, DeleteTableError::ResourceNotFoundException(_)), "{deleted:?}");

    create_table(client, "Twice").await;
    let again = client
        .create_table()
        .table_name("Twice")
        .attribute_definitions(attribute("pk", ScalarAttributeType::S))
        .key_schema(key("pk", KeyType::Hash))
        .billing_mode(BillingMode::PayPerRequest);
    let error = again.send().await.unwrap_err().into_service_error();
    assert!(matches!(error, CreateTableError::ResourceInUseException(_)), "{error:?}");
}

pub(crate) async fn a_validation_error_carries_its_code_and_message(arm: Arm) {
    create_table(&arm.client, "Things").await;
    let put = arm.client.put_item().table_name("Things").item("pk", string("a"));
    let error = put.send().await.unwrap_err();
    assert!(matches!(&error, SdkError::ServiceError(refused) if refused.raw().status().as_u16() == 400));
    assert_eq!(error.code(), Some("ValidationException"));
    assert_eq!(
        error.message(),
        Some("One or more parameter values were invalid: Missing the key sk in the item")
    );
}

pub(crate) async fn consumed_capacity_is_reported(arm: Arm) {
    let client = &arm.client;
    create_table(client, "Things").await;
    let put = client.put_item().table_name("Things").item("pk", string("a")).item("sk", number(1));
    let put =
        put.item("filler", string("x".repeat(3_000))).return_consumed_capacity(ReturnConsumedCapacity::Total);
    let written = put.send().await.unwrap().consumed_capacity.unwrap();
    assert_eq!((written.table_name.as_deref(), written.capacity_units), (Some("Things"), Some(3.0)));
    let get = client.get_item().table_name("Things").key("pk", string("a")).key("sk", number(1));
    let read = get.return_consumed_capacity(ReturnConsumedCapacity::Total).send().await.unwrap();
    assert_eq!(read.consumed_capacity.unwrap().capacity_units, Some(0.5));
}

pub(crate) async fn many_tasks_share_one_client(arm: Arm) {
    const TASKS: usize = 32;
    const ITEMS: usize = 20;
    create_table(&arm.client, "Things").await;
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..TASKS {
        let client = arm.client.clone();
        tasks.spawn(async move {
            let pk = format!("task {task}");
            for sk in 0..ITEMS {
                put(&client, "Things", &pk, sk).await;
                let get = client.get_item().table_name("Things").consistent_read(true);
                let found = get.key("pk", string(&pk)).key("sk", number(sk)).send().await.unwrap();
                assert!(found.item.is_some(), "{pk} lost item {sk} that it had just put");
            }
            pk
        });
    }
    let mut seen = BTreeSet::new();
    while let Some(pk) = tasks.join_next().await {
        let pk = pk.unwrap();
        let query = arm.client.query().table_name("Things").key_condition_expression("pk = :p");
        let page = query.expression_attribute_values(":p", string(&pk)).send().await.unwrap();
        assert_eq!(sort_keys(page.items()), (0..ITEMS).collect::<Vec<_>>());
        seen.insert(pk);
    }
    assert_eq!(seen.len(), TASKS);
}
