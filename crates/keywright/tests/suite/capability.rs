//! What an arm declares that it lacks it does lack, and what it declares that it has it has.

use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::types::{
    ReturnValuesOnConditionCheckFailure, StreamSpecification, StreamViewType, TimeToLiveSpecification,
};
use keywright::{
    AccessPattern, Capabilities, Capability, Difference, Entity, OpenError, Projection, SnapshotError, Store,
    Table, TransactionError,
};
use serde::{Deserialize, Serialize};

use crate::application::*;
use crate::arm::on_every_arm;

/// An index whose keys are attributes that items have anyway.
#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Place),
    patterns(PlacesIn),
    index(ByRegion, partition_key(organization_id, country), sort_key(region, city))
)]
struct Places;

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = Places, partition_key = "ORG#{organization_id}", sort_key = "PLACE#{place_id}", index(ByRegion))]
struct Place {
    organization_id: OrganizationId,
    place_id: u64,
    country: String,
    region: String,
    city: String,
}

#[derive(Clone, Debug, PartialEq, Projection, Deserialize)]
#[projection(of = Place)]
struct PlaceName {
    place_id: u64,
    region: String,
    city: String,
}

#[derive(AccessPattern)]
#[access_pattern(
    table = Places,
    index = ByRegion,
    returns(Place as PlaceName),
    sort_key_attributes(region, city(starts_with = beginning))
)]
struct PlacesIn {
    country: String,
    region: String,
    beginning: String,
}

async fn put_places(store: &Store<Places>) {
    let cities = [("Vaud", "Lausanne"), ("Vaud", "Leysin"), ("Vaud", "Vevey"), ("Valais", "Leuk")];
    for organization in ["acme", "other"] {
        let organization_id = OrganizationId(organization.to_owned());
        for (place_id, (region, city)) in (0_u64..).zip(cities) {
            let place = Place {
                organization_id: organization_id.clone(),
                place_id,
                country: "CH".to_owned(),
                region: region.to_owned(),
                city: city.to_owned(),
            };
            store.tenant(&organization_id).unwrap().put(&place).send().await.unwrap();
        }
    }
}

#[tokio::test]
async fn an_index_of_several_attributes_is_read_or_the_store_does_not_open() {
    on_every_arm(|arm| async move {
        let builder = arm.builder::<Places>();
        if arm.capabilities().multi_attribute_keys == Capability::Absent {
            assert!(builder.create_table().await.is_err(), "it is declared absent, and is there");
            let opened = builder.open().await;
            assert!(matches!(opened, Err(OpenError::Lacks(_))), "{:?}", opened.map(|_| ()));
            return;
        }
        let store = arm.store::<Places>().await;
        put_places(&store).await;
        let acme = store.tenant(&OrganizationId("acme".to_owned())).unwrap();
        let pattern =
            || PlacesIn { country: "CH".to_owned(), region: "Vaud".to_owned(), beginning: "L".to_owned() };
        let one = || acme.query(pattern()).limit(1.try_into().unwrap());

        let first = one().page().await.unwrap();
        let second = one().after(first.next.clone().unwrap()).page().await.unwrap();

        let cities = |page: keywright::Page<PlaceName>| -> Vec<(u64, String)> {
            page.into_items().unwrap().into_iter().map(|place| (place.place_id, place.city)).collect()
        };
        assert_eq!(cities(first), [(0, "Lausanne".to_owned())]);
        assert_eq!(cities(second), [(1, "Leysin".to_owned())]);
    })
    .await;
}

