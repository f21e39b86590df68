//! Transactions that conflict, and one whose first attempt is not over.

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{Put, TransactWriteItem, Update};
use keywright_api::Operation;
use keywright_engine::faults::{Fault, Moment, Rule, When};

use crate::{Scene, TABLE, names, number, pauses, row, string};

const ORDERS: usize = 30;

/// Places an order that is not there yet, and counts it.
fn place(order: &str) -> Vec<TransactWriteItem> {
    let put = Put::builder().table_name(TABLE).set_item(Some(row(order)));
    let put = put.condition_expression("attribute_not_exists(pk)").build().unwrap();
    vec![TransactWriteItem::builder().put(put).build(), count()]
}

fn count() -> TransactWriteItem {
    let update =
        Update::builder().table_name(TABLE).set_key(Some(row("count"))).update_expression("ADD n :one");
    let update = update.expression_attribute_values(":one", number(1)).build().unwrap();
    TransactWriteItem::builder().update(update).build()
}

fn conflicts() -> Rule {
    Rule::new(Fault::TransactionConflict).operation(Operation::TransactWriteItems).when(When::Share(0.3))
}

/// Takes every cancelled transaction for an order that was placed before.
async fn place_or_assume(scene: &Scene, orders: &[String]) {
    for order in orders {
        let placed = scene.client.transact_write_items().set_transact_items(Some(place(order))).send().await;
        let Err(error) = placed else { continue };
        let error = error.into_service_error();
        assert!(matches!(error, TransactWriteItemsError::TransactionCanceledException(_)), "{error:?}");
    }
}

/// Looks at the reasons: a condition that failed says that the order is there, a conflict says nothing.
async fn place_all(scene: &Scene, orders: &[String]) {
    for order in orders {
        let mut waits = pauses();
        loop {
            let placed =
                scene.client.transact_write_items().set_transact_items(Some(place(order))).send().await;
            let Err(error) = placed else { break };
            let TransactWriteItemsError::TransactionCanceledException(cancelled) = error.into_service_error()
            else {
                panic!("{order} is refused for another reason")
            };
            let codes = cancelled.cancellation_reasons().iter().filter_map(|reason| reason.code());
            if codes.into_iter().any(|code| code == "ConditionalCheckFailed") {
                break;
            }
            scene.pause(waits.next().expect("conflicts end"));
        }
    }
}

#[tokio::test]
async fn a_program_that_takes_a_conflict_for_a_failed_condition_loses_orders() {
    let orders = names("order", ORDERS);
    let scene = Scene::new([conflicts()]).await;
    // The seed makes eight of thirty transactions conflict.
    place_or_assume(&scene, &orders).await;
    assert_eq!((scene.rows().await.len() - 1, scene.number("count").await), (22, 22));

    let scene = Scene::new([conflicts()]).await;
    place_all(&scene, &orders).await;
    // Placed twice, they are there once.
    place_all(&scene, &orders).await;
    assert_eq!((scene.rows().await.len() - 1, scene.number("count").await), (ORDERS, ORDERS as u64));
}

async fn count_one(scene: &Scene) -> Result<(), UpdateItemError> {
    let update = scene.client.update_item().table_name(TABLE).key("pk", string("count"));
    let update = update.update_expression("ADD n :one").expression_attribute_values(":one", number(1));
    update.send().await.map(|_| ()).map_err(aws_sdk_dynamodb::error::SdkError::into_service_error)
}

/// A single write conflicts with the transactions of others, and the SDK does not send it again.
#[tokio::test]
async fn a_write_of_its_own_that_conflicts_has_not_happened() {
    let rule =
        || Rule::new(Fault::TransactionConflict).operation(Operation::UpdateItem).when(When::Share(0.3));
    let scene = Scene::new([rule()]).await;
    for _ in 0..ORDERS {
        let _logged = count_one(&scene).await;
    }
    assert_eq!(scene.number("count").await, 18);

    let scene = Scene::new([rule()]).await;
    for _ in 0..ORDERS {
        let mut waits = pauses();
        while let Err(error) = count_one(&scene).await {
            assert!(matches!(error, UpdateItemError::TransactionConflictException(_)), "{error:?}");
            scene.pause(waits.next().expect("conflicts end"));
        }
    }
    assert_eq!(scene.number("count").await, ORDERS as u64);
}

/// The first attempt is carried out and its answer lost; the following four meet a transaction that is not over.
fn in_progress() -> [Rule; 2] {
    let lost = Rule::new(Fault::CutConnection(Moment::AfterCommit)).operation(Operation::TransactWriteItems);
    [lost.when(When::First(1)), Rule::new(Fault::TransactionInProgress).when(When::Calls(vec![2, 3, 4, 5]))]
}

/// C30. The SDK gives each call a token of its own, the same for the attempts of the call. After these are over, a call of the
/// program is another transaction, unless the program gave both the same token.
#[tokio::test]
async fn a_transaction_that_is_sent_again_under_another_token_counts_twice() {
    for (token, counted) in [(None, 2), (Some("event 1"), 1)] {
        let scene = Scene::new(in_progress()).await;
        let mut waits = pauses();
        let mut refusals = 0;
        loop {
            let call = scene.client.transact_write_items().transact_items(count());
            match call.set_client_request_token(token.map(str::to_owned)).send().await {
                Ok(_) => break,
                Err(error) => {
                    let error = error.into_service_error();
                    assert!(
                        matches!(error, TransactWriteItemsError::TransactionInProgressException(_)),
                        "{error:?}"
                    );
                    refusals += 1;
                    scene.pause(waits.next().expect("transactions end"));
                }
            }
        }
        assert_eq!((refusals, scene.number("count").await), (1, counted), "{token:?}");
    }
}
