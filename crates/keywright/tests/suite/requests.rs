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
use keywright::{RawExpression, Store};

use crate::application::*;
use crate::arm::{in_process_alone, on_every_arm};

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

fn names(names: &[(&str, &str)]) -> Option<HashMap<String, String>> {
    Some(names.iter().map(|(placeholder, name)| ((*placeholder).to_owned(), (*name).to_owned())).collect())
}

fn values(values: &[(&str, AttributeValue)]) -> Option<HashMap<String, AttributeValue>> {
    Some(values.iter().map(|(placeholder, value)| ((*placeholder).to_owned(), value.clone())).collect())
}

/// An index gives what was asked for, and what tells which item it is: nothing whole, and no attribute that the index lacks.
#[tokio::test]
async fn a_query_of_an_index_with_a_projection_is_the_one_by_hand() {
    let store: Store<App> = in_process_alone().store().await;
    let query = tenant(&store, "acme").query(MembershipsOfUser { user_id: "ada".to_owned() }).backward();

    let expected = QueryInput::builder()
        .table_name(store.table_name())
        .index_name("ByUser")
        .key_condition_expression("#k0 = :k0")
        .projection_expression("#p0, #p1, #p2, #p3, #p4")
        .set_expression_attribute_names(names(&[
            ("#k0", "by_user_pk"),
            ("#p0", "role"),
            ("#p1", "pk"),
            ("#p2", "sk"),
            ("#p3", "by_user_pk"),
            ("#p4", "by_user_sk"),
        ]))
        .set_expression_attribute_values(values(&[(":k0", string("ORG#acme#USER#ada"))]))
        .scan_index_forward(false)
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .build()
        .unwrap();
    assert_eq!(query.request().unwrap().unwrap(), expected);
}

/// The pattern's own filter, and one of the caller's beside it.
#[tokio::test]
async fn a_query_with_filters_is_the_one_by_hand() {
    let store: Store<App> = in_process_alone().store().await;
    let acme = tenant(&store, "acme");
    let often = RawExpression::new("#v > :v").unwrap().name("v", "views").value("v", &7).unwrap();
    let query = acme.query(DocumentsTitled { title: "Rare".to_owned() }).and_filter(often);

    let expected = QueryInput::builder()
        .table_name(store.table_name())
        .key_condition_expression("#k0 = :k0 AND #k1 BETWEEN :k1 AND :k2")
        .filter_expression("(#f0 = :f0) AND (#x0_v > :x0_v)")
        .set_expression_attribute_names(names(&[
            ("#k0", "pk"),
            ("#k1", "sk"),
            ("#f0", "title"),
            ("#x0_v", "views"),
        ]))
        .set_expression_attribute_values(values(&[
            (":k0", string("ORG#acme")),
            (":k1", string("DOC")),
            (":k2", string("DOC$")),
            (":f0", string("Rare")),
            (":x0_v", number(7)),
        ]))
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .build()
        .unwrap();
    assert_eq!(query.request().unwrap().unwrap(), expected);
}

/// What a write asks: its text, and its names and values in the order of their placeholders.
type Asked = (Option<String>, Vec<(String, String)>, Vec<(String, AttributeValue)>);

fn asked(
    text: Option<String>,
    names: Option<HashMap<String, String>>,
    values: Option<HashMap<String, AttributeValue>>,
) -> Asked {
    let of_condition = |placeholder: &str| placeholder[1..].starts_with('c');
    let mut names: Vec<_> =
        names.unwrap_or_default().into_iter().filter(|(name, _)| of_condition(name)).collect();
    let mut values: Vec<_> =
        values.unwrap_or_default().into_iter().filter(|(name, _)| of_condition(name)).collect();
    names.sort();
    values.sort_by(|(one, _), (other, _)| one.cmp(other));
    (text, names, values)
}

fn by_hand(text: &str, names: &[(&str, &str)], values: &[(&str, AttributeValue)]) -> Asked {
    asked(Some(text.to_owned()), self::names(names), self::values(values))
}