/// A builder begins with what Amazon DynamoDB has. On this project's engine a store then failed to open with "unknown operation" alone, whether
/// its design had a time to live or not.
#[tokio::test]
async fn an_engine_without_time_to_live_is_named_where_the_design_has_one_and_opened_where_not() {
    on_every_arm(|arm| async move {
        if arm.capabilities().time_to_live == Capability::Present {
            return;
        }
        let has_it = Capabilities { time_to_live: Capability::Present, ..arm.capabilities() };
        let builder = arm.builder::<App>();
        builder.create_table().await.unwrap();
        let refused = builder.capabilities(has_it).open().await.map(|_| ()).unwrap_err();
        match refused {
            OpenError::Lacks(lacking) => {
                assert!(lacking.concat().contains("StoreBuilder::capabilities"), "{lacking:?}");
            }
            // One that says of itself that it has none.
            OpenError::Differs(differences) => {
                assert!(
                    matches!(differences[..], [Difference::TimeToLive { found: None, .. }]),
                    "{differences:?}"
                );
            }
            other => panic!("{other:?}"),
        }

        if arm.capabilities().multi_attribute_keys == Capability::Present {
            let builder = arm.builder::<Places>();
            builder.create_table().await.unwrap();
            builder.capabilities(has_it).open().await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn the_item_in_the_way_comes_with_the_refusal_or_is_read() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        acme.put(&team("acme", "1")).send().await.unwrap();
        let put = acme.put(&team("acme", "1")).if_absent().request().unwrap();
        let refused = arm.client().put_item().table_name(store.table_name()).set_item(put.item);
        let refused = refused
            .condition_expression("attribute_not_exists(pk)")
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .send()
            .await
            .unwrap_err()
            .into_service_error();
        let item = match refused {
            PutItemError::ConditionalCheckFailedException(failure) => failure.item,
            other => panic!("{other:?}"),
        };
        let declared = arm.capabilities().items_of_failed_conditions == Capability::Present;
        assert_eq!(item.is_some(), declared);
    })
    .await;
}

#[tokio::test]
async fn a_transaction_is_carried_out_or_refused_before_anything_is_sent() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let mut transaction = acme.transaction();
        transaction.add(acme.put(&team("acme", "1")).if_absent());
        let token = transaction.token();
        let request = arm.client().transact_write_items().client_request_token(token.to_string());
        let mut snapshot = acme.snapshot();
        let team = snapshot.get(TeamById { team_id: "1".to_owned() });
        if arm.capabilities().transactions == Capability::Absent {
            let check = aws_sdk_dynamodb::types::TransactWriteItem::builder().build();
            assert!(
                request.transact_items(check).send().await.is_err(),
                "it is declared absent, and is there"
            );
            assert!(matches!(transaction.send().await, Err(TransactionError::Lacking)));
            assert!(matches!(snapshot.send().await, Err(SnapshotError::Lacking)));
            assert!(store.usage().writes.is_empty() && store.usage().reads.is_empty());
            return;
        }
        assert!(transaction.send().await.unwrap().is_done());
        assert!(snapshot.send().await.unwrap().item(&team).unwrap().is_some());
    })
    .await;
}

#[tokio::test]
async fn a_time_to_live_can_be_switched_on_where_that_is_declared() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let specification =
            TimeToLiveSpecification::builder().attribute_name("expires_at").enabled(true).build().unwrap();
        let request = arm.client().update_time_to_live().table_name(store.table_name());
        let answer = request.time_to_live_specification(specification).send().await;
        let declared = arm.capabilities().time_to_live == Capability::Present;
        // Where it is declared, `create_table` switched it on, and a second time is refused.
        let is_on = answer.as_ref().map_or_else(
            |error| error.message().is_some_and(|message| message.contains("already enabled")),
            |_| true,
        );
        assert_eq!(is_on, declared, "{:?}", answer.map_err(|error| error.code().map(str::to_owned)));
    })
    .await;
}

/// The design has a stream. Where streams are declared the table is made with it and `open` compares it; where they are not, neither.
#[tokio::test]
async fn a_table_has_the_stream_of_its_design_where_streams_are_declared() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let described = arm.client().describe_table().table_name(store.table_name()).send().await.unwrap();
        let stream = described.table.and_then(|table| table.stream_specification);
        let view = stream.filter(|stream| stream.stream_enabled).and_then(|stream| stream.stream_view_type);
        let declared = arm.capabilities().streams == Capability::Present;
        assert_eq!(view, declared.then_some(StreamViewType::NewAndOldImages));
        if !declared {
            // It is asserted that the engine has none: what is declared absent and is there would be compared by nobody.
            let on = StreamSpecification::builder().stream_enabled(true);
            let on = on.stream_view_type(StreamViewType::NewAndOldImages).build().unwrap();
            let update = arm.client().update_table().table_name(store.table_name());
            let _ = update.stream_specification(on).send().await;
            let described =
                arm.client().describe_table().table_name(store.table_name()).send().await.unwrap();
            assert!(
                described.table.unwrap().stream_specification.is_none_or(|stream| !stream.stream_enabled)
            );
        }
    })
    .await;
}

/// A table without a stream, for a program that needs one: `open` says so, and what to do, unless the engine has no streams at all.
#[tokio::test]
async fn a_table_without_the_stream_of_its_design_does_not_open_where_streams_are_declared() {
    on_every_arm(|arm| async move {
        let declared = Capabilities { streams: Capability::Present, ..arm.capabilities() };
        let absent = Capabilities { streams: Capability::Absent, ..arm.capabilities() };
        let builder = arm.builder::<App>().capabilities(absent);
        builder.create_table().await.unwrap();
        let table = builder.create_request().table_name.unwrap();
        builder.open().await.unwrap();

        let opened = arm.builder_of::<App>(&table).capabilities(declared).open().await;

        let Err(OpenError::Differs(differences)) = opened else { panic!("it opened") };
        let expected = Difference::Stream { expected: "NEW_AND_OLD_IMAGES".to_owned(), found: None };
        assert_eq!(differences, [expected]);
        assert!(differences[0].to_string().contains("UpdateTable"), "{}", differences[0]);
    })
    .await;
}
