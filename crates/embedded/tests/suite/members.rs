//! Batches and transactions, on every arm.

use std::collections::HashMap;

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    AttributeValue, ConditionCheck, Delete, DeleteRequest, Get, KeysAndAttributes, Put, PutRequest,
    ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure, TransactGetItem, TransactWriteItem, Update,
    WriteRequest,
};

use crate::arm::Arm;
use crate::cases::{create_table, number, put, string};

/// The key of an item of a table that `create_table` made.
fn key(pk: &str, sk: usize) -> HashMap<String, AttributeValue> {
    HashMap::from([("pk".to_owned(), string(pk)), ("sk".to_owned(), number(sk))])
}

fn put_request(pk: &str, sk: usize) -> WriteRequest {
    let put = PutRequest::builder().set_item(Some(key(pk, sk))).build().unwrap();
    WriteRequest::builder().put_request(put).build()
}

fn delete_request(pk: &str, sk: usize) -> WriteRequest {
    let delete = DeleteRequest::builder().set_key(Some(key(pk, sk))).build().unwrap();
    WriteRequest::builder().delete_request(delete).build()
}

fn keys(pk: &str, count: usize) -> KeysAndAttributes {
    let keys = (0..count).map(|sk| key(pk, sk)).collect();
    KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(true).build().unwrap()
}

pub(crate) async fn a_batch_writes_and_a_batch_reads_several_tables(arm: Arm) {
    let client = &arm.client;
    create_table(client, "Orders").await;
    create_table(client, "Things").await;
    put(client, "Things", "old", 1).await;
    let written = client
        .batch_write_item()
        .request_items("Orders", (0..20).map(|sk| put_request("a", sk)).collect())
        .request_items("Things", vec![put_request("b", 0), delete_request("old", 1)])
        .send()
        .await
        .unwrap();
    assert_eq!(written.unprocessed_items(), Some(&HashMap::new()));

    let read = client
        .batch_get_item()
        .request_items("Orders", keys("a", 25))
        .request_items("Things", keys("b", 1))
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .send()
        .await
        .unwrap();
    let responses = read.responses().unwrap();
    assert_eq!((responses["Orders"].len(), responses["Things"].len()), (20, 1));
    assert_eq!(read.unprocessed_keys(), Some(&HashMap::new()));
    let units: f64 = read.consumed_capacity().iter().filter_map(|table| table.capacity_units).sum();
    assert_eq!(units, 26.0);
}

pub(crate) async fn a_transaction_writes_all_or_nothing_and_says_why(arm: Arm) {
    let client = &arm.client;
    create_table(client, "Things").await;
    put(client, "Things", "checked", 1).await;
    put(client, "Things", "deleted", 1).await;
    let put = Put::builder().table_name("Things").set_item(Some(key("new", 1)));
    let put = TransactWriteItem::builder().put(put.build().unwrap()).build();
    let update = Update::builder()
        .table_name("Things")
        .set_key(Some(key("counter", 1)))
        .update_expression("ADD n :one")
        .expression_attribute_values(":one", number(1));
    let update = TransactWriteItem::builder().update(update.build().unwrap()).build();
    let delete = Delete::builder().table_name("Things").set_key(Some(key("deleted", 1)));
    let delete = TransactWriteItem::builder().delete(delete.build().unwrap()).build();
    let check = |condition: &str| {
        let check = ConditionCheck::builder()
            .table_name("Things")
            .set_key(Some(key("checked", 1)))
            .condition_expression(condition)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        TransactWriteItem::builder().condition_check(check.build().unwrap()).build()
    };
    let transaction = |condition: &str| {
        let actions = vec![put.clone(), update.clone(), delete.clone(), check(condition)];
        client.transact_write_items().set_transact_items(Some(actions))
    };

    let cancelled = transaction("attribute_not_exists(pk)").send().await.unwrap_err().into_service_error();
    let TransactWriteItemsError::TransactionCanceledException(cancelled) = cancelled else {
        panic!("{cancelled:?}")
    };
    assert_eq!(
        cancelled.message(),
        Some(
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, None, None, \
             ConditionalCheckFailed]"
        )
    );
    let reasons = cancelled.cancellation_reasons();
    assert_eq!(reasons[0].code(), Some("None"));
    assert_eq!(reasons[3].item(), Some(&key("checked", 1)));

    transaction("attribute_exists(pk)").client_request_token("once").send().await.unwrap();
    transaction("attribute_exists(pk)").client_request_token("once").send().await.unwrap();
    let gets = ["new", "counter", "deleted"].map(|pk| {
        let get = Get::builder().table_name("Things").set_key(Some(key(pk, 1)));
        TransactGetItem::builder().get(get.build().unwrap()).build()
    });
    let read = client.transact_get_items().set_transact_items(Some(gets.to_vec())).send().await.unwrap();
    let items: Vec<Option<&HashMap<String, AttributeValue>>> =
        read.responses().iter().map(|response| response.item()).collect();
    assert_eq!(items[0], Some(&key("new", 1)));
    assert_eq!(items[1].unwrap()["n"], number(1));
    assert_eq!(items[2], None);

    let other = client.transact_write_items().transact_items(put).client_request_token("once");
    let error = other.send().await.unwrap_err().into_service_error();
    assert!(
        matches!(&error, TransactWriteItemsError::IdempotentParameterMismatchException(refused)
            if refused.message().is_some()),
        "{error:?}"
    );
}
