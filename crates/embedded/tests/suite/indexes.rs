//! Secondary indexes, on every arm.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{
    AttributeValue, BillingMode, GlobalSecondaryIndex, IndexStatus, KeyType, LocalSecondaryIndex, Projection,
    ProjectionType, ReturnConsumedCapacity, ScalarAttributeType, Select,
};

use crate::arm::Arm;
use crate::cases::{attribute, key, number, string};

pub(crate) async fn indexes_are_created_kept_and_read(arm: Arm) {
    let client = &arm.client;
    let include =
        Projection::builder().projection_type(ProjectionType::Include).non_key_attributes("total").build();
    let by_owner = GlobalSecondaryIndex::builder()
        .index_name("by_owner")
        .key_schema(key("owner", KeyType::Hash))
        .key_schema(key("region", KeyType::Hash))
        .key_schema(key("sk", KeyType::Range))
        .projection(include)
        .build()
        .unwrap();
    let by_total = LocalSecondaryIndex::builder()
        .index_name("by_total")
        .key_schema(key("pk", KeyType::Hash))
        .key_schema(key("total", KeyType::Range))
        .projection(Projection::builder().projection_type(ProjectionType::KeysOnly).build())
        .build()
        .unwrap();
    let created = client
        .create_table()
        .table_name("Orders")
        .attribute_definitions(attribute("pk", ScalarAttributeType::S))
        .attribute_definitions(attribute("sk", ScalarAttributeType::N))
        .attribute_definitions(attribute("owner", ScalarAttributeType::S))
        .attribute_definitions(attribute("region", ScalarAttributeType::S))
        .attribute_definitions(attribute("total", ScalarAttributeType::N))
        .key_schema(key("pk", KeyType::Hash))
        .key_schema(key("sk", KeyType::Range))
        .global_secondary_indexes(by_owner)
        .local_secondary_indexes(by_total)
        .billing_mode(BillingMode::PayPerRequest)
        .send()
        .await
        .unwrap();
    let description = created.table_description().unwrap();
    let global = &description.global_secondary_indexes()[0];
    assert!(global.index_arn().unwrap().ends_with("table/Orders/index/by_owner"));
    assert_eq!(global.key_schema().len(), 3);
    assert!([IndexStatus::Creating, IndexStatus::Active].contains(global.index_status().unwrap()));
    assert_eq!(description.local_secondary_indexes()[0].index_name(), Some("by_total"));

    for sk in 0..10 {
        let item = client.put_item().table_name("Orders").item("pk", string("a")).item("sk", number(sk));
        let item = item.item("total", number(100 - sk)).item("note", string("n"));
        let item =
            if sk % 2 == 0 { item.item("owner", string("o")).item("region", string("eu")) } else { item };
        item.send().await.unwrap();
    }
    let query = client.query().table_name("Orders").index_name("by_owner");
    let query = query.key_condition_expression("#owner = :o AND #region = :r AND sk > :zero");
    let query =
        query.expression_attribute_names("#owner", "owner").expression_attribute_names("#region", "region");
    let query = query.expression_attribute_values(":o", string("o"));
    let query = query.expression_attribute_values(":r", string("eu"));
    let query = query.expression_attribute_values(":zero", number(0));
    let mut items = query.clone().limit(1).into_paginator().items().send();
    let mut found = Vec::new();
    while let Some(item) = items.next().await {
        found.push(item.unwrap()["sk"].clone());
    }
    assert_eq!(found, [2, 4, 6, 8].map(number));
    let first =
        query.limit(1).return_consumed_capacity(ReturnConsumedCapacity::Indexes).send().await.unwrap();
    let names: HashMap<_, _> = first.last_evaluated_key().cloned().unwrap();
    assert_eq!(names.len(), 4, "{names:?}");
    let consumed = first.consumed_capacity().unwrap().global_secondary_indexes().unwrap();
    assert_eq!(consumed["by_owner"].capacity_units(), Some(0.5));
    assert_eq!(first.items()[0].get("note"), None);

    let local =
        client.query().table_name("Orders").index_name("by_total").key_condition_expression("pk = :p");
    let local = local.expression_attribute_values(":p", string("a")).consistent_read(true);
    let whole = local.select(Select::AllAttributes).send().await.unwrap();
    let totals: Vec<&AttributeValue> = whole.items().iter().map(|item| &item["total"]).collect();
    assert_eq!(totals, (91..=100).map(number).collect::<Vec<_>>().iter().collect::<Vec<_>>());
    assert!(whole.items().iter().all(|item| item.contains_key("note")), "fetched from the table");

    let scanned = client.scan().table_name("Orders").index_name("by_owner").send().await.unwrap();
    assert_eq!(scanned.count(), 5);
}