/// That an item's time is over is asked where the entity has one, and of nothing else.
#[tokio::test]
async fn conditions_on_a_time_to_live_are_those_by_hand() {
    let arm = in_process_alone();
    let store: Store<App> = arm.store().await;
    let acme = tenant(&store, "acme");
    let now = number(arm.now_seconds().try_into().unwrap());
    let invitation = invitation("acme", 1, "ada", arm.now_seconds() + 1000);
    let by_id = || InvitationById { invitation_id: 1 };
    let (key, expiry) = (("#c_key", "pk"), ("#c_expiry", "expires_at"));
    let absent = by_hand(
        "attribute_not_exists(#c_key) OR #c_expiry <= :c_now",
        &[key, expiry],
        &[(":c_now", now.clone())],
    );
    let there = by_hand(
        "attribute_exists(#c_key) AND (attribute_not_exists(#c_expiry) OR NOT #c_expiry <= :c_now)",
        &[key, expiry],
        &[(":c_now", now)],
    );

    let put = |put: PutItemInput| {
        asked(put.condition_expression, put.expression_attribute_names, put.expression_attribute_values)
    };
    assert_eq!(put(acme.put(&invitation).if_absent().request().unwrap()), absent);
    assert_eq!(put(acme.put(&invitation).if_present().request().unwrap()), there);
    assert_eq!(put(acme.put(&invitation).request().unwrap()), (None, vec![], vec![]));
    let delete = acme.delete(by_id()).if_present().request().unwrap();
    let delete = asked(
        delete.condition_expression,
        delete.expression_attribute_names,
        delete.expression_attribute_values,
    );
    assert_eq!(delete, there);
    let update = acme.update(by_id(), EndInvitation { expires_at: 1 }).request().unwrap();
    let update = asked(
        update.condition_expression,
        update.expression_attribute_names,
        update.expression_attribute_values,
    );
    assert_eq!(update, there);
}

/// Where the key holds no tenant, whose the item is that lies there is asked in the same request.
#[tokio::test]
async fn the_fence_of_a_key_without_a_tenant_is_the_one_by_hand() {
    let arm = in_process_alone();
    let store: Store<App> = arm.store().await;
    let acme = tenant(&store, "acme");
    let now = (":c_now", number(arm.now_seconds().try_into().unwrap()));
    let token = share_token("acme", "t1", arm.now_seconds() + 1000);
    let by_token = || ShareByToken { token: "t1".to_owned() };
    let (key, expiry, owner) =
        (("#c_key", "pk"), ("#c_expiry", "expires_at"), ("#c_tenant", "organization_id"));
    let acmes = (":c_tenant", string("acme"));
    let free = by_hand(
        "attribute_not_exists(#c_key) OR #c_expiry <= :c_now OR #c_tenant = :c_tenant",
        &[key, expiry, owner],
        &[now.clone(), acmes.clone()],
    );
    let there = by_hand(
        "(attribute_exists(#c_key) AND (attribute_not_exists(#c_expiry) OR NOT #c_expiry <= :c_now)) AND (#c_tenant = :c_tenant)",
        &[key, expiry, owner],
        &[now, acmes],
    );

    let put = acme.put(&token).request().unwrap();
    assert_eq!(
        put.return_values_on_condition_check_failure,
        Some(ReturnValuesOnConditionCheckFailure::AllOld)
    );
    let put =
        asked(put.condition_expression, put.expression_attribute_names, put.expression_attribute_values);
    assert_eq!(put, free);
    let delete = acme.delete(by_token()).request().unwrap();
    let delete = asked(
        delete.condition_expression,
        delete.expression_attribute_names,
        delete.expression_attribute_values,
    );
    assert_eq!(delete, free);
    let update = acme.update(by_token(), EndShare { expires_at: 1 }).request().unwrap();
    let update = asked(
        update.condition_expression,
        update.expression_attribute_names,
        update.expression_attribute_values,
    );
    assert_eq!(update, there);
}

