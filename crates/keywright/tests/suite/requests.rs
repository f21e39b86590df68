//! What is sent is what one would write by hand, and costs the same.

use std::collections::HashMap;

use aws_sdk_dynamodb::operation::delete_item::DeleteItemInput;
use aws_sdk_dynamodb::operation::get_item::GetItemInput;
use aws_sdk_dynamodb::operation::put_item::PutItemInput;
use aws_sdk_dynamodb::operation::query::QueryInput;
use aws_sdk_dynamodb::operation::update_item::UpdateItemInput;
use aws_sdk_dynamodb::types::{
    AttributeValue, ReturnConsumedCapacity, ReturnValue, ReturnValuesOnConditionCheckFailure,
};
use keywright::Store;

use crate::application::*;
use crate::arm::on_every_arm;

const WRITE_ID: &str = "keywright_write";

fn string(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn number(number: i64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

fn key(sort_key: &str) -> HashMap<String, AttributeValue> {
    [("pk".to_owned(), string("ORG#acme")), ("sk".to_owned(), string(sort_key))].into()
}

/// Takes out what is another one each time.
fn take_write_id(values: &mut Option<HashMap<String, AttributeValue>>, name: &str) {
    let id = values.as_mut().unwrap().remove(name).unwrap();
    assert_eq!(id.as_s().unwrap().len(), 22);
}

fn ada() -> MemberById {
    MemberById { team_id: "1".to_owned(), user_id: "ada".to_owned() }
}

const ADA: &str = "TEAM#1#MEMBER#ada";

fn handwritten_get(table: &str) -> GetItemInput {
    let get = GetItemInput::builder().table_name(table).set_key(Some(key(ADA)));
    get.return_consumed_capacity(ReturnConsumedCapacity::Total).build().unwrap()
}

fn handwritten_query(table: &str) -> QueryInput {
    QueryInput::builder()
        .table_name(table)
        .key_condition_expression("#k0 = :k0 AND #k1 BETWEEN :k1 AND :k2")
        .expression_attribute_names("#k0", "pk")
        .expression_attribute_names("#k1", "sk")
        .expression_attribute_values(":k0", string("ORG#acme"))
        .expression_attribute_values(":k1", string("TEAM#1"))
        .expression_attribute_values(":k2", string("TEAM#1$"))
        .limit(20)
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .build()
        .unwrap()
}

fn handwritten_put(table: &str) -> PutItemInput {
    PutItemInput::builder()
        .table_name(table)
        .set_item(Some(key(ADA)))
        .item("by_user_pk", string("ORG#acme#USER#ada"))
        .item("by_user_sk", string("00000000000000000007"))
        .item("entity", string("member"))
        .item("organization_id", string("acme"))
        .item("team_id", string("1"))
        .item("user_id", string("ada"))
        .item("role", string("engineer"))
        .item("joined_at", number(7))
        .item("points", number(0))
        .condition_expression("attribute_not_exists(#c_key)")
        .expression_attribute_names("#c_key", "pk")
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .build()
        .unwrap()
}

fn handwritten_update(table: &str) -> UpdateItemInput {
    UpdateItemInput::builder()
        .table_name(table)
        .set_key(Some(key(ADA)))
        .update_expression("SET #u0 = :u0 ADD #u1 :u1")
        .condition_expression("attribute_exists(#c_key)")
        .expression_attribute_names("#u0", WRITE_ID)
        .expression_attribute_names("#u1", "points")
        .expression_attribute_names("#c_key", "pk")
        .expression_attribute_values(":u1", number(2))
        .return_values(ReturnValue::AllNew)
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .build()
        .unwrap()
}

fn handwritten_delete(table: &str) -> DeleteItemInput {
    let delete = DeleteItemInput::builder().table_name(table).set_key(Some(key(ADA)));
    delete.return_consumed_capacity(ReturnConsumedCapacity::Total).build().unwrap()
}

#[tokio::test]
async fn requests_are_those_that_one_would_write_by_hand() {
    on_every_arm(|arm| async move {
        let store: Store<App> = arm.store().await;
        let acme = tenant(&store, "acme");
        let table = store.table_name();

        assert_eq!(acme.get_request(&ada()).unwrap(), handwritten_get(table));
        let query = acme.query(TeamWithMembers { team_id: "1".to_owned() }).limit(20.try_into().unwrap());
        assert_eq!(query.request().unwrap().unwrap(), handwritten_query(table));
        assert_eq!(acme.delete(ada()).request().unwrap(), handwritten_delete(table));

        let put = acme.put(&member("acme", "1", "ada")).if_absent().request().unwrap();
        let PutItemInput { mut item, .. } = put.clone();
        take_write_id(&mut item, WRITE_ID);
        let expected = handwritten_put(table);
        assert_eq!(item, expected.item);
        assert_eq!(put.condition_expression, expected.condition_expression);
        assert_eq!(put.expression_attribute_names, expected.expression_attribute_names);
        assert_eq!(put.expression_attribute_values, None);
        assert_eq!(
            put.return_values_on_condition_check_failure,
            expected.return_values_on_condition_check_failure
        );
        let plain = acme.put(&member("acme", "1", "ada")).request().unwrap();
        assert_eq!((plain.condition_expression, plain.expression_attribute_names), (None, None));

        let mut update = acme.update(ada(), Award { points: 2 }).request().unwrap();
        take_write_id(&mut update.expression_attribute_values, ":u0");
        assert_eq!(update, handwritten_update(table));
        assert!(store.usage().reads.is_empty() && store.usage().writes.is_empty(), "a look sends nothing");
    })
    .await;
}

/// Every call once by the layer and once by hand, on two tables.
#[tokio::test]
async fn a_call_is_one_request_and_takes_the_units_of_the_one_by_hand() {
    on_every_arm(|arm| async move {
        let (ours, by_hand) = (arm.store::<App>().await, arm.store::<App>().await);
        let acme = tenant(&ours, "acme");
        let client = arm.client();
        let table = by_hand.table_name();
        let id = string("AAAAAAAAAAAAAAAAAAAAAA");
        let units = |capacity: Option<aws_sdk_dynamodb::types::ConsumedCapacity>| {
            capacity.and_then(|capacity| capacity.capacity_units).unwrap()
        };

        let put = acme.put(&member("acme", "1", "ada")).if_absent().send().await.unwrap().done().unwrap();
        let raw = client.put_item().table_name(table).set_item(handwritten_put(table).item);
        let raw = raw.item(WRITE_ID, id.clone()).return_consumed_capacity(ReturnConsumedCapacity::Total);
        assert_eq!(put.write_units.unwrap(), units(raw.send().await.unwrap().consumed_capacity));

        let update = acme.update(ada(), Award { points: 2 }).send().await.unwrap().done().unwrap();
        let expected = handwritten_update(table);
        let raw = client
            .update_item()
            .table_name(table)
            .set_key(expected.key)
            .set_update_expression(expected.update_expression)
            .set_condition_expression(expected.condition_expression)
            .set_expression_attribute_names(expected.expression_attribute_names)
            .set_expression_attribute_values(expected.expression_attribute_values)
            .expression_attribute_values(":u0", id)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        assert_eq!(update.write_units.unwrap(), units(raw.send().await.unwrap().consumed_capacity));

        acme.get(ada()).await.unwrap().unwrap();
        let raw = client.get_item().table_name(table).set_key(Some(key(ADA)));
        let raw = raw.return_consumed_capacity(ReturnConsumedCapacity::Total).send().await.unwrap();
        assert_eq!(ours.usage().reads["MemberById"].units, units(raw.consumed_capacity));

        let pattern = TeamWithMembers { team_id: "1".to_owned() };
        let page = acme.query(pattern).limit(20.try_into().unwrap()).page().await.unwrap();
        let expected = handwritten_query(table);
        let raw = client
            .query()
            .table_name(table)
            .set_key_condition_expression(expected.key_condition_expression)
            .set_expression_attribute_names(expected.expression_attribute_names)
            .set_expression_attribute_values(expected.expression_attribute_values)
            .limit(20)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        assert_eq!(page.read_units, units(raw.send().await.unwrap().consumed_capacity));

        let delete = acme.delete(ada()).send().await.unwrap();
        let raw = client.delete_item().table_name(table).set_key(Some(key(ADA)));
        let raw = raw.return_consumed_capacity(ReturnConsumedCapacity::Total).send().await.unwrap();
        assert_eq!(delete.write_units.unwrap(), units(raw.consumed_capacity));

        let usage = ours.usage();
        assert_eq!((usage.reads["MemberById"].requests, usage.reads["TeamWithMembers"].requests), (1, 1));
        assert_eq!(usage.writes["Member"].requests, 3);
        assert!(!acme.delete(ada()).if_present().send().await.unwrap().is_done());
        assert_eq!(ours.usage().writes["Member"].requests, 4, "a refusal is an answer");
    })
    .await;
}