/// A version is asked for and counted in one request.
#[tokio::test]
async fn a_write_of_a_version_is_the_one_by_hand() {
    let store: Store<App> = in_process_alone().store().await;
    let acme = tenant(&store, "acme");
    let expected = by_hand(
        "(attribute_exists(#c_key)) AND (#c0_ = :c0_)",
        &[("#c_key", "pk"), ("#c0_", "version")],
        &[(":c0_", number(3))],
    );

    let put = acme.put(&document("acme", 1)).if_version(3).request().unwrap();
    assert_eq!(put.item.unwrap()["version"], number(4));
    let put =
        asked(put.condition_expression, put.expression_attribute_names, put.expression_attribute_values);
    assert_eq!(put, expected);
    let update = acme.update(DocumentById { document_id: 1 }, CountViews { views: 2 }).if_version(3);
    let mut update = update.request().unwrap();
    assert_eq!(update.update_expression.as_deref(), Some("SET #u0 = :u0 ADD #u1 :u1, #u2 :u2"));
    take_write_id(&mut update.expression_attribute_values, ":u0");
    let names = update.expression_attribute_names.clone().unwrap();
    assert_eq!([&names["#u0"], &names["#u1"], &names["#u2"]], [WRITE_ID, "views", "version"]);
    let counted = update.expression_attribute_values.clone().unwrap();
    assert_eq!([&counted[":u1"], &counted[":u2"]], [&number(2), &number(1)]);
    let update = asked(
        update.condition_expression,
        update.expression_attribute_names,
        update.expression_attribute_values,
    );
    assert_eq!(update, expected);
}

mod ledger {
    use keywright::{AccessPattern, Entity, Table};
    use serde::{Deserialize, Serialize};

    #[derive(Table)]
    #[table(entities(Entry), patterns(EntryById, Entries))]
    pub(super) struct Ledger;

    #[derive(Clone, Debug, Entity, Serialize, Deserialize)]
    #[entity(table = Ledger, partition_key = "LEDGER#{ledger}", sort_key = "ENTRY#{number}")]
    pub(super) struct Entry {
        ledger: String,
        number: u8,
    }

    #[derive(AccessPattern)]
    #[access_pattern(table = Ledger, get_item, returns(Entry), sort_key_equals = "ENTRY#{number}", consistency = strong)]
    pub(super) struct EntryById {
        pub(super) ledger: String,
        pub(super) number: u8,
    }

    #[derive(AccessPattern)]
    #[access_pattern(table = Ledger, returns(Entry), consistency = strong)]
    pub(super) struct Entries {
        pub(super) ledger: String,
    }
}

/// A table that tenants do not share, whose reads see what was written before them.
#[tokio::test]
async fn strong_reads_are_those_by_hand() {
    let store: Store<ledger::Ledger> = in_process_alone().store().await;
    let (items, ledger) = (store.items(), || "main".to_owned());

    let get = items.get_request(&ledger::EntryById { ledger: ledger(), number: 7 }).unwrap();
    let key = values(&[("pk", string("LEDGER#main")), ("sk", string("ENTRY#007"))]);
    let expected = GetItemInput::builder().table_name(store.table_name()).set_key(key).consistent_read(true);
    assert_eq!(get, expected.return_consumed_capacity(ReturnConsumedCapacity::Total).build().unwrap());
    let query = items.query(ledger::Entries { ledger: ledger() }).request().unwrap().unwrap();
    let expected = QueryInput::builder()
        .table_name(store.table_name())
        .key_condition_expression("#k0 = :k0")
        .expression_attribute_names("#k0", "pk")
        .expression_attribute_values(":k0", string("LEDGER#main"))
        .consistent_read(true)
        .return_consumed_capacity(ReturnConsumedCapacity::Total);
    assert_eq!(query, expected.build().unwrap());
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
